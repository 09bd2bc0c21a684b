"""Tools over the cases of tests/faults: what each finds.

What: `results()` runs every case under every tool; `python bench/sanitize_cases.py TOOL` is one tool: a JSON
line a case. Each case is a process of its own, so that nothing a kernel does reaches the next. Outcomes: a
case that must fail is `found` (any report), `missed`, `crashed` or `hung`; a look-alike is `silent`, a `false
alarm`, `crashed` or `hung`. Of the peers' clients only sanitizers report defects.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import Counter

from compare import ROOT

FAULTS = ROOT / "tests" / "faults"
PEER = str(ROOT / ".peer-tools-venv" / "bin" / "python")
#: No path to Trisect: the cases would take it for the language.
PEER_ENVIRONMENT = {"TRITON_INTERPRET": "1", "PYTHONPATH": ""}
TOOLS = {
    "trisect": ([sys.executable], {"PYTHONPATH": str(ROOT / "python")}),
    "tilelens": ([PEER], PEER_ENVIRONMENT),
    "triton_viz": ([PEER], PEER_ENVIRONMENT),
}
FAILING = ("found", "missed")
SILENT = ("silent", "false alarm")
OUTCOMES = (*FAILING, *SILENT, "crashed", "hung")
LIMIT_SECONDS = 15
AT_ONCE = 2


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


def peer_runner(package):
    from peer_tools import Watch

    watch = Watch(package, "sanitizer")

    def run(case):
        try:
            case.launch()
        except AssertionError:  # of the kernel
            return ["assert"]
        return ["out-of-bounds"] * watch.found

    return run


class Child:
    """One case in a process of its own; what it found, or its error, comes through a pipe."""

    def __init__(self, case, run):
        self.case = case
        self.ends = time.monotonic() + LIMIT_SECONDS
        self.reader, writer = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(writer)
            return
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        try:
            reply = {"found": run(case)}
        except BaseException as error:
            reply = {"error": type(error).__name__}
        os.write(writer, json.dumps(reply).encode())
        os._exit(0)

    def end(self, answered):
        """The row of the case."""
        text = os.read(self.reader, 65536) if answered else b""
        os.close(self.reader)
        if not answered:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        row = {"case": self.case.name, "kind": self.case.kind, "fails": self.case.fails}
        if not answered:
            return row | {"outcome": "hung"}
        if not text:
            return row | {"outcome": "crashed", "error": f"status {status}"}
        reply = json.loads(text)
        if "error" in reply:
            return row | {"outcome": "crashed"} | reply
        outcomes = FAILING[::-1] if self.case.fails else SILENT
        return row | {"outcome": outcomes[bool(reply["found"])]} | reply


def rows_of(cases, run):
    """A row a case, as they come; `AT_ONCE` processes at a time."""
    waiting, selector = list(cases), selectors.DefaultSelector()
    running = 0
    while waiting or running:
        while waiting and running < AT_ONCE:
            child = Child(waiting.pop(0), run)
            selector.register(child.reader, selectors.EVENT_READ, child)
            running += 1
        soonest = min(key.data.ends for key in selector.get_map().values())
        selector.select(max(0.0, soonest - time.monotonic()))
        answered = {key.fd for key, _ in selector.select(0)}
        for key in list(selector.get_map().values()):
            if key.fd in answered or key.data.ends <= time.monotonic():
                selector.unregister(key.fd)
                running -= 1
                yield key.data.end(key.fd in answered)


def tool_rows(tool):
    """The rows of a tool, which runs in its own interpreter; tells how far it is."""
    command, environment = TOOLS[tool]
    process = subprocess.Popen(
        [*command, __file__, tool], env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
    )
    rows = {}
    for line in process.stdout:
        row = json.loads(line)
        rows[row.pop("case")] = row
        if len(rows) % 60 == 0:
            print(f"[{tool}] {len(rows)} cases", file=sys.stderr, flush=True)
    if process.wait():
        sys.exit(f"bench: {tool} ended with status {process.returncode} after {len(rows)} cases")
    return rows


def results():
    """Counts by tool and kind, and every case that a tool does not settle as it should."""
    result = {"tools": list(TOOLS), "totals": {}, "kinds": {}, "unsettled": {}}
    for tool in TOOLS:
        rows = tool_rows(tool)
        result["totals"][tool] = count(rows.values())
        kinds = list(dict.fromkeys(row["kind"] for row in rows.values()))
        result["kinds"][tool] = {k: count(r for r in rows.values() if r["kind"] == k) for k in kinds}
        wrong = {name: row for name, row in rows.items() if row["outcome"] not in ("found", "silent")}
        result["unsettled"][tool] = {
            name: " ".join(filter(None, (row["outcome"], row.get("error")))) for name, row in wrong.items()
        }
    return result


def count(rows):
    """Outcomes of failing cases and of look-alikes."""
    rows = list(rows)
    counts = Counter(row["outcome"] for row in rows)
    failing = sum(row["fails"] for row in rows)
    return {"must fail": failing, "look-alikes": len(rows) - failing} | {o: counts[o] for o in OUTCOMES}


def show(result):
    for tool, kinds in result["kinds"].items():
        columns = ("must fail", "found", "missed", "look-alikes", "silent", "false alarm", "crashed", "hung")
        print(f"\n{tool:20}" + "".join(f"{column:>13}" for column in columns))
        for kind, counts in [*kinds.items(), ("all", result["totals"][tool])]:
            print(f"{kind:20}" + "".join(f"{counts[column]:13}" for column in columns))


def main():
    sys.path.insert(0, str(FAULTS))
    (tool,) = sys.argv[1:]
    run = trisect_runner() if tool == "trisect" else peer_runner(tool)
    import cases

    for row in rows_of(cases.load().values(), run):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
