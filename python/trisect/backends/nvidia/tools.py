"""Files of NVIDIA's toolkit in installed packages: ptxas, libdevice."""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path

from trisect import knobs
from trisect._env import getenv
from trisect.errors import InvalidInput

#: Folders of a site-packages that hold parts of the toolkit; a star stands for a version.
_PLACES = (
    "nvidia/cu*",
    "nvidia/cuda_nvcc",
    "nvidia/cuda_cuobjdump",
    "nvidia/cuda_nvdisasm",
    "triton/backends/nvidia",
)


@functools.cache
def search_wheels(subfolder: str, name: str) -> tuple[str, ...]:
    """The folders of installed packages that hold a file."""
    found = []
    for root in sys.path:
        for place in _PLACES:
            for folder in sorted(Path(root or ".").glob(f"{place}/{subfolder}"), reverse=True):
                if (folder / name).is_file():
                    found.append(str(folder))
    return tuple(found)


def libdevice_path() -> str | None:
    """libdevice.10.bc: TRITON_LIBDEVICE_PATH, the toolkit, installed packages; None if there is none."""
    given = knobs.nvidia.libdevice_path
    if given and not os.path.isfile(given):
        raise InvalidInput(f"TRITON_LIBDEVICE_PATH='{given}' is no file; it names libdevice.10.bc")
    return given or _found_libdevice()


@functools.cache
def _found_libdevice() -> str | None:
    name = "libdevice.10.bc"
    homes = [getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"]
    folders = [os.path.join(home, "nvvm", "libdevice") for home in homes if home]
    folders += [*search_wheels("nvvm/libdevice", name), *search_wheels("lib", name)]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    return None
