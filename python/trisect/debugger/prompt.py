"""A prompt: how a line that somebody types becomes a command, an expression or a complaint.

What: the first word of a line names a command if only space is behind it; so `tensors` lists tensors,
`tensors.x[0]` and `locals()` are expressions. A command that takes nothing is not run with something behind:
`n + 1` is an expression too. `!` before a line makes any an expression.
Limits: a kernel's variable that is called as a command, alone on a line, is shown by `p NAME`.
"""

from __future__ import annotations

import cmd
import re
import traceback

from .session import Move
from .values import show

_INTRO = "no kernel has run yet: set breakpoints, then `run`, or `step` to stop in the first kernel"
#: Commands that may be written as calls.
_CALLED = ("p", "print", "pp", "whatis", "h", "help")


def alone(command):
    """Marks a command that takes nothing."""
    command.alone = True
    return command


def number_of(word: str, complaint: str) -> int:
    """A number that is typed; `complaint` says what should be there."""
    if not re.fullmatch(r"[0-9]{1,18}", word.strip()):
        raise ValueError(f"{complaint}, not {word.strip()!r}" if word.strip() else complaint)
    return int(word)


def _is_expression(text: str) -> bool:
    try:
        compile(text, "<expression>", "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


class Prompt(cmd.Cmd):
    """What takes lines; `ask` returns when a command moves the launch."""

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
                try:
                    self.onecmd(line)
                except KeyboardInterrupt:
                    self._say("*** interrupted")
        return self._move

    def knows(self, line) -> bool:
        """Whether a line is a command, not an expression."""
        try:
            word = self.parseline(self._told_apart(line))[0]
        except ValueError:
            return True
        return bool(word) and hasattr(self, f"do_{word}")

    def once(self, debugger, session, line, depth) -> Move | None:
        """One command at a stop, in the frame of a depth; the move that it asks for."""
        self._debugger, self._session, self._move = debugger, session, None
        self._frames, self._at, self._listed = session.frames(), depth, None
        self.onecmd(line)
        return self._move

    def _read(self):
        if self._script:
            line = self._script.pop(0)
            self._say(f"{self.prompt}{line}")
            return line
        try:
            return input(self.prompt)
        except KeyboardInterrupt:
            self._say("")
        except UnicodeDecodeError as error:
            self._say(f"*** {error}")
        except (EOFError, RuntimeError, ValueError):  # no more input, none at all, or closed by the program
            self._say("")
            return "quit"
        except OSError as error:
            self._terminal.leave(error)
        return None

    def _say(self, text) -> None:
        self._terminal.tell(str(text))

    def _told_apart(self, line: str) -> str:
        """The line, with `!` before it if it is an expression though its first word is a command."""
        text = line.strip()
        found = re.match(r"\w+", text)
        command = getattr(self, f"do_{found.group()}", None) if found else None
        if command is None:
            return text
        word, behind = found.group(), text[found.end() :]
        if behind == "()" and word in ("quit", "exit"):
            return word
        if behind and not behind[0].isspace():
            return text if behind[0] == "(" and word in _CALLED else f"!{text}"
        if behind and getattr(command, "alone", False):
            if not _is_expression(text):
                raise ValueError(f"{word} takes nothing behind it")
            return f"!{text}"
        return text

    def onecmd(self, line):
        try:
            return super().onecmd(self._told_apart(line))
        except (KeyError, IndexError, ValueError) as error:
            self._say(f"*** {error.args[0] if error.args else error}")
        except Exception as error:  # it costs a line, never the program that stands here
            self._complain(error)
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

    def _evaluate(self, text, described):
        frame = self._frame
        try:
            shown = described(frame.evaluate(text))
        except (Exception, SystemExit) as error:
            self._complain(error)
            return
        self._say(shown)

    def _complain(self, error):
        self._say(f"*** {traceback.format_exception_only(error)[-1].strip()}")
