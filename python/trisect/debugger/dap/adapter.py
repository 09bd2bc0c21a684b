"""The debug adapter: what an editor asks, in terms of the debugger.

What: `Adapter` is a front end as the terminal is one. While programs run, the thread that reads requests
answers those that need no stopped launch; at a stop the launching thread answers all of them.
Limits: one thread of the editor stands for each program of the grid that has started and not ended; the host
program itself is not stopped.
"""

from __future__ import annotations

import _thread
import contextlib
import functools
import io
import os
import queue
import threading

from ..breakpoints import BreakpointError, parse_element
from ..commands import Commands
from ..session import Move
from .asked import Launch, brief, take
from .breakpoints import Breakpoints
from .tree import Tree

CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsFunctionBreakpoints": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsDataBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsExceptionInfoRequest": True,
    "supportsTerminateRequest": True,
    "exceptionBreakpointFilters": [
        {"filter": "fault", "label": "Kernel faults", "default": True},
        {"filter": "call", "label": "breakpoint() in kernels", "default": True},
    ],
}

_MOVES = {
    "continue": ("go", "continue"),
    "next": ("go", "over"),
    "stepIn": ("go", "into"),
    "stepOut": ("go", "out"),
    "stepBack": ("back", "over"),
    "reverseContinue": ("back", "continue"),
}
_REASONS = {
    "start": "entry",
    "watch": "data breakpoint",
    "fault": "exception",
    "breakpoint call": "breakpoint",
    "back": "step",
    "switch": "goto",
    "refused": "step",
}


#: Seconds that a program has to end after its editor is gone.
_PATIENCE = 5.0


class Adapter(Breakpoints):
    """Front end of `trisect dap`."""

    colour = False

    def __init__(self, channel):
        super().__init__()
        self.channel = channel
        #: The program may begin, or never will.
        self.ready = threading.Event()
        self.launch: Launch | None = None
        self.ended = False
        self._configured = False
        self._session = None
        self._requests: queue.Queue = queue.Queue()
        self._lock = threading.RLock()
        self._tree = Tree()
        self._console = Commands(self, "", [])
        self._told = None

    # The front end.

    def tell(self, text: str) -> None:
        if self._told is not None:
            self._told.write(text + "\n")
        else:
            self.channel.event("output", category="console", output=text + "\n")

    def stopped(self, session) -> Move:
        """Tells the editor, then answers requests until one of them moves on."""
        if self.ended:
            return Move("quit")
        with self._lock:
            self._session, self._tree = session, Tree()
        self._announce(session)
        while True:
            move = self._answer(self._requests.get())
            if move is not None:
                with self._lock:
                    self._session = None
                    while not self._requests.empty():
                        self._answer_running(self._requests.get())
                return move

    def _announce(self, session) -> None:
        stop = session.stop
        body = {
            "reason": _REASONS.get(stop.reason, stop.reason),
            "threadId": session.program + 1,
            "allThreadsStopped": True,
        }
        if stop.text:
            body["description"] = body["text"] = stop.text
        if stop.breakpoints:
            body["hitBreakpointIds"] = [each.id for each in stop.breakpoints]
            if any(each.function for each in stop.breakpoints):
                body["reason"] = "function breakpoint"
        self.channel.event("stopped", **body)

    # Requests.

    def serve(self) -> None:
        """Reads requests until the stream ends; for a thread of its own."""
        try:
            while (request := self.channel.receive()) is not None:
                with self._lock:
                    if self._session is not None:
                        self._requests.put(request)
                        continue
                    self._answer_running(request)
        finally:
            self._leave()

    def _leave(self):
        """The editor is gone."""
        self.ended = True
        self.ready.set()
        _at_last()
        if self._session is not None:
            self._requests.put({"seq": 0, "type": "request", "command": "disconnect"})
        else:
            self._end_program()

    def _end_program(self):
        """A launch stops and is told to quit; any other code meets KeyboardInterrupt. What goes
        on after that ends with the process."""
        _at_last()
        self.debugger.pause()
        if self.debugger.session is None and self.launch is not None:
            _thread.interrupt_main()

    def _answer_running(self, request) -> None:
        command = request["command"]
        handler = getattr(self, f"_on_{command}", None)
        if handler is not None:
            self._handle(handler, request)
        elif command in _MOVES or hasattr(self, f"_at_stop_{command}"):
            self.channel.refuse(request, f"{command}: no kernel is stopped")
        else:
            self.channel.refuse(request, f"the request {brief(command)} is not supported")

    def _answer(self, request) -> Move | None:
        """Answers a request at a stop; the move that it asks for, if it does."""
        command = request["command"]
        if command in _MOVES:
            return self._handle(functools.partial(self._move, command), request)
        handler = getattr(self, f"_on_{command}", None) or getattr(self, f"_at_stop_{command}", None)
        if handler is None:
            self.channel.refuse(request, f"the request {brief(command)} is not supported")
            return None
        return self._handle(handler, request)

    def _handle(self, handler, request):
        try:
            result = handler(request.get("arguments") or {})
        except (BreakpointError, ValueError, IndexError, RuntimeError) as error:
            self.channel.refuse(request, str(error.args[0] if error.args else error))
            return None
        except Exception as error:  # an editor may send anything
            self.channel.refuse(
                request, f"the arguments of {request['command']}: {type(error).__name__}: {error}"
            )
            return None
        body, after = result if isinstance(result, tuple) else (result, None)
        self.channel.respond(request, body)
        if isinstance(after, Move):
            return after
        if after is not None:
            after()
        return None

    # At any time.

    def _on_initialize(self, arguments):
        if not take(arguments, "linesStartAt1", bool, True):
            raise ValueError("lines start at 1 here: `linesStartAt1` cannot be false")
        if take(arguments, "pathFormat", str, "path") != "path":
            raise ValueError(f"files are named by paths, not by {brief(arguments['pathFormat'])}")
        return CAPABILITIES, lambda: self.channel.event("initialized")

    def _on_launch(self, arguments):
        if self.launch is not None:
            raise ValueError("a connection is for one program, and it has been launched")
        stops = take(arguments, "stopOnEntry", bool, False)
        self.launch = Launch.of(arguments)
        if stops:
            self.debugger.entry = "the first launch"
        return None, self._begin

    def _on_attach(self, arguments):
        raise ValueError("a program cannot be attached to: `launch` starts it")

    def _on_configurationDone(self, arguments):
        self._configured = True
        return None, self._begin

    def _begin(self):
        """The program begins once it is known and editors have set their breakpoints, in either order."""
        if self._configured and self.launch is not None:
            self.ready.set()

    def _on_threads(self, arguments):
        session = self._session
        if session is None:
            return {"threads": [{"id": 1, "name": "programs run"}]}
        return {
            "threads": [
                {"id": linear + 1, "name": f"program {session.id_of(linear)}"}
                for linear in session.launch.live_programs()
            ]
        }

    def _on_pause(self, arguments):
        if self._session is None:
            self.debugger.pause()

    def _on_terminate(self, arguments):
        return self._on_disconnect(arguments)

    def _on_disconnect(self, arguments):
        self.ended = True
        self.ready.set()
        if self._session is not None:
            return None, Move("quit")
        return None, self._end_program

    # At a stop.

    def _move(self, command, arguments):
        self._thread(arguments)
        return {"allThreadsContinued": True} if command == "continue" else None, Move(*_MOVES[command])

    def _thread(self, arguments) -> int:
        """The thread that a request names: the program that stands here, or another one."""
        here = self._session.program + 1
        thread = take(arguments, "threadId", int, here)
        if thread != here and thread - 1 not in self._session.launch.live_programs():
            raise ValueError(
                f"there is no thread {thread}: programs that have begun and not ended are threads"
            )
        return thread

    def _frames(self):
        return self._session.frames()

    def _frame(self, arguments):
        frames, number = self._frames(), take(arguments, "frameId", int, 1)
        if not 1 <= number <= len(frames):
            raise ValueError(f"there is no frame {number} at this stop")
        return frames[number - 1]

    def _at_stop_stackTrace(self, arguments):
        thread = self._thread(arguments)
        if thread != self._session.program + 1:
            return {"stackFrames": [], "totalFrames": 0}, Move("program", program=thread - 1)
        frames = [
            {
                "id": position + 1,
                "name": frame.function,
                "line": frame.line,
                "column": 1,
                "source": {"name": frame.file.rsplit("/", 1)[-1], "path": frame.file},
            }
            for position, frame in enumerate(self._frames())
        ]
        return {"stackFrames": frames, "totalFrames": len(frames)}

    def _at_stop_scopes(self, arguments):
        take(arguments, "frameId", int)
        return {"scopes": self._tree.scopes(self._frame(arguments), self._session)}

    def _at_stop_variables(self, arguments):
        start, count = (take(arguments, name, int, 0) for name in ("start", "count"))
        if start < 0 or count < 0:
            raise ValueError("`start` and `count` are not negative")
        reference = take(arguments, "variablesReference", int)
        return {"variables": self._tree.children(reference, start, count)}

    def _at_stop_evaluate(self, arguments):
        text = take(arguments, "expression", str).strip()
        frame = self._frame(arguments)
        if take(arguments, "context", str, "") == "repl" and self._console.knows(text):
            return self._command(text, frame.depth)
        value = frame.find(text)
        if value is not None:
            node = self._tree.variable(value)
        else:
            try:
                node = self._tree.array(text, frame.evaluate(text))
            except (Exception, SystemExit) as error:
                raise ValueError(f"{type(error).__name__}: {error}") from None
        return {"result": node.pop("value"), **node}

    def _command(self, text, depth):
        """A command of the terminal debugger, given in the editor's console."""
        self._told = io.StringIO()
        try:
            move = self._console.once(self.debugger, self._session, text, depth)
            output = self._told.getvalue().rstrip("\n")
        finally:
            self._told = None
        return {"result": output, "variablesReference": 0}, move

    def _at_stop_exceptionInfo(self, arguments):
        fault = self._session.stop.fault
        if fault is None:
            raise ValueError("the launch did not stop at a fault")
        return {
            "exceptionId": fault.kind,
            "description": str(fault),
            "breakMode": "always",
            "details": {"message": str(fault), "typeName": "KernelFault"},
        }

    def _at_stop_dataBreakpointInfo(self, arguments):
        name = take(arguments, "name", str)
        with contextlib.suppress(BreakpointError, KeyError, IndexError):
            tensor, index = parse_element(name)
            self._session.tensors.view(tensor).element_address(index)
            return {"dataId": f"{tensor}[{', '.join(map(str, index))}]", "description": name,
                    "accessTypes": ["write"]}  # fmt: skip
        return {"dataId": None, "description": "elements of tensors can be watched: NAME[INDEX]"}


def _at_last() -> None:
    """Ends the process in a while, if the program has not done so."""
    timer = threading.Timer(_PATIENCE, os._exit, [130])
    timer.daemon = True
    timer.start()
