"""Tools that get nonsense: debug adapter, language server, the page of a trace, runner, reducer."""

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from native_tools import KERNEL, ended

ROOT = Path(__file__).parents[3]


def framed(*messages):
    """Messages behind their headers; bytes are sent as they are."""
    texts = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in texts)


def converse(command, sent):
    """What a server answers to everything at once, before its input ends."""
    done = subprocess.run(command, input=sent, capture_output=True, timeout=300)
    answers, at = [], 0
    while found := re.compile(rb"Content-Length: (\d+)\r\n\r\n").match(done.stdout, at):
        end = found.end() + int(found.group(1))
        answers.append(json.loads(done.stdout[found.end() : end]))
        at = end
    assert at == len(done.stdout)
    return done, answers


def request(seq, command, **arguments):
    return {"seq": seq, "type": "request", "command": command, "arguments": arguments}


DEEP = b"[" * 200_000

MALFORMED = {
    "no JSON": framed(b"{"),
    "no UTF-8": framed(b"\xff\xfe\x00"),
    "a number": framed(7),
    "a list": framed([]),
    "no command": framed({"seq": 9, "type": "request"}),
    "a command of numbers": framed({"seq": 9, "type": "request", "command": [1]}),
    "no seq": framed({"type": "request", "command": "threads"}),
    "a response": framed({"seq": 9, "type": "response", "command": "threads"}),
    "arguments of text": framed({"seq": 9, "type": "request", "command": "setBreakpoints", "arguments": "x"}),
    "a source of text": framed(request(9, "setBreakpoints", source="x")),
    "breakpoints of numbers": framed(request(9, "setBreakpoints", source={"path": "x"}, breakpoints=[1])),
    "filters of nothing": framed(request(9, "setExceptionBreakpoints", filters=None)),
    "deep": framed(DEEP),
    "a length of letters": b"Content-Length: ten\r\n\r\n" + framed({"seq": 9, "type": "request"}),
    "a negative length": b"Content-Length: -1\r\n\r\n" + framed({"seq": 9, "type": "request"}),
    "a huge length": b"Content-Length: 99999999999999\r\n\r\n",
    "no header": b"hello\r\n\r\n" + framed({"seq": 9, "type": "request"}),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_the_adapter_answers_and_goes_on(name):
    done, answers = converse(
        [sys.executable, "-m", "trisect", "dap"],
        framed(request(1, "initialize"))
        + MALFORMED[name]
        + framed(request(2, "threads"), request(3, "disconnect")),
    )
    responses = [each for each in answers if each["type"] == "response"]
    assert [each["success"] for each in responses] == [True, False, True, True]
    assert responses[1]["message"] and responses[1]["request_seq"] in (0, 9)
    assert done.returncode == 0 and answers[-1]["event"] == "terminated"


@pytest.mark.parametrize("rest", [b"", b"Content-Length: 100\r\n\r\n{", b"Content-Len", framed(b"{")])
def test_the_adapter_ends_with_its_input(rest):
    done, answers = converse(
        [sys.executable, "-m", "trisect", "dap"], framed(request(1, "initialize")) + rest
    )
    assert done.returncode == 0 and answers[-1]["event"] == "terminated"


STUBBORN = """
import time
while True:
    try:
        time.sleep(0.1)
    except KeyboardInterrupt:
        pass
"""


@pytest.mark.parametrize("last", [[], [request(4, "disconnect")]], ids=["end of input", "disconnect"])
def test_the_adapter_ends_with_a_program_that_does_not(tmp_path, last):
    script = tmp_path / "stubborn.py"
    script.write_text(STUBBORN)
    started = [
        request(1, "initialize"),
        request(2, "launch", program=str(script)),
        request(3, "configurationDone"),
    ]
    done, _ = converse([sys.executable, "-m", "trisect", "dap"], framed(*started, *last))
    assert done.returncode is not None


LANGUAGE_SERVER = ROOT / "build/release/bin/trisect-lsp-server"


def opened(text):
    return {
        "jsonrpc": "2.0",
        "method": "textDocument/didOpen",
        "params": {
            "textDocument": {"uri": "file:///tmp/x.ttir", "languageId": "mlir", "version": 1, "text": text}
        },
    }


GOOD = "module { tt.func public @k(%p: !tt.ptr<f32>) { tt.return } }"
TEXTS = {
    "modules": "module {" * 5000 + "}" * 5000,
    "brackets": "#a = " + "[" * 200_000 + "]" * 200_000,
    "types": "func.func private @f(" + "tuple<" * 50_000 + "i1" + ">" * 50_000 + ")",
    "a wide integer": "func.func private @f(i99999999999)",
}


@pytest.mark.skipif(not LANGUAGE_SERVER.exists(), reason="the language server is not built")
@pytest.mark.parametrize("name", TEXTS)
def test_the_language_server_refuses_what_trisect_opt_refuses(name, tmp_path):
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    end = {"jsonrpc": "2.0", "id": 3, "method": "shutdown"}
    done, answers = converse(
        [LANGUAGE_SERVER],
        framed(asked, opened(TEXTS[name]), DEEP, opened(GOOD), end, {"jsonrpc": "2.0", "method": "exit"}),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = [
        each["params"]["diagnostics"] for each in answers if each.get("method", "").endswith("Diagnostics")
    ]
    assert len(told[0]) == 1 and told[1] == []
    (tmp_path / "x.ttir").write_text(TEXTS[name])
    refused = subprocess.run(
        [LANGUAGE_SERVER.with_name("trisect-opt"), tmp_path / "x.ttir"], capture_output=True, text=True
    )
    assert refused.returncode == 1 and told[0][0]["message"].splitlines()[0] in refused.stderr


def test_a_page_whose_source_opens_a_script(tmp_path):
    """`<!--<script` in a script element lets a browser look for two ends."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import numpy as np, triton, triton.language as tl
            @triton.jit
            def mark(x):
                tl.store(x, 1)  # <!--<script> </script> --> <SCRIPT>
            mark[(1,)](np.zeros(4, np.int32))
            """
        )
    )
    page = tmp_path / "page.html"
    subprocess.run([sys.executable, "-m", "trisect", "trace", script, "-o", page], check=True, timeout=300)
    text = page.read_text()
    data = text.split('id="data">')[1].split("</script>")[0]
    assert "<" not in data
    assert "<!--<script> </script> -->" in str(json.loads(data))


@pytest.mark.parametrize(
    "setting", ["grid=x", "grid=", "grid=1,x", "grid=4294967297", "seed=x grid=1", "threads=x grid=1"]
)
def test_a_run_whose_settings_are_no_numbers_does_not_pass(tmp_path, setting):
    """A grid that was no number ran no program, and nothing was compared."""
    file = tmp_path / "run.ttir"
    file.write_text(f"// run: {setting} args: i32[1]\n// expect 0: [9]\n{KERNEL}")
    done = ended("trisect-run", "--test", file)
    assert done.returncode == 1 and "line 1: " in done.stdout and "is a whole number from" in done.stdout
    file.write_text(f"// tiers: bogus\n// run: args: i32[1]\n// expect 0: [9]\n{KERNEL}")
    assert "unknown tier 'bogus'" in ended("trisect-run", "--test", file).stdout


@pytest.mark.parametrize(
    "words",
    [["--grid", grid] for grid in ("x", "", "2,,3", "3abc", "1,2,3,4", "4294967299", "-1")]
    + [[word, "x"] for word in ("--seed", "--threads", "--trace", "--print", "--times")]
    + [["--threads", "0"], ["--out", "x=y.npy"]],
    ids=" ".join,
)
def test_words_that_are_no_numbers_are_refused(tmp_path, words):
    file = tmp_path / "kernel.ttir"
    file.write_text(KERNEL)
    done = ended("trisect-run", file, "--arg", "i32[1]", *words)
    assert done.returncode == 2 and "trisect-run: " in done.stderr, done


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("-9223372036854775808 / -1", "expected -9223372036854775808"),
        ("-9223372036854775808 % -1", "1 passed"),
        ("(" * 200_000, "more than 200 levels"),
        ("-" * 200_000 + "1", "more than 200 levels"),
        ("1+" * 200_000 + "1", "more than 2000 operators"),
    ],
    ids=["least", "least rest", "brackets", "signs", "sums"],
)
def test_formulas_end_in_a_number_or_an_error(tmp_path, formula, said):
    file = tmp_path / "run.ttir"
    file.write_text(
        f"// run: args: i64[1]\n// expect 0: {formula}\ntt.func public @f(%p: !tt.ptr<i64>) {{ tt.return }}"
    )
    done = ended("trisect-run", "--test", file)
    assert done.returncode in (0, 1) and said in done.stdout, done.stdout[-400:]


@pytest.mark.parametrize("text", ["module {" * 50_000, "tensor<4x" * 50_000], ids=["modules", "types"])
def test_deep_modules_are_not_reduced(tmp_path, text):
    file = tmp_path / "deep.ttir"
    file.write_text(text)
    done = ended("trisect-reduce", file)
    assert done.returncode == 1 and "expected at most 200 levels of brackets" in done.stderr
