"""Runs scripts that may hang, crash or fork, each in a process of its own."""

import json
import os
import subprocess
import sys
import textwrap

HEADER = """
import json, os, signal, sys, threading, time
import numpy as np
import trisect as triton
import trisect.language as tl

def report(**facts):
    print(json.dumps(facts), flush=True)

@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)

def right(tier, n=40000, BLOCK=256):
    x, out = np.arange(n, dtype=np.float32), np.zeros(n, np.float32)
    keywords = {} if tier == "auto" else {"tier": tier}
    add[(triton.cdiv(n, BLOCK),)](x, x, out, n, BLOCK=BLOCK, **keywords)
    return bool((out == x + x).all())

"""


class Ended:
    """How a script ended: exit status, the last line that it reported as facts, all that it printed."""

    def __init__(self, status, out, err):
        self.status, self.text = status, out + err
        lines = [line for line in out.splitlines() if line.startswith("{")]
        self.facts = json.loads(lines[-1]) if lines else {}


def run(tmp_path, body, header=HEADER, timeout=300, **environment):
    """Runs a script. One that hangs is killed with all its children and fails the test."""
    file = tmp_path / "script.py"
    file.write_text(header + textwrap.dedent(body))
    process = subprocess.Popen(
        [sys.executable, str(file)],
        env=os.environ | {"TRITON_CACHE_DIR": str(tmp_path / "cache")} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        out, err = process.communicate()
        raise AssertionError(f"the script hangs; so far it said:\n{out}{err}") from None
    return Ended(process.returncode, out, err)
