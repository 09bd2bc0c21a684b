"""The session in docs/debugging.md is a stored one."""

import os
import textwrap

from terminal import HERE

PAGE = HERE.parents[2] / "docs" / "debugging.md"
MARK = "A session:\n\n"


def test_the_page_shows_the_stored_session():
    stored = (HERE / "sessions" / "softmax.txt").read_text()
    shown = textwrap.indent(stored.split("\n", 1)[1].rsplit("[exit", 1)[0].rstrip() + "\n", "    ")
    before, after = PAGE.read_text().split(MARK)
    rest = after[after.index("\nThe row holds") :]
    if os.environ.get("TRISECT_BLESS"):
        PAGE.write_text(before + MARK + shown + rest)
    assert PAGE.read_text() == before + MARK + shown + rest
