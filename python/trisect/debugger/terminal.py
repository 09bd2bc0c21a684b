"""The debugger in a terminal: a prompt at each stop.

What: `Terminal` is the front end of `trisect debug`; commands are in commands.py.
Limits: colour only on a terminal that wants it (NO_COLOR).
"""

from __future__ import annotations

import contextlib
import os
import sys

from .commands import Commands
from .listing import heading


class Terminal:
    """Front end that talks through standard input and output."""

    def __init__(self, commands=(), prompt="(trisect) "):
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  line editing and history for input()
        self.colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        self.shell = Commands(self, prompt, list(commands))

    def tell(self, text: str) -> None:
        print(text, flush=True)

    def before_launches(self, debugger):
        """Takes commands while no kernel runs yet; the move that ends it."""
        return self.shell.ask(debugger, None)

    def stopped(self, session):
        """Shows where the launch stands and takes commands; the move that ends it."""
        self.tell(heading(session, self.colour))
        return self.shell.ask(session.debugger, session)
