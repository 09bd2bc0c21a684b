"""No kernel ends the process: wild addresses, endless loops and absurd sizes are reports."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest
from survival import HEADER, line_of, run


def test_a_wild_store_is_a_fault_and_the_others_have_written(tmp_path):
    status, facts, text = run(
        tmp_path,
        """
        out = np.zeros(8, np.int32)
        found = fault(lambda: jump[(8,)](out, 1 << 45))
        again = np.zeros(8, np.int32)
        jump[(8,)](again, 0)
        address = out.ctypes.data + 12 + (4 << 45)
        report(found=found, out=out.tolist(), again=again.tolist(), address=address)
        """,
    )
    assert status == 0, text
    found = facts["found"]
    assert found["kind"] == "out-of-bounds" and found["program"] == [3, 0, 0]
    assert found["line"] == line_of(tmp_path, "JUMP")
    assert found["details"]["address"] == hex(facts["address"]) and found["details"]["access"] == "write"
    assert hex(facts["address"]) in found["message"]
    assert facts["out"][:3] == [1, 2, 3] and facts["out"][3] == 0
    assert facts["again"] == list(range(1, 9))


STATEMENTS = [
    "tl.store(out + lanes, tl.load(far + lanes))",
    "tl.store(out + lanes, tl.load(far + lanes * 3))",
    "tl.store(out + lanes, tl.load(far + lanes, mask=lanes > 3, other=0))",
    "tl.store(out + lanes, tl.load(far + lanes * lanes % 7))",
    "tl.store(far + lanes, lanes)",
    "tl.store(far + lanes * lanes, lanes, mask=lanes % 2 == 1)",
    "tl.atomic_add(far + lanes, 1)",
    "tl.atomic_cas(far, 1, 2)",
    "tl.store(out, tl.load(far))",
    "tl.store(out, tl.sum(tl.load(far + lanes)))",
    "tl.store(out, tl.load(tl.load(table).to(tl.pointer_type(tl.int32))))",
    "tl.store(tl.make_block_ptr(far, (16,), (1,), (0,), (16,), (0,)), lanes)",
    "tl.store(out + lanes, tl.load(tl.make_block_ptr(far, (16,), (1,), (0,), (16,), (0,))))",
    "tl.store(out, tl.sum(tl.dot(tl.load(far + square).to(tl.float32), square.to(tl.float32))))",
    "tl.store(out, tl.sum(tl.dot(tl.load(floats + square), tl.load(floats + square))).to(tl.int32))",
]


@pytest.mark.parametrize("address", [1 << 46, 8, (1 << 62) + 64], ids=["unmapped", "null", "impossible"])
def test_every_access(tmp_path, address):
    kernel = """
@triton.jit
def kernel_{n}(out, table, address):
    lanes = tl.arange(0, 16)
    square = lanes[:, None] * 16 + lanes[None, :]
    far = address.to(tl.pointer_type(tl.int32))
    floats = far.to(tl.pointer_type(tl.float32))
    {statement}  # HERE{n}.
"""
    kernels = [kernel.format(n=n, statement=statement) for n, statement in enumerate(STATEMENTS)]
    names = ", ".join(f"kernel_{n}" for n in range(len(kernels)))
    body = f"""
out, table = np.zeros(16, np.int32), np.array([{address}])
report(found=[fault(lambda: kernel[(1,)](out, table, {address})) for kernel in ({names})])
"""
    status, facts, text = run(tmp_path, "".join(kernels) + body)
    assert status == 0, text
    for n, found in enumerate(facts["found"]):
        assert found and found["kind"] == "out-of-bounds", STATEMENTS[n]
        assert found["line"] == line_of(tmp_path, f"HERE{n}."), STATEMENTS[n]


def test_read_only_memory(tmp_path):
    status, facts, text = run(
        tmp_path,
        """
        import mmap
        program = os.open("/proc/self/exe", os.O_RDONLY)
        import ctypes
        pages = mmap.mmap(program, 4096, prot=mmap.PROT_READ)
        address = np.frombuffer(pages, np.int32).ctypes.data
        # An array that does not know that its memory is read-only.
        out = np.ctypeslib.as_array((ctypes.c_int32 * 1024).from_address(address))
        report(found=fault(lambda: jump[(1,)](out, 0)))
        """,
    )
    assert status == 0, text
    assert facts["found"]["kind"] == "out-of-bounds"
    assert facts["found"]["details"]["nearest"].startswith("inside of 'out' (i32[1024])")


@pytest.mark.parametrize("when", ["before", "after"])
def test_crash_handlers_of_the_process_keep_working(tmp_path, when):
    enable = "faulthandler.enable()"
    status, facts, text = run(
        tmp_path,
        f"""
        import ctypes
        out = np.zeros(8, np.int32)
        {enable if when == "before" else ""}
        first = fault(lambda: jump[(8,)](out, 1 << 45))
        {enable if when == "after" else ""}
        time.sleep(0.05)
        second = fault(lambda: jump[(8,)](out, 1 << 45))
        report(first=first, second=second)
        ctypes.string_at(8)
        """,
    )
    assert facts["first"]["kind"] == facts["second"]["kind"] == "out-of-bounds"
    assert status == -signal.SIGSEGV, text
    assert text.count("Fatal Python error: Segmentation fault") == 1 and "string_at" in text


def test_a_crash_outside_of_kernels_is_a_crash(tmp_path):
    status, _, text = run(
        tmp_path, "import ctypes\njump[(1,)](np.zeros(8, np.int32), 0)\nctypes.string_at(8)\n"
    )
    assert status == -signal.SIGSEGV, text


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("before", ["", "import torch"])
def test_control_c_ends_an_endless_loop(tmp_path, threads, before):
    status, facts, text = run(
        tmp_path,
        f"""
        {before}
        forever[(1,)](np.zeros(4, np.int32), 1)
        ended, outs = [], []
        for _ in range(3):
            out = np.zeros(4, np.int32)
            ended.append(interrupted(lambda: forever[(4,)](out, 1), out))
            outs.append(out.tolist())
        report(ended=ended, outs=outs)
        """,
        TRISECT_THREADS=threads,
    )
    assert status == 0, text
    assert facts["ended"] == [True] * 3, facts
    assert facts["outs"] == [[7, 0, 0, 0]] * 3


def test_a_time_limit_says_where_programs_stood(tmp_path):
    status, facts, text = run(
        tmp_path,
        """
        out = np.zeros(4, np.int32)
        found = fault(lambda: forever[(4,)](out, 1))
        report(found=found, out=out.tolist())
        """,
        TRISECT_TIMEOUT="1",
    )
    assert status == 0, text
    found = facts["found"]
    assert found["kind"] == "deadlock" and "did not end within 1 s" in found["message"]
    assert "1 of 4 programs had finished" in found["message"]
    assert "script.py" in found["details"]["program (1, 0, 0)"]
    assert facts["out"] == [7, 0, 0, 0]


#: Compiled code looks at no flag.


ABSURD = {
    "zeros of 2**30 elements": ("tl.zeros([1 << 30], tl.int32)", "numel (1073741824) exceeds"),
    "range of 2**30": ("tl.arange(0, 1 << 30)", "numel (1073741824) exceeds"),
    "broadcast": (
        "tl.arange(0, 65536)[:, None] + tl.arange(0, 65536)[None, :]",
        "numel (4294967296) exceeds",
    ),
    "dot": (
        "tl.dot(tl.full([65536, 16], 1.0, tl.float32), tl.full([16, 65536], 1.0, tl.float32))",
        "numel (4294967296) exceeds",
    ),
    "histogram": ("tl.histogram(tl.arange(0, 64), 1 << 30)", "numel (1073741824) exceeds"),
    "unrolled loop": ("n\n    for i in tl.static_range(1 << 40):\n        x += i", "use range"),
    "recursion": ("itself(1)", "recursion is not supported"),
    "recursion at compile time": ("deeper(0, 0)", "nested too deeply for the compiler"),
    "chain of calls": ("chain199(n)", "nested too deeply for the compiler"),
    "doubling calls": ("twice39(n)", "has more than 1000000 operations"),
}


def test_absurd_kernels_are_errors_with_a_line(tmp_path):
    source = """
@triton.jit
def itself(x):
    return itself(x) + 1

@triton.jit
def deeper(x, n: tl.constexpr):
    return deeper(x, n + 1) + 1

@triton.jit
def chain0(x):
    return x + 1

@triton.jit
def twice0(x):
    return x + 1
"""
    for n in range(1, 200):
        source += f"\n@triton.jit\ndef chain{n}(x):\n    return chain{n - 1}(x) + 1\n"
    for n in range(1, 40):
        source += f"\n@triton.jit\ndef twice{n}(x):\n    return twice{n - 1}(x) + twice{n - 1}(x + 1)\n"
    for n, (expression, _) in enumerate(ABSURD.values()):
        source += f"\n@triton.jit\ndef kernel_{n}(out, n):\n    x = {expression}\n    tl.store(out, n)\n"
    body = f"""
found = []
for kernel in ({", ".join(f"kernel_{n}" for n in range(len(ABSURD)))}):
    try:
        kernel[(1,)](np.zeros(4, np.int32), 3)
        found.append("")
    except Exception as error:
        found.append(type(error).__name__ + ": " + str(error))
report(found=found)
"""
    status, facts, text = run(tmp_path, source + body)
    assert status == 0, text
    for (name, (_, expected)), message in zip(ABSURD.items(), facts["found"], strict=True):
        assert message.startswith(("CompilationError", "InvalidInput")), (name, message)
        assert expected in message and "script.py" in message, (name, message)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_blocks_beyond_the_limit_name_the_line(tmp_path, threads):
    status, facts, text = run(
        tmp_path,
        """
        @triton.jit
        def many(out, p):
            r = tl.arange(0, 1048576) & 1023
            a = tl.load(p + r * r % 64).to(tl.float64)
            b = tl.load(p + r * r % 32).to(tl.float64)
            c = tl.load(p + r * r % 16).to(tl.float64)
            d = tl.load(p + r * r % 8).to(tl.float64)
            s = tl.sum(a) + tl.sum(b) + tl.sum(c) + tl.sum(d)  # all are needed again below
            tl.store(out + r % 64, (a * s + b * s + c * s + d * s).to(tl.int32))

        out = np.zeros(64, np.int32)
        try:
            many[(4,)](out, np.ones(64, np.int32))
        except triton.errors.Unsupported as error:
            message = str(error)
        os.environ["TRISECT_MEMORY"] = "4000"
        many[(4,)](out, np.ones(64, np.int32))
        report(message=message, out=out.tolist())
        """,
        TRISECT_MEMORY="24",
        TRISECT_THREADS=threads,
    )
    assert status == 0, text
    assert "more than 24 MiB" in facts["message"] and "script.py:" in facts["message"]
    assert facts["out"] == [16 << 20] * 64


def test_many_waiting_programs_are_a_deadlock_or_a_limit(tmp_path):
    status, facts, text = run(
        tmp_path,
        """
        @triton.jit
        def wait(lock):
            while tl.atomic_cas(lock, 0, 1) != 5:
                pass

        few = fault(lambda: wait[(5000,)](np.ones(1, np.int32)))
        os.environ["TRISECT_MEMORY"] = "1"
        try:
            wait[(100000,)](np.ones(1, np.int32))
            many = ""
        except triton.errors.Unsupported as error:
            many = str(error)
        report(few=few, many=many)
        """,
    )
    assert status == 0, text
    assert facts["few"]["kind"] == "deadlock" and "5000 programs wait" in facts["few"]["message"]
    assert "waiting programs take more than 1 MiB" in facts["many"]


def test_shadow_mode_survives_too(tmp_path):
    status, facts, text = run(
        tmp_path,
        """
        out = np.zeros(8, np.int32)
        wild = fault(lambda: jump[(8,)](out, -(1 << 42)))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        stopped, endless = False, np.zeros(4, np.int32)
        try:
            forever[(4,)](endless, 1)
        except KeyboardInterrupt:
            stopped = True
        report(wild=wild, out=out.tolist(), stopped=stopped, endless=endless.tolist())
        """,
        TRISECT_SANITIZE="all",
    )
    assert status == 0, text
    assert facts["wild"]["kind"] == "out-of-bounds" and facts["wild"]["program"] == [3, 0, 0]
    assert facts["out"] == [1, 2, 3, 0, 0, 0, 0, 0]
    assert facts["stopped"] and facts["endless"] == [7, 0, 0, 0]


@pytest.mark.parametrize("option", ["TRISECT_TIMEOUT", "TRISECT_SEED"])
def test_a_time_limit_holds_in_shadow_mode_and_under_a_seed(tmp_path, option):
    environment = {"TRISECT_TIMEOUT": "1", "TRISECT_SANITIZE": "on"}
    if option == "TRISECT_SEED":
        environment = {"TRISECT_TIMEOUT": "1", "TRISECT_SEED": "5"}
    status, facts, text = run(
        tmp_path, "report(found=fault(lambda: forever[(4,)](np.zeros(4, np.int32), 1)))", **environment
    )
    assert status == 0, text
    assert facts["found"]["kind"] == "deadlock" and "within 1 s" in facts["found"]["message"]


def test_blocks_beyond_the_limit_in_the_debugger(tmp_path):
    body = """
        @triton.jit
        def large(out, p):
            r = tl.arange(0, 1048576) & 1023
            a = tl.load(p + r * r % 64).to(tl.float64)
            tl.store(out + r % 64, (a * tl.sum(a)).to(tl.int32))

        try:
            large[(1,)](np.zeros(64, np.int32), np.ones(64, np.int32))
        except triton.errors.Unsupported as error:
            print("refused:", error)
        """
    (tmp_path / "script.py").write_text(HEADER + textwrap.dedent(body))
    done = subprocess.run(
        [sys.executable, "-m", "trisect", "debug", "script.py"],
        input="c\nq\n",
        cwd=tmp_path,
        env=os.environ | {"TRISECT_MEMORY": "4"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "refused: unsupported by the interpreter: blocks" in done.stdout, done.stdout + done.stderr
    assert "more than 4 MiB at " in done.stdout and "script.py:" in done.stdout
