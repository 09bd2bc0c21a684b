"""One tool over the cases of tests/faults: a JSON line a case with its outcome.

`python bench/sanitize_cases.py` runs each case in a process of its own, under the sanitizers of whichever
tool the interpreter has: trisect, else tilelens, whose other clients report no defects. Outcomes: a case that
must fail is `found`, `missed` or `crashed`; a look-alike is `silent`, a `false alarm` or `crashed`. A case
that takes longer than the limit is `crashed`.
"""

import json
import os
import select
import signal
import sys
from pathlib import Path

FAULTS = Path(__file__).resolve().parent.parent / "tests" / "faults"
LIMIT_SECONDS = 30


def trisect_runner():
    import trisect

    def run(case):
        kinds = [k for k in trisect.sanitizer.KINDS if k not in ("redundant-store", "nan-origin")]
        try:
            with trisect.sanitize([*kinds, case.kind], **case.settings):
                case.launch()
        except trisect.KernelFault as fault:
            return [fault.kind]
        return []

    return run


def tilelens_runner():
    """Every kernel is traced by the sanitizer of bounds."""
    import tilelens
    import triton
    from tilelens.clients import Sanitizer

    made = []
    plain = triton.jit

    def watched(fn=None, **options):
        if fn is None:
            return lambda fn: watched(fn, **options)
        kernel = plain(**options)(fn) if options else plain(fn)
        made.append(Sanitizer(abort_on_error=False))
        return tilelens.trace(client=made[-1])(kernel)

    triton.jit = watched

    def run(case):
        case.launch()
        return ["out-of-bounds" for client in made if client.records]

    return run


def one(case, run):
    """The kinds that were found, or the error, from a child process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        try:
            reply = {"found": run(case)}
        except BaseException as error:
            reply = {"error": f"{type(error).__name__}: {error}"[:300]}
        os.write(writer, json.dumps(reply).encode())
        os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], LIMIT_SECONDS)
    text = os.read(reader, 65536) if ready else b""
    os.close(reader)
    if not ready:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if text:
        return json.loads(text)
    return {"error": f"no answer in {LIMIT_SECONDS} s" if not ready else f"ended with status {status}"}


def outcome(case, reply):
    if "error" in reply:
        return "crashed"
    if case.fails:
        return "found" if reply["found"] else "missed"
    return "false alarm" if reply["found"] else "silent"


def main():
    sys.path.insert(0, str(FAULTS))
    try:
        run = trisect_runner()
    except ImportError:
        run = tilelens_runner()
    import cases

    for name, case in cases.load().items():
        reply = one(case, run)
        row = {"case": name, "kind": case.kind, "outcome": outcome(case, reply), **reply}
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
