"""Timing, comparing and plotting: `do_bench` and its kin, `assert_close`, `perf_report`, peaks of GPUs."""

from __future__ import annotations

from ._testing.gpus import (
    cuda_memcheck,
    get_dram_gbps,
    get_max_simd_tflops,
    get_max_tensorcore_tflops,
    nvsmi,
    set_gpu_clock,
)
from ._testing.reports import Benchmark, Mark, perf_report
from ._testing.timing import (
    cuda_graph_without_gc,
    do_bench,
    do_bench_cudagraph,
    do_bench_cudagraph_proton,
    do_bench_proton,
)


def _as_array(x):
    import numpy

    if hasattr(x, "detach"):
        x = x.detach().cpu()
        if str(x.dtype) in ("torch.bfloat16",) or "float8" in str(x.dtype):
            x = x.float()
        return x.numpy()
    return numpy.asarray(x)


def assert_close(x, y, atol=None, rtol=None, err_msg=""):
    """Compares two arrays or tensors; NaN equals NaN, infinities must agree.

    Tolerances are 1e-2 absolute and 0 relative unless given; a callable gets the dtype.
    """
    import numpy

    x, y = _as_array(x), _as_array(y)
    atol = 1e-2 if atol is None else atol(x.dtype) if callable(atol) else atol
    rtol = 0.0 if rtol is None else rtol(x.dtype) if callable(rtol) else rtol
    if x.size > 1 or y.size > 1:
        numpy.testing.assert_allclose(x, y, atol=atol, rtol=rtol, equal_nan=True, err_msg=err_msg)
    elif not numpy.allclose(x, y, atol=atol, rtol=rtol, equal_nan=True):
        raise AssertionError(f"{err_msg} {x} is not close to {y} (atol={atol}, rtol={rtol})")


__all__ = [
    "Benchmark", "Mark", "assert_close", "cuda_graph_without_gc", "cuda_memcheck", "do_bench",
    "do_bench_cudagraph", "do_bench_cudagraph_proton", "do_bench_proton", "get_dram_gbps",
    "get_max_simd_tflops", "get_max_tensorcore_tflops", "nvsmi", "perf_report", "set_gpu_clock",
]  # fmt: skip
