"""Mutated modules through parser, passes, tier 0 and tier 1: no crash, no hang, no wrong bit.

What: a round is a worker process that takes modules of the tests with tokens, numbers and lines changed. A
module that a sanitized run of one program finds no fault in must then give the same bytes of integers in both
tiers, and floats that the check of tier 1 does not call different.
Limits: parameters get small numbers and buffers of 16 KiB; modules with descriptors as parameters, and those
that make addresses of integers, only parse and go through the passes.
"""

import json
import random
import re
import select
import subprocess
import sys
import tempfile

import sanitized
from harness import ROOT, Failure, finish, main

WORKER = r"""
import json, os, re, resource, sys
import numpy as np
import trisect as triton
from trisect import ir
from trisect._C import launch, runtime

answers = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what kernels print
if "LD_PRELOAD" not in os.environ:  # a sanitizer takes address space of its own, terabytes
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, resource.RLIM_INFINITY))
DTYPES = dict(i1="u1", i8="i1", i16="i2", i32="i4", i64="i8", f16="f2", f32="f4", f64="f8")

buffers = []

def buffer(number):  # The same memory in each run: what a kernel computes of an address is the same, too.
    while len(buffers) <= number:
        buffers.append(np.empty(16384, np.uint8))
    return buffers[number]

def arguments(parameters):
    slots, values = [], []
    for number, (_, type) in enumerate(parameters):
        if type.startswith("!tt.ptr<"):
            element = type[8:].split(",")[0].rstrip(">")
            kind = DTYPES.get(element, "u1")
            slots.append("*i8" if element not in DTYPES else "*" + element.replace("f", "fp"))
            values.append(buffer(number).view(kind))
            values[-1][:] = np.arange(len(values[-1])) % 23
        elif type in DTYPES:
            slots.append(type.replace("f", "fp") if type[0] == "f" else "u1" if type == "i1" else type)
            values.append(2.5 if type[0] == "f" else type != "i1" and 7 or 1)
        else:
            return None
    return slots, values

def outcome(call):
    try:
        return "", call()
    except triton.KernelFault as fault:
        return "fault " + fault.kind, None
    except Exception as error:
        return type(error).__name__, str(error)

def run(text, name, tier, **options):
    kernel = runtime.Kernel(text, name, {"tier": tier, **options})
    packed = arguments(kernel.parameters)
    if packed is None:
        return kernel, None
    slots, values = packed
    names = [name for name, _ in kernel.parameters]
    launch.launcher(name, names, slots)(1, 1, 1, None, kernel, None, None, None, None, *values)
    return kernel, [value.copy() if isinstance(value, np.ndarray) else value for value in values]

def differ(a, b):
    return any(isinstance(x, np.ndarray) and x.dtype.kind != "f" and (x != y).any() for x, y in zip(a, b))

def check(text):
    said, module = outcome(lambda: ir.parse(text))
    if said:
        return said, "" if said == "InvalidInput" else f"parse: {module}"
    private = set(re.findall(r"tt\.func private @([\w.$-]+)", str(module)))
    names = [function.name for function in module.functions if function.name not in private]
    said, problem = outcome(lambda: module.clone().run_passes("ttir-pipeline"))
    if said not in ("", "InvalidInput"):
        return said, f"passes: {problem}"
    if len(names) != 1:
        return "no kernel", ""
    if "tt.int_to_ptr" in text:  # it may read and write what is not the kernel's
        return "addresses", ""
    said, clean = outcome(lambda: run(text, names[0], "interp", sanitize="all"))
    if said:
        bad = said in ("EngineError", "SystemError", "RuntimeError")
        return said, f"tier 0, sanitized: {clean}" if bad else ""
    if clean[1] is None:
        return "descriptors", ""
    said, plain = outcome(lambda: run(text, names[0], "interp"))
    if said:
        return said, f"tier 0 differs from its sanitized run: {said} {plain}"
    if differ(clean[1], plain[1]):
        return "wrong", "tier 0 and its sanitized run give other integers"
    said, compiled = outcome(lambda: run(text, names[0], "cpu"))
    if said:
        return "tier 1: " + said, "" if said == "Unsupported" else f"tier 1: {said} {compiled}"
    events = [event.text for event in compiled[0].events]
    if any(event.kind == "withdrawn" for event in compiled[0].events):
        return "different", f"tier 1: {events}"
    if any("undefined" in event for event in events):
        return "undefined", ""
    if differ(plain[1], compiled[1]):
        return "wrong", f"the tiers give other integers: {events}"
    return "equal", ""

for line in sys.stdin:
    result = check(json.loads(line))
    print(json.dumps(result), file=answers, flush=True)
"""

NUMBERS = ["0", "1", "-1", "2", "3", "7", "16", "31", "33", "64", "1024", "65536", "2147483647",
           "-2147483648", "9223372036854775807", "0x7F800000", "0xFFC00000"]  # fmt: skip


def seeds():
    files = [
        path for room in ("ir", "passes", "ops", "fuzz/seeds") for path in (ROOT / "tests" / room).rglob("*")
    ]
    parts = [
        part.strip()
        for path in sorted(files)
        if path.suffix in (".ttir", ".mlir")
        for part in re.split(r"^// -----$", path.read_text(), flags=re.MULTILINE)
    ]
    return [part for part in parts if 0 < len(part) < 8192]


def mutated(text, choose):
    for _ in range(choose.choice([0, 1, 1, 1, 2, 4])):
        what = choose.randrange(5)
        lines, words = text.split("\n"), list(re.finditer(r"[\w.%!@#-]+|[^\s\w]", text))
        if not words:
            break
        if what == 0:
            numbers = list(re.finditer(r"-?\d+", text))
            if numbers:
                old = choose.choice(numbers)
                text = text[: old.start()] + choose.choice(NUMBERS) + text[old.end() :]
        elif what in (1, 2):  # a word by one of its kind
            old = choose.choice(words)
            alike = [word for word in words if word.group()[0] == old.group()[0]]
            text = text[: old.start()] + choose.choice(alike).group() + text[old.end() :]
        elif what == 3:
            at = choose.randrange(len(lines))
            lines.insert(choose.randrange(len(lines)), lines[at] if choose.random() < 0.5 else lines.pop(at))
            text = "\n".join(lines)
        else:
            lines.pop(choose.randrange(len(lines)))
            text = "\n".join(lines)
    return text


def round(seed: int, left: float) -> str:
    choose, all, counts = random.Random(seed), seeds(), {}
    environment = {
        "TRISECT_TIMEOUT": "2", "TRISECT_MEMORY": "512", "TRISECT_CHECK": "always",
    }  # fmt: skip
    said = tempfile.TemporaryFile()
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER],
        env=sanitized.environment(python=True) | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=said,
    )
    text = ""
    try:
        for _ in range(300):
            text = mutated(choose.choice(all), choose)
            worker.stdin.write(json.dumps(text).encode() + b"\n")
            worker.stdin.flush()
            answer = ask(worker, text, said)
            counts[answer[0]] = counts.get(answer[0], 0) + 1
            if answer[1]:
                raise Failure(answer[1], text.encode())
        worker.stdin.close()
        worker.stdin = None  # communicate() would flush it
        finish(worker, None, 60)
    finally:
        worker.kill()
        worker.wait()
    return str(counts)


def ask(worker, text, said):
    """The worker's answer; a crash or a minute without one is a failure."""
    if not select.select([worker.stdout], [], [], 60 * sanitized.patience())[0]:
        raise Failure("no answer within a minute", text.encode())
    line = worker.stdout.readline()
    if not line:
        status = worker.wait()
        said.seek(0)
        raise Failure(f"ended with {status}: {said.read()[-6000:].decode(errors='replace')}", text.encode())
    return json.loads(line)


if __name__ == "__main__":
    main("modules", round)
