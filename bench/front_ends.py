"""Both front ends over the same rows of kernels (front_worker.py), a worker each, side by side."""

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compare import PEER, ROOT

WORKER = str(ROOT / "bench" / "front_worker.py")
SIDES = [
    ([sys.executable, "-m", "trisect"], {"PYTHONPATH": str(ROOT / "python")}),
    ([PEER], {"PYTHONPATH": ""}),
]


def answers(text, rows):
    """(ours, upstream's) answers to rows [kernel, signature, constants] of a module of kernels."""
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(len(SIDES)) as pool:
        kernels = Path(scratch) / "kernels.py"
        kernels.write_text(text)
        return list(pool.map(lambda side: _of_side(scratch, kernels, rows, *side), SIDES))


def _of_side(scratch, kernels, rows, command, environment):
    done = subprocess.run(
        [*command, WORKER, str(kernels)],
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        env={**os.environ, **environment, "TRITON_CACHE_DIR": scratch},
    )
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"')]
    if len(found) < len(rows):
        sys.exit(f"{command[0]}: {done.stderr}")
    return found
