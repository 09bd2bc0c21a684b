"""Timing, comparing, plotting, descriptors and packed formats."""

import csv
import sys

import numpy as np
import pandas
import pytest
from matplotlib import image

from trisect import testing
from trisect._testing import timing
from trisect.tools.tensor_descriptor import TensorDescriptor


def test_do_bench_measures_milliseconds():
    import time

    calls = []
    fn = lambda: (calls.append(1), time.sleep(0.002))  # noqa: E731
    assert 1.9 < testing.do_bench(fn, warmup=2, rep=20) < 1900
    low, middle, high = testing.do_bench(fn, warmup=0, rep=20, quantiles=(0.0, 0.5, 1.0))
    assert 1.9 < low <= middle <= high
    times = testing.do_bench(fn, warmup=0, rep=20, return_mode="all")
    assert isinstance(times, list) and len(times) >= 1 and calls
    with pytest.raises(ValueError, match="return_mode must be one of min, max, mean, median, all"):
        testing.do_bench(fn, return_mode="sum")


@pytest.mark.parametrize(
    "quantiles, mode, expected",
    [([0.5], "mean", 2.5), ([0.0, 1.0], "mean", [1.0, 4.0]), (None, "mean", 2.5), (None, "min", 1.0),
     (None, "max", 4.0), (None, "median", 2.5), (None, "all", [1.0, 2.0, 3.0, 4.0])],
)  # fmt: skip
def test_summaries(quantiles, mode, expected):
    assert timing._summarize_statistics([1.0, 2.0, 3.0, 4.0], quantiles, mode) == expected


def test_assert_close():
    x = np.linspace(0, 1, 8)
    testing.assert_close(x, x + 0.009)
    testing.assert_close(np.array([np.nan, np.inf]), np.array([np.nan, np.inf]))
    testing.assert_close(np.float32(1), np.float32(1.005))
    for y, options in ((x + 0.02, {}), (x * 1.1, {"atol": 0, "rtol": 1e-3}), (-x, {"err_msg": "own words"})):
        with pytest.raises(AssertionError, match=options.get("err_msg", "Not equal")):
            testing.assert_close(x, y, **options)
    with pytest.raises(AssertionError, match="is not close to"):
        testing.assert_close(1.0, 2.0)
    testing.assert_close(x, x * 1.5, atol=lambda dtype: 1.0 if dtype == np.float64 else 0.0)


def test_assert_close_takes_tensors():
    torch = pytest.importorskip("torch")
    x = torch.ones(4, dtype=torch.bfloat16, requires_grad=True)
    testing.assert_close(x, torch.ones(4))
    with pytest.raises(AssertionError):
        testing.assert_close(x, torch.zeros(4))


def report():
    benchmark = testing.Benchmark(
        x_names=["N"], x_vals=[1, 2, 4], line_arg="kind", line_vals=["a", "b"], line_names=["A", "B"],
        plot_name="speed", args={"scale": 10}, ylabel="GB/s", styles=[("blue", "-"), ("green", "--")],
        x_log=True,
    )  # fmt: skip

    @testing.perf_report(benchmark)
    def measure(N, kind, scale, extra=0):
        value = N * scale + (kind == "b") + extra
        return value, value - 1, value + 1

    return measure


def test_perf_report_writes_tables_and_plots(tmp_path, capsys):
    frame = report().run(print_data=True, save_path=str(tmp_path), return_df=True, extra=0.5)
    with open(tmp_path / "speed.csv", newline="") as file:
        rows = list(csv.reader(file))
    header, *values = rows
    assert header == ["N", "A (GB/s)", "B (GB/s)"]
    assert values == [["1", "10.5", "11.5"], ["2", "20.5", "21.5"], ["4", "40.5", "41.5"]]
    assert frame.equals(pandas.read_csv(tmp_path / "speed.csv"))
    picture = image.imread(tmp_path / "speed.png")
    assert min(picture.shape[:2]) > 100
    blue = (picture[..., 2] > 0.8) & (picture[..., :2].max(-1) < 0.2)
    assert blue.sum() > 100  # a line in the colour that the benchmark asks for
    page = (tmp_path / "results.html").read_text()
    assert '<img src="speed.png"/>' in page and "11.500000" in page
    assert "speed:" in (output := capsys.readouterr().out) and "11.500000" in output


def test_perf_report_does_without_matplotlib(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    report().run(save_path=str(tmp_path))
    assert (tmp_path / "speed.csv").exists() and not (tmp_path / "speed.png").exists()
    assert "matplotlib is not installed" in capsys.readouterr().err


def test_the_number_of_x_values_is_checked():
    benchmark = testing.Benchmark(["M", "N"], [(1, 2, 3)], "k", [0], ["k"], "p", {})
    with pytest.raises(ValueError, match="Expected 2 values"):
        testing.perf_report(benchmark)(lambda **kwargs: 1).run()


def aligned(shape, dtype):
    """An array at a multiple of 64 bytes."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size].view(dtype).reshape(shape)


def test_descriptors_of_tensors():
    array = aligned((32, 64), np.float16)
    descriptor = TensorDescriptor.from_tensor(array, [8, 16], padding="nan")
    assert (descriptor.shape, descriptor.strides, descriptor.padding) == ([32, 64], [64, 1], "nan")
    torch = pytest.importorskip("torch")
    assert TensorDescriptor.from_tensor(torch.zeros(4, 8), [2, 4]).strides == [8, 1]


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(shape=[32]), "rank mismatch"),
        (dict(block_shape=[8]), "rank mismatch"),
        (dict(shape=[0, 64]), "shape must be positive"),
        (dict(strides=[64, 2]), "Last dimension must be contiguous"),
        (dict(strides=[63, 1]), "strides must be 16-byte aligned: 63 elements are 126 bytes"),
        (dict(block_shape=[8, 12]), "block_shape must be powers of 2"),
        (dict(padding="one"), "padding is 'zero' or 'nan'"),
        (dict(base=aligned((33, 64), np.float16).reshape(-1)[1:-63].reshape(-1, 64)[:32]), "16-byte aligned"),
        (dict(base=aligned((32, 64), np.int16), padding="nan"), "only supported for floating point"),
        (dict(round_f32_to_tf32=True), "for float32 tensors"),
        (dict(shape=[1] * 6, strides=[1] * 6, block_shape=[1] * 6), "one to five dimensions"),
    ],
)
def test_descriptors_that_make_no_sense(change, message):
    facts = dict(base=aligned((32, 64), np.float16), shape=[32, 64], strides=[64, 1], block_shape=[8, 16])
    with pytest.raises(ValueError, match=message):
        TensorDescriptor(**{**facts, **change})


def test_a_kernel_takes_a_descriptor(launches):
    import trisect as triton
    import trisect.language as tl

    @triton.jit
    def read(source, target):
        block = source.load([0, 0])
        tl.store(target + tl.arange(0, 16), tl.sum(block, axis=0))

    array, target = aligned((32, 64), np.float32), np.zeros(16, np.float32)
    for _ in ("cold", "again"):
        kernel = read[(1,)](TensorDescriptor.from_tensor(array, [8, 16]), target)
    assert launches[0].args == launches[1].args == [array.ctypes.data, 32, 64, 64, 1, target.ctypes.data]
    assert kernel.src.signature == {"source": "tensordesc<fp32[8,16]>", "target": "*fp32"}


def test_packed_formats():
    torch = pytest.importorskip("torch")
    from trisect.tools.mxfp import MXFP4Tensor, MXScaleTensor

    values = torch.tensor([0.0, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 9.0, -0.3, -2.4, -0.0])
    expected = torch.tensor([0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 6.0, -0.5, -2.0, -0.0])
    packed = MXFP4Tensor(data=values)
    assert torch.equal(packed.to(torch.float32), expected)
    assert torch.equal(torch.signbit(packed.to(torch.float32)), torch.signbit(expected))
    grid = MXFP4Tensor(size=(5, 6)).random()
    for dim, shape in ((0, (3, 6)), (1, (5, 3))):
        bytes_ = grid.to_packed_tensor(dim)
        assert bytes_.shape == shape
        assert torch.equal(grid.unpack_packed_tensor(bytes_, dim, (5, 6)), grid.data)
    assert int(MXFP4Tensor(data=torch.tensor([1.0, 6.0])).to_packed_tensor(0)) == 0x72
    scales = MXScaleTensor(data=torch.tensor([1.0, 2.0, 0.25, 3.0, float("nan"), -1.0, 0.0]))
    assert scales.data.tolist() == [127, 128, 125, 129, 255, 255, 255]
    assert scales.to(torch.float32)[:4].tolist() == [1.0, 2.0, 0.25, 4.0]
    assert set(MXScaleTensor(size=(64,)).random(low=0.5, high=2).to(torch.float32).tolist()) <= {
        0.5,
        1.0,
        2.0,
    }
