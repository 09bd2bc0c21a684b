"""An editor that leaves ends the program with a status, wherever the main thread is; never by a signal."""

import _thread
import signal
import types

import pytest
from editor import Editor

from trisect.debugger.dap.server import _Interrupts


@pytest.fixture
def leaves():
    """Interrupts as of the adapter's own process, and what the end of the connection does."""
    handler = signal.getsignal(signal.SIGINT)
    adapter = types.SimpleNamespace(ended=False)

    def leave():
        adapter.ended = True
        _thread.interrupt_main()
        len("")  # a call of a function: signals are looked at

    yield _Interrupts(adapter), leave
    signal.signal(signal.SIGINT, handler)


def test_before_the_program_begins(leaves):
    interrupts, leave = leaves
    leave()
    ran = []
    assert interrupts.status_of(lambda: ran.append(1)) == 130 and not ran


def test_in_the_middle_and_once_more_where_that_is_caught(leaves):
    interrupts, leave = leaves

    def program():
        try:
            leave()
        except KeyboardInterrupt:
            leave()
            return 7

    assert interrupts.status_of(program) == 7


def test_what_the_program_does_not_catch_is_a_status(leaves):
    interrupts, leave = leaves
    assert interrupts.status_of(leave) == 130


def test_after_its_last_line(leaves):
    interrupts, leave = leaves
    assert interrupts.status_of(lambda: 7) == 7
    leave()


@pytest.mark.parametrize("last", ["launch", "configurationDone", "threads"])
def test_at_once(tmp_path, last):
    editor = Editor(tmp_path)
    try:
        editor.request("initialize", adapterID="trisect")
        editor.send("launch", program="scripts/endless.py")
        if last != "launch":
            editor.send("configurationDone")
        if last == "threads":
            editor.request("threads")
        editor.process.stdin.close()
        assert editor.ended() in (0, 130)
    finally:
        editor.close()
