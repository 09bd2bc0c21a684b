"""Conversations of an editor with `trisect dap`."""

import pytest
from editor import Editor, Refused


@pytest.fixture
def editor(tmp_path):
    client = Editor(tmp_path)
    yield client
    client.close()


def test_breakpoint_and_variables(editor):
    (answer,) = editor.start("vector.py", lines=[15])
    assert answer["verified"] and answer["line"] == 15
    stop = editor.stop()
    assert stop["reason"] == "breakpoint" and stop["hitBreakpointIds"] == [answer["id"]]
    (frame,) = editor.frames()
    assert (frame["name"], frame["line"], frame["source"]["path"]) == ("add", 15, editor.path)
    x = editor.locals()["x"]
    assert x["type"] == "fp32[4]" and x["indexedVariables"] == 4
    assert [each["value"] for each in editor.variables(x["variablesReference"]).values()] == [
        "0.0", "1.0", "2.0", "3.0",
    ]  # fmt: skip
    constants = editor.variables(editor.scopes()["Compile-time values"])
    assert constants["BLOCK"]["value"] == "4"
    editor.set_lines()
    assert editor.finish() == 0
    assert "out: [0.5 1.5 2.5 3.5" in editor.output


def test_masked_lanes(editor):
    editor.start("vector.py", lines=[{"line": 15, "condition": "pid == 2"}])
    editor.stop()
    x = editor.locals()["x"]
    values = [each["value"] for each in editor.variables(x["variablesReference"]).values()]
    assert values == ["8.0", "9.0", "--", "--"]
    y = editor.locals()["y"]
    assert [each["value"] for each in editor.variables(y["variablesReference"]).values()][2:] == [
        "1.0",
        "1.0",
    ]
    assert editor.evaluate("mask(x).sum()") == "2"
    assert editor.finish() == 0


def test_steps_and_frames(editor):
    editor.start("matmul.py", lines=[28])
    editor.stop()
    editor.go("stepIn")
    assert [frame["name"] for frame in editor.frames()] == ["multiply", "matmul"]
    editor.go("next")
    editor.go("stepIn")
    assert [(frame["name"], frame["line"]) for frame in editor.frames()] == [
        ("tile", 10),
        ("multiply", 16),
        ("matmul", 28),
    ]
    assert editor.locals(1)["stride"]["value"] == "8"
    assert editor.locals(2)["steps"]["value"].startswith("[0 1 2 3]")
    assert editor.evaluate("k", frame=3) == "0"
    editor.go("stepOut")
    assert editor.frames()[0]["name"] == "multiply"
    editor.go("stepOut")
    assert editor.frames()[0]["name"] == "matmul"
    editor.set_lines()
    assert editor.finish() == 0


def test_blocks_open_into_rows(editor):
    editor.start("matmul.py", lines=[29])
    editor.stop()
    acc = editor.locals()["acc"]
    assert acc["type"] == "fp32[4, 4]"
    rows = editor.variables(acc["variablesReference"], start=1, count=2)
    assert list(rows) == ["[1]", "[2]"] and rows["[1]"]["evaluateName"] == "acc[1]"
    elements = editor.variables(rows["[1]"]["variablesReference"])
    assert [each["value"] for each in elements.values()] == ["92.0"] * 4
    tensors = editor.variables(editor.scopes()["Tensors"])
    assert tensors["a_ptr"]["type"] == "float32[8, 8]"
    assert editor.evaluate(elements["[3]"]["evaluateName"], context="hover") == "92.0"
    editor.set_lines()
    assert editor.finish() == 0


def test_backwards(editor):
    editor.start("matmul.py", lines=[29])
    editor.stop()
    assert editor.evaluate("acc[0, 0]") == "28.0"
    editor.go("stepBack")
    assert editor.line() == 28 and editor.evaluate("k") == "4" and editor.evaluate("acc[0, 0]") == "6.0"
    editor.go("stepBack")
    assert editor.evaluate("k") == "0"
    editor.go("continue")
    editor.go("continue")
    assert editor.evaluate("pid") == "(1, 0, 0)"
    stop = editor.go("reverseContinue")
    assert stop["reason"] == "step" and editor.evaluate("pid") == "(0, 0, 0)" and editor.line() == 29
    editor.set_lines()
    assert editor.finish() == 0
    assert "sum of c: 16128.0" in editor.output


def test_conditions_counts_and_messages(editor):
    answers = editor.start(
        "loops.py",
        lines=[
            {"line": 17, "condition": "value == 8"},
            {"line": 20, "logMessage": "steps {steps} value {value}"},
            {"line": 19, "hitCondition": ">= 2"},
        ],
    )
    assert [answer["verified"] for answer in answers] == [True] * 3
    editor.stop()
    assert (editor.line(), editor.evaluate("value"), editor.evaluate("steps")) == (17, "8", "2")
    editor.go("continue")
    assert (editor.line(), editor.evaluate("value"), editor.evaluate("steps")) == (19, "3", "1")
    editor.set_lines()
    assert editor.finish() == 0
    assert "steps 0 value 16" in editor.output


def test_function_breakpoint(editor):
    editor.start("matmul.py", functions=[{"name": "tile", "condition": "stride == 4"}])
    stop = editor.stop()
    assert stop["reason"] == "function breakpoint"
    assert editor.evaluate("stride") == "4" and editor.frames()[1]["line"] == 17
    editor.request("setFunctionBreakpoints", breakpoints=[])
    assert editor.finish() == 0


def test_fault(editor):
    editor.start("faults.py")
    stop = editor.stop()
    assert stop["reason"] == "exception" and "negative input" in stop["text"]
    assert editor.line() == 14 and editor.evaluate("x.min()") == "-1.0"
    info = editor.request("exceptionInfo", threadId=editor.thread)
    assert info["exceptionId"] == "assert"
    editor.go("stepBack")
    assert editor.line() == 14
    stop = editor.go("continue")
    assert stop["reason"] == "exception"
    assert editor.finish() == 0
    assert "caught: KernelFault" in editor.output


def test_faults_can_pass(editor):
    editor.start("faults.py", filters=[])
    assert editor.ended() == 0
    assert "caught: KernelFault" in editor.output


def test_data_breakpoint(editor):
    editor.start("vector.py", stopOnEntry=True)
    assert editor.stop()["reason"] == "entry"
    info = editor.request("dataBreakpointInfo", name="tensors.out_ptr[9]")
    assert info["dataId"] == "out_ptr[9]"
    assert editor.request("dataBreakpointInfo", name="pid")["dataId"] is None
    editor.request("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
    stop = editor.go("continue")
    assert stop["reason"] == "data breakpoint" and "0.0 -> 9.5" in stop["text"]
    assert editor.evaluate("pid") == "2" and editor.line() == 16
    assert editor.finish() == 0


def test_breakpoint_call(editor):
    editor.start("call.py")
    assert editor.stop()["text"] == "breakpoint()"
    assert editor.evaluate("value") == "2.0"
    assert editor.finish() == 0


def test_console_and_programs(editor):
    editor.start("vector.py", lines=[14])
    editor.stop()
    assert "inside   int1[4]" in editor.evaluate("locals", context="repl")
    assert editor.evaluate("offsets + 1", context="repl") == "[1 2 3 4]"
    editor.send("evaluate", expression="program 2", context="repl", frameId=1)
    assert editor.stop()["reason"] == "goto" and editor.thread == 3
    names = {each["id"]: each["name"] for each in editor.request("threads")["threads"]}
    assert names == {1: "program (0, 0, 0)", 3: "program (2, 0, 0)"}
    editor.request("stackTrace", threadId=1)
    assert editor.stop()["threadId"] == 1 and editor.line() == 14
    editor.set_lines()
    assert editor.finish() == 0


def test_requests_that_make_no_sense(editor):
    editor.request("initialize", adapterID="trisect")
    with pytest.raises(Refused, match="needs the `program`"):
        editor.request("launch")
    with pytest.raises(Refused, match="no kernel is stopped"):
        editor.request("next", threadId=1)
    (answer,) = editor.start("vector.py", lines=[1])
    assert not answer["verified"] and "no statement" in answer["message"]
    (answer,) = editor.set_lines({"line": 15, "condition": "x >"})
    assert not answer["verified"] and "is no expression" in answer["message"]
    editor.set_lines(15)


def test_over_tcp(tmp_path):
    editor = Editor(tmp_path, port=True)
    try:
        editor.start("vector.py", lines=[15])
        editor.stop()
        with pytest.raises(Refused, match="name 'nothing' is not defined"):
            editor.evaluate("nothing")
        with pytest.raises(Refused, match="not supported"):
            editor.request("gotoTargets")
        editor.request("disconnect")
        assert editor.ended() == 0
    finally:
        editor.close()


def test_pause_and_breakpoints_while_programs_run(editor):
    editor.start("endless.py")
    editor.request("pause", threadId=1)
    assert editor.stop()["reason"] in ("pause", "entry")
    assert editor.line() in range(10, 15)
    editor.request("continue", threadId=editor.thread)
    assert editor.request("threads")["threads"] == [{"id": 1, "name": "programs run"}]
    editor.set_lines({"line": 13, "condition": "count == 600"})
    assert editor.stop()["reason"] == "breakpoint"
    assert editor.evaluate("count") == "600"
    editor.set_lines()
    editor.request("continue", threadId=editor.thread)
    editor.request("disconnect")
    assert editor.ended() == 0


def test_groups_open(editor):
    editor.start("values.py", lines=[33])
    editor.stop()
    group = editor.request("evaluate", expression="pair", context="watch", frameId=1)
    parts = editor.variables(group["variablesReference"])
    assert parts["low"]["type"] == "uint8[16]" and parts["high"]["evaluateName"] == "pair.high"
    assert editor.evaluate(parts["high"]["evaluateName"] + "[3]") == "2"
    assert editor.locals()["places"]["value"] == "x_ptr[0] ... x_ptr[15]"
    assert editor.evaluate("both[1].sum()") == "8"
    assert editor.finish() == 0
