"""FlagGems, called by its operators' names; the references are torch's operators of the same names.

Settings: the device is described by host_device.py, the vendor "nvidia" by tests/clients/host (both stand in
for the query of a GPU); FLAGGEMS_CACHE_DIR, documented, is put beside the kernel cache.
"""

import os
import sys
from pathlib import Path

import host_device
from case import Table

sys.path.insert(0, str(Path(host_device.__file__).parent / "host"))
host_device.describe()
os.environ["GEMS_VENDOR"] = "nvidia"
if "TRITON_CACHE_DIR" in os.environ:
    os.environ.setdefault("FLAGGEMS_CACHE_DIR", os.environ["TRITON_CACHE_DIR"] + "/flag_gems")

import flag_gems  # noqa: E402, F401


def table() -> Table:
    """An empty table of this library."""
    return Table("flag-gems")


def values(make, *shape):
    """One tensor of normal values."""
    return (make.normal(*shape, grad=False),)


def pair(make, *shape):
    """Two tensors of normal values."""
    return make.normal(*shape, grad=False), make.normal(*shape, grad=False)


def within(low, high):
    """Makes one tensor of values between two bounds."""
    return lambda make, *shape: (make.uniform(*shape, low=low, high=high, grad=False),)
