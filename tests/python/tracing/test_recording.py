"""What is written down of a launch: costs, footprints, addresses, timeline."""

import json

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect.tracing import record, write_perfetto
from trisect.tracing.planes import cells, plane_shape
from trisect.tracing.recording import Tensor


@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, at < n)
    tl.store(out + at, value * 2, at < n)


@triton.jit
def pick(x, out, step, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes * step))


@triton.jit
def tile(x, rows, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + at[:, None] * rows + at[None, :] * columns)
    tl.store(x + at[:, None] * rows + at[None, :] * columns, value + 1)


@triton.jit
def count(total):
    tl.atomic_add(total, 1)


def recorded(kernel, grid, *arguments, **constants):
    with record() as launches:
        kernel[grid](*arguments, **constants)
    (launch,) = launches
    return launch


def by_op(launch, mnemonic):
    (access,) = [access for access in launch.accesses if access.operation.mnemonic == mnemonic]
    return access


def test_costs_and_footprints_of_a_masked_block():
    x, out = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
    launch = recorded(scale, (4,), x, out, 1000, BLOCK=256)
    assert (out == x * 2).all()
    assert launch.kernel == "scale" and launch.grid == (4, 1, 1) and launch.programs == 4
    load, store = by_op(launch, "tt.load"), by_op(launch, "tt.store")
    assert (load.tensor.name, store.tensor.name) == ("x", "out")
    assert (load.reads, load.writes, store.reads, store.writes) == (True, False, False, True)
    assert load.bytes == store.bytes == 4000
    assert load.operation.executions == 4 and load.operation.elements == 1024
    assert load.operation.active_lanes == store.operation.active_lanes == 1000
    assert (load.touches == 1).all() and (load.programs == 1).all() and load.shared == 0
    assert load.operation.strides == [4] and load.operation.regular
    assert load.operation.result == "value"
    lines = {line for _, line, _ in launch.lines}
    assert {load.operation.position[1], store.operation.position[1]} <= lines


@pytest.mark.parametrize(("step", "sectors", "wasteful"), [(1, 4, False), (2, 8, True), (8, 32, True)])
def test_sectors_of_strided_lanes(step, sectors, wasteful):
    aligned = np.zeros(64 * step + 16, np.float32)
    first = (-aligned.ctypes.data // 4) % 8
    x = aligned[first : first + 64 * step]
    load = by_op(recorded(pick, (1,), x, np.zeros(64, np.float32), step, BLOCK=64), "tt.load")
    assert load.sectors_per_128_bytes == sectors and load.wasteful == wasteful
    assert load.operation.strides == [4 * step]
    assert np.flatnonzero(load.touches).tolist() == list(range(0, 64 * step, step))


@pytest.mark.parametrize("view", [lambda a: a, lambda a: a.T, lambda a: a[::-1], lambda a: a[:, ::-1].T])
def test_elements_are_counted_by_their_index_in_the_view(view):
    tensor = view(np.zeros((16, 24), np.float32))
    rows, columns = (stride // 4 for stride in tensor.strides)
    launch = recorded(tile, (1,), tensor, rows, columns, BLOCK=8)
    expected = np.zeros(tensor.shape, np.uint32)
    expected[:8, :8] = 1
    assert (tensor == expected).all()
    for access in launch.accesses:
        assert (access.touches.reshape(tensor.shape) == expected).all()


def test_an_atomic_of_all_programs_is_shared():
    access = by_op(recorded(count, (5,), np.zeros(1, np.int32)), "tt.atomic_rmw")
    assert access.reads and access.writes
    assert access.programs.tolist() == [5] and access.shared == 1
    assert access.operation.active_lanes == 5


def test_large_tensors_are_counted_in_granules():
    n = 1 << 18
    launch = recorded(scale, (n // 1024,), np.zeros(n, np.float32), np.zeros(n, np.float32), n, BLOCK=1024)
    load = by_op(launch, "tt.load")
    assert load.tensor.granule == 4 and len(load.touches) == n // 4
    assert (load.touches == 4).all() and (load.programs == 1).all()


def test_the_timeline_is_in_order_and_says_what_it_left_out(tmp_path):
    x = np.zeros(4096, np.float32)
    launch = recorded(scale, (4096,), x, x, 4096, BLOCK=16)
    starts = [start for _, _, start, _ in launch.timeline]
    assert starts == sorted(starts) and launch.events_left_out > 0
    total = sum(operation.executions for operation in launch.operations)
    assert len(launch.timeline) + launch.events_left_out == total
    write_perfetto(tmp_path / "trace.json", [launch])
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert "events left out" in events[0]["args"]["name"] and len(events) == len(launch.timeline) + 1


def test_a_promoted_kernel_is_recorded_too(monkeypatch):
    x = np.zeros(64, np.float32)
    monkeypatch.setenv("TRISECT_TIER", "cpu")
    for _ in range(3):
        scale[(1,)](x, x, 64, BLOCK=64)
    launch = recorded(scale, (1,), x, x, 64, BLOCK=64)
    assert by_op(launch, "tt.load").tensor.name == "x"


def test_a_recording_ends_with_its_block():
    x = np.zeros(16, np.float32)
    with record() as launches:
        pass
    scale[(1,)](x, x, 16, BLOCK=16)
    assert launches == []


def test_cells_add_up_granules():
    tensor = Tensor(0, "x", "f32", [200, 300], [300, 1], 1)
    assert plane_shape(tensor) == (200, 300)
    picture, (tall, wide) = cells(tensor, np.ones(60000, np.uint32))
    assert (tall, wide) == (3, 4) and picture.shape == (67, 75)
    assert picture[0, 0] == 12 and picture[66, 0] == 8 and picture.sum() == 60000
    assert plane_shape(Tensor(0, "x", "f32", [1000], [1], 1)) == (32, 32)
