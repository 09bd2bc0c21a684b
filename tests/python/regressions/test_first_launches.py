"""First launches beside interrupts and forks: what they import and compute once must not be left closed."""

import pytest
from own_process import HEADER, run

#: Ends the process of a test that hangs.
WATCHED = HEADER.replace("import json", "import faulthandler, json") + (
    "faulthandler.dump_traceback_later(40, exit=True)\n"
)

LAUNCHES = {
    "plain": "add[(1,)](*[np.zeros(8, np.float32)] * 3, 8, BLOCK=8)",
    "autotuned": """
        @triton.autotune(configs=[triton.Config({"BLOCK": n}) for n in (16, 32)], key=["n"])
        @triton.jit
        def tuned(x, n, BLOCK: tl.constexpr):
            tl.store(x + tl.arange(0, BLOCK), 1.0)
        tuned[(1,)](np.zeros(64, np.float32), 64)
    """,
    "names": "triton.cdiv(5, 2), triton.next_power_of_2(5), triton.testing, triton.Config",
    "warmup": "add.warmup(*[np.zeros(8, np.float32)] * 3, 8, BLOCK=8, grid=(1,))",
    "faulty": """
        @triton.jit
        def wild(x, far):
            tl.store(x + far, 1)
        try:
            wild[(1,)](np.zeros(4, np.int32), 1 << 45)
        except triton.KernelFault as fault:
            str(fault)
    """,
}


@pytest.mark.parametrize("name", LAUNCHES)
def test_a_first_launch_imports_nothing_where_an_interrupt_may_come(tmp_path, name):
    """An interrupt in the middle of an import may leave the lock of all imports closed."""
    ended = run(
        tmp_path,
        """
        seen = []
        class Watch:
            def find_spec(self, name, path=None, target=None):
                if threading.current_thread() is threading.main_thread() and name.startswith("trisect"):
                    seen.append(name)
        sys.meta_path.insert(0, Watch())
        """
        + LAUNCHES[name]
        + """
        report(seen=seen)
        """,
        WATCHED,
    )
    assert ended.status == 0 and ended.facts["seen"] == [], ended.text


def test_a_fork_waits_for_imports(tmp_path):
    """A module that is half imported in the parent stays so in a child."""
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(0.5)\n")
    ended = run(
        tmp_path,
        """
        from trisect._imports import load
        sys.path.insert(0, os.path.dirname(__file__))
        thread = threading.Thread(target=load, args=("slow",))
        thread.start()
        time.sleep(0.2)
        if (child := os.fork()) == 0:
            import slow
            os._exit(7)
        thread.join()
        report(child=os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), right=right("interp"))
        """,
        WATCHED,
    )
    assert ended.status == 0 and ended.facts == {"child": 7, "right": True}, ended.text


def test_a_fork_and_an_import_that_wait_for_each_other(tmp_path):
    """Modules that came later close their locks first in a fork; an import may need one of them."""
    (tmp_path / "slow.py").write_text(
        "import time\ntime.sleep(0.5)\nimport logging\nlogging.getLogger('x')\n"
    )
    ended = run(
        tmp_path,
        """
        import logging
        from trisect._imports import load
        sys.path.insert(0, os.path.dirname(__file__))
        thread = threading.Thread(target=load, args=("slow",))
        thread.start()
        time.sleep(0.2)
        if (child := os.fork()) == 0:
            load("slow")
            os._exit(7 if right("interp") else 8)
        thread.join()
        report(child=os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), right=right("interp"))
        """,
        WATCHED,
    )
    assert ended.status == 0 and ended.facts == {"child": 7, "right": True}, ended.text


def test_an_import_that_fails_is_raised_and_tried_again(tmp_path):
    ended = run(
        tmp_path,
        """
        from trisect._imports import load
        sys.path.insert(0, os.path.dirname(__file__))
        seen = []
        for text in (None, "1 / 0", "x = 1"):
            if text:
                open(os.path.dirname(__file__) + "/later.py", "w").write(text)
            try:
                load("later")
                seen.append(sys.modules["later"].x)
            except Exception as error:
                seen.append(type(error).__name__)
        report(seen=seen)
        """,
        WATCHED,
        PYTHONDONTWRITEBYTECODE="1",
    )
    assert ended.facts["seen"] == ["ModuleNotFoundError", "ZeroDivisionError", 1], ended.text


def test_a_fork_while_a_kernel_gets_its_dispatcher(tmp_path):
    """functools.cached_property holds a lock of all objects while it computes, before Python 3.12."""
    ended = run(
        tmp_path,
        """
        from trisect.runtime.jit import JITFunction
        right("interp")
        make = JITFunction._dispatcher.compute if hasattr(JITFunction._dispatcher, "compute") else (
            JITFunction._dispatcher.func)
        inside = threading.Event()
        def slowly(function):
            inside.set()
            time.sleep(0.5)
            return make(function)
        vars(JITFunction)["_dispatcher"].__dict__.update(compute=slowly, func=slowly)
        @triton.jit
        def other(x):
            tl.store(x, 1)
        @triton.jit
        def third(x):
            tl.store(x, 1)
        x = np.zeros(1, np.int32)
        thread = threading.Thread(target=lambda: other[(1,)](x))
        thread.start()
        inside.wait()
        if (child := os.fork()) == 0:
            third[(1,)](x)
            os._exit(5 + int(x[0]))
        thread.join()
        report(child=os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), x=int(x[0]))
        """,
        WATCHED,
    )
    assert ended.status == 0 and ended.facts == {"child": 6, "x": 1}, ended.text


def test_an_interrupt_before_a_fork_leaves_no_lock_closed_in_the_child(tmp_path):
    """It is raised, and dropped, at the start of the first hook of the fork that is written in Python."""
    ended = run(
        tmp_path,
        """
        inside, go = threading.Event(), threading.Event()
        def hold():
            with add._compile_lock:
                inside.set()
                go.wait()
        right("interp", BLOCK=64)
        thread = threading.Thread(target=hold)
        thread.start()
        inside.wait()
        if (child := os.fork()) == 0:
            os._exit(7 if add._compile_lock.acquire(timeout=5) else 9)
        go.set()
        thread.join()
        report(child=os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """,
        "import _thread, logging, os, numpy\nos.register_at_fork(after_in_child=_thread.interrupt_main)\n"
        + WATCHED,
    )
    assert ended.status == 0 and ended.facts == {"child": 7}, ended.text


def test_an_interrupt_while_imports_are_waited_for(tmp_path):
    """It comes where a wait of threading takes its lock again; what is raised there loses the lock."""
    ended = run(
        tmp_path,
        """
        again = threading.Condition._acquire_restore
        def interrupted(self, state):
            if threading.current_thread() is threading.main_thread():
                raise KeyboardInterrupt
            again(self, state)
        threading.Condition._acquire_restore = interrupted
        report(right=right("interp"))
        """,
        HEADER,
    )
    assert ended.status == 0 and ended.facts == {"right": True}, ended.text


def test_threads_that_read_their_kernels_at_once(tmp_path):
    """Python 3.11 counts the depth of syntax trees for all threads together."""
    ended = run(
        tmp_path,
        """
        import gc, linecache
        sys.setswitchinterval(1e-6)
        gc.set_threshold(5, 1, 1)
        lines = [f"    x = (x + {n}) * ((x - {n}) + (x if x > {n} else -x))\\n" for n in range(60)]
        text = "def long(x):\\n" + "".join(lines)
        linecache.cache["<long>"] = (len(text), None, text.splitlines(True), "<long>")
        exec(compile(text, "<long>", "exec"))
        class Circle:
            def __init__(self):
                self.self = self
            def __del__(self):
                for _ in range(3):
                    pass
        kernel, problems = triton.jit(long), []
        def parse():
            for _ in range(15):
                Circle()
                try:
                    kernel.parse()
                except Exception as error:
                    problems.append(repr(error))
        threads = [threading.Thread(target=parse) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        report(problems=problems[:3])
        """,
        HEADER,
    )
    assert ended.status == 0 and ended.facts["problems"] == [], ended.text
