"""The debugger itself: breakpoints and settings, for all launches of a process.

What: one `Debugger` is attached at a time. Each launch of a kernel asks it to drive the launch; it makes a
`Session` and lets its front end answer.
Limits: a launch by another thread waits until the one that is being debugged is over.
"""

from __future__ import annotations

import threading
from dataclasses import replace

from .attach import detach
from .breakpoints import Breakpoint, find_statements
from .session import Session


class Debugger:
    """Breakpoints, settings, and who talks to the user.

    A front end has `stopped(session) -> Move` and `tell(text)`.
    """

    def __init__(self, frontend, entry: str | None = None):
        self.frontend = frontend
        self.breakpoints: list[Breakpoint] = []
        self.stops_at_faults = True
        self.stops_at_calls = True
        #: The program's file, where a bare line number lies before a kernel runs.
        self.main_file: str | None = None
        #: Why the next launch stops at its first statement, None if it does not.
        self.entry = entry
        self.session: Session | None = None
        self.known: dict[object, list] = {}
        self._count = self._hidden = 0
        self._lock = threading.RLock()

    # Breakpoints.

    def add(self, breakpoint: Breakpoint) -> Breakpoint:
        """Adds a breakpoint under the next number; one that the user does not see under a negative one."""
        if breakpoint.hidden:
            self._hidden -= 1
        else:
            self._count += 1
        made = replace(breakpoint, id=self._hidden if breakpoint.hidden else self._count)
        self.breakpoints.append(made)
        return made

    def find(self, number: int) -> Breakpoint | None:
        return next((each for each in self.breakpoints if each.id == number), None)

    def delete(self, number: int) -> bool:
        found = self.find(number)
        if found is not None:
            self.breakpoints.remove(found)
        return found is not None

    def is_pending(self, breakpoint: Breakpoint) -> bool:
        """Whether no kernel seen so far has the place of a breakpoint."""
        if not (breakpoint.line or breakpoint.function):
            return False
        return not any(find_statements(breakpoint, statements) for statements in self.known.values())

    # Launches.

    def statements_of(self, kernel) -> list:
        """The statements of a kernel, read once."""
        if kernel not in self.known:
            self.known[kernel] = kernel.statements
        return self.known[kernel]

    def take_entry(self) -> str | None:
        entry, self.entry = self.entry, None
        return entry

    def drive(self, kernel, launch) -> None:
        """Runs a launch to its end under this debugger."""
        with self._lock:
            outer, self.session = self.session, Session(self, kernel, launch)
            try:
                self.session.run(self.frontend)
            finally:
                self.session = outer

    def changed(self) -> None:
        """Breakpoints were changed, perhaps by another thread while the launch runs."""
        session = self.session
        if session is not None and session.stop is None:
            session.stale = True
            session.launch.pause()

    def pause(self) -> None:
        """Stops the launch that runs, from another thread; without one the next at its first statement."""
        session = self.session
        if session is not None:
            session.launch.pause()
        else:
            self.entry = "interrupted"

    def tell(self, text: str) -> None:
        self.frontend.tell(text)

    def detach(self) -> None:
        """Lets everything run on without stops."""
        self.breakpoints.clear()
        self.stops_at_faults = self.stops_at_calls = False
        self.entry = None
        detach(self)
