"""Options of the commands of `python -m trisect`: what makes no sense is one line before anything runs."""

import json
import os
import subprocess
import sys

import pytest

SCRIPT = """
import pathlib
import numpy as np
import triton
import triton.language as tl

@triton.jit
def copy(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at))

pathlib.Path(__file__).with_name("ran").touch()
x, out = np.ones(16, np.float32), np.zeros(16, np.float32)
copy[(1,)](x, out, BLOCK=16)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "file").write_text("kept")
    return tmp_path


def run(folder, *words, **streams):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    command = [sys.executable, "-m", "trisect", *map(str, words)]
    environment = os.environ | {"TRITON_CACHE_DIR": str(folder / "kernels")}
    return subprocess.run(command, cwd=folder, text=True, timeout=300, env=environment, **streams)


def refused(folder, words, status=2, *parts):
    """One line that begins with the command; the program has not run."""
    done = run(folder, *words)
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith(f"python -m trisect {words[0]}") and done.stderr.count("\n") == 1, (
        done.stderr
    )
    assert not (folder / "ran").exists() and (folder / "file").read_text() == "kept"
    assert all(part in done.stderr for part in parts), done.stderr


WRONG = [
    "sanitize --kinds nonsense script.py",
    "sanitize --kinds=on,race script.py",
    "sanitize --kinds= script.py",
    "sanitize --limit 0 script.py",
    "sanitize --limit -1 script.py",
    "sanitize --limit x script.py",
    "sanitize --lim 3 script.py",
    "sanitize",
    "check",
    "check --kinds on script.py",
    "trace --launches 0 script.py",
    "trace --launches -1 script.py",
    "trace --launches x script.py",
    "trace --own script.py",
    "trace",
    "debug",
    "debug --sanitize nonsense script.py",
    "debug -b x,y script.py",
    "debug -b 0 script.py",
    "dap --port -1",
    "dap --port 65536",
    "dap --port x",
    "dap --host here",
    "dap more",
    "cache",
    "cache nothing",
    "cache show",
    "cache rm",
    "cache --dir file ls",
    "cache --dir= ls",
    "cache verify --age x",
    "cache verify --age -1",
    "cache verify --age nan",
    "replay",
    "report a b",
    "shrink --seconds x file",
    "shrink --seconds -1 file",
    "shrink --seconds inf file",
    "shrink -o file script.py",
    "shrink -o file/below script.py",
]


@pytest.mark.parametrize("line", WRONG)
def test_an_option_that_makes_no_sense(line, folder):
    refused(folder, line.split(" "))


@pytest.mark.parametrize("option", ["sanitize --html", "sanitize --json", "trace -o", "trace --perfetto"])
def test_a_file_that_cannot_be_written_is_found_before(option, folder):
    (folder / "there").mkdir()
    for path, why in (
        ("no/page", "No such file or directory"),
        ("there", "it is a folder"),
        ("file/page", "Not a directory"),
        ("", ""),
        ("/proc/page", ""),
        ("script.py", "the program itself"),
    ):
        refused(folder, [*option.split(), path, "script.py"], 2, f"{path!r}", why)


def test_two_files_are_two(folder):
    refused(folder, ["sanitize", "--html", "page", "--json", "./page", "script.py"], 2, "one file")
    refused(folder, ["trace", "-o", "page", "--perfetto", "page", "script.py"], 2, "one file")


def test_a_file_that_takes_nothing_is_told_after_the_program(folder):
    done = run(folder, "sanitize", "--html", "/dev/full", "--json", "facts", "script.py")
    assert done.returncode == 1 and (folder / "ran").exists()
    assert "python -m trisect sanitize: cannot write '/dev/full': No space left on device" in done.stderr
    assert "Traceback" not in done.stderr and json.loads((folder / "facts").read_text()) == []
    done = run(folder, "trace", "-o", "/dev/full", "--perfetto", "facts", "-c", "raise KeyError('own')")
    assert done.returncode == 1 and done.stderr.count("Traceback") == 1 and "KeyError: 'own'" in done.stderr
    assert "cannot write '/dev/full'" in done.stderr and json.loads((folder / "facts").read_text())


def test_standard_error_that_takes_nothing_loses_no_file(folder):
    for words, files in (
        (["sanitize", "--html", "page", "--json", "facts"], ["page", "facts"]),
        (["trace", "-o", "drawn", "--perfetto", "line"], ["drawn", "line"]),
        (["check"], []),
    ):
        with open("/dev/full", "w") as full:
            assert run(folder, *words, "script.py", stderr=full).returncode == 1
        assert all((folder / name).stat().st_size for name in files)


def test_files_lie_where_the_command_was_given(folder):
    (folder / "elsewhere").mkdir()
    (folder / "script.py").write_text(SCRIPT + "import os\nos.chdir('elsewhere')\n")
    assert run(folder, "sanitize", "--html", "page", "--json", "facts", "script.py").returncode == 0
    assert run(folder, "trace", "script.py", "-o", "trace").returncode == 0
    assert not list((folder / "elsewhere").iterdir())
    assert all((folder / name).stat().st_size for name in ("page", "facts", "trace"))


def test_a_finding_counts_for_a_program_that_ends_itself(folder):
    wrong = SCRIPT.replace("np.ones(16", "np.ones(8") + "raise SystemExit(0)\n"
    (folder / "script.py").write_text(wrong)
    done = run(folder, "sanitize", "script.py")
    assert done.returncode == 1 and "sanitize: 1 distinct finding" in done.stderr


def test_a_child_that_outlives_the_program_leaves_its_files_alone(folder):
    forks = "\nimport os, sys, time\nif os.fork() == 0:\n    time.sleep(3)\n    sys.exit()\n"
    (folder / "script.py").write_text("import os" + forks + SCRIPT)
    for words in (["sanitize", "--json", "facts"], ["trace", "-o", "facts"]):
        done = run(folder, *words, "script.py")  # until the child has closed the pipe too
        assert done.returncode == 0, done.stderr
        facts = (folder / "facts").read_text()
        assert facts == "[]\n" if words[0] == "sanitize" else '"kernel":"copy"' in facts


def test_modules_and_code_are_traced_and_sanitized(folder):
    done = run(folder, "sanitize", "--limit", "3", "-m", "script", "--kinds", "x")
    assert (done.returncode, done.stderr) == (0, "sanitize: 0 distinct findings\n")
    done = run(folder, "trace", "-o", "page", "-m", "script", "-o", "own")
    assert (done.returncode, done.stderr) == (0, "1 launches drawn in page\n")
    done = run(folder, "trace", "-o", "page", "script.py", "page", "--own")
    assert (done.returncode, done.stderr) == (0, "1 launches drawn in page\n")
    for words in (["sanitize", "-"], ["trace", "-o", "page", "-"], ["check", "-"]):
        done = run(folder, *words, "own", input="import sys, triton; print(triton.__name__, sys.argv)")
        assert (done.returncode, done.stdout) == (0, "trisect ['-', 'own']\n"), done.stderr


def test_a_port_that_is_taken(folder):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        refused(folder, ["dap", "--port", str(number)], 1, str(number), "in use")
    refused(folder, ["dap", "--port", "0", "--host", "no.such.host.invalid"], 1, "cannot listen")


RESULTS = ["-h", "cache ls", "cache -h", "trace -h", "report bundle"]


@pytest.fixture
def bundle(folder):
    (folder / "bundle").mkdir()
    report = {"kernel": "k", "tier": "cpu", "sentence": "it failed", "versions": {}}
    (folder / "bundle" / "report.json").write_text(json.dumps(report))
    (folder / "bundle" / "kernel.ttir").write_text("module {}")
    return folder


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", RESULTS)
def test_standard_output_that_takes_nothing(line, unbuffered, bundle, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    assert run(bundle, *line.split()).returncode == 0
    for behind, told in ((">/dev/full", "No space left on device\n"), (">&-", "is closed\n"), ("| true", "")):
        text = f"{sys.executable} -m trisect {line} {behind}; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", text], cwd=bundle, capture_output=True, text=True)
        if behind == "| true" and done.returncode == 0:
            continue  # it was faster than its reader
        assert done.returncode == 1 and done.stderr.endswith(told), done.stderr
        assert done.stderr.count("\n") == told.count("\n"), done.stderr
        assert not told or "standard output" in done.stderr


@pytest.mark.parametrize("end", ["| true", "| head -1", ">&-", ">/dev/full", "<&-"])
def test_a_debugger_without_a_terminal_ends(end, folder):
    text = f"{sys.executable} -m trisect debug script.py {end}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", text], cwd=folder, capture_output=True, text=True, input="step\n" * 9, timeout=300
    )
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr, done.stderr
    assert done.returncode in ((0,) if end == "<&-" else (0, 1)), done.stderr
    if end in (">&-", ">/dev/full"):
        assert done.returncode == 1 and done.stderr.startswith("python -m trisect debug: "), done.stderr


DAMAGES = {
    "no folder": lambda bundle: [each.unlink() for each in bundle.iterdir()] and bundle.rmdir(),
    "no report": lambda bundle: (bundle / "report.json").unlink(),
    "no kernel": lambda bundle: (bundle / "kernel.ttir").unlink(),
    "a folder for a report": lambda bundle: (
        (bundle / "report.json").unlink(),
        (bundle / "report.json").mkdir(),
    ),
    "half a report": lambda bundle: (bundle / "report.json").write_text('{"kernel": "k", '),
    "an empty report": lambda bundle: (bundle / "report.json").write_text(""),
    "bytes": lambda bundle: (bundle / "report.json").write_bytes(b"\xff\xfe\x00"),
    "bytes of a kernel": lambda bundle: (bundle / "kernel.ttir").write_bytes(b"\xff\xfe\x00"),
    "a list": lambda bundle: (bundle / "report.json").write_text("[]"),
    "a number": lambda bundle: (bundle / "report.json").write_text("7"),
    "no names": lambda bundle: (bundle / "report.json").write_text("{}"),
    "a verdict alone": lambda bundle: (bundle / "report.json").write_text(
        '{"kernel": "k", "tier": "cpu", "sentence": "s", "versions": {}, "verdict": 3, "location": 7}'
    ),
    "deep": lambda bundle: (bundle / "report.json").write_text("[" * 100_000),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_report_of_what_is_no_bundle(name, bundle):
    DAMAGES[name](bundle / "bundle")
    refused(bundle, ["report", "bundle"], 1, "bundle")
    assert not (bundle / "bundle" / "report.html").exists()


def test_a_report_that_cannot_be_written(bundle):
    (bundle / "bundle" / "report.html").mkdir()
    refused(bundle, ["report", "bundle"], 1, "cannot write", "report.html")


@pytest.mark.parametrize("command", ["replay", "shrink", "bisect"])
@pytest.mark.parametrize("name", ["no folder", "no report", "a file", "junk"])
def test_what_is_no_bundle_is_not_run(command, name, bundle):
    directory = "bundle"
    if name == "a file":
        directory = "file"
    elif name == "junk":
        for file in ("launch.json", "pages.bin", "code.bin"):
            (bundle / "bundle" / file).write_bytes(bytes(range(256)))
    else:
        DAMAGES[name](bundle / "bundle")
    refused(bundle, [command, directory], 1, directory if name != "junk" else "launch.json")
