"""What the commands of `python -m trisect` have in common.

What: wrong use is told in one line, with exit status 2; files that a command will write are tried before a
program runs, since a long run is lost otherwise; a standard output that takes nothing ends a command.
Limits: a device or a pipe is not tried, as opening it may be seen at its other end.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
from collections.abc import Callable
from typing import NoReturn


def said(text: str) -> bool:
    """Writes lines to standard error; False if it takes nothing: the rest is not lost for that."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        return False
    return True


def tell(command: str, text: str) -> None:
    """One line on standard error; `command` is empty for a plain program."""
    said(f"{f'python -m trisect {command}'.rstrip()}: {text}")


def refuse(command: str, text: str, status: int = 2) -> NoReturn:
    """Ends the process with one line."""
    tell(command, text)
    raise SystemExit(status)


def reason(error: BaseException) -> str:
    """What went wrong, without the number and the path that an OSError has around it."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class Parser(argparse.ArgumentParser):
    """Options of a command, spelled as documented; what is wrong is one line."""

    def __init__(self, **given):
        super().__init__(allow_abbrev=False, **given)

    def error(self, message: str) -> NoReturn:
        refuse(self.prog.removeprefix("python -m trisect "), message)

    def print_help(self, file=None) -> None:
        show(self.prog.removeprefix("python -m trisect "), self.format_help())


def whole_number(lowest: int, highest: int | None = None) -> Callable[[str], int]:
    """The type of an option."""
    range_text = f"{lowest} on" if highest is None else f"{lowest} to {highest}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or number < lowest or (highest is not None and number > highest):
            raise argparse.ArgumentTypeError(f"it takes a whole number from {range_text}, not {text!r}")

        return number

    return read


def seconds(text: str) -> float:
    """The type of an option."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e9:
        raise argparse.ArgumentTypeError(f"it takes a number of seconds, not {text!r}")
    return number


# Files that are written after the program.


def _problem_of(path: str) -> str | None:
    """Why a file cannot be written, None if it seems that it can."""
    try:
        if os.path.isdir(path):
            return "it is a folder"
        if os.path.exists(path) and not os.path.isfile(path):
            return None if os.access(path, os.W_OK) else "Permission denied"
        is_new = not os.path.lexists(path)
        with open(path, "ab"):
            pass
        if is_new:
            os.unlink(path)
    except (OSError, ValueError) as error:
        return reason(error)
    return None


def outputs(command: str, program: str, **paths: str | None) -> dict[str, str]:
    """The files that options name, by option, as absolute paths: the program may go to another folder."""
    found: dict[str, str] = {}
    for option, path in paths.items():
        if path is None:
            continue
        if problem := _problem_of(path):
            refuse(command, f"cannot write {path!r} (--{option}): {problem}")
        full = os.path.abspath(path)
        if os.path.isfile(full) and os.path.realpath(full) == os.path.realpath(program):
            refuse(command, f"--{option} names the program itself, {path!r}")
        for other, taken in found.items():
            if os.path.realpath(taken) == os.path.realpath(full) and full != os.devnull:
                refuse(command, f"--{other} and --{option} name one file, {path!r}")
        found[option] = full
    return found


def written(command: str, path: str | None, write: Callable[[str], object]) -> bool:
    """Writes a file that is wanted; False, and a line, if it cannot be."""
    if path is None:
        return True
    try:
        write(path)
    except OSError as error:
        tell(command, f"cannot write {path!r}: {reason(error)}")
        return False
    return True


# Standard output.


def _lost(command: str, error: OSError) -> int:
    """Standard output took nothing: the exit status. Of a reader that has read enough nothing is said."""
    # What is still kept goes nowhere, so that the end of the process does not fail.
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
    if not isinstance(error, BrokenPipeError):
        tell(command, f"standard output: {reason(error)}")
    return 1


def show(command: str, text: str = "") -> None:
    """Writes a text, and what is kept for standard output; ends the process if that cannot be done."""
    if sys.stdout is None:
        refuse(command, "standard output is closed", 1)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise SystemExit(_lost(command, error)) from None


def tool(command: str):
    """For the main function of a command that runs no program: what it prints is all that it is for.

    It takes its arguments and returns the exit status.
    """

    def decorate(main: Callable[[list[str]], int]):
        @functools.wraps(main)
        def run(arguments: list[str]) -> NoReturn:
            if sys.stdout is None:
                refuse(command, "standard output is closed", 1)
            try:
                status = main(arguments)
            except KeyboardInterrupt:
                status = 130
            except OSError as error:
                if error.filename is not None:
                    refuse(command, f"{error.filename}: {reason(error)}", 1)
                status = _lost(command, error)
            show(command)
            raise SystemExit(status)

        return run

    return decorate
