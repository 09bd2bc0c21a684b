"""Compiled forms that are kept: a later process runs them, or makes its own where anything differs."""

import os

import pytest
from own_process import run

SETTLE = """
from trisect._C import runtime
def settle(kernel, *arguments, launches=4, **meta):
    for _ in range(launches):
        made = kernel[(4,)](*arguments, **meta)
        runtime.wait_for_compiles()
    return [event.kind for event in made.function.events], made.function.tier
# Each begins with a page: a launch whose tensors are aligned otherwise is compared again.
import mmap
x, y, out = np.frombuffer(mmap.mmap(-1, 3 * 4096), np.float32).reshape(3, 1024)[:, :1000]
x[:], y[:] = np.arange(1000), 1
"""

ADD = (
    SETTLE
    + """
kinds, tier = settle(add, x, y, out, 1000, BLOCK=256)
report(kinds=kinds, tier=tier, good=bool((out == x + 1).all()))
"""
)


def forms(tmp_path):
    return sorted((tmp_path / "cache").glob("*/*.form"))


def keys(tmp_path):
    """The keys of the forms, from their names."""
    return {path.name.rpartition("-")[2] for path in forms(tmp_path)}


def test_a_later_process_starts_where_the_first_was(tmp_path):
    first = run(tmp_path, ADD)
    assert first.facts == {"kinds": ["compiled", "promoted"], "tier": "cpu", "good": True}, first.text
    later = run(tmp_path, ADD.replace("launches=4", "launches=1"))
    assert later.facts == {"kinds": ["loaded"], "tier": "cpu", "good": True}, later.text
    assert len(forms(tmp_path)) == 1


SCALE = (
    SETTLE
    + """
FACTOR = tl.constexpr({factor})
@triton.jit
def helper(value):
    return value * {inner}
@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, helper(tl.load(x + at, mask=at < n)) * FACTOR, mask=at < n)
kinds, tier = settle(scale, x, out, 1000, BLOCK=256, num_warps={warps})
report(kinds=kinds[0], factor=float(out[999] / x[999]))
"""
)


def scaled(tmp_path, factor=2.0, inner=3.0, warps=4, **environment):
    ended = run(tmp_path, SCALE.format(factor=factor, inner=inner, warps=warps), **environment)
    assert ended.facts.get("factor") == factor * inner, ended.text
    return ended.facts["kinds"]


def test_a_constexpr_global_changes_the_key(tmp_path):
    assert [scaled(tmp_path), scaled(tmp_path)] == ["compiled", "loaded"]
    assert scaled(tmp_path, factor=4.0) == "compiled"
    assert len(keys(tmp_path)) == 2


def test_a_callee_changes_the_key(tmp_path):
    assert [scaled(tmp_path), scaled(tmp_path)] == ["compiled", "loaded"]
    assert scaled(tmp_path, inner=5.0) == "compiled"
    assert len(keys(tmp_path)) == 2


def test_an_option_has_a_form_of_its_own(tmp_path):
    assert [scaled(tmp_path), scaled(tmp_path)] == ["compiled", "loaded"]
    assert scaled(tmp_path, warps=8) == "compiled"


def test_the_instruction_set_changes_the_key(tmp_path):
    assert scaled(tmp_path, TRISECT_CPU_ISA="v2") == "compiled"
    assert scaled(tmp_path, TRISECT_CPU_ISA="v2") == "loaded"
    assert scaled(tmp_path) == "compiled"
    assert len(keys(tmp_path)) == 2


def test_the_build_of_the_library_changes_the_key(tmp_path):
    from trisect.runtime.build_id import build_id
    from trisect.runtime.cache import triton_key

    copy = tmp_path / "copy.so"
    import trisect._C

    content = open(trisect._C.__file__, "rb").read()
    copy.write_bytes(content)
    os.utime(copy, (1, 1))
    assert build_id(str(copy)) == build_id(trisect._C.__file__)
    note = bytes.fromhex(build_id(str(copy)))
    copy.write_bytes(content.replace(note, bytes(len(note))))
    assert build_id(str(copy)) != build_id(trisect._C.__file__)
    copy.write_text("no library")
    assert len(build_id(str(copy))) == 64
    assert len(triton_key()) == 64


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x10
    path.write_bytes(content)


def foreign(path):
    path.write_bytes(bytes(range(256)))


def folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [cut, flip, foreign, folder])
def test_a_damaged_form_is_made_anew(tmp_path, damage):
    run(tmp_path, ADD)
    (form,) = forms(tmp_path)
    damage(form)
    ended = run(tmp_path, ADD)
    assert ended.facts == {"kinds": ["compiled", "promoted"], "tier": "cpu", "good": True}, ended.text


def test_a_cache_that_cannot_be_written_to_costs_one_line(tmp_path):
    if os.geteuid() == 0:
        body = 'os.environ["TRITON_CACHE_DIR"] = "/proc/self/nothing"\n' + ADD
    else:
        (tmp_path / "cache").mkdir(mode=0o500)
        body = ADD
    ended = run(tmp_path, body)
    assert ended.facts["good"] and ended.facts["tier"] == "cpu", ended.text
    assert ended.text.count("not used") + ended.text.count("not kept") == 1, ended.text


def test_a_disk_that_fills_up_costs_one_line(tmp_path):
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))\n"
    ended = run(tmp_path, SETTLE + "settle(add, x, y, out, 1000, BLOCK=256, launches=1)\n" + full + ADD)
    assert ended.facts["good"] and ended.facts["tier"] == "cpu", ended.text
    assert ended.text.count("not kept") == 1, ended.text


def test_what_a_form_holds_can_be_read(tmp_path):
    from trisect._C import forms as native

    assert run(tmp_path, ADD).facts["tier"] == "cpu"
    (path,) = forms(tmp_path)
    content = path.read_bytes()
    form = native.read(content)
    assert (form.kernel, form.tier, form.compared, form.withdrawn) == ("add", "cpu", True, False)
    assert form.parameters[0] == "x: !tt.ptr<f32>" and form.code_bytes > 0
    assert native.joined(content, content) == content
