"""One pool for every tier, in a forked child too.

A child inherits memory, but no thread: neither those of a pool or of OpenMP, nor the one that compiles.
"""

import os
import textwrap

import pytest
from own_process import run

PARENTS = {
    "idle": "",
    "launched": """
        for tier in ("interp", "cpu"):
            assert right(tier)
    """,
    # As torch does in its operators: the runtime that it brings, on the thread that forks later.
    "openmp": """
        import ctypes, glob, importlib.util
        folder = importlib.util.find_spec("torch").submodule_search_locations[0]
        openmp = ctypes.CDLL(glob.glob(folder + "/lib/libgomp*")[0], mode=ctypes.RTLD_GLOBAL)
        openmp.GOMP_parallel(ctypes.cast(openmp.omp_get_num_threads, ctypes.c_void_p), None, 3, 0)
        assert right("interp")
    """,
    "compiling": """
        def compile_on():
            for n in range(1000):
                add.warmup(np.float32, np.float32, np.float32, 1000 + n, BLOCK=64, grid=(1,))
                right("cpu", n=1000 + n, BLOCK=2 ** (n % 6 + 4))
        for _ in range(2):
            threading.Thread(target=compile_on, daemon=True).start()
        right("auto", BLOCK=128), right("auto", BLOCK=128), right("auto", BLOCK=128)
    """,
}

CHILD = """
    def child():
        good = right(tier) and right(tier, BLOCK=512)
        if tier == "auto":
            for _ in range(4):
                good &= right(tier)
            triton._C.runtime.wait_for_compiles()
            good &= right(tier)
        return good

    results = []
    for _ in range(forks):
        process = os.fork()
        if process == 0:
            os._exit(0 if child() else 3)
        results.append(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    good = right(tier)  # the parent goes on
    report(children=results, good=good)
    os._exit(0)
"""


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("tier", ["interp", "cpu", "auto"])
@pytest.mark.parametrize("parent", PARENTS)
def test_a_forked_child_launches(tmp_path, parent, tier, threads):
    forks = 4 if parent == "compiling" else 1
    script = (
        textwrap.dedent(PARENTS[parent]) + f"\ntier, forks = {tier!r}, {forks}\n" + textwrap.dedent(CHILD)
    )
    ended = run(tmp_path, script, TRISECT_THREADS=threads)
    assert ended.facts == {"children": [0] * forks, "good": True}, ended.text


@pytest.mark.parametrize("tier", ["interp", "cpu", "auto"])
def test_multiprocessing(tmp_path, tier):
    ended = run(
        tmp_path,
        f"""
        import multiprocessing
        assert right({tier!r})
        def task(n):
            return right({tier!r}, n=n) and right({tier!r}, n=n, BLOCK=64)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            report(good=pool.map(task, range(1000, 9000, 1000)), parent=right({tier!r}))
        """,
        TRISECT_THREADS="2",
    )
    assert ended.facts == {"good": [True] * 8, "parent": True}, ended.text


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_a_data_loader_of_torch(tmp_path, tier):
    pytest.importorskip("torch", reason="no torch here")
    ended = run(
        tmp_path,
        f"""
        import torch
        from torch.utils.data import DataLoader, Dataset
        (torch.ones(400, 400) @ torch.ones(400, 400)).sum()  # its threads have come
        assert right({tier!r})
        class Sums(Dataset):
            def __len__(self):
                return 8
            def __getitem__(self, index):
                x, out = torch.full((40000,), float(index)), torch.empty(40000)
                add[(40,)](x, x, out, 40000, BLOCK=1024, tier={tier!r})
                return out[[0, 39999]]
        got = [batch.tolist() for batch in DataLoader(Sums(), batch_size=4, num_workers=2)]
        report(got=got, parent=right({tier!r}))
        """,
        TRISECT_THREADS="2",  # torch itself uses one thread in a loader
    )
    expected = [[[2.0 * n, 2.0 * n] for n in range(4)], [[2.0 * n, 2.0 * n] for n in range(4, 8)]]
    assert ended.facts == {"got": expected, "parent": True}, ended.text


COUNTS = """
    def launch(tier, keywords, n=1 << 18):
        x, out = np.arange(n, dtype=np.float32), np.zeros(n, np.float32)
        add[(n // 256,)](x, x, out, n, BLOCK=256, tier=tier, **keywords)
        return bool((out == x + x).all())

    def threads(n=1 << 18, launches=20, **keywords):
        # Threads of this process that worked in the meantime.
        def ticks():
            found = {}
            for id in os.listdir("/proc/self/task"):
                with open(f"/proc/self/task/{id}/schedstat") as file:
                    found[id] = int(file.read().split()[0])
            return found
        before = ticks()
        for _ in range(launches):
            for tier in ("interp", "cpu"):
                assert launch(tier, keywords, n)
        after = ticks()
        return sum(after[id] - before.get(id, 0) > 1_000_000 for id in after)

    def several(**keywords):
        # Where others use the machine, one thread may have done everything before a second one runs: launches
        # become longer until they outlast what a scheduler makes a thread wait.
        return any(threads(1 << size, 2, **keywords) > 1 for size in range(18, 26))
"""


def test_a_launch_uses_as_many_threads_as_openmp_is_told(tmp_path):
    pytest.importorskip("torch", reason="no torch here")
    body = COUNTS + "    import torch\n    torch.set_num_threads(1)\n    report(one=threads())\n"
    assert run(tmp_path, body).facts == {"one": 1}
    body = COUNTS + "    report(one=threads())\n"
    assert run(tmp_path, body, OMP_NUM_THREADS="1").facts == {"one": 1}
    if len(os.sched_getaffinity(0)) > 1:
        body = COUNTS + "    import torch\n    torch.set_num_threads(2)\n    report(more=several())\n"
        assert run(tmp_path, body).facts == {"more": True}
        body = COUNTS + "    report(more=several())\n"
        assert run(tmp_path, body, OMP_NUM_THREADS="1", TRISECT_THREADS="2").facts == {"more": True}


def test_a_launch_uses_as_many_threads_as_it_says(tmp_path):
    """num_threads, and num_cpu_threads, of one launch: it changes no other one."""
    body = (
        COUNTS
        + """
    facts = {name: threads(**{name: 1}) for name in ("num_threads", "num_cpu_threads")}
    report(**facts, before=several(), few=threads(num_threads=1), after=several())
    """
    )
    ended = run(tmp_path, body, TRISECT_THREADS="2")
    more = len(os.sched_getaffinity(0)) > 1
    expected = {"num_threads": 1, "num_cpu_threads": 1, "before": more, "few": 1, "after": more}
    assert ended.facts == expected, ended.text
