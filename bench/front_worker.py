"""One side of a comparison of front ends: compiles rows of kernels to TTIR and says what came out.

`python bench/front_worker.py KERNELS.py` reads rows [kernel, signature, constants] as JSON from its input and
prints a JSON object for each: `{"types": [...], "warnings": [...]}`, the types that the kernel handed to its
constant SEEN and the categories of warnings, or `{"error": class, "cause": class, "line": n, "text": first
line}` with the line of KERNELS.py that the innermost error names. The `triton` in it is whichever the
interpreter finds. A child of the worker compiles; where it ends, by an assertion of a compiler or because a
row takes more than SECONDS of the processor's time, the row has the class `abort` and a new child goes on.
"""

import importlib.util
import json
import mmap
import os
import re
import signal
import struct
import sys
import tempfile
import warnings
from pathlib import Path

import triton
from triton._C.libtriton import ir
from triton.backends import backends
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend

TARGET = GPUTarget("cpu", "", 32) if "cpu" in backends else GPUTarget("cuda", 90, 32)
TYPES = []
#: For a row; most take some thousandths.
SECONDS = 3


class Seen:
    """A constant that kernels call: notes a type."""

    def __call__(self, value):
        TYPES.append(str(value))


def compile_row(module, name, signature, constants):
    function = getattr(module, name)
    backend = make_backend(TARGET)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    signature = {key: signature.get(key, "constexpr") for key in function.arg_names}
    if "SEEN" in signature:
        constants = {**constants, "SEEN": Seen()}
    source = ASTSource(function, signature, constants, {})
    source.make_ir(
        TARGET, options, backend.get_codegen_implementation(options), backend.get_module_map(), context
    )


def line_of(error, text):
    """The line in the file of kernels that an error of the compiler names."""
    source, node = getattr(error, "src", None), getattr(error, "node", None)
    if not source or not hasattr(node, "lineno"):
        return None
    start = text.find(source.strip())
    if start >= 0:
        return text[:start].count("\n") + node.lineno
    # An error within a function of the library: our message names the callers, innermost first.
    callers = re.findall(r"kernels\.py\", line (\d+)", str(error))
    return int(callers[0]) if callers else None


def described(error, text):
    """The class of an error, what raised it, the innermost line."""
    innermost, cause, kind = error, error, type(error)
    while cause is not None:
        if line_of(cause, text) is not None:
            innermost = cause
        if isinstance(cause, triton.CompilationError):
            kind = type(cause)
        last, cause = cause, cause.__cause__
    said = str(innermost).strip().splitlines() or [""]
    return {
        "error": kind.__name__,
        "cause": type(last).__name__,
        "line": line_of(innermost, text),
        "text": (getattr(innermost, "error_message", None) or said[-1])[:300],
    }


def answer(module, row, text):
    TYPES.clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            compile_row(module, *row)
        except Exception as error:
            return described(error, text)
    return {"types": list(TYPES), "warnings": sorted({each.category.__name__ for each in caught})}


def answers(module, rows, text, done):
    """Prints answers; `done` counts them for the process that this one was forked from."""
    for number, row in enumerate(rows, 1):
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        print(json.dumps(answer(module, row, text)), flush=True)
        done[:8] = struct.pack("q", number)


def answers_of_child(module, rows, text):
    """How many rows a child answered, and what it said last if a signal ended it."""
    with mmap.mmap(-1, 8) as done, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            os.dup2(errors.fileno(), 2)
            answers(module, rows, text, done)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors.seek(0)
        last = errors.read().decode(errors="replace")
        if status > 0:
            sys.exit(last)
        return struct.unpack("q", done[:8])[0], last[-200:]


def main():
    path, rows = Path(sys.argv[1]), json.load(sys.stdin)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    text = path.read_text()
    while rows:
        count, last = answers_of_child(module, rows, text)
        rows = rows[count:]
        if rows:
            print(json.dumps({"error": "abort", "cause": "abort", "line": None, "text": last}), flush=True)
            rows = rows[1:]


if __name__ == "__main__":
    main()
