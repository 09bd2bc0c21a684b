"""Command lines of the native tools: help, wrong words, no files, output that cannot be written."""

import subprocess

import pytest
from native_tools import BIN, KERNEL, RUN_TEST, ended, refused

OWN = [
    "trisect-run",
    "trisect-cpu",
    "trisect-gpu",
    "trisect-cuda",
    "trisect-check",
    "trisect-corpus",
    "trisect-cuda-corpus",
    "trisect-mutants",
    "trisect-fuzz-kernels",
]
#: Their options are MLIR's.
MLIRS = ["trisect-opt", "trisect-reduce"]


@pytest.fixture
def kernel(tmp_path):
    file = tmp_path / "kernel.ttir"
    file.write_text(RUN_TEST)
    return file


@pytest.mark.parametrize("tool", OWN + MLIRS)
def test_help_is_printed(tool):
    for word in ("--help", "-h"):
        done = ended(tool, word)
        assert done.returncode == 0 and "usage: " in done.stdout.lower() and not done.stderr, done
    if tool != "trisect-opt":  # which reads standard input, as a filter does
        done = ended(tool)
        assert done.returncode == 2 and done.stderr.startswith("usage: ") and not done.stdout


@pytest.mark.parametrize("tool", OWN + MLIRS)
@pytest.mark.parametrize("word", ["--bogus", "-x", "--bogus=3"])
def test_unknown_options_are_refused(tool, word, kernel):
    assert word.split("=")[0] in refused(ended(tool, kernel, word), 2)


@pytest.mark.parametrize(
    ("tool", "words"),
    {
        "twice": ("trisect-cpu", ["--emit=asm", "--emit", "llvm"]),
        "no value": ("trisect-cpu", ["--kernel"]),
        "an option as value": ("trisect-check", ["--tier", "--device"]),
        "a value too many": ("trisect-cpu", ["--overlapping=yes"]),
        "two files": ("trisect-cuda", ["other.ttir"]),
    }.values(),
)
def test_options_that_make_no_sense_together_are_refused(tool, words, kernel):
    refused(ended(tool, kernel, *words), 2)


NUMBERS = ["x", "", "-1", "3x", "nan", "inf", "1e400", "99999999999999999999"]
COUNTED = {
    "trisect-check": ["--seeds", "--warps", "--limit"],
    "trisect-run": ["--times", "--threads", "--collect", "--seed"],
    "trisect-mutants": ["--every", "--shard"],
    "trisect-cuda": ["--warps", "--stages", "--capability"],
    "trisect-gpu": ["--num-warps", "--stages"],
    "trisect-cuda-corpus": ["--capability", "--jobs", "--only"],
    "trisect-fuzz-kernels": [
        "--first",
        "--count",
        "--seconds",
        "--emulated",
        "--shrink",
        "--show",
        "--plant",
    ],
}


@pytest.mark.parametrize(("tool", "option"), [(tool, each) for tool, all in COUNTED.items() for each in all])
def test_what_is_no_number_is_refused(tool, option, kernel):
    files = [] if tool == "trisect-fuzz-kernels" else [kernel]
    for number in NUMBERS:
        assert option in refused(ended(tool, *files, f"{option}={number}"), 2)


@pytest.mark.parametrize("tool", ["trisect-run", "trisect-check"])
def test_a_limit_of_a_corpus_is_a_number(tool, kernel):
    assert "--limit" in refused(ended(tool, "--corpus", kernel, "--limit", "soon"), 2)


@pytest.mark.parametrize(
    ("tool", "words", "known"),
    [
        ("trisect-cuda", ["--emit=ptx", "--capability=75"], "80, 86, 87, 89, 90, 100"),
        ("trisect-cuda", ["--emit=ptx", "--capability=999"], "120, 121"),
        ("trisect-cuda", ["--emit=sass"], "ttgir, llvm, ptx"),
        ("trisect-cuda", ["--warps=3"], "power of two"),
        ("trisect-cuda-corpus", ["--capability", "91"], "80, 86"),
        ("trisect-cpu", ["--emit=ptx"], "ttir, plan, vectors"),
        ("trisect-cpu", ["--machine=x86-64-v9"], "x86-64-v4"),
        ("trisect-gpu", ["--emit=ptx"], "ttir, layouts, tile, barriers"),
        ("trisect-run", ["--numerics", "fast"], "ieee, cuda"),
        ("trisect-check", ["--warps=6"], "power of two"),
    ],
)
def test_words_that_are_unknown_come_with_the_known_ones(tool, words, known, kernel):
    assert known in refused(ended(tool, kernel, *words), 2)


def test_a_tier_and_a_target_that_are_unknown(kernel):
    assert "cpu" in refused(ended("trisect-check", "--tier", "abacus", kernel))
    assert "cuda:90" in refused(ended("trisect-gpu", "--target", "abacus", kernel))


@pytest.mark.parametrize("tool", ["trisect-cpu", "trisect-gpu", "trisect-cuda"])
def test_a_kernel_that_is_not_there(tool, kernel):
    assert "'g'" in refused(ended(tool, kernel, "--kernel", "g"), 1)


def nothing(folder, kind):
    """A path at which there is no module."""
    if kind in ("/dev/null", "missing.ttir"):
        return kind
    path = folder / f"{kind}.ttir"
    if kind == "folder":
        path.mkdir()
    else:
        path.write_bytes({"empty": b"", "binary": bytes(range(256)) * 40, "text": b"hello\n"}[kind])
    return path


NONE = ["/dev/null", "missing.ttir", "folder", "empty", "binary", "text"]
FILED = {
    "trisect-run": [["--arg", "1"], ["--test"], ["--corpus"]],
    "trisect-cpu": [[]],
    "trisect-gpu": [[], ["--check"]],
    "trisect-cuda": [[]],
    "trisect-check": [[], ["--tier", "cuda"], ["--corpus"]],
    "trisect-corpus": [[]],
    "trisect-cuda-corpus": [[]],
    "trisect-mutants": [[], ["--emulator"]],
    "trisect-fuzz-kernels": [[], ["--replay"]],
    "trisect-reduce": [["-reduction-tree=test=/bin/false"]],
}


@pytest.mark.parametrize(
    ("tool", "before", "kind"),
    # To trisect-reduce a file without text is an empty module.
    [
        (tool, before, kind)
        for tool, all in FILED.items()
        for before in all
        for kind in NONE
        if tool != "trisect-reduce" or kind not in ("empty", "/dev/null")
    ],
)
def test_what_is_no_module_fails(tool, before, kind, tmp_path):
    path = nothing(tmp_path, kind)
    done = ended(tool, *before, path)
    assert done.returncode in (1, 2) and (done.stdout + done.stderr).strip(), done
    assert "filesystem error" not in done.stderr and "PLEASE submit" not in done.stderr


@pytest.mark.parametrize(
    ("tool", "before"),
    [("trisect-corpus", []), ("trisect-cuda-corpus", []), ("trisect-run", ["--corpus"]), ("trisect-opt", [])],
)
def test_a_link_to_itself_is_told_with_its_path(tool, before, tmp_path):
    (tmp_path / "loop.ttir").symlink_to("loop.ttir")
    told = refused(ended(tool, *before, tmp_path / "loop.ttir"))
    assert "loop.ttir" in told and "Too many levels of symbolic links" in told


def test_memory_that_is_not_there_is_told(kernel):
    command = f"ulimit -v 3000000; '{BIN}/trisect-run' '{kernel}' --arg 'i8[3000000000]'"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=120)
    assert "memory" in refused(done, 2) or "of this machine" in done.stderr


@pytest.mark.parametrize("kind", ["missing.ttir", "folder", "binary", "text"])
def test_what_is_no_module_is_not_transformed(kind, tmp_path):
    refused(ended("trisect-opt", nothing(tmp_path, kind)), 1)


WRITERS = {
    "trisect-run --out": ("trisect-run", ["--arg", "i32[1]", "--out", "0={}"]),
    "trisect-run --xunit": ("trisect-run", ["--test", "--xunit={}"]),
    "trisect-check --xunit": ("trisect-check", ["--xunit={}"]),
    "trisect-check --json": ("trisect-check", ["--corpus", "--json={}"]),
    "trisect-mutants --json": ("trisect-mutants", ["--every", "1000", "--json={}"]),
    "trisect-opt -o": ("trisect-opt", ["-o", "{}"]),
    "trisect-fuzz-kernels --progress": ("trisect-fuzz-kernels", ["--count=1", "--progress={}"]),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(
    ("path", "reason"),
    [("/dev/full", "No space left"), ("/", "Is a directory"), ("none/out", "No such file")],
)
def test_files_that_cannot_be_written_fail_with_the_reason(name, path, reason, kernel):
    tool, words = WRITERS[name]
    path = str(kernel.parent / path)
    words = [word.format(path) for word in words]
    words += [kernel] if tool != "trisect-fuzz-kernels" else []
    told = refused(ended(tool, *words))
    assert path in told and reason in told


def test_a_file_that_cannot_be_written_keeps_none_of_the_others(kernel, tmp_path):
    words = ["--arg", "i32[1]", "--out", "0=/dev/full", "--out", f"0={tmp_path}/out.npy", "--print", "0"]
    done = ended("trisect-run", kernel, *words)
    assert "/dev/full" in refused(done, 2)
    assert done.stdout.endswith("= 9\n") and (tmp_path / "out.npy").read_bytes().endswith(b"\x09\0\0\0")


def test_buffers_of_outputs_are_known_before_the_run(kernel):
    done = ended("trisect-run", kernel, "--arg", "i32[1]", "--arg", "5", "--out", "1=x.npy")
    assert "argument 1 is no buffer" in refused(done, 2)


PRINTERS = {
    "trisect-run": ["--arg", "i32[1]", "--print", "0"],
    "trisect-run --test": ["--test"],
    "trisect-run --corpus": ["--corpus", "--list"],
    "trisect-cpu": ["--emit=asm"],
    "trisect-gpu": [],
    "trisect-cuda": [],
    "trisect-check": [],
    "trisect-mutants": ["--every", "1000"],
    "trisect-fuzz-kernels": ["--show", "1"],
    "trisect-opt": [],
    "trisect-opt -emit-bytecode": ["-emit-bytecode"],
}


@pytest.mark.parametrize("name", PRINTERS)
@pytest.mark.parametrize(
    ("redirection", "reason"), [("> /dev/full", "No space left"), (">&-", "Bad file descriptor")]
)
def test_standard_output_that_cannot_be_written_fails(name, redirection, reason, kernel):
    tool = name.split()[0]
    files = [] if tool == "trisect-fuzz-kernels" else [str(kernel)]
    command = ["sh", "-c", f'"$0" "$@" {redirection}', BIN / tool, *PRINTERS[name], *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert done.returncode in (1, 2), done
    assert "cannot write standard output" in done.stderr and reason in done.stderr


def test_a_file_does_not_become_standard_output(kernel, tmp_path):
    """The first file that is opened would get the number of a stream that is closed."""
    words = f"--arg i32[1] --print 0 --out 0={tmp_path}/out.npy"
    done = subprocess.run(
        ["sh", "-c", f'"$0" "$1" {words} >&-', BIN / "trisect-run", kernel], capture_output=True
    )
    assert done.returncode == 2 and (tmp_path / "out.npy").read_bytes()[:6] == b"\x93NUMPY"
    assert (tmp_path / "out.npy").stat().st_size == 132


def test_output_that_nobody_reads_is_not_an_error_of_ours(kernel):
    command = ["sh", "-c", '"$0" "$1" --emit=asm | head -n 1', BIN / "trisect-cpu", kernel]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 1 and not done.stderr


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "fails.sh"
    file.write_text("#!/bin/sh\ngrep -q tt.store $1 && exit 1\nexit 0\n")
    file.chmod(0o755)
    return file


def reduced(kernel, script, *words):
    return ended("trisect-reduce", kernel, f"-reduction-tree=traversal-mode=0 test={script}", *words)


def test_a_module_is_reduced(kernel, script, tmp_path):
    done = reduced(kernel, script, "-o", tmp_path / "small.ttir")
    assert (
        done.returncode == 0
        and not done.stdout + done.stderr
        and "tt.store" in (tmp_path / "small.ttir").read_text()
    )


def test_why_a_module_is_not_reduced(kernel, script, tmp_path):
    assert f"no script '{tmp_path}/none.sh'" in refused(reduced(kernel, tmp_path / "none.sh"))
    assert "no script" in refused(ended("trisect-reduce", kernel), 2)
    assert "test=SCRIPT" in refused(ended("trisect-reduce", kernel, "-reduction-tree=traversal-mode=0"), 2)
    assert "nothing to reduce" in refused(reduced(kernel, "/bin/true"))
    done = reduced(kernel, script, "-o", tmp_path / "none" / "small.ttir")
    assert "none/small.ttir" in refused(done, 1) and "tt.store" in done.stdout
    script.chmod(0o644)
    assert "chmod +x" in refused(reduced(kernel, script))
    script.write_bytes(b"\0\1\2")
    script.chmod(0o755)
    assert "does not run" in refused(reduced(kernel, script))
    script.write_text("#!/bin/sh\nkill -9 $$\n")
    assert "does not run" in refused(reduced(kernel, script))
    kernel.write_text("module {")
    assert f"{kernel}:1:" in refused(reduced(kernel, script))


@pytest.mark.parametrize("mode", ["", "-split-input-file", "-verify-diagnostics"])
def test_deep_text_is_refused_in_every_mode(mode, tmp_path):
    file = tmp_path / "deep.ttir"
    file.write_text("module {" * 50_000)
    assert "at most 200 levels" in refused(ended("trisect-opt", file, *filter(None, [mode])), 1)


def test_a_file_may_be_transformed_in_place(kernel):
    kernel.write_text(RUN_TEST + KERNEL.replace("@f", "@g") + "// filler\n" * 10000)
    assert ended("trisect-opt", kernel, "-o", kernel).returncode == 0
    assert "@g" in kernel.read_text() and "filler" not in kernel.read_text()
    kernel.write_text("module {")
    refused(ended("trisect-opt", kernel, "-o", kernel), 1)
    assert kernel.read_text() == "module {", "a failure must not remove what was there"


def test_kernels_that_fail_have_a_place(tmp_path):
    assert "--keep takes a folder" in refused(
        ended("trisect-fuzz-kernels", "--count=1", f"--keep={tmp_path}/none"), 2
    )
    assert "at a time" in refused(ended("trisect-fuzz-kernels", "--show=1", "--plant=1"), 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--grid", "4", "--trace", "4"], "--trace names program 4, and the grid has 4"),
        (["--probe", "p", "--probe-program", "1"], "--probe-program names program 1"),
        (["--sanitize", "everything"], "--sanitize takes"),
        (["--probe", "/dev/null/p"], "cannot make the folder '/dev/null/p': Not a directory"),
    ],
)
def test_what_a_run_shows_is_there(words, said, kernel):
    assert said in refused(ended("trisect-run", kernel, "--arg", "i32[1]", *words), 2)


FAULTY = """
tt.func public @f() {
  %r = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %c = arith.constant dense<2> : tensor<4xi32>
  %t = arith.cmpi slt, %r, %c : tensor<4xi32>
  tt.assert %t, "no" : tensor<4xi1>
  tt.return
}
"""


def test_blocks_before_a_fault_have_their_index(tmp_path):
    file = tmp_path / "kernel.ttir"
    file.write_text(FAULTY)
    done = ended("trisect-run", file, "--probe", tmp_path / "p", "--sanitize", "all")
    assert done.returncode == 3, done
    assert "arith.cmpi" in (tmp_path / "p" / "index.txt").read_text()


def test_bundles_have_a_place(kernel):
    assert "Not a directory" in refused(ended("trisect-mutants", kernel, "--keep", "/dev/null/x"), 2)


def test_kernels_of_the_fuzzer_are_read_strictly(tmp_path):
    text = ended("trisect-fuzz-kernels", "--show", "1").stdout
    file = tmp_path / "kernel.ttir"
    first, rest = text.split("\n", 1)
    for grid in ("x", "1,y", "-1", "1,2,3"):
        file.write_text(f"// grid: {grid}\n{rest}")
        told = refused(ended("trisect-fuzz-kernels", "--replay", file), 2)
        assert str(file) in told and "an extent of the grid" in told
    file.write_text(f"{first}\n// args: same 7\n{rest.split(chr(10), 1)[1]}")
    done = ended("trisect-fuzz-kernels", file)
    assert done.returncode == 1 and "broken" in done.stdout and "the argument of 'same'" in done.stdout


@pytest.mark.parametrize("tool", ["trisect-run", "trisect-check"])
def test_a_limit_leaves_some_time(tool, kernel):
    words = ["--test"] if tool == "trisect-run" else []
    assert "--limit" in refused(ended(tool, *words, kernel, "--limit", "0"), 2)
