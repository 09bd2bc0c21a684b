"""`trisect dap`: runs a program for an editor.

What: without options the protocol runs over standard input and output, with --port over one TCP
connection. The editor's `launch` request names the program, its `args`, `cwd`, `env`, whether to
`stopOnEntry`, and `noDebug` if it is only to run. What the program prints becomes output events.
Limits: one program for one connection.
"""

from __future__ import annotations

import io
import os
import signal
import socket
import sys
import threading

from trisect._command import Parser, reason, refuse, whole_number
from trisect._program import run_program

from ..attach import attach
from ..core import Debugger
from ..session import DebuggerQuit
from .adapter import Adapter
from .asked import Launch
from .channel import Channel


class _Output(io.TextIOBase):
    """A text stream whose writes become output events; bytes take the way of native code."""

    encoding, errors = "utf-8", "replace"

    def __init__(self, channel, category, descriptor):
        self._channel, self._category, self._descriptor = channel, category, descriptor

        self.buffer = open(descriptor, "wb", buffering=0, closefd=False)

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._channel.event("output", category=self._category, output=text)
        return len(text)

    def flush(self) -> None:
        """Every write is sent at once."""

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._descriptor


def _forward(channel, descriptor: int, category: str) -> threading.Thread:
    """Makes what native code writes to a descriptor output events."""
    reading, writing = os.pipe()
    os.dup2(writing, descriptor)
    os.close(writing)

    def pump():
        with open(reading, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                channel.event("output", category=category, output=line)

    thread = threading.Thread(target=pump, daemon=True)
    thread.start()
    return thread


def _finish(forwarded: dict[int, threading.Thread]) -> None:
    """Waits for what native code has written, unless a process that goes on holds the pipe."""
    null = os.open(os.devnull, os.O_WRONLY)
    for descriptor in forwarded:
        os.dup2(null, descriptor)
    for thread in forwarded.values():
        thread.join(timeout=1)


def _streams(options):
    """The binary streams of the connection."""
    if options.port is None:
        # The protocol keeps its own descriptors: the program may use 0, 1 and 2.
        try:
            reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        except OSError:
            refuse("dap", "the protocol needs standard input and output; one of them is closed", 1)
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.close(empty)
        return reader, writer
    host = options.host or "127.0.0.1"
    try:
        listener = socket.create_server((host, options.port))
    except (OSError, UnicodeError) as error:
        refuse("dap", f"cannot listen on {host}:{options.port}: {reason(error)}", 1)
    print(f"trisect dap: listening on {host}:{listener.getsockname()[1]}", file=sys.stderr, flush=True)
    try:
        connection, _ = listener.accept()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    listener.close()
    stream = connection.makefile("rwb")
    return stream, stream


def _run(launch: Launch) -> int:
    """Runs the program that the editor asked for; its exit status."""
    try:
        launch.enter()
        run_program(launch.words, "dap")
    except DebuggerQuit:
        return 0
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return (ended.code or 0) & 0xFF
        print(ended.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


class _Interrupts:
    """Interrupts of the main thread: KeyboardInterrupt while the program runs, nothing before and after. The
    end of the connection interrupts by way of it, at any time and more than once; that one is raised once, or
    the second would meet whoever catches the first."""

    def __init__(self, adapter):
        self._adapter = adapter
        self._may_come, self._told = False, False
        signal.signal(signal.SIGINT, self._come)

    def _come(self, *_) -> None:
        if not self._may_come or (self._adapter.ended and self._told):
            return
        self._told = self._adapter.ended
        raise KeyboardInterrupt

    def status_of(self, run) -> int:
        """What `run()` returns, or 130."""
        try:
            self._may_come = True
            if self._adapter.ended and not self._told:
                self._come()  # one that came too early
            status = run()
            self._may_come = False
        except KeyboardInterrupt:
            self._may_come = False
            status = 130
        return status


def main(given: list[str]) -> None:
    parser = Parser(prog="python -m trisect dap", description="A debug adapter for editors.")
    parser.add_argument(
        "--port", type=whole_number(0, 65535), help="listen on this port (0: any) instead of standard input"
    )
    parser.add_argument("--host", help="with --port: on this address (127.0.0.1)")
    options = parser.parse_args(given)
    if options.host is not None and options.port is None:
        parser.error("--host needs --port")
    channel = Channel(*_streams(options))
    forwarded = {1: _forward(channel, 1, "stdout"), 2: _forward(channel, 2, "stderr")}
    sys.stdout = _Output(channel, "stdout", 1)
    sys.stderr = _Output(channel, "stderr", 2)
    adapter = Adapter(channel)
    adapter.debugger = Debugger(adapter)
    attach(adapter.debugger)
    interrupts = _Interrupts(adapter)
    threading.Thread(target=adapter.serve, daemon=True).start()
    adapter.ready.wait()
    status = 0
    if adapter.launch is not None and not adapter.ended:
        if not adapter.launch.debugged:
            adapter.debugger.detach()
        status = interrupts.status_of(lambda: _run(adapter.launch))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _finish(forwarded)
    channel.event("exited", exitCode=status)
    channel.event("terminated")
    os._exit(status)
