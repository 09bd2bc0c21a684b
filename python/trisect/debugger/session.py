"""One launch under the debugger: where it stands, how it moves on and back.

What: `Session` drives a native launch for a front end (terminal or editor). The front end is called at each
stop and answers with a `Move`.
Why: both front ends must agree on what a step, a condition or going back means.
Limits: runs on the thread that launched the kernel.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from trisect.errors import KernelFault

from .breakpoints import find_statements
from .frames import Frame
from .values import Tensors, place, show


class DebuggerQuit(SystemExit):
    """The user ended the program from the debugger."""


@dataclass
class Stop:
    """Why a launch stands still."""

    reason: str  # step, breakpoint, breakpoint call, watch, fault, pause, start, back
    text: str = ""
    breakpoints: tuple = ()
    fault: KernelFault | None = None


@dataclass
class Move:
    """What the user wants next: go (into, over, out, continue), back (the same), program, quit or detach."""

    kind: str
    how: str = "continue"
    program: int = 0


class Session:
    """A launch from its first statement to its end."""

    def __init__(self, debugger, kernel, launch):
        self.debugger, self.launch = debugger, launch
        self.kernel_name = kernel.name
        self.statements = debugger.statements_of(kernel)
        self.tensors = Tensors(launch, self.statements)
        self.grid = launch.grid
        self.stop: Stop | None = None
        #: Breakpoints have changed while programs ran.
        self.stale = False
        self._fault: KernelFault | None = None

    # Where it stands.

    @property
    def program(self) -> int:
        """The linear id of the current program."""
        return self.launch.program

    @property
    def program_id(self) -> tuple[int, int, int]:
        return self.id_of(self.program)

    def id_of(self, linear: int) -> tuple[int, int, int]:
        x, y, _ = self.grid
        return linear % x, linear // x % y, linear // (x * y)

    def linear(self, program: tuple[int, ...]) -> int:
        """The linear id of program x, y, z; IndexError if the grid has none."""
        full = (*program, 0, 0)[:3]
        if any(at >= extent for at, extent in zip(full, self.grid, strict=True)):
            raise IndexError(f"the grid {self.grid} has no program {full}")
        x, y, _ = self.grid
        return full[0] + full[1] * x + full[2] * x * y

    def frames(self) -> list[Frame]:
        """The current function first, the kernel last."""
        number = self.launch.statement
        if number is None:
            return []
        file, line, _ = self.launch.position
        here = self.statements[number]
        # Within a statement, its operation may lie on another line of it.
        within = self.launch.within and file == here.file
        frames = [Frame(self, number, 0, line if within else here.line)]
        while self.statements[number].caller is not None:
            number = self.statements[number].caller
            frames.append(Frame(self, number, len(frames), self.statements[number].line))
        return frames

    # Running.

    def run(self, frontend) -> None:
        """Runs the launch to its end; raises its fault."""
        self.apply_breakpoints()
        entry = self.debugger.take_entry()
        event = self.launch.start("continue" if entry is None else "into")
        stop = Stop("start", entry) if entry is not None and event.reason != "fault" else None
        while event.reason != "finished":
            stop = stop or self._wanted(event)
            if stop is None and event.reason == "fault":
                break
            if stop is None:
                event = self.launch.proceed()
                continue
            self.stop, stop = stop, None
            move = self._ask(frontend)
            self.stop = None
            if move.kind == "back":
                event, stop = self._back(move.how, event)
            elif move.kind == "program":
                event, stop = self._switch(move.program, event)
            elif event.reason == "fault":
                break
            else:
                event = self.launch.start(move.how)
        self.launch.commit()
        self.launch.raise_fault()

    def _ask(self, frontend) -> Move:
        move = frontend.stopped(self)
        if move.kind == "quit":
            raise DebuggerQuit(0)
        if move.kind == "detach":
            self.debugger.detach()
            move = Move("go", "continue")
        self.apply_breakpoints()
        return move

    def _back(self, how, event):
        """Goes back; the event and the stop that this gives."""
        if how == "continue":
            target = self._previous_stop()
            refusal = "no breakpoint stopped the launch before this point"
        else:
            target = self.launch.before(how)
            refusal = "the launch begins here, or has come too far to go back"
        if not target:
            return event, Stop("refused", refusal)
        self._fault = None
        return self.launch.start_again(target, False), Stop("back")

    def _previous_stop(self) -> int:
        """The last point before this one at which a breakpoint or a watch stops; 0: there is none."""
        here, found = self.launch.clock, 0
        event = self.launch.start_again(here, True)
        while event.reason in ("breakpoint", "watch") and self.launch.clock < here:
            hit = [each for each in map(self.debugger.find, event.breakpoints or [event.watch]) if each]
            if 0 in event.breakpoints or any(map(self._holds, hit)):
                found = self.launch.clock
            event = self.launch.proceed()
        return found

    def _switch(self, program, event):
        """Makes another program current; the event and the stop that this gives."""
        if program == self.program:
            return event, Stop("switch")
        started = self.launch.has_started(program)
        if self.launch.choose(program):
            if started:
                return event, Stop("switch")
            event = self.launch.start("into")
            return event, Stop("switch", "it had not started: this is its first statement")
        target = self.launch.last_of(program, self.launch.statement or 0)
        if not target:
            return event, Stop("refused", "after a fault only programs that have run can be looked at")
        self._fault = None
        text = "it had ended: the launch went back to where it stood here last"
        return self.launch.start_again(target, False), Stop("switch", text)

    # Stops.

    def apply_breakpoints(self) -> None:
        """Hands the current breakpoints to the engine."""
        self.stale = False
        plain, watches = [], []
        for each in list(self.debugger.breakpoints):
            if not each.enabled:
                continue
            try:
                program = None if each.program is None else self.linear(each.program)
            except IndexError:
                continue
            if each.watch:
                try:
                    view = self.tensors.view(each.watch[0])
                    watches.append((each.id, view.element_address(each.watch[1]), view.size))
                except (KeyError, IndexError):
                    continue
            elif each.line or each.function:
                plain.extend((each.id, number, program) for number in find_statements(each, self.statements))
            elif program is not None:
                plain.append((each.id, None, program))
        calls = self.debugger.stops_at_calls and os.environ.get("PYTHONBREAKPOINT") != "0"
        self.launch.set_breakpoints(plain, calls)
        self.launch.set_watches(watches)

    def _wanted(self, event) -> Stop | None:
        """The stop that an event is for the user, None if it is none."""
        if event.reason == "fault":
            return self._fault_stop()
        if event.reason == "watch":
            return self._watch_stop(event)
        if event.reason == "pause":
            if self.stale:
                self.apply_breakpoints()
                return None
            return Stop("pause", "interrupted")
        hit = tuple(each for each in map(self._hit, event.breakpoints) if each is not None)
        shown = tuple(each for each in hit if not each.hidden)
        if shown:
            return Stop("breakpoint", breakpoints=shown)
        if 0 in event.breakpoints:
            return Stop("breakpoint call", "breakpoint()")
        return Stop("step") if hit or event.step_done or event.reason == "statement" else None

    def _hit(self, number):
        """The breakpoint of a number if its condition holds."""
        each = self.debugger.find(number)
        if each is None or not self._holds(each):
            return None
        each.hits += 1
        if each.ignore > 0:
            each.ignore -= 1
            return None
        if each.counted and not each.counted.take(each.hits):
            return None
        if each.temporary:
            self.debugger.delete(each.id)
        if each.log is not None:
            self.debugger.tell(self._logged(each.log))
            return None
        return each

    def _logged(self, text: str) -> str:
        """A log message with its expressions in braces evaluated."""
        frame = self.frames()[0]

        def value(found):
            try:
                return show(frame.evaluate(found.group(1)))
            except Exception as error:
                return f"<{type(error).__name__}: {error}>"

        return re.sub(r"\{([^{}]+)\}", value, text)

    def _holds(self, breakpoint) -> bool:
        if breakpoint.condition is None:
            return True
        frames = self.frames()
        try:
            return bool(frames[0].evaluate(breakpoint.condition))
        except Exception as error:
            # A condition that cannot be evaluated is the user's to see, not to lose.
            self.debugger.tell(f"the condition of breakpoint {breakpoint.id} failed: {error}")
            return True

    def _watch_stop(self, event):
        each = self._hit(event.watch)
        if each is None:
            return None
        view = self.tensors.view(each.watch[0])
        before, after = (show(self.tensors.element(view.name, bits)) for bits in (event.before, event.after))
        where = place(view.element_address(each.watch[1]), [view])
        return Stop("watch", f"{where}: {before} -> {after}", breakpoints=(each,))

    def _fault_stop(self):
        if self._fault is None:
            try:
                self.launch.raise_fault()
            except KernelFault as fault:
                self._fault = fault
        if not self.debugger.stops_at_faults:
            return None
        return Stop("fault", str(self._fault).splitlines()[0], fault=self._fault)
