"""Tuning and heuristics."""

import copy
import json
import os
import pickle

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect import knobs
from trisect.runtime import Autotuner, Config, Heuristics, OutOfResources
from trisect.runtime.errors import AutotunerError

CONFIGS = [Config({"BLOCK": block}, num_warps=warps) for block, warps in ((32, 4), (64, 8), (128, 4))]


class Bench:
    """A benchmark that needs no time: a config's time is told by its block size."""

    def __init__(self, times=None):
        self.times = times or {}
        self.calls = 0

    def __call__(self, kernel_call, quantiles):
        self.calls += 1
        kernel_call()
        time = self.times.get(self.calls, float(self.calls))
        return [time] * 3


def tuned(bench, key=("n",), configs=CONFIGS, **options):
    @triton.autotune(configs=configs, key=list(key), do_bench=bench, **options)
    @triton.jit
    def kernel(x, n, BLOCK: tl.constexpr):
        offsets = tl.arange(0, BLOCK)
        tl.store(x + offsets, 1.0, mask=offsets < n)

    return kernel


def test_the_fastest_config_is_kept_for_each_key(launches):
    bench = Bench({1: 3.0, 2: 1.0, 3: 2.0, 4: 1.0, 5: 2.0, 6: 3.0})
    kernel = tuned(bench)
    x = np.zeros(128, np.float32)
    assert kernel[(1,)](x, 100).metadata.num_warps == 8 and bench.calls == 3
    assert kernel.best_config is CONFIGS[1]
    kernel[lambda meta: (meta["BLOCK"],)](x, 100)
    assert bench.calls == 3 and launches[-1].grid == (64, 1, 1)
    kernel[(1,)](x, 50)
    assert bench.calls == 6 and kernel.best_config is CONFIGS[0]
    assert kernel.cache == {(100, "float32"): CONFIGS[1], (50, "float32"): CONFIGS[0]}
    assert list(kernel.configs_timings) == CONFIGS and kernel.bench_time >= 0


def test_configs_that_make_the_same_code_are_timed_once(launches):
    same = [Config({"BLOCK": 32}, num_warps=warps, num_stages=n) for warps in (2, 4) for n in (1, 3)]
    bench = Bench({1: 2.0, 2: 1.0})
    kernel = tuned(bench, configs=[*same, Config({"BLOCK": 64})])
    kernel[(1,)](np.zeros(128, np.float32), 100)
    assert bench.calls == 2 and kernel.best_config.kwargs == {"BLOCK": 64}
    assert [kernel.configs_timings[config] for config in same] == [[2.0] * 3] * 4


def test_an_option_that_the_kernel_reads_makes_other_code(launches):
    bench = Bench({1: 2.0, 2: 1.0})

    @triton.autotune(configs=[Config({}, num_warps=2), Config({}, num_warps=8)], key=[], do_bench=bench)
    @triton.jit
    def kernel(x, num_warps: tl.constexpr):
        tl.store(x + tl.arange(0, num_warps), 1.0)

    kernel[(1,)](np.zeros(8, np.float32))
    assert bench.calls == 2 and kernel.best_config.num_warps == 8


def test_a_config_that_a_static_assert_refuses_is_infinitely_slow(launches):
    @triton.autotune(configs=CONFIGS, key=[], do_bench=Bench())
    @triton.jit
    def kernel(x, LEAST: tl.constexpr, BLOCK: tl.constexpr):
        tl.static_assert(BLOCK >= LEAST)
        tl.store(x + tl.arange(0, BLOCK), 1.0)

    x = np.zeros(128, np.float32)
    kernel[(1,)](x, LEAST=64)
    assert kernel.best_config is CONFIGS[1] and kernel.configs_timings[CONFIGS[0]] == [float("inf")] * 3
    with pytest.raises(AutotunerError, match="no config of 'kernel' can run"):
        kernel[(1,)](np.zeros(128, np.float64), LEAST=256)


def test_the_dtype_is_part_of_the_key(launches):
    bench = Bench()
    kernel = tuned(bench)
    kernel[(1,)](np.zeros(128, np.float32), 100)
    kernel[(1,)](np.zeros(128, np.float16), 100)
    assert bench.calls == 6 and sorted(key[1] for key in kernel.cache) == ["float16", "float32"]


def test_one_config_is_not_timed(launches):
    bench = Bench()
    kernel = tuned(bench, configs=CONFIGS[:1])
    kernel[(1,)](np.zeros(128, np.float32), 100)
    assert bench.calls == 0 and len(launches) == 1


def test_a_config_that_does_not_fit_loses(launches):
    def bench(kernel_call, quantiles):
        if kernel.nargs["n"] and bench.calls == 0:
            bench.calls += 1
            raise OutOfResources(300, 200, "shared memory")
        return [1.0] * 3

    bench.calls = 0
    kernel = tuned(bench, configs=CONFIGS[:2])
    kernel[(1,)](np.zeros(128, np.float32), 100)
    assert kernel.best_config is CONFIGS[1]
    assert kernel.configs_timings[CONFIGS[0]] == [float("inf")] * 3


def test_no_config_that_runs_is_an_error(launches):
    kernel = tuned(lambda call, quantiles: [float("inf")] * 3)
    with pytest.raises(AutotunerError, match="no config of 'kernel' can run; 3 were tried"):
        kernel[(1,)](np.zeros(128, np.float32), 100)


def test_values_are_reset_and_restored():
    """On the tiers: each timed call sees the same memory, and so does the launch that counts."""

    @triton.autotune(configs=CONFIGS, key=["n"], restore_value=["x"], reset_to_zero=["y"], do_bench=Bench())
    @triton.jit
    def accumulate(x, y, n, BLOCK: tl.constexpr):
        offsets = tl.arange(0, BLOCK)
        mask = offsets < n
        value = tl.load(x + offsets, mask=mask) + 1.0
        tl.store(x + offsets, value, mask=mask)
        tl.store(y + offsets, tl.load(y + offsets, mask=mask) + value, mask=mask)

    x, y = np.full(16, 5, np.float32), np.full(16, 9, np.float32)
    accumulate[(1,)](x, y, 16)
    assert (x == 6).all() and (y == 6).all()


def test_hooks_run_around_each_timed_call(launches):
    calls = []
    kernel = tuned(
        Bench(),
        configs=[
            Config({"BLOCK": 32}, pre_hook=lambda nargs: calls.append(nargs["BLOCK"])),
            Config({"BLOCK": 64}),
        ],
        pre_hook=lambda nargs, reset_only=False: calls.append("reset" if reset_only else "pre"),
        post_hook=lambda nargs, exception: calls.append(exception),
    )
    assert kernel.user_defined_pre_hook and kernel.user_defined_post_hook
    kernel[(1,)](np.zeros(128, np.float32), 100)
    assert calls == [32, "pre", None, "pre", None, "reset", 32]


def test_configs_are_pruned(launches):
    seen = []

    def early(configs, nargs, **kwargs):
        seen.append(nargs["n"])
        return [config for config in configs if config.kwargs["BLOCK"] <= 64]

    bench = Bench()
    kernel = tuned(bench, prune_configs_by={"early_config_prune": early})
    kernel[(1,)](np.zeros(128, np.float32), 100)
    assert bench.calls == 2 and seen == [100]
    model = {"perf_model": lambda **args: -args["BLOCK"], "top_k": 1}
    kernel = tuned(bench, prune_configs_by=model)
    kernel[(1,)](np.zeros(128, np.float32), 100)
    assert bench.calls == 2 and kernel.best_config is CONFIGS[2]
    kernel = tuned(bench, prune_configs_by={**model, "top_k": 0.7})
    kernel[(1,)](np.zeros(128, np.float32), 100)
    assert bench.calls == 4
    with pytest.raises(AutotunerError, match="at least one config"):
        tuned(bench, prune_configs_by={"early_config_prune": lambda *args, **kw: []})[(1,)](np.zeros(1), 1)


def test_meta_parameters_may_not_be_given_twice(launches):
    kernel = tuned(Bench())
    with pytest.raises(ValueError, match="Conflicting meta-parameters: BLOCK"):
        kernel[(1,)](np.zeros(128, np.float32), 100, BLOCK=32)


def test_results_are_kept_on_disk(launches, own_cache):
    bench = Bench({1: 3.0, 2: 1.0, 3: 2.0})
    x = np.zeros(128, np.float32)
    tuned(bench, cache_results=True)[(1,)](x, 100)
    files = [name for _, _, names in os.walk(own_cache) for name in names if name.endswith(".autotune.json")]
    assert files == ["kernel.autotune.json"] and bench.calls == 3
    again = tuned(bench, cache_results=True)
    again[(1,)](x, 100)
    assert bench.calls == 3 and again.best_config == CONFIGS[1]


def test_a_config_that_is_added_is_timed_alone(launches, own_cache):
    bench = Bench({1: 3.0, 2: 2.0, 3: 1.0})
    x = np.zeros(128, np.float32)
    tuned(bench, configs=CONFIGS[:2], cache_results=True)[(1,)](x, 100)
    assert bench.calls == 2
    again = tuned(bench, cache_results=True)
    again[(1,)](x, 100)
    assert bench.calls == 3 and again.best_config == CONFIGS[2]
    fewer = tuned(bench, configs=CONFIGS[:2], cache_results=True)
    fewer[(1,)](x, 100)
    assert bench.calls == 3 and fewer.best_config == CONFIGS[1]


def test_time_decides_nothing_where_it_must_not(launches, monkeypatch):
    monkeypatch.setenv("TRISECT_DETERMINISTIC", "1")
    bench = Bench({1: 3.0, 2: 2.0, 3: 1.0})
    kernel = tuned(bench)
    kernel[(1,)](np.zeros(128, np.float32), 100)
    assert bench.calls == 0 and kernel.best_config == CONFIGS[0]


def test_the_result_is_printed_and_told(launches, capsys, monkeypatch):
    told = []
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "1")
    monkeypatch.setattr(knobs.autotuning, "listener", lambda **facts: told.append(facts))
    tuned(Bench({1: 3.0, 2: 1.0, 3: 2.0}))[(1,)](np.zeros(128, np.float32), 100)
    output = capsys.readouterr().out
    assert (
        "autotuning for function kernel" in output
        and "best config selected: BLOCK: 64, num_warps: 8" in output
    )
    rows = [line for line in output.splitlines() if " ms " in line]
    assert [row.split("BLOCK: ")[1].split(",")[0] for row in rows] == ["64", "128", "32"] and rows[
        0
    ].startswith(" *")
    assert told[0]["best_config"] is CONFIGS[1] and told[0]["cache_hit"] is False


def test_warmup_compiles_every_config(launches):
    kernels = tuned(Bench()).warmup(np.zeros(128, np.float32), 100, grid=(1,))
    assert [kernel.metadata.num_warps for kernel in kernels] == [4, 8, 4] and launches == []


def test_the_deprecated_positional_way_works(launches):
    fn = tuned(Bench()).fn

    class Tuner(triton.runtime.Autotuner):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)

    tuner = Tuner(fn, fn.arg_names, CONFIGS, ["n"], None, None, None, None, None, 1, 1, False)
    tuner[(1,)](np.zeros(128, np.float32), 100)
    assert tuner.best_config in CONFIGS and tuner.base_fn is fn.fn and tuner.num_warmups == 1
    assert not hasattr(tuner, "restore_idx") and not hasattr(tuner, "reset_idx")
    assert not tuner.user_defined_pre_hook and tuner.perf_model is None and tuner.early_config_prune is None


def test_configs_compare_copy_and_print():
    config = Config({"BLOCK": 32}, num_warps=8, num_stages=2, maxnreg=64)
    assert config == Config({"BLOCK": 32}, num_warps=8, num_stages=2, maxnreg=64) != Config({"BLOCK": 32})
    assert copy.deepcopy(config) == pickle.loads(pickle.dumps(config)) == config and hash(config) == hash(
        config
    )
    assert config.all_kwargs() == {"BLOCK": 32, "num_warps": 8, "num_ctas": 1, "num_stages": 2, "maxnreg": 64}
    assert str(config) == "BLOCK: 32, num_warps: 8, num_ctas: 1, num_stages: 2, maxnreg: 64"
    config.found_by_coordesc = True
    assert json.dumps(config.all_kwargs())
    for option in ("num_warps", "num_stages", "num_ctas", "num_cpu_threads"):
        assert Config({}, **{option: 2}).all_kwargs()[option] == 2


def test_heuristics_compute_parameters(launches):
    seen = []

    @triton.heuristics(
        {"BLOCK": lambda args: triton.next_power_of_2(args["n"]), "EVEN": lambda args: args["n"] % 2 == 0}
    )
    @triton.jit
    def kernel(x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
        tl.store(x + tl.arange(0, BLOCK), 1.0)

    assert isinstance(kernel, Heuristics) and set(kernel.values) == {"BLOCK", "EVEN"}
    kernel[lambda meta: seen.append((meta["BLOCK"], meta["EVEN"])) or (1,)](np.zeros(128, np.float32), 100)
    assert seen == [(128, True)]


def test_wrappers_nest(launches):
    @triton.autotune(configs=[Config({"B": 2}), Config({"B": 4})], key=[], do_bench=Bench())
    @triton.heuristics({"C": lambda args: args["B"] * 2})
    @triton.jit
    def kernel(x, B: tl.constexpr, C: tl.constexpr):
        tl.store(x + tl.arange(0, C), B)

    assert isinstance(kernel, Autotuner) and isinstance(kernel.fn, Heuristics)
    kernel[(1,)](np.zeros(128, np.int32))
    assert kernel.best_config.kwargs == {"B": 2} and kernel.arg_names == ["x", "B", "C"]
