"""Timing, comparing and plotting.

What: `do_bench` and its variants, `assert_close`, `perf_report` with CSV, PNG and HTML, theoretical peaks of
GPUs.
Limits: plots need matplotlib, tables in memory pandas; a CPU is timed by the wall clock.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import gc
import os
import subprocess
import sys
import time

from trisect.runtime.driver import driver

_MODES = ("min", "max", "mean", "median", "all")


def nvsmi(attrs):
    """Values of nvidia-smi attributes of GPU 0, as integers."""
    command = ["nvidia-smi", "-i", "0", f"--query-gpu={','.join(attrs)}", "--format=csv,noheader,nounits"]
    return [int(value) for value in subprocess.check_output(command, text=True).strip().split(",")]


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


class Benchmark:
    """A plot: values of x, one line for each value of `line_arg`, fixed arguments."""

    def __init__(
        self,
        x_names,
        x_vals,
        line_arg,
        line_vals,
        line_names,
        plot_name,
        args,
        xlabel="",
        ylabel="",
        x_log=False,
        y_log=False,
        styles=None,
    ):
        self.x_names = x_names
        self.x_vals = x_vals
        self.x_log = x_log
        self.line_arg = line_arg
        self.line_vals = line_vals
        self.line_names = line_names
        self.y_log = y_log
        self.styles = styles
        self.xlabel = xlabel
        self.ylabel = ylabel
        self.plot_name = plot_name
        self.args = args


class Mark:
    """A benchmark function with its plots."""

    def __init__(self, fn, benchmarks):
        self.fn = fn
        self.benchmarks = benchmarks

    def _measure(self, bench, kwargs):
        """Column names, and rows of x values, then value, low and high of each line."""
        columns = [*bench.x_names]
        for name in bench.line_names:
            columns.extend((name, f"{name}-min", f"{name}-max"))
        rows = []
        for x in bench.x_vals:
            values = list(x) if isinstance(x, (list, tuple)) else [x] * len(bench.x_names)
            if len(values) != len(bench.x_names):
                raise ValueError(f"Expected {len(bench.x_names)} values, got {x}")
            row = list(values)
            for line in bench.line_vals:
                arguments = dict(zip(bench.x_names, values, strict=True))
                result = self.fn(**arguments, **{bench.line_arg: line}, **bench.args, **kwargs)
                row.extend(result if isinstance(result, (list, tuple)) else (result, None, None))
            rows.append(row)
        return columns, rows

    def _run(self, bench, save_path, show_plots, print_data, kwargs):
        columns, rows = self._measure(bench, kwargs)
        kept = [columns.index(name) for name in (*bench.x_names, *bench.line_names)]
        header = [*bench.x_names, *(f"{name} ({bench.ylabel})" for name in bench.line_names)]
        table = [[row[index] for index in kept] for row in rows]
        if bench.plot_name and (show_plots or save_path):
            self._plot(bench, columns, rows, save_path, show_plots)
        if print_data:
            print(f"{bench.plot_name}:")
            print(_text_table(header, table))
        if save_path:
            with open(
                os.path.join(save_path, f"{bench.plot_name}.csv"), "w", newline="", encoding="utf-8"
            ) as file:
                writer = csv.writer(file)
                writer.writerow(header)
                writer.writerows(table)
        return header, table

    def _plot(self, bench, columns, rows, save_path, show_plots):
        try:
            import matplotlib

            if not show_plots:
                matplotlib.use("Agg")
            import matplotlib.pyplot as plt
        except ImportError:
            print(f"{bench.plot_name}: no plot, matplotlib is not installed", file=sys.stderr)
            return
        figure, axes = plt.subplots()
        xs = [row[0] for row in rows]
        for index, name in enumerate(bench.line_names):
            at = columns.index(name)
            color, style = bench.styles[index] if bench.styles else (None, None)
            axes.plot(xs, [row[at] for row in rows], label=name, color=color, ls=style)
            if all(row[at + 1] is not None and row[at + 2] is not None for row in rows):
                axes.fill_between(
                    xs, [row[at + 1] for row in rows], [row[at + 2] for row in rows], alpha=0.15, color=color
                )
        axes.legend()
        axes.set_xlabel(bench.xlabel or bench.x_names[0])
        axes.set_ylabel(bench.ylabel)
        axes.set_xscale("log" if bench.x_log else "linear")
        axes.set_yscale("log" if bench.y_log else "linear")
        if save_path:
            figure.savefig(os.path.join(save_path, f"{bench.plot_name}.png"))
        if show_plots:
            plt.show()
        plt.close(figure)

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        """Runs every benchmark; `save_path` gets CSV, PNG and a page with all plots."""
        benchmarks = [self.benchmarks] if isinstance(self.benchmarks, Benchmark) else list(self.benchmarks)
        if save_path:
            os.makedirs(save_path, exist_ok=True)
        results = [
            (bench, *self._run(bench, save_path, show_plots, print_data, kwargs)) for bench in benchmarks
        ]
        if save_path:
            with open(os.path.join(save_path, "results.html"), "w", encoding="utf-8") as html:
                html.write("<html><body>\n")
                for bench in benchmarks:
                    html.write(f'<image src="{bench.plot_name}.png"/>\n')
                html.write("</body></html>\n")
        if not return_df:
            return None
        import pandas

        frames = [pandas.DataFrame(table, columns=header) for _, header, table in results]
        return frames[0] if isinstance(self.benchmarks, Benchmark) else frames


def _text_table(header, rows) -> str:
    def text(value):
        return f"{value:.6f}" if isinstance(value, float) else str(value)

    cells = [[str(name) for name in header], *([text(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells
    )


def perf_report(benchmarks):
    """Makes a function a `Mark` over benchmarks; it returns a value, or value, low and high."""
    return lambda fn: Mark(fn, benchmarks)


def get_dram_gbps(device=None):
    """The theoretical memory bandwidth in GB/s."""
    device = driver.active.get_current_device() if device is None else device
    facts = driver.active.utils.get_device_properties(device)
    return facts["mem_clock_rate"] * facts["mem_bus_width"] * 2 / 1e6 / 8


#: Operations a cycle and subcore of tensor cores by compute capability and width of the inputs.
_TENSOR_CORE_OPS = {
    7: {"16": 256},
    8: {"8": 1024, "16": 512, "32": 256},
    9: {"8": 4096, "16": 2048, "32": 1024},
}


def _width(dtype) -> str:
    text = str(dtype)
    return (
        "8" if "8" in text.split("float")[-1][:1] or text.endswith("int8") else "16" if "16" in text else "32"
    )


def get_max_tensorcore_tflops(dtype, clock_rate, device=None):
    """The theoretical tensor-core throughput in TFLOPS at a clock rate in kHz."""
    import torch

    device = torch.cuda.current_device() if device is None else device
    subcores = driver.active.utils.get_device_properties(device)["multiprocessor_count"] * 4
    major = torch.cuda.get_device_capability(device)[0]
    table = _TENSOR_CORE_OPS.get(min(major, 9), {})
    if _width(dtype) not in table:
        raise RuntimeError(
            f"dtype {dtype} is not supported by the tensor cores of compute capability {major}.x"
        )
    return subcores * clock_rate * table[_width(dtype)] * 1e-9


def get_max_simd_tflops(dtype, clock_rate, device=None):
    """The theoretical throughput in TFLOPS without tensor cores, at a clock rate in kHz."""
    import torch

    device = torch.cuda.current_device() if device is None else device
    subcores = driver.active.utils.get_device_properties(device)["multiprocessor_count"] * 4
    return subcores * clock_rate * (128 if _width(dtype) == "16" else 64) * 1e-9


def cuda_memcheck(**target_kwargs):
    """Runs a pytest test under cuda-memcheck if its keyword arguments have these values."""

    def decorator(test_fn):
        @functools.wraps(test_fn)
        def wrapper(*args, **kwargs):
            request = kwargs["request"]
            under = "cuda-memcheck" in (os.environ.get("PYTEST_PARENT") or "")
            if under or target_kwargs.items() > kwargs.items():
                return test_fn(*args, **kwargs)
            environment = {**os.environ, "PYTEST_PARENT": "cuda-memcheck"}
            test = f"{request.node.fspath}::{test_fn.__name__}[{request.node.callspec.id}]"
            finished = subprocess.run(
                ["cuda-memcheck", "pytest", "-vs", test],
                capture_output=True,
                env=environment,
                text=True,
                check=False,
            )
            assert finished.returncode == 0, finished.stdout
            assert "ERROR SUMMARY: 0 errors" in finished.stdout

        return wrapper

    return decorator


@contextlib.contextmanager
def set_gpu_clock(ref_sm_clock=1350, ref_mem_clock=1215):
    """Locks the clocks of GPU 0; gives theoretical TFLOPS and GB/s at them."""
    try:
        subprocess.check_output(["nvidia-smi", "-i", "0", "-pm", "1"])
        subprocess.check_output(["nvidia-smi", "-i", "0", f"--lock-gpu-clocks={ref_sm_clock},{ref_sm_clock}"])
        subprocess.check_output(
            ["nvidia-smi", "-i", "0", f"--lock-memory-clocks={ref_mem_clock},{ref_mem_clock}"]
        )
        sm_clock, mem_clock = nvsmi(["clocks.current.sm", "clocks.current.memory"])
        if abs(sm_clock - ref_sm_clock) >= 10 or abs(mem_clock - ref_mem_clock) >= 10:
            raise RuntimeError(f"GPU clocks must run at {ref_sm_clock} and {ref_mem_clock} MHz")
        yield 1e-6 * 2 * 108 * 4 * 256 * ref_sm_clock, 640 * 2 * ref_mem_clock * 1e-3
    finally:
        for option in ("-rgc", "-rmc"):
            subprocess.run(["nvidia-smi", "-i", "0", option], check=False)


__all__ = [
    "Benchmark", "Mark", "assert_close", "cuda_graph_without_gc", "cuda_memcheck", "do_bench",
    "do_bench_cudagraph", "get_dram_gbps", "get_max_simd_tflops", "get_max_tensorcore_tflops", "nvsmi",
    "perf_report", "set_gpu_clock",
]  # fmt: skip
