"""Which build a shared library is.

What: the build id that the linker put into an ELF file, read from its headers; of a file without one, a hash
of its content.
Why: two builds may share size and time, and a copy of one file has another time.
"""

from __future__ import annotations

import hashlib
import struct

_PT_NOTE, _NT_GNU_BUILD_ID = 4, 3


def _padded(size: int) -> int:
    return (size + 3) // 4 * 4


def _note(notes: bytes) -> str | None:
    """The build id among notes."""
    at = 0
    while at + 12 <= len(notes):
        name_size, size, kind = struct.unpack_from("<III", notes, at)
        name = notes[at + 12 : at + 12 + name_size]
        at += 12 + _padded(name_size)
        if kind == _NT_GNU_BUILD_ID and name == b"GNU\0":
            return notes[at : at + size].hex()
        at += _padded(size)
    return None


def _elf_build_id(file) -> str | None:
    """Of a 64-bit little-endian ELF file."""
    header = file.read(64)
    if len(header) < 64 or header[:6] != b"\x7fELF\2\1":
        return None
    (table,) = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    file.seek(table)
    parts = file.read(size * count)
    for number in range(len(parts) // max(size, 56)):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", parts, number * size)
        if kind == _PT_NOTE:
            file.seek(offset)
            found = _note(file.read(length))
            if found:
                return found
    return None


def build_id(path: str) -> str:
    """What identifies the content of a library."""
    with open(path, "rb") as file:
        found = _elf_build_id(file)
        if found:
            return found
        file.seek(0)
        return hashlib.sha256(file.read()).hexdigest()
