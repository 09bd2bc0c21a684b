"""Functions of NVIDIA devices."""

from . import libdevice
from .device import gdc_launch_dependents, gdc_wait, globaltimer, num_threads, num_warps, smid
from .float8 import convert_custom_float8_sm70, convert_custom_float8_sm80

__all__ = [
    "convert_custom_float8_sm70",
    "convert_custom_float8_sm80",
    "gdc_launch_dependents",
    "gdc_wait",
    "globaltimer",
    "libdevice",
    "num_threads",
    "num_warps",
    "smid",
]
