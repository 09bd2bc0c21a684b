"""Requests of an editor that make no sense, come too early or twice: each is answered, and the rest holds."""

import socket
import struct
import subprocess
import sys

import pytest
from editor import HERE, Editor, Refused
from terminal import environment


@pytest.fixture
def editor(tmp_path):
    client = Editor(tmp_path)
    yield client
    client.close()


@pytest.fixture
def stopped(editor):
    editor.start("vector.py", lines=[14])
    editor.stop()
    return editor


def refused(editor, command, match, **arguments):
    with pytest.raises(Refused, match=match):
        editor.request(command, **arguments)


SENSELESS = [
    ({"line": 15, "condition": "x >"}, "is no expression"),
    ({"line": 15, "condition": "(" * 500}, "is no expression"),
    ({"line": 15, "condition": "x\0"}, "is no expression"),
    ({"line": 15, "condition": 7}, "`condition` is text, not 7"),
    ({"line": 15, "hitCondition": "often"}, "or `% N`, not 'often'"),
    ({"line": 15, "hitCondition": "% 0"}, "a hit condition is a number"),
    ({"line": 15, "hitCondition": "-1"}, "a hit condition is a number"),
    ({"line": 15, "hitCondition": 3}, "`hitCondition` is text, not 3"),
    ({"line": 15, "logMessage": ["x"]}, "`logMessage` is text"),
    ({"line": "15"}, '`line` is a whole number, not "15"'),
    ({"line": 15.5}, "`line` is a whole number"),
    ({"line": True}, "`line` is a whole number"),
    ({"line": -3}, "there is no line -3"),
    ({"line": 0}, "there is no line 0"),
    ({}, "`line` is missing"),
]


def test_each_breakpoint_is_answered_for_itself(editor):
    answers = editor.start("vector.py", lines=[14, *(asked for asked, _ in SENSELESS), 16])
    assert [each["verified"] for each in answers] == [True, *[False] * len(SENSELESS), True]
    for answer, (asked, message) in zip(answers[1:-1], SENSELESS, strict=True):
        assert message in answer["message"], asked
    assert editor.stop()["hitBreakpointIds"] == [answers[0]["id"]]
    assert editor.go("continue")["hitBreakpointIds"] == [answers[-1]["id"]]
    answers = editor.request("setFunctionBreakpoints", breakpoints=[{"name": "a b"}, {}, {"name": "add"}])
    assert [each["verified"] for each in answers["breakpoints"]] == [False, False, True]
    asked = [{"dataId": "out_ptr[0]"}, {"dataId": "out_ptr[99]"}, {"dataId": "no[0]"}, {"dataId": 7},
             {"dataId": "out_ptr[x]"}, {"dataId": "out_ptr[1]", "accessType": "read"}]  # fmt: skip
    answers = editor.request("setDataBreakpoints", breakpoints=asked)["breakpoints"]
    assert [each["verified"] for each in answers] == [True, *[False] * 5]
    assert all(each["message"] for each in answers[1:])
    for kind in ("setFunctionBreakpoints", "setDataBreakpoints"):
        editor.request(kind, breakpoints=[])
    editor.set_lines()
    assert editor.finish() == 0


@pytest.mark.parametrize(
    ("hits", "stops"),
    [
        ("2", "12"), (">= 2", "12"), ("> 2", "2"), ("> 0", "012"), (" 1 ", "012"), ("== 3", "2"), ("=1", "0"),
        ("< 3", "01"), ("<= 2", "01"), ("% 2", "1"), ("%3", "2"), ("% 4", ""), ("< 1", ""),
    ],
)  # fmt: skip
def test_hit_conditions(editor, hits, stops):
    """The line is hit once in each of three programs."""
    editor.start("vector.py", lines=[{"line": 14, "hitCondition": hits}])
    for number, program in enumerate(stops):
        editor.go("continue") if number else editor.stop()
        assert editor.evaluate("pid") == program
    assert (editor.finish() if stops else editor.ended()) == 0


@pytest.mark.parametrize("script", ["vector.py", "call.py", "faults.py"])
def test_a_program_that_is_run_without_debugging_stops_nowhere(editor, script):
    editor.start(script, lines=range(8, 20), functions=[{"name": "add"}], stopOnEntry=True, noDebug=True)
    editor.ended()
    assert "stopped" not in [each["event"] for each in editor.events]


WRONG_LAUNCHES = [
    ({"noDebug": "yes"}, '`noDebug` is true or false, not "yes"'),
    ({"program": 7}, "`program` is text, not 7"),
    ({"program": ["a"]}, "`program` is text"),
    ({"program": "no.py"}, "cannot open 'no.py': No such file"),
    ({"program": "x\0y"}, "`program`"),
    ({"program": "-m"}, "No such file"),
    ({"module": 7}, "`module` is text"),
    ({"program": "a.py", "module": "a"}, "not both"),
    ({"cwd": 7}, "`cwd` is text, not 7"),
    ({"cwd": "/no/such/folder"}, "there is no folder"),
    ({"cwd": "x\0y"}, "there is no folder"),
    ({"args": "one two"}, "`args` is a list"),
    ({"args": [{}]}, "`args` holds text and numbers"),
    ({"args": [None]}, "`args` holds text and numbers"),
    ({"env": ["A=1"]}, "`env` is an object"),
    ({"env": {"A": ["1"]}}, "`env` holds text and numbers"),
    ({"env": {"A=B": "1"}}, "no variable"),
    ({"env": {"": "1"}}, "no variable"),
    ({"env": {"A": "x\0"}}, "no variable"),
    ({"env": {"A": "\ud800"}}, "not UTF-8"),
    ({"stopOnEntry": "yes"}, "`stopOnEntry` is true or false"),
]


def test_what_cannot_be_launched_is_refused_and_may_be_corrected(editor):
    editor.request("initialize", adapterID="trisect")
    program = str(HERE / "scripts" / "vector.py")
    for given, message in WRONG_LAUNCHES:
        arguments = given if "module" in given else {"program": program} | given
        refused(editor, "launch", message, **arguments)
    editor.request("configurationDone")  # before the launch: it waits
    editor.request(
        "launch", program="vector.py", cwd=str(HERE / "scripts"), args=[1, "b"], env={"HOME": None}
    )
    refused(editor, "launch", "has been launched", program=program)
    assert editor.ended() == 0 and "out: [0.5" in editor.output


def test_variables_and_frames_that_are_not_there(stopped):
    for number in (0, -1, 2, 99, 1 << 70):
        refused(stopped, "scopes", "there is no frame", frameId=number)
        refused(stopped, "evaluate", "there is no frame", expression="x", frameId=number)
        refused(stopped, "variables", "there is no variable", variablesReference=number + 1000)
    refused(stopped, "scopes", "`frameId` is missing")
    refused(stopped, "scopes", '`frameId` is a whole number, not "1"', frameId="1")
    refused(stopped, "variables", "`variablesReference` is missing")
    refused(stopped, "variables", "`variablesReference` is a whole number", variablesReference=[1])
    reference = stopped.scopes(1.0)["Variables"]
    refused(stopped, "variables", "`start`", variablesReference=reference, start="0")
    refused(stopped, "variables", "not negative", variablesReference=reference, start=-1)
    refused(stopped, "variables", "not negative", variablesReference=reference, count=-5)
    assert stopped.variables(reference, start=99) == {} and stopped.variables(reference, count=1 << 40)
    refused(stopped, "evaluate", "`expression` is missing")
    refused(stopped, "evaluate", "`expression` is text", expression=7)
    refused(stopped, "evaluate", "ends nothing", expression="exit()")
    refused(stopped, "dataBreakpointInfo", "`name` is text", name=7)
    for thread in (0, -1, 3, 99, 1 << 70):
        refused(stopped, "stackTrace", "there is no thread", threadId=thread)
        refused(stopped, "next", "there is no thread", threadId=thread)
    refused(stopped, "continue", "`threadId` is a whole number", threadId="1")
    refused(stopped, "setExceptionBreakpoints", "`filters` is a list", filters="fault")
    refused(stopped, "setExceptionBreakpoints", 'there is no filter "all"', filters=["fault", "all"])
    refused(stopped, "setBreakpoints", "`source` is missing")
    refused(stopped, "setBreakpoints", "`path` is missing", source={})
    refused(stopped, "setBreakpoints", "`breakpoints` is a list", source={"path": "x"}, breakpoints="y")
    refused(stopped, "attach", "cannot be attached to")
    refused(stopped, "no such request", "is not supported")
    assert stopped.line() == 14
    stopped.set_lines()
    assert stopped.finish() == 0


def test_requests_before_a_program_runs(editor):
    for command in ("stackTrace", "scopes", "variables", "evaluate", "continue", "exceptionInfo"):
        refused(editor, command, "no kernel is stopped")
    refused(editor, "restart", 'the request "restart" is not supported')
    refused(editor, "initialize", "lines start at 1", linesStartAt1=False)
    refused(editor, "initialize", "named by paths", pathFormat="uri")
    assert editor.request("threads")["threads"]
    editor.request("pause")
    editor.request("configurationDone")
    editor.request("configurationDone")
    editor.request("disconnect")
    assert editor.ended() == 0


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", b"\0" * 100_000, b""])
@pytest.mark.parametrize("reset", [False, True])
def test_a_client_that_is_no_editor(tmp_path, sent, reset):
    command = [sys.executable, "-m", "trisect", "dap", "--port", "0"]
    with subprocess.Popen(command, env=environment(tmp_path), stderr=subprocess.PIPE) as process:
        port = int(process.stderr.readline().rsplit(b":", 1)[1])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(sent)
            if reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        told = process.stderr.read()
    assert process.returncode == 0 and b"Traceback" not in told


@pytest.mark.parametrize("command", ["disconnect", "terminate"])
@pytest.mark.parametrize("when", ["at once", "initialized", "launched", "stopped", "running"])
def test_the_end_comes_at_any_time(editor, command, when):
    if when != "at once":
        editor.request("initialize", adapterID="trisect")
    if when == "launched":
        editor.request("launch", program=str(HERE / "scripts" / "vector.py"))
    if when == "stopped":
        editor.start("vector.py", lines=[14])
        editor.stop()
    if when == "running":
        editor.start("endless.py")
        editor.request("threads")
    editor.request(command)
    assert editor.ended() in (0, 130)


def test_the_console_is_in_the_frame_that_is_chosen(editor):
    editor.start("matmul.py", lines=[16])
    editor.stop()
    names = [
        {line.split()[0] for line in editor.evaluate("locals", "repl", frame).splitlines()}
        for frame in (1, 2)
    ]
    assert "M" in names[1] - names[0]
    assert editor.evaluate("locals()['k']", "repl", 2) == "0"
    assert editor.evaluate("tensors.a_ptr[0, 0] * 2", "repl") == "0.0"
    assert "takes nothing behind it" in editor.evaluate("step now", "repl")
    assert editor.line() == 16


def test_what_a_program_prints_at_its_end_arrives(editor, tmp_path):
    script = tmp_path / "prints.py"
    script.write_text(
        "import os, sys\nsys.stdout.writelines(['lines\\n'])\nsys.stdout.buffer.write(b'bytes\\n')\n"
        "def own():\n    os.write(1, b'last')\n    raise KeyError('own')\nown()\n"
    )
    editor.request("initialize", adapterID="trisect")
    editor.request("launch", program=str(script))
    editor.request("configurationDone")
    assert editor.ended() == 1
    for text in ("lines", "bytes", "last", "KeyError: 'own'"):
        assert text in editor.output
    assert editor.output.count('  File "') == 2


@pytest.mark.parametrize(("ends", "status"), [("256", 0), ("-1", 255), ("1 << 40", 0), ("3.5", 1)])
def test_statuses_that_do_not_fit(editor, tmp_path, ends, status):
    (tmp_path / "ends.py").write_text(f"raise SystemExit({ends})\n")
    editor.request("initialize", adapterID="trisect")
    editor.request("launch", program=str(tmp_path / "ends.py"))
    editor.request("configurationDone")
    assert editor.ended() == status
