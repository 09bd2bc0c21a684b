"""A debugger for kernels: stops in kernel source, looks at blocks, steps on and back.

What: `trisect debug script.py` in a terminal, `trisect dap` for editors, `trisect.pdb` in a program.
Limits: stops in kernels only; what the host program does is Python's debugger's part. Kernels run in tier 0
while a debugger is attached.
"""

from .attach import attach, current, detach
from .core import Debugger

__all__ = ["Debugger", "attach", "current", "detach"]
