"""Choosing among configs by timing them, and computing meta-parameters from arguments.

What: `autotune` benchmarks each config for each new value of the key arguments and keeps the fastest;
`heuristics` computes meta-parameters at each launch.
Limits: results live in `cache` (and on disk if asked for); a config that cannot be compiled is infinitely
slow.
"""

from __future__ import annotations

import builtins
import hashlib
import inspect
import json
import threading
import time

from trisect import knobs
from trisect._imports import service
from trisect._locks import fork_safe_lock, lazy

from ._native import launch as native
from .callable import PLAIN_TYPES
from .config import Config
from .driver import driver
from .errors import AutotunerError, OutOfResources, PTXASError
from .jit import JITFunction, KernelInterface
from .progress import Progress


def _zero(tensor) -> None:
    if hasattr(tensor, "zero_"):
        tensor.zero_()
    elif hasattr(tensor, "fill"):
        tensor.fill(0)
    else:
        tensor.base.zero_()


def _copy(tensor):
    return tensor.clone() if hasattr(tensor, "clone") else tensor.copy()


def _write_back(tensor, saved) -> None:
    if hasattr(tensor, "copy_"):
        tensor.copy_(saved)
    else:
        tensor[...] = saved


def _cannot_run() -> tuple:
    """The errors that say of a config that it cannot run."""
    return OutOfResources, PTXASError, service("compiler").errors.CompileTimeAssertionFailure


class _Launch(threading.local):
    """What belongs to the launch under way on a thread."""

    nargs = None
    timed: dict = {}
    tier = None
    restore_copies: dict = {}


#: What a launch has beside the kernel's arguments.
_OF_LAUNCH = frozenset({"grid", "warmup"})


def _run(fn, args, kwargs, more):
    """`fn.run` with more keywords; a jit function is launched by way of `fn[grid]`, which is shorter."""
    if type(fn) is JITFunction and kwargs.get("warmup") is False and kwargs.keys().isdisjoint(more):
        if len(kwargs) > len(_OF_LAUNCH):
            more.update((name, value) for name, value in kwargs.items() if name not in _OF_LAUNCH)
        return fn[kwargs["grid"]](*args, **more)
    return fn.run(*args, **kwargs, **more)


class Autotuner(KernelInterface):
    """A kernel with a set of configs. Threads that need the same timings wait for those that one makes."""

    def __init__(
        self,
        fn,
        arg_names,
        configs,
        key,
        reset_to_zero,
        restore_value,
        pre_hook=None,
        post_hook=None,
        prune_configs_by=None,
        warmup=None,
        rep=None,
        use_cuda_graph=False,
        do_bench=None,
        cache_results=False,
    ):
        self.configs = configs if configs else [Config({})]
        self.keys = key
        self.cache: dict[tuple, Config] = {}
        self.arg_names = arg_names
        self.cache_results = cache_results or (knobs.autotuning.cache and not knobs.runtime.interpret)
        self.reset_to_zero = list(reset_to_zero) if reset_to_zero is not None else []
        self.restore_value = list(restore_value) if restore_value is not None else []
        self._launch = _Launch()
        self._tuning = fork_safe_lock()
        self.user_defined_pre_hook = pre_hook is not None
        self.user_defined_post_hook = post_hook is not None
        self.pre_hook = pre_hook or self._default_pre_hook
        self.post_hook = post_hook or self._default_post_hook

        prune = prune_configs_by or {}
        self.perf_model = prune.get("perf_model")
        self.configs_top_k = prune.get("top_k", 1.0)
        self.early_config_prune = prune.get("early_config_prune")

        self.fn = fn
        self.base_fn = fn
        while not inspect.isfunction(self.base_fn):
            self.base_fn = self.base_fn.fn
        self.num_warmups = warmup
        self.num_reps = rep
        self.use_cuda_graph = use_cuda_graph
        self._do_bench = do_bench

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("_launch", "_tuning")}

    def __setstate__(self, state):
        self.__dict__.update(state, _launch=_Launch(), _tuning=fork_safe_lock())

    def _default_pre_hook(self, kwargs, reset_only=False):
        for name in self.reset_to_zero:
            if kwargs.get(name) is not None:
                _zero(kwargs[name])
        if not reset_only:
            self.restore_copies = {
                name: _copy(kwargs[name]) for name in self.restore_value if kwargs.get(name) is not None
            }

    def _default_post_hook(self, kwargs, exception):
        for name, saved in self.restore_copies.items():
            _write_back(kwargs[name], saved)
        self.restore_copies = {}

    @lazy
    def do_bench(self):
        """The function that times a call: given, by the deprecated arguments, or the driver's."""
        if self._do_bench is not None:
            return self._do_bench
        if self.num_warmups is None and self.num_reps is None and not self.use_cuda_graph:
            return driver.active.get_benchmarker()
        testing = service("testing")
        if self.use_cuda_graph and driver.active.get_current_target().backend == "cuda":
            return lambda call, quantiles: testing.do_bench_cudagraph(
                call, rep=self.num_reps if self.num_reps is not None else 100, quantiles=quantiles
            )
        return lambda call, quantiles: testing.do_bench(
            call,
            warmup=self.num_warmups if self.num_warmups is not None else 25,
            rep=self.num_reps if self.num_reps is not None else 100,
            quantiles=quantiles,
        )

    @property
    def nargs(self) -> dict | None:
        """The positional arguments of this thread's launch, by name."""
        return self._launch.nargs

    @nargs.setter
    def nargs(self, arguments):
        self._launch.nargs, self._launch.timed = arguments, {}

    @property
    def restore_copies(self) -> dict:
        """The values that go back into arguments after a timed call of this thread."""
        return self._launch.restore_copies

    @restore_copies.setter
    def restore_copies(self, copies):
        self._launch.restore_copies = copies

    def _code_of(self, config) -> tuple:
        """Equal for configs that make the same code on the current target."""
        backend = service("compiler").make_backend(driver.active.get_current_target())
        idle = backend.idle_options - set(self.arg_names)
        meta = config.all_kwargs().items()
        return (config.pre_hook, *((name, str(value)) for name, value in meta if name not in idle))

    def _bench(self, *args, config, **meta):
        """Median, 20 % and 80 % quantiles of a config's time in milliseconds; the same code is timed once."""
        code, timed = self._code_of(config), self._launch.timed
        if code not in timed:
            self._launch.tier = None
            timed[code] = self._time(*args, config=config, **meta), self._launch.tier
        timing, self._launch.tier = timed[code]
        return timing

    def _time(self, *args, config, **meta):
        """Runs the benchmark on a config; infinity if it cannot run."""
        conflicts = meta.keys() & config.kwargs.keys()
        if conflicts:
            raise ValueError(
                f"Conflicting meta-parameters: {', '.join(sorted(conflicts))}. "
                "Make sure that you don't re-define auto-tuned symbols."
            )
        current = {**meta, **config.all_kwargs()}
        arguments = {**self.nargs, **current}

        def kernel_call():
            if config.pre_hook:
                config.pre_hook(arguments)
            self.pre_hook(arguments)
            try:
                kernel = self.fn.run(*args, **current)
                self._launch.tier = getattr(getattr(kernel, "function", None), "tier", None)
            except Exception as error:
                try:
                    self.post_hook(arguments, exception=error)
                finally:
                    raise
            self.post_hook(arguments, exception=None)

        from trisect._C.runtime import promotion_at_once

        try:
            # Each config is compiled and compared before its first call, so that no time is tier 0's.
            with promotion_at_once():
                return self.do_bench(kernel_call, quantiles=(0.5, 0.2, 0.8))
        except _cannot_run() as error:
            if knobs.autotuning.print:
                print(f"Autotuning failed with {error}")
            return [float("inf")] * 3

    def _first_that_compiles(self, configs, args, kwargs):
        """What is chosen where time must not decide."""
        for config in configs:
            try:
                self.fn.run(*args, **{**kwargs, **config.all_kwargs(), "warmup": True})
                return config
            except _cannot_run() as error:
                if knobs.autotuning.print:
                    print(f"{config} cannot run: {error}")
        raise AutotunerError(f"no config of '{self.base_fn.__name__}' can run; {len(configs)} were tried")

    def check_disk_cache(self, tuning_key, configs, bench_fn) -> bool:
        """Takes the timings from disk, or makes and stores those that are not there; whether all were."""
        # A hook cannot be stored, and configs that differ in one look alike.
        if not tuning_key or any(config.pre_hook for config in configs):
            bench_fn()
            return False
        from .cache import get_cache_invalidating_env_vars, get_cache_manager, triton_key

        fn = self.fn
        while not isinstance(fn, JITFunction):
            fn = fn.fn
        parts = [
            triton_key(),
            service("compiler").make_backend(driver.active.get_current_target()).hash(),
            fn.cache_key,
            str(sorted(get_cache_invalidating_env_vars().items())),
            str(tuning_key),
        ]
        manager = get_cache_manager(hashlib.sha256("-".join(parts).encode("utf-8")).hexdigest())
        filename = f"{fn.__name__[:150]}.autotune.json"
        stored = _stored_timings(manager.get_file(filename))
        timings = {config: stored[config] for config in configs if config in stored}
        if timings and len(timings) == len(configs):
            self.cache[tuning_key] = builtins.min(timings, key=timings.get)
            self.configs_timings = timings
            return True
        bench_fn(timings)
        rows = [
            ({name: value for name, value in vars(config).items() if name != "pre_hook"}, timing)
            for config, timing in {**stored, **self.configs_timings}.items()
        ]
        manager.put(
            json.dumps({"key": tuning_key, "configs_timings": rows}, default=str), filename, binary=False
        )
        return False

    def _tuning_key(self, kwargs) -> tuple:
        own = self.nargs
        if len(kwargs) > len(_OF_LAUNCH) or not _OF_LAUNCH.issuperset(kwargs):
            arguments = {**own, **kwargs}
            own = {name: arguments[name] for name in self.arg_names if name in arguments}
        key = [own[name] for name in self.keys if name in own]
        for value in own.values():
            if type(value) not in PLAIN_TYPES and (dtype := getattr(value, "dtype", self)) is not self:
                key.append(str(dtype))
        return tuple(key)

    def _tune(self, key, args, kwargs):
        start = time.perf_counter()
        pruned = self.prune_configs(kwargs)

        def benchmark(known=None):
            if len(pruned) == 1:
                self.configs_timings = {pruned[0]: [0.0] * 3}
                self.cache[key] = pruned[0]
                return
            progress = Progress(self.base_fn.__name__, len(pruned))
            timings, interpreted = dict(known or {}), []
            for config in pruned:
                if config in timings:
                    progress.step()
                    continue
                timings[config] = self._bench(*args, config=config, **kwargs)
                if self._launch.tier == "interp":
                    interpreted.append(config)
                progress.step()
            progress.end()
            # A config whose code could not be made, or was found different, is no match for compiled ones.
            if len(interpreted) < len(pruned):
                timings.update({config: [float("inf")] * 3 for config in interpreted})
            best = builtins.min(timings, key=timings.get)
            if _first(timings[best]) == float("inf"):
                raise AutotunerError(
                    f"no config of '{self.base_fn.__name__}' can run; {len(pruned)} were tried"
                )
            self.cache[key] = best
            self.pre_hook({**self.nargs, **kwargs, **best.all_kwargs()}, reset_only=True)
            self.configs_timings = timings

        if knobs.autotuning.deterministic:
            self.cache[key] = self._first_that_compiles(pruned, args, kwargs)
            self.configs_timings = {self.cache[key]: [0.0] * 3}
            hit = False
        else:
            hit = (
                self.check_disk_cache(key, pruned, benchmark) if self.cache_results else benchmark() or False
            )
        self.bench_time = time.perf_counter() - start
        if knobs.autotuning.print:
            self._print_result(key, hit)
        if knobs.autotuning.listener is not None:
            knobs.autotuning.listener(
                fn=self.base_fn,
                key=key,
                best_config=self.cache[key],
                configs_timings=self.configs_timings,
                duration=self.bench_time,
                cache_hit=hit,
            )

    def _print_result(self, key, hit):
        name = self.base_fn.__name__
        source = "found on disk" if hit else f"finished after {self.bench_time:.2f}s"
        print(
            f"Triton autotuning for function {name},\nwith key as {key},\n{source},\n"
            f"best config selected: {self.cache[key]};"
        )
        for config, timing in sorted(self.configs_timings.items(), key=lambda row: _first(row[1])):
            mark = "*" if config == self.cache[key] else " "
            print(f" {mark} {_first(timing):12.4f} ms  {config}")

    def _config_for(self, args, kwargs):
        if len(self.configs) <= 1:
            return self.configs[0]
        key = self._tuning_key(kwargs)
        if key not in self.cache:
            with self._tuning:
                if key not in self.cache:
                    self._tune(key, args, kwargs)
        return self.cache[key]

    def run(self, *args, **kwargs):
        native()
        launch = self._launch
        launch.nargs, launch.timed = dict(zip(self.arg_names, args, strict=False)), {}
        try:
            config = self.best_config = self._config_for(args, kwargs)
            options = config.all_kwargs()
            if config.pre_hook is not None:
                config.pre_hook({**self.nargs, **kwargs, **options})
            return _run(self.fn, args, kwargs, options)
        finally:
            launch.nargs, launch.timed = None, {}

    def prune_configs(self, kwargs):
        """The configs that are worth timing for these arguments."""
        pruned = self.configs
        if self.early_config_prune:
            pruned = self.early_config_prune(self.configs, self.nargs, **kwargs)
            if not pruned:
                raise AutotunerError(
                    "No valid autotuner configs after pruning. "
                    "`early_config_prune` should return at least one config."
                )
        if self.perf_model:
            top_k = self.configs_top_k
            if isinstance(top_k, float) and top_k <= 1.0:
                top_k = builtins.max(1, int(len(pruned) * top_k))
            elif not isinstance(top_k, int):
                raise TypeError(f"top_k is a number of configs or a fraction up to 1.0, not {top_k!r}")
            if len(pruned) > top_k:
                estimates = {
                    config: self.perf_model(**self.nargs, **kwargs, **config.all_kwargs())
                    for config in pruned
                }
                pruned = sorted(estimates, key=estimates.get)[:top_k]
        return list(pruned)

    def warmup(self, *args, **kwargs):
        """Compiles every pruned config without launching."""
        self.nargs = dict(zip(self.arg_names, args, strict=False))
        kernels = [
            self.fn.warmup(*args, **kwargs, **config.all_kwargs()) for config in self.prune_configs(kwargs)
        ]
        self.nargs = None
        return kernels


def _stored_timings(path) -> dict:
    """The timings of configs as a file has them; none if it was cut short or is about other things."""
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)["configs_timings"]
        timings = {Config(**config): timing for config, timing in rows}
        if all(_first(timing) >= 0 for timing in timings.values()):
            return timings
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        pass
    return {}


def _first(timing) -> float:
    return timing[0] if isinstance(timing, (list, tuple)) else timing


def autotune(
    configs,
    key,
    prune_configs_by=None,
    reset_to_zero=None,
    restore_value=None,
    pre_hook=None,
    post_hook=None,
    warmup=None,
    rep=None,
    use_cuda_graph=False,
    do_bench=None,
    cache_results=False,
):
    """Times `configs` for each new combination of the arguments in `key`, and launches with the fastest.

    `prune_configs_by` may hold early_config_prune, perf_model and top_k. Arguments in `reset_to_zero` are
    zeroed before each timed call, those in `restore_value` get their values back after it.
    """

    def decorator(fn):
        return Autotuner(
            fn,
            fn.arg_names,
            configs,
            key,
            reset_to_zero,
            restore_value,
            pre_hook=pre_hook,
            post_hook=post_hook,
            prune_configs_by=prune_configs_by,
            warmup=warmup,
            rep=rep,
            use_cuda_graph=use_cuda_graph,
            do_bench=do_bench,
            cache_results=cache_results,
        )

    return decorator


class Heuristics(KernelInterface):
    """A kernel some of whose meta-parameters are computed."""

    def __init__(self, fn, arg_names, values) -> None:
        self.fn = fn
        self.values = values
        self.arg_names = arg_names

    def run(self, *args, **kwargs):
        for name, heuristic in self.values.items():
            kwargs[name] = heuristic({**dict(zip(self.arg_names, args, strict=False)), **kwargs})
        return self.fn.run(*args, **kwargs)


def heuristics(values):
    """Computes meta-parameters: `values` maps names to functions of all arguments by name."""

    def decorator(fn):
        return Heuristics(fn, fn.arg_names, values)

    return decorator


__all__ = ["Autotuner", "Config", "Heuristics", "OutOfResources", "PTXASError", "autotune", "heuristics"]
