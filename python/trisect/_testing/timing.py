"""Timing a call: by the wall clock on the host, by events on a GPU.

What: `do_bench` and its variants, all in milliseconds.
Limits: a CPU has no launch cost for a graph to hide, so its graph variant is the plain one.
"""

from __future__ import annotations

import contextlib
import gc
import time

from trisect.runtime.driver import driver

_MODES = ("min", "max", "mean", "median", "all")


def _quantile(values, fractions) -> list[float]:
    ordered = sorted(values)
    found = []
    for fraction in fractions:
        if not 0 <= fraction <= 1:
            raise ValueError("Quantiles must be in the range [0, 1]")
        point = fraction * (len(ordered) - 1)
        low = int(point)
        high = min(low + 1, len(ordered) - 1)
        found.append(ordered[low] + (ordered[high] - ordered[low]) * (point - low))
    return found


def _summarize_statistics(times, quantiles, return_mode):
    if quantiles is not None:
        found = _quantile(times, quantiles)
        return found[0] if len(found) == 1 else found
    if return_mode == "all":
        return times
    if return_mode == "median":
        return _quantile(times, [0.5])[0]
    return {"min": min, "max": max, "mean": lambda values: sum(values) / len(values)}[return_mode](times)


def _check_mode(return_mode):
    if return_mode not in _MODES:
        raise ValueError(f"return_mode must be one of {', '.join(_MODES)}, not {return_mode!r}")


def _on_host() -> bool:
    return driver.active.get_current_target().backend == "cpu"


def _time_on_host(fn, warmup, rep, grad_to_none) -> list[float]:
    fn()
    start = time.perf_counter()
    rounds = 0
    while rounds < 5:
        fn()
        rounds += 1
        if (time.perf_counter() - start) * 1e3 > rep:
            break
    estimate = max((time.perf_counter() - start) * 1e3 / rounds, 1e-6)
    for _ in range(max(1, int(warmup / estimate)) if estimate < warmup else 0):
        fn()
    times = []
    for _ in range(max(1, int(rep / estimate))):
        for tensor in grad_to_none or ():
            tensor.grad = None
        begin = time.perf_counter()
        fn()
        times.append((time.perf_counter() - begin) * 1e3)
    return times


def _time_on_gpu(fn, warmup, rep, grad_to_none) -> list[float]:
    device = driver.active.get_device_interface()
    fn()
    device.synchronize()
    cache = driver.active.get_empty_cache_for_benchmark()
    start, end = device.Event(enable_timing=True), device.Event(enable_timing=True)
    start.record()
    for _ in range(5):
        driver.active.clear_cache(cache)
        fn()
    end.record()
    device.synchronize()
    estimate = max(start.elapsed_time(end) / 5, 1e-6)
    for _ in range(max(1, int(warmup / estimate))):
        fn()
    count = max(1, int(rep / estimate))
    events = [(device.Event(enable_timing=True), device.Event(enable_timing=True)) for _ in range(count)]
    for begin, finish in events:
        for tensor in grad_to_none or ():
            tensor.grad = None
        driver.active.clear_cache(cache)
        begin.record()
        fn()
        finish.record()
    device.synchronize()
    return [begin.elapsed_time(finish) for begin, finish in events]


def do_bench(
    fn,
    warmup=25,
    rep=100,
    grad_to_none=None,
    quantiles=None,
    return_mode="mean",
    measure_time_with_hooks=False,
):
    """The time of a call in milliseconds: warms up for `warmup` ms, measures for `rep` ms.

    Returns the quantiles asked for, else what `return_mode` says: min, max, mean, median or all.
    """
    _check_mode(return_mode)
    measure = _time_on_host if _on_host() else _time_on_gpu
    return _summarize_statistics(measure(fn, warmup, rep, grad_to_none), quantiles, return_mode)


@contextlib.contextmanager
def cuda_graph_without_gc(*args, **kwargs):
    """Captures a CUDA graph with the cyclic collector off."""
    import torch

    was_enabled = gc.isenabled()
    gc.disable()
    try:
        with torch.cuda.graph(*args, **kwargs) as graph:
            yield graph
    finally:
        if was_enabled:
            gc.enable()


def do_bench_cudagraph(fn, rep=20, grad_to_none=None, quantiles=None, return_mode="mean"):
    """The time of a call in milliseconds, measured by replaying a CUDA graph of many calls."""
    _check_mode(return_mode)
    if _on_host():
        # There is no launch cost for a graph to hide.
        return do_bench(fn, 0, rep, grad_to_none, quantiles, return_mode)
    import torch

    with torch.cuda.stream(torch.cuda.Stream()):
        fn()
        for tensor in grad_to_none or ():
            tensor.detach_()
            tensor.requires_grad_(True)
            tensor.grad = None
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(5):
            fn()
        end.record()
        torch.cuda.synchronize()
        count = max(1, int(rep / max(start.elapsed_time(end) / 5, 1e-6)))
        graph = torch.cuda.CUDAGraph()
        with cuda_graph_without_gc(graph):
            for _ in range(count):
                for tensor in grad_to_none or ():
                    tensor.grad = None
                fn()
        torch.cuda.synchronize()
        times = []
        for _ in range(10):
            start.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            times.append(start.elapsed_time(end) / count)
    return _summarize_statistics(times, quantiles, return_mode)


def do_bench_proton(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean"):
    """`do_bench` under the name of a profiler; the clock is the same."""
    return do_bench(fn, warmup, rep, grad_to_none, quantiles, return_mode)


def do_bench_cudagraph_proton(fn, rep=20, grad_to_none=None, quantiles=None, return_mode="mean"):
    """`do_bench_cudagraph` under the name of a profiler; the clock is the same."""
    return do_bench_cudagraph(fn, rep, grad_to_none, quantiles, return_mode)
