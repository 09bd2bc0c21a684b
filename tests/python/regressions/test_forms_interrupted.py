"""Writers of forms are killed, forked, interrupted or short of memory: the next process is right."""

import os
import signal
import subprocess
import sys
import time

import pytest
from own_process import HEADER, run

#: Compiles a form for each block size, in the foreground and again in every process.
MANY = """
def all_right(sizes=(64, 128, 256, 512)):
    return all(right("cpu", n=4000, BLOCK=size) for size in sizes)
"""
LATER = MANY + "report(good=all_right(), again=all_right())\n"


def settled(tmp_path):
    """A later process is right, and what lies in the cache is whole once `verify` has looked."""
    ended = run(tmp_path, LATER)
    assert ended.status == 0 and ended.facts == {"good": True, "again": True}, ended.text
    verify = [sys.executable, "-m", "trisect", "cache", "--dir", str(tmp_path / "cache"), "verify"]
    verify += ["--age", "0"]
    subprocess.run(verify, check=True, capture_output=True)
    kept = subprocess.run([*verify, "--keep"], capture_output=True, text=True)
    assert kept.returncode == 0, kept.stdout + kept.stderr
    assert len(list((tmp_path / "cache").glob("*/*.form"))) >= 4


def test_killed_at_any_moment(tmp_path):
    file = tmp_path / "writer.py"
    file.write_text(HEADER + MANY + "print('begins', flush=True)\nall_right()\n")
    environment = os.environ | {"TRITON_CACHE_DIR": str(tmp_path / "cache")}
    for moment in range(12):
        writer = subprocess.Popen([sys.executable, str(file)], env=environment, stdout=subprocess.PIPE)
        assert writer.stdout.readline()
        time.sleep(0.03 * moment)  # which moment it is decides nothing
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
    settled(tmp_path)


def test_forks_while_forms_are_written(tmp_path):
    ended = run(
        tmp_path,
        MANY
        + """
        done = []
        writer = threading.Thread(target=lambda: done.append(all_right()))
        writer.start()
        children = []
        while writer.is_alive() or not children:
            child = os.fork()
            if not child:
                os._exit(0 if all_right((1024,)) else 1)
            children.append(child)
            if len(children) % 4 == 0:
                writer.join(0.05)
        good = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 for child in children]
        report(good=all(good), done=done)
        """.replace("\n        ", "\n"),
    )
    assert ended.facts == {"good": True, "done": [True]}, ended.text
    settled(tmp_path)


def test_interrupts_while_forms_are_written(tmp_path):
    ended = run(
        tmp_path,
        MANY
        + """
        armed = False
        def interrupt(*_):
            if armed:
                raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, interrupt)
        for moment in range(1, 25):
            try:
                armed = True
                signal.setitimer(signal.ITIMER_REAL, 0.004 * moment)
                all_right()
                armed = False
            except KeyboardInterrupt:
                armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)  # one that comes when Python ends would end the process
        report(good=all_right())
        """.replace("\n        ", "\n"),
    )
    assert ended.status == 0 and ended.facts == {"good": True}, ended.text
    settled(tmp_path)


@pytest.mark.parametrize("mebibytes", [1, 16, 64, 256])
def test_too_little_memory_to_keep_forms(tmp_path, mebibytes):
    ended = run(
        tmp_path,
        MANY
        + f"""
        import resource
        pages = int(open("/proc/self/statm").read().split()[0])
        limit = pages * resource.getpagesize() + ({mebibytes} << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        errors = set()
        for size in (64, 128, 256, 512):
            try:
                errors |= set() if right("cpu", n=4000, BLOCK=size) else {{"wrong"}}
            except Exception as error:
                errors.add(type(error).__name__)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        report(wrong="wrong" in errors, good=all_right((2048,)))
        """.replace("\n        ", "\n"),
    )
    assert ended.status == 0 and ended.facts == {"wrong": False, "good": True}, ended.text
    settled(tmp_path)
