"""A kernel as shared libraries, for packages that launch it without this one.

What: `kernel.asm["so"]` holds the kernel under its name, `kernel.asm["launcher.so"]` the function
`run_from_nativert(gx, gy, gz, threads, args, kernel)` that packs arguments by signature and runs the grid on
threads. Both are made when they are asked for.
Why: ahead-of-time packages of PyTorch store these two files and call that function.
Limits: needs a C compiler, which makes libraries for this processor's architecture alone; a failed
device_assert ends the process, since the caller knows no exceptions.
"""

from __future__ import annotations

import hashlib
import os
import platform
import tempfile
from pathlib import Path

from trisect._utils import flatten_leaves

#: What an ELF object says of its architecture, by that of this machine.
_MACHINES = {"x86_64": 62, "aarch64": 183}

_KERNEL = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hook {{ void (*failed)(struct hook *, int64_t, int64_t, int32_t, int32_t, int32_t);
               void *context; }};
void {symbol}(const uint64_t *args, const int32_t *grid, int64_t begin, int64_t end, void *scratch);

static void failed(struct hook *hook, int64_t assertion, int64_t value, int32_t x,
                   int32_t y, int32_t z) {{
  fprintf(stderr, "{name}: check %lld failed (%lld) in program (%d, %d, %d)\\n", (long long)assertion,
          (long long)value, x, y, z);
  abort();
}}

/* Runs the programs [begin, end) of a grid; object {digest}. */
__attribute__((visibility("default")))
void {name}(const uint64_t *args, const int32_t *grid, int64_t begin, int64_t end) {{
  void *scratch = aligned_alloc(64, {scratch});
  if (!scratch)
    abort();
  /* What the hook has besides is nothing: no path of the code is asked about. */
  memset(scratch, 0, {hook});
  ((struct hook *)scratch)->failed = failed;
  {symbol}(args, grid, begin, end, scratch);
  free(scratch);
}}
"""

_LAUNCHER = """
#include <pthread.h>
#include <stdint.h>
#include <string.h>

typedef void (*kernel_t)(const uint64_t *, const int32_t *, int64_t, int64_t);
struct part {{ kernel_t kernel; const uint64_t *args; const int32_t *grid; int64_t begin, end; }};

static void *run(void *argument) {{
  struct part *part = argument;
  part->kernel(part->args, part->grid, part->begin, part->end);
  return NULL;
}}

static uint64_t integer(const void *at, int bits) {{
  uint64_t value;
  memcpy(&value, at, 8);
  return bits == 64 ? value : value & ((1ull << bits) - 1);
}}
static uint64_t single(const void *at) {{
  uint32_t bits;
  memcpy(&bits, at, 4);
  return bits;
}}
/* A half or bfloat16 comes as a float: the compiler's conversions round to nearest. */
static uint64_t half(const void *at) {{
  float value;
  memcpy(&value, at, 4);
  _Float16 narrow = (_Float16)value;
  uint16_t bits;
  memcpy(&bits, &narrow, 2);
  return bits;
}}
static uint64_t brain(const void *at) {{
  uint32_t bits = (uint32_t)single(at);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (bits >> 16) | 0x40;
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}}

__attribute__((visibility("default")))
void run_from_nativert(uint32_t gx, uint32_t gy, uint32_t gz, int threads, void **given, void *kernel) {{
  uint64_t args[{count}] = {{{packed}}};
  int32_t grid[3] = {{(int32_t)gx, (int32_t)gy, (int32_t)gz}};
  int64_t programs = (int64_t)gx * gy * gz, parts = threads < 1 ? 1 : threads > 64 ? 64 : threads;
  if (parts > programs)
    parts = programs;
  struct part all[64];
  pthread_t workers[64];
  int started[64] = {{0}};
  for (int64_t i = 0; i < parts; ++i) {{
    all[i] = (struct part){{(kernel_t)kernel, args, grid, programs * i / parts, programs * (i + 1) / parts}};
    started[i] = i && pthread_create(&workers[i], NULL, run, &all[i]) == 0;
    if (i && !started[i])
      run(&all[i]);
  }}
  if (parts > 0)
    run(&all[0]);
  for (int64_t i = 1; i < parts; ++i)
    if (started[i])
      pthread_join(workers[i], NULL);
}}
"""

_FLOATS = {"fp32": "single", "f32": "single", "fp16": "half", "f16": "half", "bf16": "brain"}


def _packed(position: int, entry: str) -> str | None:
    """The C expression of one argument's bits; None for one that the kernel does not take."""
    given = f"given[{position}]"
    if entry == "constexpr":
        return None
    if entry.startswith("*"):
        return f"(uint64_t)(uintptr_t){given}"
    if entry in ("u1", "i1"):
        return f"*(const unsigned char *){given} != 0"
    if entry in _FLOATS:
        return f"{_FLOATS[entry]}({given})"
    if entry in ("fp64", "f64"):
        return f"integer({given}, 64)"
    if entry[0] in "iu" and entry[1:].isdigit():
        return f"integer({given}, {entry[1:]})"
    raise TypeError(f"a launcher for other programs cannot pass an argument of type {entry!r}")


def _built(source: str, name: str, inputs=()) -> bytes:
    from trisect.runtime.build import compile_so_from_src

    path = compile_so_from_src(
        source, name, libraries=["m", "pthread"], ccflags=["-fvisibility=hidden", *inputs]
    )
    return Path(path).read_bytes()


def kernel_library(source: str, name: str, options: dict) -> bytes:
    """The shared library that holds the kernel `name` of a TTIR module, compiled with its launch options."""
    from trisect._C import runtime

    code, symbol, scratch, hook = runtime.Kernel(source, name, options).native_object()
    if int.from_bytes(code[18:20], "little") != _MACHINES.get(platform.machine()):
        raise ValueError(
            f"kernel '{name}' is compiled for another architecture than this machine's, whose libraries its C"
            " compiler does not make; link asm['obj'] with one that does"
        )
    digest = hashlib.sha256(code).hexdigest()
    room = -(-max(scratch, hook) // 64) * 64
    text = _KERNEL.format(symbol=symbol, name=name, digest=digest, scratch=room, hook=hook)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.o")
        Path(path).write_bytes(code)
        return _built(text, name, [path])


def launcher_library(signature, name: str) -> bytes:
    """The shared library with `run_from_nativert` for a signature."""
    entries = [leaf for entry in signature.values() for leaf in flatten_leaves(entry)]
    packed = [_packed(position, entry) for position, entry in enumerate(entries)]
    packed = [text for text in packed if text is not None]
    text = _LAUNCHER.format(count=max(1, len(packed)), packed=", ".join(packed) or "0")
    return _built(text, f"{name}_launcher")
