"""The debug adapter: what an editor asks, in terms of the debugger.

What: `Adapter` is a front end as the terminal is one. While programs run, the thread that reads requests
answers those that need no stopped launch; at a stop the launching thread answers all of them.
Limits: one thread of the editor stands for each program of the grid that has started and not ended; the host
program itself is not stopped.
"""

from __future__ import annotations

import _thread
import contextlib
import io
import os
import queue
import re
import threading

from ..breakpoints import Breakpoint, BreakpointError, has_statement, parse, statement_line
from ..commands import Commands
from ..session import Move
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


class Adapter:
    """Front end of `trisect dap`."""

    colour = False

    def __init__(self, channel):
        self.channel = channel
        self.debugger = None
        self.configured = threading.Event()
        self.launch: dict | None = None
        self.ended = False
        self._session = None
        self._requests: queue.Queue = queue.Queue()
        self._lock = threading.RLock()
        self._tree = Tree()
        self._sources: dict[str, list[int]] = {}
        self._kinds: dict[str, list[int]] = {"function": [], "data": []}
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
        self.configured.set()
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
        handler = getattr(self, f"_on_{request['command']}", None)
        if request["command"] in _MOVES or handler is None:
            self.channel.refuse(request, f"{request['command']}: no kernel is stopped")
            return
        self._handle(handler, request)

    def _answer(self, request) -> Move | None:
        """Answers a request at a stop; the move that it asks for, if it does."""
        command = request["command"]
        if command in _MOVES:
            self.channel.respond(request, {"allThreadsContinued": True} if command == "continue" else None)
            return Move(*_MOVES[command])
        handler = getattr(self, f"_on_{command}", None) or getattr(self, f"_at_stop_{command}", None)
        if handler is None:
            self.channel.refuse(request, f"the request {command} is not supported")
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
        if isinstance(result, Move):
            self.channel.respond(request)
            return result
        body, after = result if isinstance(result, tuple) else (result, None)
        self.channel.respond(request, body)
        if after is not None:
            after()
        return None

    # At any time.

    def _on_initialize(self, arguments):
        return CAPABILITIES, lambda: self.channel.event("initialized")

    def _on_launch(self, arguments):
        if not arguments.get("program") and not arguments.get("module"):
            raise ValueError("launch needs the `program` to run, or a `module`")
        self.launch = arguments
        if arguments.get("stopOnEntry"):
            self.debugger.entry = "the first launch"

    def _on_configurationDone(self, arguments):
        return None, self.configured.set

    def _on_setBreakpoints(self, arguments):
        path = arguments["source"]["path"]
        made, shown = [], []
        for each in arguments.get("breakpoints", []):
            line = statement_line(path, each["line"])
            found = has_statement(path, line)
            breakpoint = self._made(Breakpoint(0, file=path, line=line), each)
            made.append(breakpoint)
            body = {"id": breakpoint.id, "verified": found, "line": line}
            if not found:
                body["message"] = "no statement of a function lies on this line"
            shown.append(body)
        self._replace(self._sources.setdefault(path, []), made)
        return {"breakpoints": shown}

    def _on_setFunctionBreakpoints(self, arguments):
        made = [
            self._made(Breakpoint(0, function=each["name"]), each)
            for each in arguments.get("breakpoints", [])
        ]
        self._replace(self._kinds["function"], made)
        return {"breakpoints": [{"id": each.id, "verified": True} for each in made]}

    def _on_setDataBreakpoints(self, arguments):
        made = []
        for each in arguments.get("breakpoints", []):
            made.append(self._made(Breakpoint(0, watch=_element(each["dataId"])), each))
        self._replace(self._kinds["data"], made)
        return {"breakpoints": [{"id": each.id, "verified": True} for each in made]}

    def _on_setExceptionBreakpoints(self, arguments):
        filters = arguments.get("filters", [])
        self.debugger.stops_at_faults = "fault" in filters
        self.debugger.stops_at_calls = "call" in filters
        self.debugger.changed()

    def _made(self, breakpoint, asked):
        if asked.get("condition"):
            breakpoint.condition = parse(f"x if {asked['condition']}", None).condition
        if asked.get("hitCondition"):
            number = re.search(r"\d+", asked["hitCondition"])
            breakpoint.ignore = max(0, int(number.group()) - 1) if number else 0
        breakpoint.log = asked.get("logMessage")
        return self.debugger.add(breakpoint)

    def _replace(self, old, made):
        for number in old:
            self.debugger.delete(number)
        old[:] = [each.id for each in made]
        self.debugger.changed()

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
        self.configured.set()
        if self._session is not None:
            return Move("quit")
        return None, self._end_program

    # At a stop.

    def _frames(self):
        return self._session.frames()

    def _at_stop_stackTrace(self, arguments):
        if arguments.get("threadId", self._session.program + 1) != self._session.program + 1:
            return Move("program", program=arguments["threadId"] - 1)
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
        return {"scopes": self._tree.scopes(self._frames()[arguments["frameId"] - 1], self._session)}

    def _at_stop_variables(self, arguments):
        start, count = arguments.get("start", 0), arguments.get("count", 0)
        return {"variables": self._tree.children(arguments["variablesReference"], start, count)}

    def _at_stop_evaluate(self, arguments):
        text = arguments["expression"].strip()
        if arguments.get("context") == "repl" and self._console.knows(text):
            return self._command(text)
        frame = self._frames()[max(0, arguments.get("frameId", 1) - 1)]
        value = frame.find(text)
        if value is not None:
            node = self._tree.variable(value)
        else:
            try:
                node = self._tree.array(text, frame.evaluate(text))
            except Exception as error:
                raise ValueError(f"{type(error).__name__}: {error}") from None
        return {"result": node.pop("value"), **node}

    def _command(self, text):
        """A command of the terminal debugger, given in the editor's console."""
        self._told = io.StringIO()
        try:
            move = self._console.once(self.debugger, self._session, text)
            output = self._told.getvalue().rstrip("\n")
        finally:
            self._told = None
        return move if move is not None else {"result": output, "variablesReference": 0}

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
        name = arguments["name"]
        with contextlib.suppress(BreakpointError, KeyError, IndexError):
            tensor, index = _element(name.removeprefix("tensors."))
            self._session.tensors.view(tensor).element_address(index)
            return {"dataId": f"{tensor}[{', '.join(map(str, index))}]", "description": name,
                    "accessTypes": ["write"]}  # fmt: skip
        return {"dataId": None, "description": "elements of tensors can be watched: NAME[INDEX]"}


def _at_last() -> None:
    """Ends the process in a while, if the program has not done so."""
    timer = threading.Timer(_PATIENCE, os._exit, [130])
    timer.daemon = True
    timer.start()


def _element(text: str) -> tuple[str, tuple]:
    found = re.fullmatch(r"\s*(\w+)\s*((?:\[[-\d,\s]+\])+)\s*", text)
    if not found:
        raise BreakpointError(f"{text!r} is no element of a tensor, such as out_ptr[3, 5]")
    return found.group(1), tuple(int(number) for number in re.findall(r"-?\d+", found.group(2)))
