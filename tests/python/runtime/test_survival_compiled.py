"""No compiled kernel ends the process: endless loops, wild addresses, divisions."""

import signal
import textwrap

import pytest
from survival import run

COMPILED = {"TRISECT_TIER": "cpu", "TRISECT_CHECK": "off"}
#: Loops that no compiler may drop: they read or write memory.
LOOPS = """
@triton.jit
def waiting(out, n):
    pid = tl.program_id(0)
    i = 0
    while i < n:
        tl.store(out + pid, i)
        if pid == 0:
            i = n
    tl.store(out + pid, 7)

@triton.jit
def counting(out, n):
    pid = tl.program_id(0)
    acc = pid
    if pid > 0:
        for i in range(n):
            for j in range(n):
                acc = acc * 5 + tl.load(out + pid)
                tl.store(out + pid, acc & 1)
    tl.store(out + pid, 7)
"""


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("before", ["", "import torch"])
def test_control_c_ends_a_compiled_endless_loop(tmp_path, threads, before):
    body = """
        ended, outs, ends = [], [], []
        for kernel, endless in [(waiting, 1), (counting, 1 << 40)] * 2:
            kernel[(1,)](np.zeros(4, np.int32), endless)
            out = np.zeros(4, np.int32)
            ended.append(interrupted(lambda: kernel[(4,)](out, endless), out))
            outs.append(out.tolist())
            again = np.zeros(4, np.int32)
            kernel[(1,)](again, endless)
            ends.append(again.tolist())
        report(ended=ended, outs=outs, ends=ends)
        """
    status, facts, text = run(
        tmp_path, LOOPS + before + "\n" + textwrap.dedent(body), TRISECT_THREADS=threads, **COMPILED
    )
    assert status == 0, text
    assert facts["ended"] == [True] * 4, facts
    assert [out[0] for out in facts["outs"]] == [7] * 4 and facts["ends"] == [[7, 0, 0, 0]] * 4


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_handler_that_does_not_raise_lets_compiled_code_go_on(tmp_path, threads):
    body = """
        @triton.jit
        def until(out, n):
            pid = tl.program_id(0)
            while tl.load(out + 4, volatile=False) < n:
                tl.store(out + pid, tl.load(out + pid) + 1)
            tl.store(out + pid, 7)

        seen, out = [], np.zeros(8, np.int32)

        def handler(number, frame):
            seen.append(number)
            out[4] = 5  # what the kernel waits for

        signal.signal(signal.SIGINT, handler)
        until[(4,)](np.full(8, 9, np.int32), 5)
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        until[(4,)](out, 5)
        report(seen=seen, out=out.tolist())
        """
    status, facts, text = run(tmp_path, textwrap.dedent(body), TRISECT_THREADS=threads, **COMPILED)
    assert status == 0, text
    assert facts["seen"] == [signal.SIGINT] and facts["out"][:4] == [7] * 4


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_time_limit_ends_compiled_code(tmp_path, threads):
    body = """
        out = np.zeros(4, np.int32)
        found = fault(lambda: waiting[(4,)](out, 1))
        report(found=found, out=out.tolist())
        """
    environment = {"TRISECT_TIMEOUT": "1", "TRISECT_THREADS": threads} | COMPILED
    status, facts, text = run(tmp_path, LOOPS + textwrap.dedent(body), **environment)
    assert status == 0, text
    found = facts["found"]
    assert found["kind"] == "deadlock" and "did not end within 1 s" in found["message"]
    assert (
        "kernel waiting" in found["message"]
        and found["details"]["tier"] == "cpu"
        and found["program"][0] in (1, 2, 3)
    )
    assert facts["out"][0] == 7


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_wild_address_in_compiled_code_names_the_kernel(tmp_path, threads):
    status, facts, text = run(
        tmp_path,
        """
        out = np.zeros(8, np.int32)
        found = fault(lambda: jump[(8,)](out, -(1 << 42)))
        impossible = fault(lambda: jump[(8,)](out, 1 << 45))
        again = np.zeros(8, np.int32)
        jump[(8,)](again, 0)
        report(found=found, impossible=impossible, out=out.tolist(), again=again.tolist())
        """,
        TRISECT_THREADS=threads,
        **COMPILED,
    )
    assert status == 0, text
    found = facts["found"]
    assert found["kind"] == "out-of-bounds" and "kernel jump" in found["message"]
    assert found["program"] == [3, 0, 0] and found["details"]["tier"] == "cpu"
    assert found["details"]["access"] == "write"
    assert facts["impossible"]["kind"] == "out-of-bounds" and "access" not in facts["impossible"]["details"]
    assert facts["out"][:4] == [1, 2, 3, 0] and facts["again"] == list(range(1, 9))


#: Sources that want too much, and what the error says besides the line.


DIVISIONS = """
@triton.jit
def block(a, b, quotient, rest, left, right, n: tl.constexpr):
    i = tl.arange(0, n)
    x, y = tl.load(a + i), tl.load(b + i)
    tl.store(quotient + i, x // y)
    tl.store(rest + i, x % y)
    tl.store(left + i, x << y)
    tl.store(right + i, x >> y)

@triton.jit
def scalars(a, b, quotient, rest, left, right, n: tl.constexpr):
    for i in range(n):
        x, y = tl.load(a + i), tl.load(b + i)
        tl.store(quotient + i, x // y)
        tl.store(rest + i, x % y)
        tl.store(left + i, x << y)
        tl.store(right + i, x >> y)

wrong = []
for kernel in (block, scalars):
    for type in "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split():
        least, most, bits = np.iinfo(type).min, np.iinfo(type).max, np.iinfo(type).bits
        values = np.array([least, most, 0, 1, 7, least + 1, most - 1, 100], type)
        by = np.array([0, -1 if least else most, 1, 3, bits, bits + 1, bits - 1, least], type)
        a, b = (np.ascontiguousarray(each.ravel()) for each in np.meshgrid(values, by))
        outs = [np.zeros_like(a) for _ in range(4)]
        kernel[(1,)](a, b, *outs, a.size)
        for x, y, *found in zip(a.tolist(), b.tolist(), *(out.tolist() for out in outs)):
            if y and not (x == least and y == -1):
                quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
                if found[:2] != [quotient, x - quotient * y]:
                    wrong.append((type, "div", x, y, found))
            if 0 <= y < bits and ((found[2] ^ x << y) % 2**bits or found[3] != x >> y):
                wrong.append((type, "shift", x, y, found))
report(wrong=wrong)
"""


@pytest.mark.parametrize("isa", ["scalar", "v2", "avx2", "avx512"])
def test_divisions_and_shifts_never_trap(tmp_path, isa):
    """INT_MIN / -1, division by zero and too wide shifts give some value; their neighbours are right."""
    with open("/proc/cpuinfo") as file:
        if isa == "avx512" and "avx512f" not in file.read():
            pytest.skip("this machine has no AVX-512")
    status, facts, text = run(tmp_path, DIVISIONS, TRISECT_ISA=isa)
    assert status == 0 and facts["wrong"] == [], text


def test_divisions_and_shifts_never_trap_in_compiled_code(tmp_path):
    status, facts, text = run(tmp_path, DIVISIONS, **COMPILED)
    assert status == 0 and facts["wrong"] == [], text
