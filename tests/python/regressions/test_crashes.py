"""What ended the process: signals that met the wrong handler, threads that outlive Python, closed kernels."""

import signal
import textwrap

import pytest
from own_process import HEADER, run

WILD = (
    HEADER
    + """
import ctypes, faulthandler

@triton.jit
def jump(out, far):
    tl.store(out + far, 1)

def wild(**more):
    try:
        jump[(1,)](np.zeros(8, np.int32), 1 << 45, **more)
    except triton.KernelFault as fault:
        return fault.kind == "out-of-bounds"
    return False

"""
)


@pytest.mark.parametrize("tier", ["interp", "cpu"])
@pytest.mark.parametrize("before", [True, False], ids=["enabled before", "enabled after"])
@pytest.mark.parametrize("launch", ['right("interp")', "wild()", "right('cpu') and wild(tier='cpu')"])
def test_a_crash_elsewhere_reaches_faulthandler(tmp_path, launch, before, tier):
    early, late = ("faulthandler.enable()", "") if before else ("", "faulthandler.enable()")
    ended = run(tmp_path, f"{early}\nassert {launch}\n{late}\nctypes.string_at(0)", WILD, TRISECT_TIER=tier)
    assert ended.status == -signal.SIGSEGV, ended.text
    assert ended.text.count("Fatal Python error: Segmentation fault") == 1, ended.text
    assert "string_at" in ended.text or "script.py" in ended.text


def test_a_crash_elsewhere_without_any_handler(tmp_path):
    ended = run(tmp_path, "assert wild()\nctypes.string_at(0)", WILD)
    assert ended.status == -signal.SIGSEGV, ended.text


USER = r"""
    import shutil, subprocess, tempfile
    source = r'''
    #include <setjmp.h>
    #include <signal.h>
    #include <string.h>
    static sigjmp_buf back;
    static int seen;
    static void handler(int signal) { ++seen; siglongjmp(back, 1); }
    void install(void) {
      struct sigaction action;
      memset(&action, 0, sizeof action);
      action.sa_handler = handler;
      sigaction(SIGSEGV, &action, 0);
    }
    /* Reads where nothing is and comes back by the handler. */
    int crash(volatile int *where) {
      if (sigsetjmp(back, 1) == 0)
        return *where;
      return -seen;
    }
    '''
    folder = tempfile.mkdtemp()
    open(folder + "/user.c", "w").write(source)
    subprocess.check_call([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", folder + "/user.so",
                           folder + "/user.c"])
    user = ctypes.CDLL(folder + "/user.so")
    user.crash.argtypes = [ctypes.c_void_p]
"""


@pytest.mark.parametrize("where", [0, 4096])
def test_a_handler_of_the_user_is_met_each_time(tmp_path, where):
    ended = run(
        tmp_path,
        USER
        + f"""
    user.install()
    seen = [wild(), user.crash({where}), user.crash({where}), wild(), user.crash({where}), right("interp")]
    user.install()  # again, and what it finds is ours
    seen += [wild(), user.crash({where}), user.crash({where}), wild()]
    report(seen=seen)
    """,
        WILD,
    )
    assert ended.facts == {"seen": [True, -1, -2, True, -3, True, True, -4, -5, True]}, ended.text


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_faulthandler_between_wild_launches(tmp_path, tier):
    ended = run(
        tmp_path,
        """
        seen = []
        for _ in range(3):
            seen.append(wild())
            faulthandler.enable()
            seen.append(wild())
            faulthandler.disable()
        faulthandler.enable()
        jump[(1,)](np.zeros(8, np.int32), 0)
        seen.append(wild())
        report(seen=seen)
        """,
        WILD,
        TRISECT_TIER=tier,
    )
    assert ended.facts == {"seen": [True] * 7}, ended.text


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_a_daemon_thread_launches_while_python_ends(tmp_path, tier):
    for _ in range(5):
        ended = run(
            tmp_path,
            """
            def launch_on():
                while True:
                    right(TIER, n=4000)
            right(TIER)
            for _ in range(3):
                threading.Thread(target=launch_on, daemon=True).start()
            time.sleep(0.05)
            """.replace("TIER", repr(tier)),
        )
        assert ended.status == 0, ended.text


def test_a_daemon_thread_waits_in_a_kernel_while_python_ends(tmp_path):
    ended = run(
        tmp_path,
        """
        @triton.jit
        def forever(out, n):
            i = tl.cast(0, tl.int64)
            while i != n:  # n is odd
                i += 2
            tl.store(out, 1)
        out = np.zeros(4, np.int32)
        def launch(tier):
            forever[(4,)](out, 1, tier=tier)
        for tier in ("interp", "cpu"):
            threading.Thread(target=launch, args=(tier,), daemon=True).start()
        time.sleep(0.5)
        """,
    )
    assert ended.status == 0, ended.text


SLOW_END = """
    import ctypes
    libc = ctypes.CDLL(None)
    usleep = ctypes.cast(libc.usleep, ctypes.c_void_p)
    # Called after the destructors of every library that is loaded later on.
    libc.__cxa_atexit(usleep, ctypes.c_void_p(2_000_000), None)
"""


def test_a_launch_goes_on_after_python_has_ended(tmp_path):
    """It asks an interpreter that is gone whether to stop."""
    ended = run(
        tmp_path,
        """
        @triton.jit
        def long(x, begun, N: tl.constexpr):
            at = tl.arange(0, N)
            value = tl.load(x + at)
            tl.atomic_add(begun, 1)
            for _ in tl.static_range(20):  # one step that nobody interrupts; longer than Python takes to end
                value = tl.sin(value) + 1
            tl.store(x + at, value)
        x, begun = np.zeros(1 << 20, np.float64), np.zeros(1, np.int32)
        launch = lambda: long[(4,)](x, begun, N=1 << 20, tier="interp")
        threading.Thread(target=launch, daemon=True).start()
        while not begun[0]:
            time.sleep(0.001)
        """,
        textwrap.dedent(SLOW_END) + HEADER,
        TRISECT_THREADS="2",
    )
    assert ended.status == 0, ended.text


def test_a_compile_goes_on_while_python_ends(tmp_path):
    """Code generators are taken apart when the process ends."""
    ended = run(
        tmp_path,
        """
        @triton.jit
        def large(x, N: tl.constexpr, COUNT: tl.constexpr):
            at = tl.arange(0, N)
            value = tl.load(x + at)
            for n in tl.static_range(COUNT):
                value = tl.sort(tl.sin(value) + n) + tl.sum(value)
            tl.store(x + at, value)
        x = np.zeros(256, np.float32)
        large[(1,)](x, N=256, COUNT=1, tier="cpu")
        kernel = large.warmup(x, N=256, COUNT=20, grid=(1,), tier="interp")
        from trisect._C import runtime
        code = str(kernel.asm["ttir"])
        for _ in range(2):
            threading.Thread(target=lambda: runtime.compile("cpu", code, "large", {}), daemon=True).start()
        time.sleep(0.1)
        """,
        textwrap.dedent(SLOW_END) + HEADER,
    )
    assert ended.status == 0, ended.text


def test_a_print_waits_in_code_of_python_while_python_ends(tmp_path):
    """Python ends the thread there: it must not be unwound through the launch."""
    ended = run(
        tmp_path,
        """
        class Slow:
            def write(self, text):
                time.sleep(0.01)
            flush = lambda self: None
        @triton.jit
        def loud(n):
            for i in range(n):
                tl.device_print("i", i)
        def launch(tier):
            loud[(1,)](100_000, tier=tier)
        sys.stdout = Slow()
        for tier in ("interp", "cpu"):
            threading.Thread(target=launch, args=(tier,), daemon=True).start()
        time.sleep(0.5)
        """,
    )
    assert ended.status == 0, ended.text


def test_a_closed_kernel(tmp_path):
    ended = run(
        tmp_path,
        """
        x, out = np.ones(8, np.float32), np.zeros(8, np.float32)
        kernel = add[(1,)](x, x, out, 8, BLOCK=8)
        runner, run = kernel[(1,)], kernel.run
        good = []
        for _ in range(2):
            kernel.close()
            out[:] = 0
            runner(x, x, out, 8, 8)
            good.append(bool((out == 2).all()))
        kernel.close()
        try:
            run(1, 1, 1, None, kernel.function, kernel.packed_metadata, None, None, None, x, x, out, 8, 8)
        except TypeError as error:
            good.append("closed" in str(error))
        out[:] = 0
        add[(1,)](x, x, out, 8, BLOCK=8)
        good.append(bool((out == 2).all()))
        report(good=good)
        """,
    )
    assert ended.facts == {"good": [True] * 4}, ended.text


@pytest.mark.parametrize("threads", ["1", "3", "16"])
@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_too_little_address_space_is_an_error(tmp_path, tier, threads):
    ended = run(
        tmp_path,
        """
        import resource
        NAMED = (MemoryError, OSError, triton.Unsupported, triton.EngineError)
        FREE = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)

        def under(more, block):
            size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
            limit, caught = (size + more, resource.RLIM_INFINITY), None
            try:
                # Python has no memory for anything else either until the limit is lifted.
                resource.setrlimit(resource.RLIMIT_AS, limit)
                good = right(TIER, n=1 << 15, BLOCK=block)
            except Exception as error:
                caught = error
            finally:
                resource.setrlimit(resource.RLIMIT_AS, FREE)
            if caught is None:
                return str(good)
            while caught and not isinstance(caught, NAMED) and "start new thread" not in str(caught):
                caught = caught.__cause__ or caught.__context__
            return "named" if caught else "another error"

        right(TIER)
        seen = [under(more, block) for more in (0, 1 << 16, 1 << 20, 1 << 23, 1 << 25, 1 << 27, 1 << 29)
                for block in (16, 256, 1 << 14)]
        report(seen=seen, after=right(TIER, BLOCK=1 << 13))
        """.replace("TIER", repr(tier)),
        TRISECT_THREADS=threads,
    )
    assert ended.status == 0 and ended.facts["after"], ended.text
    assert set(ended.facts["seen"]) <= {"True", "named"}, ended.text


def test_blocks_beyond_the_address_space_say_so(tmp_path):
    """The account of blocks allows more than the process may have; the message must not blame the account."""
    ended = run(
        tmp_path,
        """
        import resource

        @triton.jit
        def total(x, BLOCK: tl.constexpr, COUNT: tl.constexpr):
            at = x + tl.arange(0, BLOCK)
            blocks = ()
            for n in tl.static_range(COUNT):
                blocks = blocks + (tl.load(at) + n,)
            sum = blocks[0]
            for n in tl.static_range(1, COUNT):
                sum *= blocks[n]
            tl.store(at, sum)

        x = np.ones(1 << 20, np.float64)
        total[(1,)](x, BLOCK=1 << 10, COUNT=64, tier="interp")
        size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + (96 << 20), resource.RLIM_INFINITY))
        try:
            total[(1,)](x, BLOCK=1 << 20, COUNT=64, tier="interp")
        except triton.Unsupported as error:
            said = str(error)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
        report(said=said)
        """,
    )
    assert "address space of this process" in ended.facts["said"], ended.text


def doubling(links):
    """A chain of helpers, each of which calls the next one twice."""
    lines = ["module {", "tt.func private @f0(%a: i32) -> i32 { tt.return %a : i32 }"]
    for n in range(links):
        lines.append(
            f"tt.func private @f{n + 1}(%a: i32) -> i32 {{ %0 = tt.call @f{n}(%a) : (i32) -> i32 "
            f"%1 = tt.call @f{n}(%0) : (i32) -> i32 tt.return %1 : i32 }}"
        )
    lines.append(
        f"tt.func public @k(%p: !tt.ptr<i32>) {{ %c = arith.constant 7 : i32 "
        f"%0 = tt.call @f{links}(%c) : (i32) -> i32 tt.store %p, %0 : !tt.ptr<i32> tt.return }} }}"
    )
    return "\n".join(lines)


LAUNCHES = """
    from trisect._C import launch, runtime
    def outcome(text, tier):
        out = np.zeros(8, np.int32)
        try:
            kernel = runtime.Kernel(text, "k", {"tier": tier})
            run = launch.launcher("k", ["p"], ["*i32"])
            run(1, 1, 1, None, kernel, None, None, None, None, out)
            return int(out[0])
        except Exception as error:
            return f"{type(error).__name__}: {error}"
"""


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_calls_that_double_are_refused(tmp_path, tier):
    (tmp_path / "few.ttir").write_text(doubling(5))
    (tmp_path / "many.ttir").write_text(doubling(40))
    ended = run(
        tmp_path,
        LAUNCHES
        + f"""
    few, many = (open({str(tmp_path)!r} + name).read() for name in ("/few.ttir", "/many.ttir"))
    report(few=outcome(few, {tier!r}), many=outcome(many, {tier!r}))
    """,
    )
    assert ended.status == 0, ended.text
    assert ended.facts["few"] == 7
    assert ended.facts["many"].startswith("InvalidInput") and "operations" in ended.facts["many"]


@pytest.mark.parametrize("kind", ["!tt.ptr<tensor<8xf16>>", "tensor<8xf16>", "tensor<8x!tt.ptr<f32>>"])
@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_a_parameter_that_no_launch_can_pass(tmp_path, tier, kind):
    text = f"module {{ tt.func public @k(%p: {kind}) {{ tt.return }} }}"
    ended = run(tmp_path, LAUNCHES + f"    report(said=outcome({text!r}, {tier!r}))")
    assert ended.status == 0, ended.text
    said = ended.facts["said"]
    assert said.startswith("InvalidInput") and "parameter 0" in said and kind in said, said
    assert "LLVM" not in ended.text and "called function" not in ended.text
