"""The debugger in a terminal: a prompt at each stop.

What: `Terminal` is the front end of `trisect debug`; commands are in commands.py.
Limits: colour only on a terminal that wants it (NO_COLOR).
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import NoReturn

from trisect import _command as command

from .commands import Commands
from .listing import heading
from .session import DebuggerQuit


class Terminal:
    """Front end that talks through standard input and output."""

    def __init__(self, commands=(), prompt="(trisect) "):
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  line editing and history for input()
        self.colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self.shell = Commands(self, prompt, list(commands))

    def tell(self, text: str) -> None:
        try:
            print(text, flush=True)
        except OSError as error:
            self.leave(error)

    def leave(self, error: OSError) -> NoReturn:
        """Nobody is there any more: the program ends as by `quit`, with status 1."""
        if not isinstance(error, BrokenPipeError):
            command.tell("debug", f"the terminal: {command.reason(error)}")
        raise DebuggerQuit(1)

    def before_launches(self, debugger):
        """Takes commands while no kernel runs yet; the move that ends it."""
        return self.shell.ask(debugger, None)

    def stopped(self, session):
        """Shows where the launch stands and takes commands; the move that ends it."""
        self.tell(heading(session, self.colour))
        return self.shell.ask(session.debugger, session)
