"""One side of a comparison: loads a file of cases and runs what it is told, line by line.

`python bench/worker.py kernels/tier0` answers, on standard output, each JSON line of standard input:
`{"case": name, "do": "check"}` with `{"seconds": t, "error": x}` (one launch, then its error),
`{"case": name, "do": "time"}` with `{"seconds": t}` (one launch), both with `{"failed": text}` when the case
raises. A case may give a third function that gets ready for the next launch, outside the clock. The `triton`
in it is whichever the interpreter finds, so the same file serves us and the peer. What watches launches from
outside adds facts of its own to each answer.
"""

import importlib.util
import json
import sys
import time
import traceback
from pathlib import Path


def load(name):
    path = Path(__file__).resolve().parent / (name + ".py")
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module.CASES


def main(facts=dict):
    replies = sys.stdout
    sys.stdout = sys.stderr
    cases = load(sys.argv[1])
    ready = {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["case"] not in ready:
                ready[request["case"]] = cases[request["case"]]()
            launch, check, *prepare = ready[request["case"]]
            for each in prepare:
                each()
            started = time.perf_counter()
            launch()
            seconds = time.perf_counter() - started
            reply = {"seconds": seconds, **facts()}
            if request["do"] == "check":
                reply["error"] = check()
        except Exception as error:
            traceback.print_exc()
            reply = {"failed": f"{type(error).__name__}: {str(error).strip()}"}
        print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main()
