"""Arguments of trisect-run and lines of run tests that make no sense, each with what it is told."""

from xml.etree import ElementTree

import pytest
from native_tools import KERNEL, RUN_TEST, ended, refused


@pytest.fixture
def kernel(tmp_path):
    file = tmp_path / "kernel.ttir"
    file.write_text(RUN_TEST)
    return file


ARGUMENTS = {
    "f32[4]:randn(": "write randn(SEED)",
    "f32[4]:fill(1)x": "write fill(X)",
    "f32[4]:fill(1": "write fill(X)",
    "f32[4]:randn": "write randn(SEED)",
    "f32[4]:randn(1, 2)": "write randn(SEED)",
    "f32[4]:randn(x)": "a seed is a whole number",
    "f32[4]:rand(-1)": "a seed is a whole number",
    "i32[4]:randint(1, 5)": "write randint(SEED, LOW, HIGH)",
    "i32[4]:randint(1, 5, 2)": "LOW is below HIGH",
    "i32[4]:range(a)": "START is a number",
    "i32[4]:range(1e300, 1)": "leaves the integers",
    "i32[4]:fill(nan)": "'nan' is no i32",
    "i8[4]:fill(300)": "'300' is no i8",
    "f32[4]:noise(1)": "zeros, fill(X), range(START, STEP)",
    "f32[4]:": "unknown generator",
    "i32[2]:[1, 2": "ends with its ]",
    "i32[2]:[1, 2]]": "ends with its ]",
    "i32[2]:[1, 2]x": "ends with its ]",
    "i32[2]:[1, --2]": "'--2' is no i32",
    "i64[1]:[99999999999999999999]": "is no i64",
    "ptr[1]:[%x]": "is no buffer before",
    "f32[4, x]": "an extent is a whole number",
    "f32[]": "an extent is a whole number",
    "f32[4,]": "an extent is a whole number",
    "f32[-4]": "an extent is a whole number",
    "f32[4": "lack their ]",
    "f32[4]5": "expected ':'",
    "f99[4]": "is no element type",
    "f32[4294967296, 4294967296]": "of this machine",
    "f32[4294967296, 4294967296, 4294967296]": "of this machine",
    "f64[500000000000]": "of this machine",
    "desc 5": "made of a buffer",
    "@/proc/none/x.npy": "No such file",
    "@/": "Is a directory",
    "f32[4]:@/dev/null": "is no .npy file",
}


@pytest.mark.parametrize("text", ARGUMENTS)
def test_arguments_that_make_no_sense_say_why(text, kernel):
    told = refused(ended("trisect-run", kernel, "--arg", text), 2)
    assert ARGUMENTS[text] in told and f"'{text}'" in told


DESCRIBED = """
tt.func public @f(%d: !tt.tensordesc<tensor<4x4xf32>>, %p: !tt.ptr<i32>, %n: i32) { tt.return }
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["5", "i32[1]", "5"], "'5' does not fit: the kernel takes a descriptor of 2 dimensions"),
        (["f32[4, 4]", "i32[1]", "5"], "takes a descriptor of 2 dimensions"),
        (["desc f32[16]", "i32[1]", "5"], "takes a descriptor of 2 dimensions"),
        (["desc f16[4, 4]", "i32[1]", "5"], "takes a descriptor of 2 dimensions, of f32"),
        (["desc f32[4, 4]", "desc i32[1]", "5"], "'desc i32[1]' does not fit: the kernel takes ptr"),
        (["desc f32[4, 4]", "i32[1]", "i32[1]"], "'i32[1]' does not fit: the kernel takes i32"),
        (["desc f32[4, 4]", "i32[1]"], "takes 3 arguments, 2 are given"),
    ],
    ids=lambda each: "; ".join(each) if isinstance(each, list) else "",
)
def test_arguments_fit_the_parameters(words, said, tmp_path):
    file = tmp_path / "kernel.ttir"
    file.write_text(DESCRIBED)
    arguments = [each for word in words for each in ("--arg", word)]
    assert said in refused(ended("trisect-run", file, *arguments), 2)
    file.write_text(f"// run: args: {'; '.join(words)}\n{DESCRIBED}")
    done = ended("trisect-run", "--test", file)
    assert done.returncode == 1 and said in done.stdout, done.stdout


def test_a_list_that_is_expected_ends(tmp_path):
    file = tmp_path / "run.ttir"
    for text in ("[9", "[9]x"):
        file.write_text(f"// run: args: i32[1]\n// expect 0: {text}\n{KERNEL}")
        done = ended("trisect-run", "--test", file)
        assert done.returncode == 1 and "ends with its ]" in done.stdout


@pytest.mark.parametrize("shape", ["(4294967296, 4294967296)", "(x,)", "(-4,)", "(5000000000000,)"])
def test_arrays_whose_header_lies_are_refused(shape, kernel, tmp_path):
    file = tmp_path / "lies.npy"
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    file.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    refused(ended("trisect-run", kernel, "--arg", f"@{file}"), 2)


RUN_TEST_LINES = {
    "// tolerance: ulp x": "a tolerance's N is a number",
    "// tolerance: reassoc 3x": "a tolerance's N is a number",
    "// tolerance: exact 5": "unknown tolerance",
    "// tolerance(gpu): exact": "unknown tier 'gpu'",
    "// unsupported(abacus): beads": "unknown tier 'abacus'",
    "// fault: bogus": "unknown kind of fault 'bogus'",
    "// expect 0: [9]": "two 'expect' lines",
    "// run: sanitize=bogus args: i32[1]": "makes no sense",
    "// run: args: i32[1]:randn(": "does not end with its bracket",
    "// run: args: i32[1]\n// expect 0: %0[0.5]": "an index is a whole number",
    "// run: args: i32[1]\n// expect 0: %4294967296": "there is no argument %4294967296",
    "// run: args: i64[1]\n// expect 0: 99999999999999999999": "that 64 bits hold",
}


def test_results_that_quote_any_bytes_are_xml(tmp_path):
    file = tmp_path / "run.ttir"
    file.write_bytes(b"// run: args: i32[1]:\x01\xff<&(1)\n" + KERNEL.encode())
    done = ended("trisect-run", "--test", file, f"--xunit={tmp_path}/out.xml")
    assert done.returncode == 1
    assert ElementTree.parse(tmp_path / "out.xml").find(".//failure").get("message").startswith("line 1: ")


@pytest.mark.parametrize("line", RUN_TEST_LINES)
def test_lines_of_run_tests_that_make_no_sense_fail_with_their_number(line, tmp_path):
    file = tmp_path / "run.ttir"
    file.write_text(RUN_TEST.replace("[9]\n", f"[9]\n{line}\n"))
    done = ended("trisect-run", "--test", file)
    assert done.returncode == 1 and RUN_TEST_LINES[line] in done.stdout, done.stdout
    assert "line 4: " in done.stdout or "line 5: " in done.stdout or "expression" in done.stdout
