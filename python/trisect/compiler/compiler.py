"""From a source to a kernel that can be launched.

What: `compile` makes the stages of a backend, keeps them in the cache and returns a `CompiledKernel`, which
can be rebuilt from its artefacts alone, here or in another process.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import time
import warnings
import weakref
from collections import namedtuple
from pathlib import Path

from trisect import knobs
from trisect._locks import fork_safe_lock
from trisect._version import __version__
from trisect.backends.compiler import GPUTarget, Language
from trisect.backends.options import LaunchOptions
from trisect.runtime.cache import (
    get_cache_invalidating_env_vars,
    get_cache_key,
    get_cache_manager,
    triton_key,
)
from trisect.runtime.driver import driver

from .errors import CompilationError
from .sources import (
    ASTSource,
    IRSource,
    arg_type_pattern,
    convert_type_repr,
    kernel_function,
    parse,
    prototype_pattern,
    ptx_arg_type_pattern,
    ptx_prototype_pattern,
)
from .stage_files import StageFiles, key_of_files, located_stage
from .targets import make_backend

_BINARY_STAGES = frozenset({"cubin", "hsaco", "so", "obj"})


def max_shared_mem(device) -> int:
    """The shared memory of a device."""
    return driver.active.utils.get_device_properties(device)["max_shared_mem"]


def filter_traceback(e: BaseException) -> None:
    """Removes the compiler's frames from an exception, unless TRITON_FRONT_END_DEBUGGING asks for them."""
    if knobs.compilation.front_end_debugging:
        return
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    while e is not None:
        frame = e.__traceback__
        kept = []
        while frame is not None:
            if not frame.tb_frame.f_code.co_filename.startswith(own):
                kept.append(frame)
            frame = frame.tb_next
        for outer, inner in zip(kept, [*kept[1:], None], strict=False):
            outer.tb_next = inner
        e.__traceback__ = kept[0] if kept else None
        e = e.__cause__


class CompileTimer:
    """Durations of the parts of one compilation, for the listener."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.ir_initialization_end: float | None = None
        self.lowering_stage_ends: list[tuple[str, float]] = []
        self.store_results_end: float | None = None

    def finished_ir_initialization(self) -> None:
        self.ir_initialization_end = time.perf_counter()

    def stage_finished(self, stage_name: str) -> None:
        self.lowering_stage_ends.append((stage_name, time.perf_counter()))

    def end(self) -> knobs.CompileTimes:
        now = time.perf_counter()
        first = self.ir_initialization_end or now
        self.store_results_end = now

        def microseconds(begin, end):
            return int((end - begin) * 1e6)

        stages, last = [], first
        for name, end in self.lowering_stage_ends:
            stages.append((name, microseconds(last, end)))
            last = end
        return knobs.CompileTimes(microseconds(self.start, first), stages, microseconds(last, now))


def _compiles_anew() -> bool:
    """Whether what is cached is not used; assigned knobs need not be in the environment."""
    from trisect._C import forms

    wanted = knobs.compilation.always_compile or knobs.compilation.override or knobs.compilation.dump_ir
    return wanted or knobs.nvidia.dump_nvptx or knobs.nvidia.dump_ptxas_log or forms.compiles_anew()


def _file_stem(name: str) -> str:
    """A name that, with what is added to it, no file system finds too long."""
    return name.encode("utf-8")[:150].decode("utf-8", "ignore")


def _as_source(src, backend):
    if isinstance(src, (ASTSource, IRSource)):
        return src
    if not isinstance(src, (str, Path)):
        raise TypeError(
            f"source must be an ASTSource, an IRSource or the path of a .ttir file, not {type(src)}"
        )
    from trisect.ir import Context

    return IRSource(src, Context(), backend)


def _parsed(options, src, backend) -> LaunchOptions:
    own = src.parse_options()
    if isinstance(options, LaunchOptions):
        return backend.parse_options({**vars(options), **own}) if own else options
    return backend.parse_options({**(options or {}), **own})


def compile(src, target=None, options=None, _env_vars=None):
    """Compiles an ASTSource, or a .ttir file, for a target (the current one by default)."""
    timer = CompileTimer() if knobs.compilation.listener else None
    target = target or driver.active.get_current_target()
    if not isinstance(target, GPUTarget):
        raise TypeError("target must be of GPUTarget type")
    backend = make_backend(target)
    src = _as_source(src, backend)
    options = _parsed(options, src, backend)
    env_vars = get_cache_invalidating_env_vars() if _env_vars is None else _env_vars
    key = get_cache_key(src, backend, options, env_vars) + key_of_files(options)
    hash = hashlib.sha256(key.encode("utf-8")).hexdigest()
    manager = get_cache_manager(hash)
    name = _file_stem(src.name)
    metadata_filename = f"{name}.json"
    group = manager.get_group(metadata_filename) or {}
    if group.get(metadata_filename) is not None and not _compiles_anew():
        kernel = CompiledKernel(src, group, hash)
        if timer:
            _tell_listener(src, kernel, group, timer, cache_hit=True)
        return kernel
    return _compile_stages(src, target, backend, options, env_vars, hash, manager, name, timer)


def _compile_stages(src, target, backend, options, env_vars, hash, manager, name, timer):
    from trisect.ir import Context

    metadata = {"hash": hash, "target": target, **options.__dict__, **env_vars}
    metadata["triton_version"] = __version__
    stages: dict = {}
    located = located_stage()

    def locate(stage):
        # An empty file comes first: where it lies is the manager's to say.
        return manager.put("", f"{name}.{stage}", binary=False) if stage == located else None

    backend.locate = locate
    backend.add_stages(stages, options, Language.TRITON)
    if located not in (None, *stages):
        warnings.warn(
            f"USE_IR_LOC={located} has no effect: target '{target.backend}' makes no such stage here",
            RuntimeWarning,
            stacklevel=2,
        )
    if knobs.runtime.add_stages_inspection_hook is not None:
        knobs.runtime.add_stages_inspection_hook(backend, stages, options, Language.TRITON, None)
    context = Context()
    backend.load_dialects(context)
    try:
        module = src.make_ir(
            target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context
        )
    except Exception as error:
        filter_traceback(error)
        raise
    if timer:
        timer.finished_ir_initialization()
    files = StageFiles(src, backend, options, name)
    files.check_given(stages)
    metadata.setdefault("name", kernel_function(module).name)
    metadata.setdefault("shared", 0)
    first, group, asm = module, {}, {}

    def keep(stage, artefact):
        filename = f"{name}.{stage}"
        asm[stage] = artefact if isinstance(artefact, (bytes, str)) else str(artefact)
        if not knobs.compilation.store_binary_only or stage in ("source", located):
            group[filename] = manager.put(asm[stage], filename, binary=isinstance(asm[stage], bytes))
        files.dump(stage, asm[stage])

    keep("source", module)
    for stage, make in stages.items():
        following = make(module, metadata)
        replaced = files.replacement(stage)
        if replaced is not None:
            print(f"\nOverriding kernel with file {replaced}")
            following = parse(replaced, stage, context)
        artefact = following
        if stage == "ttir" == located:
            artefact = following.locate_in_text(backend.locate(stage))
        # Every tier must run what was put in or points into the text: it takes the first module's place.
        if stage == "ttir" and (replaced is not None or located == stage):
            first = following
            keep("source", following)
        keep(stage, artefact)
        if timer:
            timer.stage_finished(stage)
        module = following
    metadata_filename = f"{name}.json"
    facts = json.dumps(metadata, default=_json_default)
    group[metadata_filename] = manager.put(facts, metadata_filename, binary=False)
    manager.put_group(metadata_filename, group)
    kernel = CompiledKernel(src, group, hash, (facts, asm))
    kernel.module = first
    if timer:
        _tell_listener(src, kernel, group, timer, cache_hit=False)
    return kernel


def _tell_listener(src, kernel, group, timer, cache_hit):
    knobs.compilation.listener(
        src=src,
        metadata=kernel.metadata._asdict(),
        metadata_group=group,
        times=timer.end(),
        cache_hit=cache_hit,
    )


def _json_default(value):
    return vars(value) if isinstance(value, GPUTarget) else str(value)


class LazyDict:
    """A dictionary with entries that are computed when it is read."""

    def __init__(self, data):
        self.data = data
        self.extras = []

    def get(self):
        for func, args in self.extras:
            self.data = {**self.data, **func(*args)}
        self.extras.clear()
        return self.data

    def add(self, func, args):
        self.extras.append((func, args))


#: Loops over vectors, LLVM IR, assembly and object, as tier 1 makes them for arguments that do not overlap.
_CPU_STAGES = ("plan", "vectors", "llir", "asm", "obj")


class AsmDict(dict):
    """Stage → artefact. `sass`, and on the CPU the stages of tier 1 and the libraries `so` and `launcher.so`,
    are made when asked for."""

    #: Name, signature and options of a kernel for the CPU.
    kernel: tuple | None = None

    def __missing__(self, key):
        if key in _CPU_STAGES and self.kernel is not None:
            from trisect._C import runtime

            self.update(runtime.stages("cpu", self["source"], self.kernel[0], self.kernel[2]))
            return self[key]
        if key == "sass":
            from trisect.tools.disasm import get_sass

            self[key] = get_sass(self["cubin"])
        elif key == "so" and self.kernel is not None:
            from .native import kernel_library

            self[key] = kernel_library(self["source"], self.kernel[0], self.kernel[2])
        elif key == "launcher.so" and self.kernel is not None:
            from .native import launcher_library

            self[key] = launcher_library(self.kernel[1], self.kernel[0])
        else:
            raise KeyError(key)
        return self[key]


def _read_artefact(path: str):
    data = Path(path).read_bytes()
    return data if os.path.splitext(path)[1][1:] in _BINARY_STAGES else data.decode("utf-8")


def _read_group(group) -> tuple[str, dict]:
    metadata = next(path for path in group.values() if path.endswith(".json"))
    artefacts = {
        os.path.splitext(path)[1][1:]: _read_artefact(path)
        for path in group.values()
        if not path.endswith(".json")
    }
    return Path(metadata).read_text(encoding="utf-8"), artefacts


# Beside the kernels: compile workers send the whole __dict__ of one to another process.
_handles_locks = weakref.WeakKeyDictionary()
_handles_locks_lock = fork_safe_lock()


def _handles_lock(kernel):
    with _handles_locks_lock:
        return _handles_locks.setdefault(kernel, fork_safe_lock())


@functools.lru_cache
def _metadata_class(fields: tuple[str, ...]) -> type:
    return namedtuple("KernelMetadata", fields)


class CompiledKernel:
    """A kernel's artefacts, metadata and launcher.

    Everything needed to launch comes from `asm` and `metadata`; `module`, `function` and `run` are made by
    `_init_handles` and may be set to None to send the kernel to another process. `made` has the metadata as
    JSON and the artefacts of a kernel that was made just now: its files may be gone again.
    """

    def __init__(self, src, metadata_group, hash, made=None):
        text, artefacts = made or _read_group(metadata_group)
        metadata = json.loads(text)
        metadata["cluster_dims"] = tuple(metadata.get("cluster_dims", (1, 1, 1)))
        metadata["target"] = GPUTarget(**metadata["target"])
        fields = sorted(name for name in metadata if name.isidentifier())
        self.metadata = _metadata_class(tuple(fields))(*[metadata[name] for name in fields])
        self.packed_metadata = make_backend(self.metadata.target).pack_metadata(self.metadata)
        self.src = src
        self.hash = hash
        self.name = self.metadata.name
        self.metadata_group = metadata_group
        self.asm = AsmDict(artefacts)
        if self.metadata.target.backend == "cpu":
            options = {name: value for name, value in self.metadata._asdict().items() if value is not None}
            self.asm.kernel = (self.name, src.signature, options)
        self.module = None
        self.function = None
        self.n_regs = metadata.get("n_regs", 0)
        self.n_spills = metadata.get("n_spills", 0)
        self.n_max_threads = metadata.get("n_max_threads", 1024)

    def __getstate__(self):
        state = {**self.__dict__, "metadata": self.metadata._asdict(), "module": None, "function": None}
        state.pop("run", None)
        return state

    def __setstate__(self, state):
        metadata = state["metadata"]
        self.__dict__.update(state, metadata=_metadata_class(tuple(metadata))(**metadata))

    @property
    def kernel(self):
        """The artefact of the last stage."""
        for stage in ("cubin", "ptx", "ttir"):
            if stage in self.asm:
                return self.asm[stage]
        return self.asm["source"]

    def __getattr__(self, name):
        # Before _init_handles there is no `run`; asking for it makes it.
        if name == "run":
            self._init_handles()
            return self.__dict__["run"]
        raise AttributeError(f"'CompiledKernel' object has no attribute {name!r}")

    def _init_handles(self):
        """Makes executable and launcher from the artefacts, once, whichever thread comes first."""
        with _handles_lock(self):
            if self.function is None or self.__dict__.get("run") is None:
                self._make_handles()

    def _make_handles(self):
        knobs.runtime.kernel_load_start_hook(
            self.module, self.function, self.name, self.metadata_group, self.hash
        )
        from trisect.runtime.launching import make_launcher
        from trisect.runtime.shelf import shelf_of

        from .executable import make_executable

        function = make_executable(
            self.module, self.metadata, self.asm, self.src, shelf_of(self.hash, self.metadata_group)
        )
        # In one step: an interrupt finds all of them or none.
        self.__dict__.update(module=function, function=function, run=make_launcher(self.src, self.metadata))
        knobs.runtime.kernel_load_end_hook(
            self.module, self.function, self.name, self.metadata_group, self.hash
        )

    def close(self):
        """Gives up the executable; the next launch makes it anew."""
        self.__dict__.pop("run", None)
        self.module = self.function = None

    def launch_metadata(self, grid, stream, *args):
        """What launch hooks are told; None if there are none."""
        if not knobs.runtime.launch_enter_hook and not knobs.runtime.launch_exit_hook:
            return None
        self._init_handles()
        facts = LazyDict({"name": self.name, "function": self.function, "stream": stream})
        if isinstance(self.src, ASTSource) and self.src.fn.launch_metadata is not None:
            arg_dict = dict(zip(self.src.fn.arg_names, args, strict=False))
            facts.add(self.src.fn.launch_metadata, (grid, self.metadata, arg_dict))
        return facts

    def __getitem__(self, grid):
        """A function that launches with every parameter in order, constexpr ones included."""
        self._init_handles()
        sizes = (*grid, 1, 1)[:3]

        def runner(*args, stream=None):
            if stream is None:
                device = driver.active.get_current_device()
                stream = driver.active.get_current_stream(device)
            enter, exit = launch_hooks()
            facts = self.launch_metadata(grid, stream, *args)
            self._init_handles()  # close() may have come in between
            self.run(*sizes, stream, self.function, self.packed_metadata, facts, enter, exit, *args)

        return runner


def launch_hooks():
    """The enter and exit hooks, None for one that would do nothing."""
    return knobs.runtime.launch_enter_hook or None, knobs.runtime.launch_exit_hook or None


__all__ = [
    "ASTSource", "AsmDict", "CompilationError", "CompileTimer", "CompiledKernel", "IRSource", "LazyDict",
    "arg_type_pattern", "compile", "convert_type_repr", "filter_traceback", "get_cache_key",
    "make_backend", "max_shared_mem", "parse", "prototype_pattern", "ptx_arg_type_pattern",
    "ptx_prototype_pattern", "triton_key",
]  # fmt: skip
