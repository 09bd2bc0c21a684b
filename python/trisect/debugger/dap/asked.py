"""What an editor asks: arguments of requests of the right kind, and a program that can be launched.

Why: an editor may send anything; what is wrong is said with the name of the argument, before a program runs.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from trisect._program import problem_of

_KINDS = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}
_NEEDED = object()


def brief(value) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def take(arguments: dict, name: str, kind: type, otherwise=_NEEDED):
    """The argument of a name, or `otherwise` if it is absent or null; ValueError if it is of another kind."""
    value = arguments.get(name)
    if value is None:
        if otherwise is _NEEDED:
            raise ValueError(f"`{name}` is missing; it is {_KINDS[kind]}")
        return otherwise
    if kind is int and type(value) is float and value.is_integer():
        return int(value)  # some languages know one kind of number
    if type(value) is not kind:
        raise ValueError(f"`{name}` is {_KINDS[kind]}, not {brief(value)}")
    return value


def objects(arguments: dict, name: str) -> list[dict]:
    """A list of objects, empty if it is absent."""
    found = take(arguments, name, list, [])
    for each in found:
        if type(each) is not dict:
            raise ValueError(f"`{name}` is a list of objects; {brief(each)} is none")
    return found


@dataclass
class Launch:
    """A program as `run_program` takes it, and what is to hold around it."""

    words: list[str]
    folder: str | None
    environment: dict[str, str | None]
    debugged: bool

    @staticmethod
    def of(arguments: dict) -> Launch:
        """From the arguments of `launch`; ValueError if they make no sense."""
        folder = take(arguments, "cwd", str, None) or None
        if folder is not None and not _is_folder(folder):
            raise ValueError(f"`cwd`: there is no folder {folder!r}")
        program, module = take(arguments, "program", str, ""), take(arguments, "module", str, "")
        if not program and not module:
            raise ValueError("launch needs the `program` to run, or a `module`")
        if program and module:
            raise ValueError("launch takes a `program` or a `module`, not both")
        if program:
            # A name is no option, whatever it begins with.
            first = [os.path.join(".", program) if program.startswith("-") else program]
            if problem := problem_of([os.path.join(folder or "", first[0])]):
                raise ValueError(f"`program`: {problem}")
        else:
            first = ["-m", module]
        rest = [_word("args", each) for each in take(arguments, "args", list, [])]
        environment = _environment(take(arguments, "env", dict, {}))
        return Launch([*first, *rest], folder, environment, not take(arguments, "noDebug", bool, False))

    def enter(self) -> None:
        """Makes folder and environment those of the program."""
        if self.folder is not None:
            os.chdir(self.folder)
        for name, value in self.environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _is_folder(path: str) -> bool:
    try:
        return os.path.isdir(path)
    except ValueError:
        return False


def _word(name: str, value) -> str:
    if type(value) not in (str, int, float):
        raise ValueError(f"`{name}` holds text and numbers; {brief(value)} is neither")
    return str(value)


def _environment(given: dict) -> dict[str, str | None]:
    """Variables to set, and with null those to leave out."""
    made: dict[str, str | None] = {}
    for name, value in given.items():
        made[name] = None if value is None else _word("env", value)
        text = name + (made[name] or "")
        if not name or "=" in name or "\0" in text:
            raise ValueError(f"`env`: {brief({name: value})} is no variable of an environment")
        try:
            os.fsencode(text)
        except UnicodeEncodeError:
            raise ValueError(f"`env`: {brief({name: value})} is not UTF-8") from None
    return made
