"""`python -m trisect`: runs a program in which `import triton` means Trisect.

What: `python -m trisect script.py [args]`, `python -m trisect -m module [args]`, `python -m trisect -c code
[args]`; child processes are under the alias too. The first word may be a command instead.
"""

from __future__ import annotations

import importlib
import os
import sys

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
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE)
        raise SystemExit(0 if arguments else 2)
    first, *rest = arguments
    if first in _COMMANDS and not os.path.exists(first):
        module, _, function = _COMMANDS[first].partition(":")
        getattr(importlib.import_module(module), function or "main")(rest)
    else:
        run_program(arguments)


if __name__ == "__main__":
    main()
