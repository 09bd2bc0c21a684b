"""The terminal debugger against stored sessions."""

import os

import pytest
from terminal import HERE, commands_of, replay

SESSIONS = sorted((HERE / "sessions").glob("*.txt"))


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_session(path, tmp_path):
    stored = path.read_text()
    now = replay(stored, tmp_path)
    if os.environ.get("TRISECT_BLESS"):
        path.write_text(now)
        stored = now
    assert now == stored
    assert len(commands_of(now)) == len(commands_of(stored)) > 0


def test_there_are_enough_sessions():
    assert len(SESSIONS) >= 25
