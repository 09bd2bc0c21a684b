"""The driver library on a real device: loading, launching, streams, graphs, threads, memory.

What: runs hand-written PTX through trisect._C.cuda beside PyTorch, which owns tensors, streams and graphs.
"""

import threading

import ptx
import pytest
import torch
from trisect._C import cuda

COUNT = 1000


def cubin(text):
    if cuda.assembler() is None:
        pytest.skip("no ptxas on this machine")
    return cuda.assemble(text, "sm_90a")[0]


def fill(loaded, out, value, spin=0, stream=None):
    stream = torch.cuda.current_stream().cuda_stream if stream is None else stream
    loaded.launch([(out.numel() + 127) // 128, 1, 1], [out.data_ptr(), value, out.numel(), spin], stream)


def expected(value):
    return torch.arange(value, value + COUNT, dtype=torch.int32, device="cuda")


@pytest.fixture(params=["cubin", "ptx"])
def loaded(request):
    image = cubin(ptx.FILL) if request.param == "cubin" else ptx.FILL
    return cuda.load(0, image, "fill")


@pytest.fixture
def out():
    return torch.zeros(COUNT, dtype=torch.int32, device="cuda")


def test_properties_are_those_of_pytorch():
    facts, other = cuda.device_properties(0), torch.cuda.get_device_properties(0)
    assert facts["multiprocessor_count"] == other.multi_processor_count
    assert facts["capability"] == other.major * 10 + other.minor
    assert facts["max_shared_mem"] == other.shared_memory_per_block_optin
    assert facts["L2_cache_size"] == other.L2_cache_size
    assert cuda.device_name(0) == other.name
    assert cuda.device_count() == torch.cuda.device_count()
    assert cuda.current_device() == torch.cuda.current_device()


def test_launch(loaded, out):
    fill(loaded, out, 7)
    assert torch.equal(out, expected(7))
    assert 0 < loaded.n_regs <= 64 and loaded.n_spills == 0 and loaded.n_max_threads >= 128


def test_launches_are_in_the_order_of_their_stream(loaded, out):
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    other = torch.zeros_like(out)
    torch.cuda.synchronize()
    fill(loaded, out, 1, spin=100_000_000, stream=first.cuda_stream)
    fill(loaded, other, 2, stream=second.cuda_stream)
    second.synchronize()
    assert torch.equal(other, expected(2))
    assert not first.query(), "the second stream waited for the first"
    with torch.cuda.stream(first):
        copy = out.clone()
    first.synchronize()
    assert torch.equal(copy, expected(1))


def test_large_shared_memory(out):
    facts = cuda.device_properties(0)
    image = cubin(ptx.NEIGHBOUR)
    for shared in (1024, 64 << 10, facts["max_shared_mem"]):
        loaded = cuda.load(0, image, "neighbour", shared=shared)
        loaded.launch([1, 1, 1], [out.data_ptr(), shared - 512], torch.cuda.current_stream().cuda_stream)
        assert out[:128].tolist() == [(t + 1) % 128 for t in range(128)]
    from trisect.runtime.errors import OutOfResources

    with pytest.raises(OutOfResources) as refused:
        cuda.load(0, image, "neighbour", shared=facts["max_shared_mem"] + 1024)
    assert refused.value.required == facts["max_shared_mem"] + 1024
    assert refused.value.limit == facts["max_shared_mem"]


def test_too_many_threads_are_refused():
    from trisect.runtime.errors import OutOfResources

    with pytest.raises(OutOfResources, match="threads"):
        cuda.load(0, cubin(ptx.FILL.replace(".reqntid", ".maxntid")), "fill", threads=256)


def test_refused_ptx_says_why():
    from trisect.runtime.errors import PTXASError

    with pytest.raises(PTXASError, match="nonsense"):
        cuda.load(0, ptx.FILL + "\nnonsense\n", "fill")
    with pytest.raises(PTXASError, match="nonsense"):
        cuda.assemble(ptx.FILL + "\nnonsense\n", "sm_90a")


@pytest.mark.parametrize("first_launch", [False, True])
def test_graph_capture(out, first_launch):
    image = cubin(ptx.FILL)
    loaded = None if first_launch else cuda.load(0, image, "fill")
    if loaded is not None:
        fill(loaded, out, 5)
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        stream = torch.cuda.current_stream().cuda_stream
        assert cuda.is_capturing(0, stream)
        loaded = loaded or cuda.load(0, image, "fill")
        fill(loaded, out, 9)
    out.zero_()
    torch.cuda.synchronize()
    assert not out.any(), "a launch ran while it was captured"
    graph.replay()
    assert torch.equal(out, expected(9))
    out.zero_()
    graph.replay()
    assert torch.equal(out, expected(9))


def test_threads_and_autograd(loaded):
    failures = []

    def work(number):
        try:
            own = torch.zeros(COUNT, dtype=torch.int32, device="cuda")
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                for round in range(50):
                    fill(loaded, own, number + round)
                    assert torch.equal(own, expected(number + round))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(1000 * number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures

    class Backward(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            own = torch.zeros(COUNT, dtype=torch.int32, device="cuda")
            fill(loaded, own, 3)
            return gradient + own

    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    Backward.apply(x).sum().backward()
    assert torch.equal(x.grad, 1 + expected(3).float())


def test_a_thread_that_never_used_cuda(loaded, out):
    address, failures = out.data_ptr(), []

    def work():
        try:
            loaded.launch([8, 1, 1], [address, 11, COUNT, 0], 0)
            cuda.synchronize(0, 0)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not failures, failures
    assert torch.equal(out, expected(11))


def test_memory(out):
    out.copy_(expected(1))
    stream = torch.cuda.current_stream().cuda_stream
    data = cuda.read(0, stream, out.data_ptr(), COUNT * 4)
    assert torch.frombuffer(bytearray(data), dtype=torch.int32).tolist() == list(range(1, COUNT + 1))
    cuda.write(0, stream, out.data_ptr() + 4, b"\xff" * 8)
    assert out[:4].tolist() == [1, -1, -1, 4]
    base, size, device = cuda.allocation_of(out.data_ptr() + 100)
    assert base <= out.data_ptr() and base + size >= out.data_ptr() + COUNT * 4 and device == 0
    assert cuda.allocation_of(torch.zeros(4).data_ptr()) is None
    assert cuda.allocation_of(torch.zeros(4).pin_memory().data_ptr()) is None


def test_reads_wait_for_the_stream(loaded, out):
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    fill(loaded, out, 21, spin=50_000_000, stream=stream.cuda_stream)
    data = cuda.read(0, stream.cuda_stream, out.data_ptr(), 4)
    assert int.from_bytes(data, "little") == 21


def test_cooperative_and_dependent_launches(out):
    image = cubin(ptx.FILL)
    fill(cuda.load(0, image, "fill", cooperative=True), out, 31)
    assert torch.equal(out, expected(31))
    dependent = cuda.load(0, image, "fill", dependent=True)
    for value in range(20):
        fill(dependent, out, value)
    assert torch.equal(out, expected(19))
    from trisect.runtime.errors import OutOfResources

    huge = cuda.load(0, image, "fill", cooperative=True)
    with pytest.raises(OutOfResources, match="cooperative"):
        huge.launch([1 << 20, 1, 1], [out.data_ptr(), 1, COUNT, 0], 0)
