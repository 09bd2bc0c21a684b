"""Facts about the running program on an NVIDIA device, and grid dependencies."""

from ...builtin import builtin
from ...constexpr import constexpr
from ...types import int32, int64


@builtin
def globaltimer(_semantic=None):
    """Reads the 64-bit global nanosecond timer."""
    return _semantic.inline_asm("mov.u64 $0, %globaltimer;", "=l", [], [int64], False, 1)[0]


@builtin
def smid(_semantic=None):
    """Index of the streaming multiprocessor executing the program."""
    return _semantic.inline_asm("mov.u32 $0, %smid;", "=r", [], [int32], True, 1)[0]


@builtin
def num_threads(_semantic=None):
    """Number of threads per program instance."""
    return constexpr(getattr(_semantic.options, "num_warps", 1) * 32)


@builtin
def num_warps(_semantic=None):
    """Number of warps per program instance."""
    return constexpr(getattr(_semantic.options, "num_warps", 1))


@builtin
def gdc_wait(_semantic=None):
    """Waits for the prior grid under programmatic dependent launch."""
    _semantic.builder.op("tt.grid_dependency_wait", [], [])


@builtin
def gdc_launch_dependents(_semantic=None):
    """Lets dependent grids start early (programmatic dependent launch)."""
    _semantic.builder.op("tt.grid_dependency_launch_dependents", [], [])
