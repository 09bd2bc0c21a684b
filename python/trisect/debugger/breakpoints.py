"""Breakpoints: where and when a launch is to stop.

What: reads what a user writes (`matmul.py:31 program 2,0 if acc.max() > 10`), and finds the statements of a
kernel that it means.
Limits: a file is named by the end of its path; a line inside a statement of several lines means its first.
"""

from __future__ import annotations

import ast
import functools
import linecache
import operator
import os
import re
from dataclasses import dataclass

from trisect._syntax import syntax_tree

_SPEC = re.compile(
    r"(?P<where>.*?)(?:\s*\bprogram\s+(?P<program>[\d,\s()]+?))?(?:\s*\bif\s+(?P<condition>.+))?",
    re.DOTALL,
)
_INDEX = r"\[\s*-?\d{1,18}(?:\s*,\s*-?\d{1,18})*\s*,?\s*\]"
_ELEMENT = re.compile(rf"\s*(?:tensors\.)?(\w+)\s*((?:{_INDEX})+)\s*", re.ASCII)
_COMPARED = {"==": operator.eq, ">=": operator.ge, ">": operator.gt, "<": operator.lt, "<=": operator.le}
_HITS = re.compile(r"\s*(==|=|>=|>|<=|<|%)?\s*(\d{1,18})\s*", re.ASCII)


class BreakpointError(ValueError):
    """A breakpoint that makes no sense; the text is for the user."""


@dataclass(frozen=True)
class Hits:
    """Of the hits of a breakpoint those that count: `5` and `>= 5` from the fifth on, `> 5`, `== 5`, `< 5`,
    `<= 5`, and `% 5` for each fifth."""

    sign: str
    count: int

    @classmethod
    def of(cls, text: str) -> Hits:
        found = _HITS.fullmatch(text)
        sign, count = found.groups() if found else (None, "")
        if found is None or (sign == "%" and int(count) == 0):
            wanted = "a number N from which on, or `== N`, `> N`, `< N` or `% N`"
            raise BreakpointError(f"a hit condition is {wanted}, not {text[:60]!r}")
        return cls({None: ">=", "=": "=="}.get(sign, sign), int(count))

    def take(self, hit: int) -> bool:
        if self.sign == "%":
            return hit % self.count == 0
        return _COMPARED[self.sign](hit, self.count)


@dataclass
class Breakpoint:
    """One breakpoint; either `line`, `function` or `watch` says where, or `program` alone. One with a `log`
    does not stop: it prints that text, with expressions in braces."""

    id: int
    file: str | None = None
    line: int = 0
    function: str | None = None
    watch: tuple[str, tuple] | None = None
    program: tuple[int, ...] | None = None
    condition: str | None = None
    temporary: bool = False
    enabled: bool = True
    ignore: int = 0
    hits: int = 0
    counted: Hits | None = None
    hidden: bool = False
    log: str | None = None

    def where(self) -> str:
        """The place as the user would write it."""
        if self.watch:
            name, index = self.watch
            text = f"write to {name}[{', '.join(map(str, index))}]"
        elif self.line:
            text = f"{os.path.basename(self.file)}:{self.line}"
        else:
            text = self.function or "first statement"
        if self.program:
            text += f" program {','.join(map(str, self.program))}"
        return text + (f" if {self.condition}" if self.condition else "")


def parse(text: str, file: str | None) -> Breakpoint:
    """A breakpoint (without a number) from its text; `file` is where a bare line number lies."""
    found = _SPEC.fullmatch(text.strip())
    where = found.group("where").strip()
    made = Breakpoint(0, condition=found.group("condition"))
    if made.condition:
        check_condition(made.condition)
    if found.group("program"):
        made.program = tuple(int(number) for number in re.findall(r"\d{1,18}", found.group("program")))
        if not 1 <= len(made.program) <= 3:
            raise BreakpointError(
                "a program is named by one to three numbers: `program 3` or `program 1,0,2`"
            )
    name, colon, line = where.rpartition(":")
    if name and colon and _is_line(line):
        made.file, made.line = name, int(line)
    elif _is_line(where):
        if file is None:
            raise BreakpointError("no file yet: write `break FILE:LINE` or `break KERNEL`")
        made.file, made.line = file, int(where)
    elif where.isdigit():
        raise BreakpointError(f"there is no line {where}")
    elif re.fullmatch(r"\w+", where):
        made.function = where
    elif where or not made.program:
        raise BreakpointError(
            f"cannot break at {text.strip()!r}; write FILE:LINE, LINE, a function or `program N`, "
            "then `program X,Y,Z` and `if EXPRESSION` as needed"
        )
    return made


def _is_line(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < int(text[:18]) and len(text) <= 18


def check_condition(expression: str) -> None:
    """Refuses what is no expression."""
    try:
        compile(expression.strip(), "<condition>", "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        text = getattr(error, "msg", None) or str(error) or "too deep"
        raise BreakpointError(f"the condition {expression!r} is no expression: {text}") from None


def parse_element(text: str) -> tuple[str, tuple[int, ...]]:
    """Name and index of `out_ptr[3, 5]`, an element of a tensor."""
    found = _ELEMENT.fullmatch(text)
    if not found:
        raise BreakpointError(
            f"{text.strip()!r} is no element of a tensor, such as out_ptr[3, 5]"
            if text.strip()
            else "an element of a tensor is missing, such as out_ptr[3, 5]"
        )
    return found.group(1), tuple(int(number) for number in re.findall(r"-?\d+", found.group(2)))


def same_file(file: str, named: str) -> bool:
    """Whether a path is what a user means by a name or by the end of a path."""
    if os.path.isabs(named):
        return os.path.realpath(file) == os.path.realpath(named)
    return file == named or os.path.abspath(file).endswith(os.sep + os.path.normpath(named))


@functools.lru_cache(maxsize=64)
def _statement_spans(file: str, size: int) -> tuple[tuple[int, int], ...]:
    """First and last lines of the statements of all functions in a file."""
    text = "".join(linecache.getlines(file))
    try:
        tree = syntax_tree(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ()
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    spans = []
    for node in (node for function in functions for each in function.body for node in ast.walk(each)):
        if not isinstance(node, ast.stmt):
            continue
        # A compound statement means its head here.
        body = getattr(node, "body", None)
        end = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno
        spans.append((node.lineno, max(node.lineno, end)))
    return tuple(sorted(spans))


def has_statement(file: str, line: int) -> bool:
    """Whether a statement of a function begins on a line."""
    return any(first == line for first, _ in _statement_spans(file, len(linecache.getlines(file))))


def statement_line(file: str, line: int) -> int:
    """The first line of the statement that covers a line of a file."""
    covering = [
        first
        for first, last in _statement_spans(file, len(linecache.getlines(file)))
        if first <= line <= last
    ]
    return max(covering, default=line)


def find_statements(breakpoint: Breakpoint, statements) -> list[int]:
    """The statements of a kernel that a breakpoint means."""
    if breakpoint.line:
        lines = {each.line for each in statements if same_file(each.file, breakpoint.file)}
        file = next((each.file for each in statements if same_file(each.file, breakpoint.file)), None)
        if file is None:
            return []
        line = statement_line(file, breakpoint.line)
        if line not in lines:
            return []
        return [
            number
            for number, each in enumerate(statements)
            if each.line == line and each.kind != "end" and same_file(each.file, breakpoint.file)
        ]
    if breakpoint.function:
        first = {}
        for number, each in enumerate(statements):
            if each.function == breakpoint.function:
                first.setdefault(each.caller, number)
        return list(first.values())
    return []
