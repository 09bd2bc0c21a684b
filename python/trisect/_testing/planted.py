"""Code that is wrong on purpose: the code of one kernel is put where another's is kept."""

import hashlib
from pathlib import Path

_HEADING = len("trisect form 1\n")


def _parts(content: bytes) -> tuple[bytes, bytes]:
    """What is said of the kernel, without the artifact's size, and the artifact."""
    at = _HEADING + 64
    size = int.from_bytes(content[at : at + 8], "little")
    body = content[at + 8 : at + 8 + size]
    code = int.from_bytes(body[-8:], "little")
    return body[:-8], content[at + 8 + size :][:code]


def plant(right: Path, wrong: Path) -> None:
    """`right` keeps its key and holds the code of `wrong`, as if a compiler had made that of it."""
    content = right.read_bytes()
    body, artifact = _parts(content)[0], _parts(wrong.read_bytes())[1]
    body += len(artifact).to_bytes(8, "little")
    digest = hashlib.sha256(body).hexdigest().encode()
    right.write_bytes(content[:_HEADING] + digest + len(body).to_bytes(8, "little") + body + artifact)
