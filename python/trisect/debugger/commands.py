"""The commands of the terminal debugger.

What: names and meanings follow pdb where pdb has them, and gdb for watching, going back and switching
programs. A line that is no command is an expression.
"""

from __future__ import annotations

import ast
import cmd
import re
import traceback

import numpy as np

from .breakpoints import BreakpointError, find_statements, parse, same_file
from .listing import listing, place_text, program_text, short, source_line
from .session import Move
from .values import show

_INTRO = "no kernel has run yet: set breakpoints, then `run`, or `step` to stop in the first kernel"


class Commands(cmd.Cmd):
    """A prompt; `ask` returns when a command moves the launch."""

    def __init__(self, terminal, prompt, script):
        super().__init__()
        self.prompt = prompt
        self._terminal, self._script = terminal, script
        self._debugger = self._session = self._move = None
        self._frames, self._at, self._listed = [], 0, None

    def ask(self, debugger, session) -> Move:
        """Takes commands until one of them moves on."""
        self._debugger, self._session, self._move = debugger, session, None
        self._frames = session.frames() if session else []
        self._at, self._listed = 0, None
        if session is None:
            self._say(_INTRO)
        while self._move is None:
            line = self._read()
            if line is not None:
                self.onecmd(line)
        return self._move

    def knows(self, line) -> bool:
        """Whether a line is a command, not an expression."""
        word = self.parseline(line)[0]
        return bool(word) and hasattr(self, f"do_{word}")

    def once(self, debugger, session, line) -> Move | None:
        """One command at a stop; the move that it asks for."""
        self._debugger, self._session, self._move = debugger, session, None
        self._frames, self._at = session.frames(), 0
        self.onecmd(line)
        return self._move

    def _read(self):
        if self._script:
            line = self._script.pop(0)
            self._say(f"{self.prompt}{line}")
            return line
        try:
            return input(self.prompt)
        except EOFError:
            self._say("")
            return "quit"
        except KeyboardInterrupt:
            self._say("")
            return None

    def _say(self, text) -> None:
        self._terminal.tell(str(text))

    def onecmd(self, line):
        try:
            return super().onecmd(line)
        except BreakpointError as error:
            self._say(f"*** {error}")
        except (KeyError, IndexError, ValueError) as error:
            self._say(f"*** {error.args[0] if error.args else error}")
        return False

    def emptyline(self):
        if self.lastcmd:
            self.onecmd(self.lastcmd)

    def default(self, line):
        self._evaluate(line.removeprefix("!"), show)

    def completenames(self, text, *_):
        return [name[3:] for name in self.get_names() if name.startswith(f"do_{text}")]

    # What most commands need.

    def _need_kernel(self):
        if not self._frames:
            raise ValueError("no kernel is running; `run` starts the program")

    @property
    def _frame(self):
        self._need_kernel()
        return self._frames[self._at]

    def _go(self, how):
        if how == "out":
            self._need_kernel()
        self._move = Move("go", how)

    def _back(self, how):
        self._need_kernel()
        self._move = Move("back", how)

    # Moving.

    def do_run(self, line):
        """run: start the program, or go on to the next stop"""
        self._go("continue")

    def do_continue(self, line):
        """c(ontinue): go on to the next breakpoint, watched write or fault"""
        self._go("continue")

    do_c = do_cont = do_continue

    def do_step(self, line):
        """s(tep): go to the next statement, into functions that the kernel calls"""
        self._go("into")

    do_s = do_step

    def do_next(self, line):
        """n(ext): go to the next statement of this function"""
        self._go("over")

    do_n = do_next

    def do_finish(self, line):
        """f(inish): run until this function has returned; in a kernel, until this program has ended"""
        self._go("out")

    do_f = do_fin = do_return = do_r = do_finish

    def do_until(self, line):
        """unt(il) [LINE]: go on to a line, or past this one, out of a loop"""
        frame = self._frame
        target = int(line) if line.strip() else frame.line + 1
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

    def do_rstep(self, line):
        """rs(tep), back: go back to the statement before this one, into functions"""
        self._back("into")

    do_rs = do_back = do_rstep

    def do_rnext(self, line):
        """rn(ext): go back to the statement before this one in this function"""
        self._back("over")

    do_rn = do_rnext

    def do_rfinish(self, line):
        """rf(inish): go back to where this function was called"""
        self._back("out")

    do_rf = do_rfinish

    def do_rcontinue(self, line):
        """rc(ontinue): go back to the last breakpoint or watched write before this point"""
        self._back("continue")

    do_rc = do_rcontinue

    def do_quit(self, line):
        """q(uit): end the program; the tensors of this launch stay as they were before it"""
        self._move = Move("quit")

    do_q = do_exit = do_quit

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
        found = re.fullmatch(r"\s*(\w+)\s*\[(.*?)\]\s*(?:if\s+(.+))?", line)
        if not found:
            raise BreakpointError("watch takes an element of a tensor: `watch out_ptr[3, 5]`")
        index = ast.literal_eval(f"({found.group(2)},)")
        made = parse("program 0", None)
        made.program, made.watch = None, (found.group(1), index)
        made.condition = found.group(3)
        if self._session:
            self._session.tensors.view(found.group(1)).element_address(index)
        made = self._debugger.add(made)
        self._say(f"watchpoint {made.id}: {made.where()}")

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
        for number in [int(word) for word in line.split()] or [
            each.id for each in list(self._debugger.breakpoints)
        ]:
            found = self._named(str(number))
            self._debugger.delete(number)
            self._say(f"deleted {number}: {found.where()}")

    do_cl = do_clear = do_delete

    def _named(self, word):
        found = self._debugger.find(int(word)) if word.strip().isdigit() else None
        if found is None:
            raise BreakpointError(f"there is no breakpoint {word.strip() or '(number missing)'}")
        return found

    def do_enable(self, line):
        """enable NUMBER: stop there again"""
        self._named(line).enabled = True

    def do_disable(self, line):
        """disable NUMBER: do not stop there for now"""
        self._named(line).enabled = False

    def do_condition(self, line):
        """condition NUMBER [EXPRESSION]: stop there only if the expression holds; alone: always"""
        number, _, expression = line.partition(" ")
        found = self._named(number)
        found.condition = parse(f"x if {expression}", None).condition if expression.strip() else None
        self._say(f"breakpoint {found.id}: {found.where()}")

    def do_ignore(self, line):
        """ignore NUMBER COUNT: pass it so many times"""
        number, _, count = line.partition(" ")
        self._named(number).ignore = int(count)

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
        value = self._frame.find(line.strip())
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

        self._evaluate(line, whole)

    def do_whatis(self, line):
        """whatis EXPRESSION: dtype and shape"""

        def described(value):
            array = np.asarray(value)
            return f"{array.dtype}{list(array.shape) if array.ndim else ''}"

        value = self._frame.find(line.strip())
        self._say(value.type) if value is not None else self._evaluate(line, described)

    def _evaluate(self, text, described):
        frame = self._frame
        try:
            value = frame.evaluate(text)
        except Exception as error:
            self._say(f"*** {traceback.format_exception_only(error)[-1].strip()}")
            return
        self._say(described(value))

    def do_locals(self, line):
        """locals: every variable of this function"""
        frame = self._frame
        rows = [(value.name, value.type, value.summary()) for value in frame.variables()]
        rows += [(name, "constexpr", text) for name, text in frame.constants().items()]
        widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
        for name, kind, text in rows:
            self._say(f"{name:{widths[0]}}  {kind:{widths[1]}}  {text}")

    do_args = do_locals

    def do_tensors(self, line):
        """tensors: the tensors of this launch; `p tensors.NAME[...]` shows elements"""
        self._need_kernel()
        for view in self._session.tensors.views:
            array = self._session.tensors[view.name]
            self._say(f"{view.name}: {array.dtype}{list(view.shape)} strides {list(view.strides)}")

    def do_where(self, line):
        """w(here): the calls that led here, the current function last"""
        self._need_kernel()
        for position in range(len(self._frames) - 1, -1, -1):
            frame = self._frames[position]
            mark = ">" if position == self._at else " "
            self._say(f"{mark} {place_text(frame, self._session)}")
            self._say(f"     {source_line(frame.file, frame.line)}")

    do_w = do_bt = do_where

    def do_report(self, line):
        """report: all that is known of the fault that stopped the launch"""
        self._need_kernel()
        fault = self._session.stop.fault
        if fault is None:
            raise ValueError("the launch did not stop at a fault")
        self._say(str(fault))

    def do_up(self, line):
        """u(p): look at the caller"""
        self._move_frame(1, "this is the kernel itself")

    do_u = do_up

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
        numbers = [int(number) for number in re.findall(r"\d+", line)]
        if numbers:
            first = numbers[0]
            last = numbers[1] if len(numbers) > 1 else first + 10
        elif self._listed is None or line.strip() == ".":
            first, last = frame.line - 5, frame.line + 5
        else:
            first, last = self._listed + 1, self._listed + 11
        self._list(frame, first, last)

    do_l = do_list

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
        self._say(listing(frame.file, first, last, frame.line, breaks, self._terminal.colour))
        self._listed = last

    # Programs.

    def do_program(self, line):
        """program [X[,Y[,Z]]]: go on with another program; alone: which one this is"""
        self._need_kernel()
        if not line.strip():
            self._say(program_text(self._session.program_id, self._session.grid))
            return
        numbers = tuple(int(number) for number in re.findall(r"-?\d+", line))
        if not 1 <= len(numbers) <= 3 or min(numbers) < 0:
            raise ValueError("a program is named by one to three numbers: `program 3` or `program 1,0,2`")
        self._move = Move("program", program=self._session.linear(numbers))

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
