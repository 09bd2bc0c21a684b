"""`python -m trisect PROGRAM`: programs that are not there, tracebacks, statuses, closed streams."""

import os
import signal
import subprocess
import sys

import pytest

MODES = [(), ("check",), ("sanitize",), ("trace",)]


def run(*words, folder, **more):
    command = [sys.executable, "-m", "trisect", *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, **more)


def shell(line, folder):
    line = line.replace("trisect", f"{sys.executable} -m trisect")
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


def one_line(done, status, start, *parts):
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith(start) and done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr and all(part in done.stderr for part in parts), done.stderr


@pytest.mark.parametrize("mode", [*MODES, ("debug",)], ids=lambda mode: " ".join(mode) or "plain")
def test_a_script_that_is_not_there(mode, tmp_path):
    start = " ".join(("python -m trisect", *mode)) + ": "
    one_line(run(*mode, "no.py", folder=tmp_path), 2, start, "'no.py'", "No such file")
    one_line(run(*mode, "", folder=tmp_path), 2, start, "''")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: " ".join(mode) or "plain")
def test_what_is_no_program(mode, tmp_path):
    start = " ".join(("python -m trisect", *mode)) + ": "
    (tmp_path / "folder").mkdir()
    done = run(*mode, "folder", folder=tmp_path)
    assert done.returncode == 1 and f"{start}can't find '__main__' module in" in done.stderr
    assert "Traceback" not in done.stderr
    done = run(*mode, "-m", "nothing_of_this_name", folder=tmp_path)
    assert done.returncode == 1 and f"{start}No module named nothing_of_this_name" in done.stderr
    assert "Traceback" not in done.stderr
    one_line(run(*mode, "-c", folder=tmp_path), 2, start, "-c needs an argument")
    one_line(run(*mode, "-x", folder=tmp_path), 2, start, "-x")


def test_a_folder_and_standard_input_are_programs(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "__main__.py").write_text(
        "import triton, sys; print(triton.__name__, sys.argv[1:])"
    )
    assert run("folder", "a", folder=tmp_path).stdout == "trisect ['a']\n"
    assert run("-", "b", folder=tmp_path, input="import sys; print(sys.argv)").stdout == "['-', 'b']\n"
    one_line(shell("trisect - <&-", tmp_path), 2, "python -m trisect: ", "standard input is closed")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    one_line(shell("trisect - < bytes", tmp_path), 1, "python -m trisect: ", "Unicode")


def test_a_folder_does_not_hide_a_command(tmp_path):
    (tmp_path / "cache").mkdir()
    done = run("cache", "--dir", "cache", "ls", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "0 forms, 0.0 KiB, in cache\n"), done.stderr


FAILING = "import sys\ndef own():\n    raise KeyError('own')\nown()\n"


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: " ".join(mode) or "plain")
@pytest.mark.parametrize("way", ["script", "-m", "-c"])
def test_a_traceback_is_that_of_python(mode, way, tmp_path):
    (tmp_path / "own.py").write_text(FAILING)
    words = {"script": ["own.py"], "-m": ["-m", "own"], "-c": ["-c", FAILING]}[way]
    done = run(*mode, *words, folder=tmp_path)
    assert done.returncode == 1
    trace = done.stderr[done.stderr.index("Traceback") :].splitlines()
    assert trace[0] == "Traceback (most recent call last):" and trace[-1] == "KeyError: 'own'"
    assert [line.split(", ")[-1] for line in trace if line.startswith("  File")] == ["in <module>", "in own"]


def test_a_syntax_error_shows_the_script_alone(tmp_path):
    (tmp_path / "own.py").write_text("x = (\n")
    done = run("own.py", folder=tmp_path)
    python = subprocess.run([sys.executable, "own.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[1:] == python.stderr.splitlines()[1:]


def test_the_hook_of_the_program_gets_its_traceback(tmp_path):
    code = "import sys, traceback\nsys.excepthook = lambda *a: print(len(traceback.extract_tb(a[2])))\n1 / 0"
    done = run("-c", code, folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "1\n", "")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: " ".join(mode) or "plain")
def test_the_status_of_the_program_is_kept(mode, tmp_path):
    for end, status in (("0", 0), ("None", 0), ("7", 7), ("'words'", 1)):
        done = run(*mode, "-c", f"raise SystemExit({end})", folder=tmp_path)
        assert done.returncode == status, (end, done.stderr)
        assert "Traceback" not in done.stderr and ("words" in done.stderr) == (end == "'words'")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: " ".join(mode) or "plain")
def test_an_interrupt_and_a_closed_pipe_end_it_as_python_does(mode, tmp_path):
    code = "import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(9)"
    done = run(*mode, "-c", code, folder=tmp_path, restore_signals=True)
    assert done.returncode == -signal.SIGINT and "KeyboardInterrupt" in done.stderr
    words = f"{sys.executable} -m trisect {' '.join(mode)}"
    line = "{} -c 'while True: print(1)' | head -1; echo ${{PIPESTATUS[0]}}"
    ours, python = (
        subprocess.run(["bash", "-c", line.format(words)], cwd=tmp_path, capture_output=True, text=True)
        for words in (words, sys.executable)
    )
    assert ours.stdout.splitlines() == python.stdout.splitlines()
    assert ours.stderr.count("BrokenPipeError") == python.stderr.count("BrokenPipeError")
    assert "trisect/" not in ours.stderr


def test_children_of_a_program_find_no_frames_of_ours(tmp_path):
    code = "import os\nif os.fork() == 0:\n    raise KeyError('child')\nos.wait()"
    done = run("-c", code, folder=tmp_path)
    assert done.stderr.count("  File") == 1 and "KeyError: 'child'" in done.stderr
    assert os.listdir(tmp_path) == []
