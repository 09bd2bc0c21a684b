"""Launches of compiled kernels on a GPU: memory decides where they run, streams and graphs hold.

What: what programs do with `kernel[grid](...)` on CUDA tensors.
"""

import subprocess
import sys
import threading

import pytest
import torch

import trisect as triton
import trisect.language as tl


@triton.jit
def add(x, y, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def busy(out, rounds, value):
    x = value * 1.0
    for _ in range(rounds):
        x = x * 0.5 + value * 0.5
    tl.store(out + tl.program_id(0), x)


@triton.jit
def checked(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + tl.program_id(0) * BLOCK + at)
    tl.device_assert(value >= 0, "negative")
    tl.store(out + tl.program_id(0) * BLOCK + at, value)


@triton.jit
def printed(x, BLOCK: tl.constexpr):
    tl.device_print("x", tl.load(x + tl.arange(0, BLOCK)))


@triton.jit
def copied(source, target, M: tl.constexpr, N: tl.constexpr):
    target.store([tl.program_id(0) * M, 0], source.load([tl.program_id(0) * M, 0]))


def run(x, y, block=256, **options):
    out = torch.empty_like(x)
    kernel = add[(triton.cdiv(x.numel(), block),)](x, y, out, x.numel(), BLOCK=block, **options)
    return out, kernel


def pair(count=1000, device="cuda"):
    return torch.randn(count, device=device), torch.randn(count, device=device)


@pytest.mark.parametrize("warps", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("count", [1, 127, 1000, 98432])
def test_memory_decides(count, warps):
    x, y = pair(count)
    for _ in range(3):
        out, kernel = run(x, y, num_warps=warps)
        assert torch.equal(out, x + y)
    assert kernel.metadata.target.backend == "cuda" and kernel.function.tier == "cuda"
    host, kernel = run(x.cpu(), y.cpu(), num_warps=warps)
    assert torch.equal(host, x.cpu() + y.cpu())
    assert kernel.metadata.target.backend == "cpu"
    out, _ = run(x, y, num_warps=warps)
    assert torch.equal(out, x + y)


def test_tensors_in_two_places_are_refused():
    x, y = pair()
    with pytest.raises(ValueError, match="cannot be accessed from Triton"):
        run(x, y.cpu())
    out, _ = run(x, y.cpu().pin_memory())
    assert torch.equal(out, x + y)


def test_what_a_kernel_shows():
    x, y = pair()
    _, kernel = run(x, y)
    for stage in ("ttir", "ttgir", "llir", "ptx", "cubin"):
        assert kernel.asm[stage], stage
    assert kernel.n_regs > 0 and kernel.n_spills == 0
    assert kernel.metadata.shared == 0 and kernel.metadata.num_warps == 4
    assert "LDG" in kernel.asm["sass"]


@pytest.mark.parametrize(
    "dtype", [torch.bool, torch.int8, torch.int64, torch.float16, torch.bfloat16, torch.float64], ids=str
)
def test_tensors_are_read_where_they_lie(dtype):
    """Of every device; what is read is what torch says."""
    from trisect._C import launch

    for index in range(torch.cuda.device_count()):
        whole = torch.zeros(4, 6, 8, dtype=dtype, device=f"cuda:{index}")
        views = [whole, whole[1:], whole.transpose(0, 2), whole[:, ::2, 3:], torch.nn.Parameter(whole, False)]
        negated = [torch._neg_view(whole)] if dtype.is_floating_point else []
        for tensor in (*views, *negated, *(view.clone() for view in views)):
            launch.read_tensor(tensor)
            read = launch.read_tensor(tensor)
            assert read["in_memory"] and (read["place"], read["index"]) == (2, index)
            assert (read["address"], read["negated"]) == (tensor.data_ptr(), tensor.is_neg())
            assert read["element"] == launch.element_type(dtype)
            assert (tuple(read["shape"]), tuple(read["strides"])) == (tensor.shape, tensor.stride())
        assert launch.read_tensor(whole.cpu())["place"] == 1
        assert launch.read_tensor(whole.cpu().pin_memory())["place"] == 1


def test_memory_that_is_shared_until_it_is_written():
    x, y = pair(256)
    source = torch.zeros(256, device="cuda")
    copy = torch._lazy_clone(source)
    for out in (torch.zeros_like(x), torch.zeros_like(x), copy):
        add[(1,)](x, y, out, 256, BLOCK=256)
    assert torch.equal(copy, x + y) and not source.any()


def test_streams():
    x, y = pair(1 << 20)
    out = torch.zeros(1, device="cuda")
    run(x, y)
    busy[(1,)](out, 10, 1.0)
    torch.cuda.synchronize()
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    with torch.cuda.stream(first):
        busy[(1,)](out, 20_000_000, 3.0)
    with torch.cuda.stream(second):
        other, _ = run(x, y)
    second.synchronize()
    assert not first.query(), "the second stream waited for the first"
    assert torch.equal(other, x + y)
    first.synchronize()
    assert out.item() == 3.0


@pytest.mark.parametrize("known", [True, False])
def test_graph_capture(known):
    x, y = pair(5000)
    block = 256 if known else 512
    if known:
        run(x, y, block)
    out = torch.zeros_like(x)
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        for _ in range(2):
            add[(triton.cdiv(5000, block),)](x, y, out, 5000, BLOCK=block)
    for _ in range(3):
        x.normal_()
        graph.replay()
        assert torch.equal(out, x + y)


def test_threads_and_autograd():
    failures = []

    def work(seed):
        try:
            with torch.cuda.stream(torch.cuda.Stream()):
                for count in (seed, 10 * seed, 100 * seed):
                    x, y = pair(count)
                    assert torch.equal(run(x, y)[0], x + y)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n + 3,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures

    class Add(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return run(x, y)[0]

        @staticmethod
        def backward(ctx, gradient):
            both = gradient.contiguous()  # that of a sum is one number, repeated
            return run(both, both)[0], gradient

    x, y = pair()
    x.requires_grad_()
    Add.apply(x, y).sum().backward()
    assert torch.equal(x.grad, torch.full_like(x, 2))


def test_reload_from_the_cache(tmp_path):
    script = tmp_path / "again.py"
    script.write_text(
        "import sys, time, torch, trisect as triton, trisect.language as tl\n"
        "@triton.jit\n"
        "def double(x, B: tl.constexpr):\n"
        "    at = tl.arange(0, B)\n"
        "    tl.store(x + at, 2 * tl.load(x + at))\n"
        "seen = []\n"
        "triton.knobs.compilation.listener = lambda **facts: seen.append(facts['cache_hit'])\n"
        "x = torch.ones(64, device='cuda')\n"
        "double[(1,)](x, B=64)\n"
        "assert x.sum().item() == 128\n"
        "print(seen)\n"
    )
    environment = {"TRITON_CACHE_DIR": str(tmp_path / "cache")}
    for expected in ("[False]", "[True]"):
        result = subprocess.run(
            [sys.executable, script],
            capture_output=True,
            text=True,
            env={**__import__("os").environ, **environment},
        )
        assert result.returncode == 0, result.stderr
        assert result.stdout.strip() == expected


def test_a_failed_assertion_is_told_and_the_device_lives_on():
    x = torch.arange(1024, device="cuda", dtype=torch.float32)
    out = torch.zeros_like(x)
    checked[(8,)](x, out, BLOCK=128, debug=True)
    assert torch.equal(out, x)
    x[300] = -1
    with pytest.raises(triton.KernelFault) as fault:
        checked[(8,)](x, out, BLOCK=128, debug=True)
    assert fault.value.kind == "assert" and fault.value.program_id == (2, 0, 0)
    assert "negative" in str(fault.value) and fault.value.line is not None
    x[300] = 300
    checked[(8,)](x, out, BLOCK=128, debug=True)
    assert torch.equal(out, x)


def test_prints(capsys):
    printed[(1,)](torch.arange(4, device="cuda"), BLOCK=4)
    lines = capsys.readouterr().out.strip().splitlines()
    assert len(lines) == 4
    assert all(line.startswith("pid (0, 0, 0)") and line.endswith(str(i)) for i, line in enumerate(lines))


def test_host_descriptors():
    from trisect.tools.tensor_descriptor import TensorDescriptor

    for rows in (64, 48):
        x = torch.randn(rows, 32, device="cuda")
        out = torch.zeros_like(x)
        source, target = (TensorDescriptor.from_tensor(t, [16, 32]) for t in (x, out))
        for _ in range(2):
            out.zero_()
            copied[(4,)](source, target, M=16, N=32)
            assert torch.equal(out, x)


def test_grids_beyond_the_second_dimension():
    out = torch.zeros(70000, device="cuda", dtype=torch.int32)

    @triton.jit
    def mark(out):
        tl.store(out + tl.program_id(1), tl.program_id(1))

    mark[(1, 70000)](out)
    assert torch.equal(out, torch.arange(70000, device="cuda", dtype=torch.int32))
    mark[(0, 5)](out)


def test_too_much_shared_memory_is_out_of_resources():
    from trisect.runtime.errors import OutOfResources

    @triton.jit
    def sorted_rows(x, B: tl.constexpr):
        at = tl.arange(0, B)
        row = at[:, None] * B + at[None, :]
        tl.store(x + row, tl.trans(tl.load(x + row)))

    x = torch.zeros(1024, 1024, device="cuda")
    with pytest.raises(OutOfResources, match="shared memory"):
        sorted_rows[(1,)](x, B=1024, num_warps=32)
