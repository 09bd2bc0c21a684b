"""torch.compile on this package: generated kernels, user kernels, workers, a second process."""

import os
import subprocess
import sys
import textwrap
from importlib import util

import pytest

import trisect

pytest.importorskip("torch")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(trisect.__file__)))

GENERATED = """
    import torch
    import torch._inductor.config as config
    config.cpu_backend = "triton"
    config.compile_threads = {threads}
    x, y = torch.randn(64, 100), torch.randn(64, 100)
    def check(fn, *args):
        got, expected = torch.compile(fn)(*args), fn(*args)
        torch.testing.assert_close(got, expected, atol=1e-5, rtol=1e-4)
    check(lambda x, y: torch.nn.functional.gelu(x) * y + x.sin(), x, y)
    check(lambda x: torch.softmax(x, -1), x)
    check(lambda x: (x.sum(0), x.max(1).values, x.argmax(1)), x)
    check(lambda x: x.cumsum(1), x)
    check(lambda x, i: x[i] + 1, x, torch.randint(0, 64, (32,)))
    print("done")
"""

USER = """
    import logging
    import torch, triton, triton.language as tl
    from torch.library import triton_op, wrap_triton

    class Warnings(logging.Handler):
        seen = []
        def emit(self, record):
            self.seen.append(record.getMessage())
    logging.getLogger("torch._higher_order_ops").addHandler(Warnings(logging.WARNING))

    @triton.jit
    def double(v):
        return v * 2

    @triton.autotune(configs=[triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64})], key=["n"])
    @triton.jit
    def add(x, y, out, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + i, double(tl.load(x + i, mask=i < n)) + tl.load(y + i, mask=i < n), mask=i < n)

    def grid(meta):
        return (triton.cdiv(meta["n"], meta["BLOCK"]),)

    def user(x, y):
        out = torch.empty_like(x)
        add[grid](x, y, out, x.numel())
        return out + 1

    @triton_op("trisect_test::add", mutates_args={})
    def operator(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        wrap_triton(add)[grid](x, y, out, x.numel())
        return out

    x, y = torch.randn(1000), torch.randn(1000)
    torch.testing.assert_close(torch.compile(user)(x, y), 2 * x + y + 1)
    torch.testing.assert_close(operator(x, y), 2 * x + y)
    torch.testing.assert_close(torch.compile(lambda x, y: operator(x, y) * 3)(x, y), (2 * x + y) * 3)
    assert Warnings.seen == [], Warnings.seen
    print("done")
"""


def run(tmp_path, text):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(text))
    environment = {**os.environ, "PYTHONPATH": ROOT, "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "inductor")}
    environment.pop("TRITON_CACHE_DIR", None)
    finished = subprocess.run(
        [sys.executable, "-m", "trisect", str(program)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert finished.returncode == 0 and finished.stdout.endswith("done\n"), finished.stderr
    assert "assuming every input is mutated" not in finished.stderr


def test_generated_kernels(tmp_path):
    """Twice: the second process finds artefacts of the first."""
    for _ in range(2):
        run(tmp_path, GENERATED.format(threads=1))


def test_generated_kernels_from_worker_processes(tmp_path):
    run(tmp_path, GENERATED.format(threads=2))


def test_user_kernels(tmp_path):
    run(tmp_path, USER)


def test_operators_of_torch():
    """A part of `./dev operators`."""
    spec = util.spec_from_file_location(
        "operators", os.path.join(os.path.dirname(ROOT), "tests/operators/run.py")
    )
    operators = util.module_from_spec(spec)
    spec.loader.exec_module(operators)
    options = operators.options(["float32", "--samples", "2"])
    result = operators.sweep("float32", "7/24", options)
    assert result["wrong"] == [] and result["told"] == []
    assert result["counts"]["right"] > 30 and result["counts"]["kernels"] > 20, result["counts"]
