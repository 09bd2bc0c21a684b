"""Scripts that run in a process of their own; what each prints last says how it ended."""

import json
import os
import subprocess
import sys
import textwrap

HEADER = """
import faulthandler, json, os, signal, sys, threading, time
import numpy as np
import trisect as triton
import trisect.language as tl

def fault(call):
    try:
        call()
    except triton.KernelFault as error:
        return dict(kind=error.kind, line=error.line, program=error.program_id, message=error.message,
                    details=error.details)
    return None

def report(**facts):
    print(json.dumps(facts), flush=True)

def interrupted(launch, out):
    # Whether a Ctrl-C ends a launch whose first program has ended, as `out` shows.
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell ignores it

    def press():
        while out[0] == 0:
            time.sleep(0.01)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    try:
        launch()
    except KeyboardInterrupt:
        return True
    return False

@triton.jit
def jump(out, far):
    pid = tl.program_id(0)
    where = tl.where(pid == 3, far, 0)
    tl.store(out + pid + where, pid + 1)  # JUMP

@triton.jit
def forever(out, n):
    pid = tl.program_id(0)
    if pid > 0:
        i = tl.cast(0, tl.int64)
        while i != n:  # n is odd
            i += 2
    tl.store(out + pid, 7)

"""


def run(tmp_path, body, **environment):
    """Runs a script; returns its exit status, its last line as facts, and all that it printed."""
    file = tmp_path / "script.py"
    file.write_text(HEADER + textwrap.dedent(body))
    done = subprocess.run(
        [sys.executable, str(file)],
        env=os.environ | {"TRISECT_TIER": "interp", "TRISECT_THREADS": "2"} | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    lines = done.stdout.strip().splitlines()
    facts = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}
    return done.returncode, facts, done.stdout + done.stderr


def line_of(tmp_path, mark):
    source = (tmp_path / "script.py").read_text().splitlines()
    return next(number for number, line in enumerate(source, 1) if f"# {mark}" in line)
