"""Machine code of NVIDIA GPUs as text, through NVIDIA's cuobjdump.

What: `get_sass` and `extract` print a kernel's instructions with control bits taken apart and jumps to
labels.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile

FLINE_RE = re.compile(r"\s*/\*\w{4}\*/\s*([^;]*;)\s*/\* 0x(\w{16}) \*/\s*")
SLINE_RE = re.compile(r"\s*/\* 0x(\w{16}) \*/\s*")
FNAME_RE = re.compile(r"\s*Function : (\w+)\s*")
BRA_RE = re.compile(r"(.*BRA(?:\.U)? )(0x\w+);")


def parseCtrl(sline):
    """The control bits of the second word of an instruction: barriers waited for, set, yield, stall."""
    word = int(SLINE_RE.match(sline).group(1), 16)
    bits = word >> 41 & 0x1FFFFF
    stall, yield_hint = bits & 0xF, bits >> 4 & 1
    write_barrier, read_barrier, wait_mask = bits >> 5 & 7, bits >> 8 & 7, bits >> 11 & 0x3F
    waits = "".join(str(index) if wait_mask >> index & 1 else "-" for index in range(6))
    read = f"R{read_barrier}" if read_barrier != 7 else "R-"
    write = f"W{write_barrier}" if write_barrier != 7 else "W-"
    return f"{waits}:{read}:{write}:{'-' if yield_hint else 'Y'}:{stall:02d}"


def processSassLines(fline, sline, labels):
    """One instruction: (control bits, text); a jump's target is entered in `labels`."""
    assembly = FLINE_RE.match(fline).group(1)
    if assembly.endswith(" ;"):
        assembly = assembly[:-2] + ";"
    control = parseCtrl(sline)
    jump = BRA_RE.match(assembly)
    if jump is not None:
        target = int(jump.group(2), 16)
        labels.setdefault(target, len(labels))
    return control, assembly


def path_to_cuobjdump():
    """Path and version of cuobjdump."""
    from trisect import knobs

    tool = knobs.nvidia.cuobjdump
    return tool.path, tool.version


def get_sass(cubin_asm, fun=None):
    """The text of a cubin held in memory."""
    handle, path = tempfile.mkstemp(suffix=".cubin")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(cubin_asm)
        return extract(path, fun)
    finally:
        os.remove(path)


def extract(file_path, fun):
    """The text of a cubin file, of one function or of all."""
    tool, _ = path_to_cuobjdump()
    command = [tool, "-sass", *(["-fun", fun] if fun is not None else []), file_path]
    lines = subprocess.check_output(command, encoding="utf-8", errors="replace").splitlines()
    output, index = [], 0
    while index < len(lines):
        heading = FNAME_RE.match(lines[index])
        index += 1
        if heading is None:
            continue
        output.append(f"Function:{heading.group(1)}")
        instructions, labels = [], {}
        while index + 1 < len(lines) and not FNAME_RE.match(lines[index]):
            if FLINE_RE.match(lines[index]) and SLINE_RE.match(lines[index + 1]):
                instructions.append(processSassLines(lines[index], lines[index + 1], labels))
                index += 2
            else:
                index += 1
        for number, (control, assembly) in enumerate(instructions):
            offset = number * 16
            if offset in labels:
                output.append(f"LBB{labels[offset]}:")
            jump = BRA_RE.match(assembly)
            if jump is not None:
                assembly = f"{jump.group(1)}LBB{labels[int(jump.group(2), 16)]};"
            output.append(f"{control}\t{assembly}")
    return "\n".join(output)
