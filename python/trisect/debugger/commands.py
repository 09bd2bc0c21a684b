"""The commands of the terminal debugger.

What: names and meanings follow pdb where pdb has them, and gdb for watching, going back and switching
programs. How a line becomes a command is in prompt.py.
"""

from __future__ import annotations

import re

import numpy as np

from .breakpoints import (
    Breakpoint,
    BreakpointError,
    check_condition,
    find_statements,
    parse,
    parse_element,
    same_file,
)
from .listing import listing, place_text, program_text, short, source_line
from .prompt import Prompt, alone, number_of
from .session import Move
from .values import show

_PROGRAM = re.compile(r"\(?\s*\d{1,18}(?:\s*,\s*\d{1,18}){0,2}\s*\)?", re.ASCII)
_LINES = re.compile(r"(\d{1,18})(?:\s*[,\s]\s*(\d{1,18}))?", re.ASCII)


def _expression(command: str, line: str) -> str:
    if not line.strip():
        raise ValueError(f"{command} takes an expression")
    return line.strip()


class Commands(Prompt):
    """A prompt that knows all of them."""

    # Moving.

    @alone
    def do_run(self, line):
        """run: start the program, or go on to the next stop"""
        self._go("continue")

    @alone
    def do_continue(self, line):
        """c(ontinue): go on to the next breakpoint, watched write or fault"""
        self._go("continue")

    do_c = do_cont = do_continue

    @alone
    def do_step(self, line):
        """s(tep): go to the next statement, into functions that the kernel calls"""
        self._go("into")

    do_s = do_step

    @alone
    def do_next(self, line):
        """n(ext): go to the next statement of this function"""
        self._go("over")

    do_n = do_next

    @alone
    def do_finish(self, line):
        """f(inish): run until this function has returned; in a kernel, until this program has ended"""
        self._go("out")

    do_f = do_fin = do_return = do_r = do_finish

    def do_until(self, line):
        """unt(il) [LINE]: go on to a line, or past this one, out of a loop"""
        frame = self._frame
        target = number_of(line, "until takes a line number") if line.strip() else frame.line + 1
        program = self._session.id_of(self._session.program)
        lines = {each.line for each in self._session.statements if same_file(each.file, frame.file)}
        later = sorted(number for number in lines if number >= target)
        if not later:
            raise ValueError(f"no statement of this kernel lies at line {target} or after it")
        made = parse(f"{frame.file}:{later[0]}", None)
        made.program, made.temporary, made.hidden = program, True, True
        self._debugger.add(made)
        self._go("continue")

    do_unt = do_until

    @alone
    def do_rstep(self, line):
        """rs(tep), back: go back to the statement before this one, into functions"""
        self._back("into")

    do_rs = do_back = do_rstep

    @alone
    def do_rnext(self, line):
        """rn(ext): go back to the statement before this one in this function"""
        self._back("over")

    do_rn = do_rnext

    @alone
    def do_rfinish(self, line):
        """rf(inish): go back to where this function was called"""
        self._back("out")

    do_rf = do_rfinish

    @alone
    def do_rcontinue(self, line):
        """rc(ontinue): go back to the last breakpoint or watched write before this point"""
        self._back("continue")

    do_rc = do_rcontinue

    @alone
    def do_quit(self, line):
        """q(uit): end the program; the tensors of this launch stay as they were before it"""
        self._move = Move("quit")

    do_q = do_exit = do_quit

    @alone
    def do_detach(self, line):
        """detach: forget all breakpoints and let the program run on"""
        self._move = Move("detach")

    # Breakpoints.

    def do_break(self, line):
        """b(reak) [[FILE:]LINE | FUNCTION] [program X[,Y[,Z]]] [if EXPRESSION]: stop there; alone: list"""
        if not line.strip():
            return self.do_breakpoints("")
        self._add(line, False)

    do_b = do_break

    def do_tbreak(self, line):
        """tbreak ...: as break, for one stop"""
        self._add(line, True)

    def _add(self, line, temporary):
        made = parse(line, self._frame.file if self._frames else self._debugger.main_file)
        if made.program and self._session:
            self._session.linear(made.program)
        made.temporary = temporary
        made = self._debugger.add(made)
        if self._session and made.line and not self._debugger.is_pending(made):
            numbers = find_statements(made, self._session.statements)
            if numbers:
                made.line = self._session.statements[numbers[0]].line
        pending = " (no kernel so far has this place)" if self._debugger.is_pending(made) else ""
        self._say(f"breakpoint {made.id}: {made.where()}{pending}")

    def do_watch(self, line):
        """watch TENSOR[INDEX] [if EXPRESSION]: stop when this element is written"""
        element, condition = re.fullmatch(r"(.*?)(?:\s+if\s+(.+))?", line, re.DOTALL).groups()
        name, index = parse_element(element)
        if condition:
            check_condition(condition)
        if self._session:
            self._session.tensors.view(name).element_address(index)
        made = self._debugger.add(Breakpoint(0, watch=(name, index), condition=condition))
        self._say(f"watchpoint {made.id}: {made.where()}")

    @alone
    def do_breakpoints(self, line):
        """breakpoints: list them"""
        shown = [each for each in self._debugger.breakpoints if not each.hidden]
        for each in shown:
            state = "" if each.enabled else " (disabled)"
            state += " (no kernel so far has this place)" if self._debugger.is_pending(each) else ""
            state += f", hit {each.hits} time{'s' * (each.hits != 1)}" if each.hits else ""
            self._say(f"{each.id}: {each.where()}{state}")
        faults = "stop" if self._debugger.stops_at_faults else "do not stop"
        self._say(("" if shown else "no breakpoints; ") + f"faults {faults}")

    do_bl = do_breakpoints

    def do_delete(self, line):
        """delete (cl, clear) [NUMBER...]: forget breakpoints; alone: all"""
        named = [self._named("delete", word) for word in line.split()]
        for each in dict.fromkeys(each.id for each in named or self._debugger.breakpoints):
            found = self._debugger.find(each)
            self._debugger.delete(each)
            if not found.hidden:
                self._say(f"deleted {each}: {found.where()}")

    do_cl = do_clear = do_delete

    def _named(self, command, word):
        number = number_of(word, f"{command} takes the number of a breakpoint")
        found = self._debugger.find(number)
        if found is None:
            raise BreakpointError(f"there is no breakpoint {number}")
        return found

    def do_enable(self, line):
        """enable NUMBER: stop there again"""
        self._named("enable", line).enabled = True

    def do_disable(self, line):
        """disable NUMBER: do not stop there for now"""
        self._named("disable", line).enabled = False

    def do_condition(self, line):
        """condition NUMBER [EXPRESSION]: stop there only if the expression holds; alone: always"""
        number, _, expression = line.partition(" ")
        found, expression = self._named("condition", number), expression.strip()
        if expression:
            check_condition(expression)
        found.condition = expression or None
        self._say(f"breakpoint {found.id}: {found.where()}")

    def do_ignore(self, line):
        """ignore NUMBER COUNT: pass it so many times"""
        number, _, count = line.partition(" ")
        found = self._named("ignore", number)
        found.ignore = number_of(count, "ignore takes a count behind the number of the breakpoint")

    def do_catch(self, line):
        """catch [on | off]: stop at faults or not"""
        if line.strip() in ("on", "off"):
            self._debugger.stops_at_faults = line.strip() == "on"
        elif line.strip():
            raise BreakpointError("catch takes on or off")
        self._say("faults stop" if self._debugger.stops_at_faults else "faults do not stop")

    # Looking.

    def do_print(self, line):
        """p(rint) EXPRESSION: a variable with its type and mask, or any NumPy expression over variables"""
        value = self._frame.find(_expression("print", line))
        if value is not None:
            self._say(f"{value.heading()}\n{value.text()}")
        else:
            self._evaluate(line, show)

    do_p = do_print

    def do_pp(self, line):
        """pp EXPRESSION: as print, every element"""

        def whole(value):
            with np.printoptions(threshold=np.inf, linewidth=100, precision=6):
                return str(value)

        self._evaluate(_expression("pp", line), whole)

    def do_whatis(self, line):
        """whatis EXPRESSION: dtype and shape"""

        def described(value):
            array = np.asarray(value)
            return f"{array.dtype}{list(array.shape) if array.ndim else ''}"

        value = self._frame.find(_expression("whatis", line))
        self._say(value.type) if value is not None else self._evaluate(line, described)

    @alone
    def do_locals(self, line):
        """locals: every variable of this function"""
        frame = self._frame
        rows = [(value.name, value.type, value.summary()) for value in frame.variables()]
        rows += [(name, "constexpr", text) for name, text in frame.constants().items()]
        widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
        for name, kind, text in rows:
            self._say(f"{name:{widths[0]}}  {kind:{widths[1]}}  {text}")

    do_args = do_locals

    @alone
    def do_tensors(self, line):
        """tensors: the tensors of this launch; `p tensors.NAME[...]` shows elements"""
        self._need_kernel()
        for view in self._session.tensors.views:
            array = self._session.tensors[view.name]
            self._say(f"{view.name}: {array.dtype}{list(view.shape)} strides {list(view.strides)}")

    @alone
    def do_where(self, line):
        """w(here): the calls that led here, the current function last"""
        self._need_kernel()
        for position in range(len(self._frames) - 1, -1, -1):
            frame = self._frames[position]
            mark = ">" if position == self._at else " "
            self._say(f"{mark} {place_text(frame, self._session)}")
            self._say(f"     {source_line(frame.file, frame.line)}")

    do_w = do_bt = do_where

    @alone
    def do_report(self, line):
        """report: all that is known of the fault that stopped the launch"""
        self._need_kernel()
        fault = self._session.stop.fault
        if fault is None:
            raise ValueError("the launch did not stop at a fault")
        self._say(str(fault))

    @alone
    def do_up(self, line):
        """u(p): look at the caller"""
        self._move_frame(1, "this is the kernel itself")

    do_u = do_up

    @alone
    def do_down(self, line):
        """d(own): look at the function that was called"""
        self._move_frame(-1, "this is the function that runs")

    do_d = do_down

    def _move_frame(self, by, refusal):
        self._need_kernel()
        if not 0 <= self._at + by < len(self._frames):
            raise ValueError(refusal)
        self._at += by
        self._listed = None
        self._say(f"> {place_text(self._frame, self._session)}")
        self._say(f"-> {source_line(self._frame.file, self._frame.line)}")

    def do_list(self, line):
        """l(ist) [FIRST[, LAST]]: source around this line, then on from what was shown; `l .`: here again"""
        frame = self._frame
        text = line.strip()
        if text and text != ".":
            found = _LINES.fullmatch(text)
            if found is None:
                raise ValueError(f"list takes FIRST, or FIRST, LAST, or a dot, not {text!r}")
            first = int(found.group(1))
            last = int(found.group(2) or first + 10)
            if last < first:
                raise ValueError(f"line {last} lies before line {first}")
        elif self._listed is None or text:
            first, last = frame.line - 5, frame.line + 5
        else:
            first, last = self._listed + 1, self._listed + 11
        self._list(frame, first, last)

    do_l = do_list

    @alone
    def do_longlist(self, line):
        """ll, longlist: the whole function"""
        frame = self._frame
        lines = [
            each.line
            for each in self._session.statements
            if each.function == frame.function and each.file == frame.file
        ]
        self._list(frame, min(lines) - 1, max(lines))

    do_ll = do_longlist

    def _list(self, frame, first, last):
        breaks = {
            each.line
            for each in self._debugger.breakpoints
            if each.line and not each.hidden and same_file(frame.file, each.file)
        }
        text = listing(frame.file, first, last, frame.line, breaks, self._terminal.colour)
        if not text:
            raise ValueError(f"{short(frame.file)} has no line {max(1, first)}")
        self._say(text)
        self._listed = last

    # Programs.

    def do_program(self, line):
        """program [X[,Y[,Z]]]: go on with another program; alone: which one this is"""
        self._need_kernel()
        if not line.strip():
            self._say(program_text(self._session.program_id, self._session.grid))
            return
        if not _PROGRAM.fullmatch(line.strip()):
            raise ValueError("a program is named by one to three numbers: `program 3` or `program 1,0,2`")
        numbers = tuple(int(number) for number in re.findall(r"\d+", line))
        self._move = Move("program", program=self._session.linear(numbers))

    @alone
    def do_programs(self, line):
        """programs: those that have started and not ended, and how many have"""
        self._need_kernel()
        session, launch = self._session, self._session.launch
        for linear in launch.live_programs():
            mark = "*" if linear == session.program else " "
            self._say(f"{mark} {program_text(session.id_of(linear), session.grid)}")
        x, y, z = session.grid
        live = len(launch.live_programs())
        rest = x * y * z - launch.ended_programs - live
        self._say(f"{launch.ended_programs} ended, {live} started, {rest} to come")

    @alone
    def do_info(self, line):
        """info: kernel, file, program and the number of statements run so far"""
        frame, session = self._frame, self._session
        where = program_text(session.program_id, session.grid)
        clock = f"statement {session.launch.clock} of the launch"
        self._say(f"kernel {session.kernel_name} ({short(frame.file)}), {where}, {clock}")

    def do_help(self, line):
        """h(elp) [COMMAND]"""
        if line.strip():
            method = getattr(self, f"do_{line.strip()}", None)
            self._say(method.__doc__ if method else f"*** no command {line.strip()!r}")
            return
        seen = []
        for name in dir(type(self)):
            method = getattr(type(self), name)
            if name.startswith("do_") and method not in seen and name == f"do_{method.__name__[3:]}":
                seen.append(method)
                self._say(f"  {method.__doc__}")
        self._say("  anything else is an expression; an empty line repeats the last command")

    do_h = do_help
