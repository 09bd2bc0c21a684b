"""`python -m trisect`: runs a program in which `import triton` means Trisect.

What: `python -m trisect script.py [args]`, `python -m trisect -m module [args]`, `python -m trisect -c code
[args]`; child processes are under the alias too. The first word may be a command instead; a script of such a
name is called as `./NAME`.
"""

from __future__ import annotations

import importlib
import sys

from trisect._command import show
from trisect._program import USAGE, run_program

#: Command → module and function, main() unless named, that takes the other arguments.
_COMMANDS = {
    "bisect": "trisect.bundle.commands:bisect",
    "cache": "trisect.cachetool.__main__",
    "check": "trisect.checking.__main__",
    "dap": "trisect.debugger.dap.server",
    "debug": "trisect.debugger.program",
    "replay": "trisect.bundle.commands:replay",
    "report": "trisect.bundle.commands:report",
    "sanitize": "trisect.sanitizer.__main__",
    "shrink": "trisect.bundle.commands:shrink",
    "trace": "trisect.tracing.__main__",
}


def main() -> None:
    arguments = sys.argv[1:]
    if not arguments:
        print(USAGE, file=sys.stderr)
        raise SystemExit(2)
    first, *rest = arguments
    if first in ("-h", "--help"):
        show("", f"{USAGE}\n")
    elif first in _COMMANDS:
        module, _, function = _COMMANDS[first].partition(":")
        getattr(importlib.import_module(module), function or "main")(rest)
    else:
        run_program(arguments)


if __name__ == "__main__":
    main()
