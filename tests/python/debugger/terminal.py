"""A stored session: a program at a pseudo-terminal, its prompts answered by the commands of a transcript.

What: a transcript begins with `$ trisect` and its arguments; each line that begins with the prompt is what a
user types there. `replay` gives the transcript that the program makes now.
Why: what a user sees is more than what a function returns: echo, prompts, order.
Limits: a program that says nothing for a minute is ended.
"""

import os
import pty
import re
import select
import signal
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parents[2] / "python"
PROMPT = "(trisect) "
_PATIENCE = 300.0
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A child process behind a pseudo-terminal."""

    def __init__(self, arguments, environment):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(HERE)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a background shell ignores it
            os.execve(sys.executable, [sys.executable, "-m", "trisect", *arguments], environment)
        self.seen = ""

    def read_until_prompt(self) -> bool:
        """Collects output up to a prompt; False at the program's end."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            ready, _, _ = select.select([self.descriptor], [], [], 0.5)
            if not ready:
                continue
            try:
                piece = os.read(self.descriptor, 65536)
            except OSError:  # the other side is closed
                return False
            if not piece:
                return False
            self.seen += piece.decode("utf-8", "replace")
            if _ESCAPES.sub("", self.seen).endswith(PROMPT):
                return True
        raise TimeoutError(f"no prompt and no end after {_PATIENCE} s; so far:\n{self.seen}")

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode() + b"\n")

    def close(self) -> int:
        """Ends the program if it still runs; its exit status."""
        os.close(self.descriptor)
        for _ in range(int(_PATIENCE / 0.05)):
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        os.kill(self.pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def environment(folder) -> dict:
    """Variables of the child: nothing that depends on who runs the test."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TRISECT_", "TRITON_"))}
    return kept | {
        "PYTHONPATH": str(PACKAGE),
        "TRITON_CACHE_DIR": str(folder / "cache"),
        "NO_COLOR": "1",
        "TERM": "dumb",
        "INPUTRC": os.devnull,
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def commands_of(transcript: str) -> list[str]:
    return [line[len(PROMPT) :] for line in transcript.splitlines() if line.startswith(PROMPT.rstrip())]


def replay(transcript: str, folder) -> str:
    """Runs a transcript's program and commands anew; the transcript of that."""
    lines = transcript.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("$ "))
    terminal = Terminal(lines[start][2:].removeprefix("trisect ").split(), environment(folder))
    try:
        # Those of -c come of themselves.
        for command in commands_of(transcript)[lines[start].split().count("-c") :]:
            if not terminal.read_until_prompt():
                break
            terminal.type(command)
        else:
            while terminal.read_until_prompt():
                terminal.type("quit")
    finally:
        status = terminal.close()
    text = _ESCAPES.sub("", terminal.seen).replace("\r\n", "\n").replace("\r", "")
    text = text.replace(str(HERE) + os.sep, "").rstrip("\n")
    text = "\n".join(line.rstrip() for line in text.splitlines())
    return "\n".join([*lines[: start + 1], text, f"[exit status {status}]", ""])
