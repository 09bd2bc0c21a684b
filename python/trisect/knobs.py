"""Settings, grouped as `triton.knobs` groups them, each bound to its environment variable.

What: the groups build, redis, cache, compilation, autotuning, runtime, language, nvidia, amd and proton.
Limits: descriptors are in _env; a knob that other compilers need and this one does not is kept for the
programs that set it, and read by nothing.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypedDict, TypeVar

from trisect import _env
from trisect._env import (
    Env,
    NvidiaTool,
    base_knobs,
    env,
    env_base,
    env_bool,
    env_class,
    env_int,
    env_nvidia_tool,
    env_opt_bool,
    env_opt_str,
    env_str,
    env_str_callable_default,
    getenv,
    setenv,
    toenv,
)

F = TypeVar("F")


@dataclass
class CompileTimes:
    """How long the parts of a compilation took, in microseconds."""

    ir_initialization: int
    lowering_stages: list[tuple[str, int]]
    store_results: int

    @property
    def total_lowering(self) -> int:
        return sum(duration for _, duration in self.lowering_stages)

    @property
    def total(self) -> int:
        return self.ir_initialization + self.total_lowering + self.store_results


class CompilationListener(Protocol):
    def __call__(self, *, src, metadata, metadata_group, times: CompileTimes, cache_hit: bool) -> None: ...


class AutotuneListener(Protocol):
    def __call__(
        self, *, fn, key, best_config, configs_timings, duration: float, cache_hit: bool
    ) -> None: ...


class BuildImpl(Protocol):
    def __call__(self, name, src, srcdir, library_dirs, include_dirs, libraries, /) -> str: ...


class LaunchHook(Protocol):
    def __call__(self, metadata) -> None: ...


class InitHandleHook(Protocol):
    def __call__(self, module, function, name: str, metadata_group, hash: str) -> None: ...


def _forget_launches() -> None:
    """What a launch means may have changed: launches that were learned are forgotten."""
    native = sys.modules.get("trisect._C")
    if native is not None:
        native.launch.end_generation()


class HookChain(Generic[F]):
    """Hooks in order; false while there are none."""

    def __init__(self, reversed: bool = False):
        self.calls: list[F] = []
        self.reversed = reversed

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        _forget_launches()  # they know the list

    def add(self, func: F) -> None:
        if func not in self.calls:
            self.calls.append(func)

    def remove(self, func: F) -> None:
        if func in self.calls:
            self.calls.remove(func)

    def __bool__(self) -> bool:
        return bool(self.calls)

    def __call__(self, *args, **kwargs):
        for call in self.calls[::-1] if self.reversed else list(self.calls):
            call(*args, **kwargs)


KernelAttr = tuple[str, Any]


class JITHookCompileInfo(TypedDict):
    key: str
    signature: dict[str, str]
    device: int
    constants: dict
    num_warps: int
    num_ctas: int
    num_stages: int
    enable_fp_fusion: bool
    launch_cooperative_grid: bool
    extern_libs: tuple
    configs: list
    specialization_data: str
    is_warmup: bool


class JITHook(Protocol):
    def __call__(
        self, *, key: str, repr: str, fn, compile: JITHookCompileInfo, is_manual_warmup, already_compiled
    ) -> bool | None: ...


class PipelineStagesHook(Protocol):
    def __call__(self, stages, options, language, capability): ...


class build_knobs(base_knobs):
    cc: env_opt_str = env_opt_str("CC")
    cudacrt_path: env_opt_str = env_opt_str("TRITON_CUDACRT_PATH")
    cudart_path: env_opt_str = env_opt_str("TRITON_CUDART_PATH")
    impl: BuildImpl | None = None

    @property
    def backend_dirs(self) -> set[str]:
        return {path for path in (self.cudacrt_path, self.cudart_path) if path is not None}


class redis_knobs(base_knobs):
    key_format: env_str = env_str("TRITON_REDIS_KEY_FORMAT", "triton:{key}:{filename}")
    host: env_str = env_str("TRITON_REDIS_HOST", "localhost")
    port: env_int = env_int("TRITON_REDIS_PORT", 6379)


class cache_knobs(base_knobs):
    home_dir: env_str_callable_default = env_str_callable_default(
        "TRITON_HOME", lambda: os.path.expanduser("~/")
    )
    dump_dir = env_str_callable_default("TRITON_DUMP_DIR", lambda: cache.get_triton_dir("dump"))
    override_dir = env_str_callable_default("TRITON_OVERRIDE_DIR", lambda: cache.get_triton_dir("override"))
    dir = env_str_callable_default("TRITON_CACHE_DIR", lambda: cache.get_triton_dir("cache"))
    manager_class: env_class = env_class("TRITON_CACHE_MANAGER", "CacheManager")
    remote_manager_class: env_class = env_class("TRITON_REMOTE_CACHE_BACKEND", "RemoteCacheBackend")

    def get_triton_dir(self, dirname: str) -> str:
        return os.path.join(self.home_dir, ".triton", dirname)


class compilation_knobs(base_knobs):
    override: env_bool = env_bool("TRITON_KERNEL_OVERRIDE")
    dump_ir: env_bool = env_bool("TRITON_KERNEL_DUMP")
    dump_ir_extract_di_local_variables: env_bool = env_bool("LLVM_EXTRACT_DI_LOCAL_VARIABLES")
    store_binary_only: env_bool = env_bool("TRITON_STORE_BINARY_ONLY")
    always_compile: env_bool = env_bool("TRITON_ALWAYS_COMPILE")
    use_ir_loc: env_opt_str = env_opt_str("USE_IR_LOC")
    enable_asan: env_bool = env_bool("TRITON_ENABLE_ASAN")
    disable_line_info: env_bool = env_bool("TRITON_DISABLE_LINE_INFO")
    cpu_line_info: env_bool = env_bool("TRISECT_LINE_INFO")
    front_end_debugging: env_bool = env_bool("TRITON_FRONT_END_DEBUGGING")
    allow_non_constexpr_globals: env_bool = env_bool("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS")
    instrumentation_mode: str = ""
    listener: CompilationListener | None = None


class autotuning_knobs(base_knobs):
    cache: env_bool = env_bool("TRITON_CACHE_AUTOTUNING")
    print: env_bool = env_bool("TRITON_PRINT_AUTOTUNING")
    deterministic: env_bool = env_bool("TRISECT_DETERMINISTIC")
    listener: AutotuneListener | None = None


class runtime_knobs(base_knobs):
    interpret: env_bool = env_bool("TRITON_INTERPRET")
    debug: bool = False
    override_arch: env_opt_str = env_opt_str("TRITON_OVERRIDE_ARCH")

    launch_enter_hook: HookChain[LaunchHook] | LaunchHook | None = None
    launch_exit_hook: HookChain[LaunchHook] | LaunchHook | None = None
    kernel_load_start_hook: HookChain[InitHandleHook] | InitHandleHook | None = None
    kernel_load_end_hook: HookChain[InitHandleHook] | InitHandleHook | None = None
    kernel_unload_hook: HookChain | None = None

    jit_cache_hook: JITHook | None = None
    jit_post_compile_hook: JITHook | None = None
    add_stages_inspection_hook: PipelineStagesHook | None = None

    def __init__(self):
        self.launch_enter_hook = HookChain()
        self.launch_exit_hook = HookChain(reversed=True)
        self.kernel_load_start_hook = HookChain()
        self.kernel_load_end_hook = HookChain(reversed=True)
        self.kernel_unload_hook = HookChain()

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        _forget_launches()

    def __delattr__(self, name):
        super().__delattr__(name)
        _forget_launches()

    @contextmanager
    def scope(self):
        """Restores assignments and the environment variables of the group on leaving."""
        try:
            with super().scope():
                yield
        finally:
            _forget_launches()


class language_knobs(base_knobs):
    fp32_default: env_opt_str = env_opt_str("TRITON_F32_DEFAULT")
    bf16_sums: env_opt_str = env_opt_str("TRISECT_BF16_SUMS")
    default_fp_fusion: env_bool = env_bool("TRITON_DEFAULT_FP_FUSION", True)


class nvidia_knobs(base_knobs):
    cuobjdump: env_nvidia_tool = env_nvidia_tool("cuobjdump")
    nvdisasm: env_nvidia_tool = env_nvidia_tool("nvdisasm")
    ptxas: env_nvidia_tool = env_nvidia_tool("ptxas")
    ptxas_blackwell: env_nvidia_tool = env_nvidia_tool("ptxas-blackwell")
    dump_nvptx: env_bool = env_bool("NVPTX_ENABLE_DUMP")
    disable_ptxas_opt: env_bool = env_bool("DISABLE_PTXAS_OPT")
    ptxas_options: env_opt_str = env_opt_str("PTXAS_OPTIONS")
    mock_ptx_version: env_opt_str = env_opt_str("TRITON_MOCK_PTX_VERSION")
    dump_ptxas_log: env_bool = env_bool("TRITON_DUMP_PTXAS_LOG")
    libdevice_path: env_opt_str = env_opt_str("TRITON_LIBDEVICE_PATH")
    libcuda_path: env_opt_str = env_opt_str("TRITON_LIBCUDA_PATH")


class amd_knobs(base_knobs):
    use_buffer_ops: env_bool = env_bool("AMDGCN_USE_BUFFER_OPS", True)
    use_buffer_atomics: env_bool = env_bool("AMDGCN_USE_BUFFER_ATOMICS", True)
    buffer_ops_analyze_small_tensor_range: env_bool = env_bool("AMDGCN_ANALYZE_SMALL_TENSOR_RANGE")
    dump_amdgcn: env_bool = env_bool("AMDGCN_ENABLE_DUMP")
    libhip_path: env_opt_str = env_opt_str("TRITON_LIBHIP_PATH")
    use_block_pingpong: env_opt_bool = env_opt_bool("TRITON_HIP_USE_BLOCK_PINGPONG")
    use_in_thread_transpose: env_opt_bool = env_opt_bool("TRITON_HIP_USE_IN_THREAD_TRANSPOSE")
    use_async_copy: env_opt_bool = env_opt_bool("TRITON_HIP_USE_ASYNC_COPY")
    scalarize_packed_fops: env_bool = env_bool("AMDGCN_SCALARIZE_PACKED_FOPS")


class proton_knobs(base_knobs):
    disable: env_bool = env_bool("TRITON_PROTON_DISABLE")
    cupti_lib_dir: env_opt_str = env_opt_str("TRITON_CUPTI_LIB_PATH")


build = build_knobs()
redis = redis_knobs()
cache = cache_knobs()
compilation = compilation_knobs()
autotuning = autotuning_knobs()
runtime = runtime_knobs()
language = language_knobs()
nvidia = nvidia_knobs()
amd = amd_knobs()
proton = proton_knobs()


def refresh_knobs() -> None:
    """Reads again what is cached at import: TRITON_DEBUG and TRITON_INSTRUMENTATION_MODE."""
    runtime.debug = _env.parse_bool("TRITON_DEBUG", getenv("TRITON_DEBUG", "0"))
    compilation.instrumentation_mode = getenv("TRITON_INSTRUMENTATION_MODE", "")


def __getattr__(name):
    if name == "propagate_env":
        return _env.propagate_env
    raise AttributeError(f"module 'trisect.knobs' has no attribute {name!r}")


class _KnobsModule(type(sys)):
    """Lets `knobs.propagate_env = False` reach the descriptors."""

    def __setattr__(self, name, value):
        if name == "propagate_env":
            _env.propagate_env = bool(value)
        else:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _KnobsModule
refresh_knobs()

__all__ = [
    "Env", "NvidiaTool", "amd", "autotuning", "base_knobs", "build", "cache", "compilation", "env",
    "env_base", "env_bool", "env_class", "env_int", "env_nvidia_tool", "env_opt_bool", "env_opt_str",
    "env_str", "env_str_callable_default", "language", "nvidia", "proton", "redis",
    "refresh_knobs", "runtime", "setenv", "toenv",
]  # fmt: skip
