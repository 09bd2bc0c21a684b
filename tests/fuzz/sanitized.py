"""Which build the fuzz programs try: the release build, or that of a preset with a sanitizer.

What: `use(preset)` before the first round; a round starts its processes with `environment()`. What a
sanitizer reports ends the process by a signal, which every round counts as a failure.
Why: Python itself is not instrumented, so the sanitizer's run-time library has to be loaded before it.
Limits: leaks are looked for in C++ programs alone, since Python keeps memory until it ends, in places that
the leak checker does not see. Under TSan what happens inside LLVM and MLIR is not judged, nor is what
compiled kernels do; and no launch is wild there, since TSan looks for its notes at a place that it computes
of the address, so that tier 0's access to no memory is one to TSan's own.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Preset: name of the sanitizer's run-time library.
RUNTIMES = {"debug": "asan", "tsan": "tsan"}
#: Processes take so many times longer.
SLOWER = {"release": 1, "debug": 4, "tsan": 6}
SUPPRESSIONS = ROOT / ".dev" / "testing" / "tsan.txt"

preset = "release"


def use(chosen: str) -> None:
    global preset
    preset = chosen
    if preset != "release":
        link_package()
        subprocess.run([sys.executable, "-c", "import trisect"], env=environment(python=True), check=True)


def folder() -> Path:
    return ROOT / "build" / preset


def patience() -> int:
    """By how much a time limit is stretched."""
    return SLOWER[preset]


def package() -> Path:
    return ROOT / "python" if preset == "release" else folder() / "package"


def link_package() -> None:
    """Links the Python files of the package beside the extension of the preset."""
    for source in (ROOT / "python" / "trisect").iterdir():
        place = package() / "trisect" / source.name
        if source.name != "lib" and source.suffix != ".so" and not place.is_symlink():
            place.symlink_to(source)


def environment(python: bool = False) -> dict[str, str]:
    """Variables of a process of that build, which runs Python or a program of C++."""
    found = os.environ | {"PYTHONPATH": str(package())}
    common = "abort_on_error=1:handle_segv=0:handle_sigbus=0"
    # ./dev has set what else ASan needs; what is named last holds.
    leaks = ":detect_leaks=0" if python else ""
    if preset == "debug":
        found["ASAN_OPTIONS"] = f"{os.environ.get('ASAN_OPTIONS', '')}:{common}{leaks}"
        found["UBSAN_OPTIONS"] = "print_stacktrace=1"
    elif preset == "tsan":
        # Children of a process with threads start threads of their own.
        found["TSAN_OPTIONS"] = f"suppressions={SUPPRESSIONS}:halt_on_error=1:die_after_fork=0:{common}"
    if python and preset != "release":
        found["LD_PRELOAD"] = runtime(RUNTIMES[preset])
    return found


def runtime(name: str) -> str:
    """The shared run-time library of a sanitizer, as the compiler finds it."""
    told = subprocess.run(
        ["clang++-19", f"-print-file-name=libclang_rt.{name}-x86_64.so"], capture_output=True, text=True
    )
    return told.stdout.strip()
