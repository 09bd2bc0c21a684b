"""The requests of an editor that set breakpoints.

What: a request replaces all of its kind (of a file). Each breakpoint is answered: one that makes no sense is
not verified and says why, and the others are set.
"""

from __future__ import annotations

from ..breakpoints import Breakpoint, Hits, check_condition, has_statement, parse_element, statement_line
from .asked import brief, objects, take

_FILTERS = ("fault", "call")


class Breakpoints:
    """That part of the adapter."""

    def __init__(self):
        self.debugger = None
        self._old: dict[str | tuple[str, str], list[int]] = {}

    def _on_setBreakpoints(self, arguments):
        path = take(take(arguments, "source", dict), "path", str)

        def at_line(asked):
            line = take(asked, "line", int)
            if line < 1:
                raise ValueError(f"there is no line {line}")
            line = statement_line(path, line)
            answer = {"line": line}
            if not has_statement(path, line):
                answer |= {"verified": False, "message": "no statement of a function lies on this line"}
            return Breakpoint(0, file=path, line=line), answer

        return self._set(("file", path), objects(arguments, "breakpoints"), at_line)

    def _on_setFunctionBreakpoints(self, arguments):
        def of_function(asked):
            name = take(asked, "name", str)
            if not name.isidentifier():
                raise ValueError(f"a function is named as behind its `def`, not {brief(name)}")
            return Breakpoint(0, function=name), {}

        return self._set("function", objects(arguments, "breakpoints"), of_function)

    def _on_setDataBreakpoints(self, arguments):
        def of_element(asked):
            name, index = parse_element(take(asked, "dataId", str))
            if take(asked, "accessType", str, "write") != "write":
                raise ValueError("only writes to an element can be watched")
            if self._session is not None:
                self._session.tensors.view(name).element_address(index)
            return Breakpoint(0, watch=(name, index)), {}

        return self._set("data", objects(arguments, "breakpoints"), of_element)

    def _on_setExceptionBreakpoints(self, arguments):
        filters = take(arguments, "filters", list)
        for each in filters:
            if each not in _FILTERS:
                raise ValueError(f"there is no filter {brief(each)}; there are {' and '.join(_FILTERS)}")
        self.debugger.stops_at_faults = "fault" in filters
        self.debugger.stops_at_calls = "call" in filters
        self.debugger.changed()

    def _set(self, kind, asked, read):
        """Replaces the breakpoints of a kind by those that `read` makes of what is asked."""
        made, answers = [], []
        for each in asked:
            try:
                breakpoint, answer = read(each)
                _refine(breakpoint, each)
            except (ValueError, LookupError) as error:
                answers.append({"verified": False, "message": str(error.args[0] if error.args else error)})
                continue
            made.append(self.debugger.add(breakpoint).id)
            answers.append({"id": made[-1], "verified": True, **answer})
        for number in self._old.get(kind, []):
            self.debugger.delete(number)
        self._old[kind] = made
        self.debugger.changed()
        return {"breakpoints": answers}


def _refine(breakpoint: Breakpoint, asked: dict) -> None:
    """Condition, hit count and message of a breakpoint."""
    if condition := take(asked, "condition", str, "").strip():
        check_condition(condition)
        breakpoint.condition = condition
    if hits := take(asked, "hitCondition", str, "").strip():
        breakpoint.counted = Hits.of(hits)
    breakpoint.log = take(asked, "logMessage", str, "") or None
