"""Compiling for the host: options, and TTIR as the one stage that is made ahead.

What: the front end's module becomes the optimised TTIR that compiled tiers start from; machine code is made
by the tiers while the kernel runs.
Limits: options of GPUs (warps, stages) are taken and change nothing but the key.
"""

from __future__ import annotations

import functools
import hashlib
import platform
from dataclasses import dataclass, field

from trisect import knobs
from trisect.backends.compiler import BaseBackend, GPUTarget, Language

#: What makes the TTIR that compiled tiers start from.
TTIR_PIPELINE = "ttir-pipeline"
#: The tiers that a launch on the host may ask for.
TIERS = ("auto", "interp", "cpu")


@dataclass
class CpuOptions:
    """What a launch or a Config may say about compilation."""

    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 3
    num_cpu_threads: int = 0
    warp_size: int = 32
    maxnreg: int | None = None
    cluster_dims: tuple = (1, 1, 1)
    ptx_version: int | None = None
    ir_override: str | None = None
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    enable_fp_fusion: bool = field(default_factory=lambda: knobs.language.default_fp_fusion)
    enable_fast_math: bool = False
    enable_reflect_ftz: bool = True
    supported_fp8_dtypes: tuple = ("fp8e5", "fp8e5b16", "fp8e4nv", "fp8e4b8", "fp8e4b15")
    deprecated_fp8_dot_operand_dtypes: tuple = ()
    default_dot_input_precision: str = field(default_factory=lambda: knobs.language.fp32_default or "ieee")
    allowed_dot_input_precisions: tuple = ("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: int = 0
    extern_libs: tuple | None = None
    debug: bool = False
    sanitize_overflow: bool = False
    instrumentation_mode: str = ""
    backend_name: str = "cpu"
    arch: str = ""
    vec_lib: str | None = None
    ukernels: str | None = None
    assume_in_bounds: bool = False
    #: The tier that must run the kernel, in place of what TRISECT_TIER says.
    tier: str = ""
    #: The defects that launches look for, in place of what TRISECT_SANITIZE says.
    sanitize: str = ""

    def __post_init__(self):
        if isinstance(self.extern_libs, dict):
            self.extern_libs = tuple(sorted(self.extern_libs.items()))
        for name in ("num_warps", "num_ctas", "num_stages"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < (0 if name == "num_stages" else 1):
                raise ValueError(f"{name} must be a positive integer, not {value!r}")
        if self.num_warps & (self.num_warps - 1):
            raise ValueError(f"num_warps must be a power of 2, not {self.num_warps}")

        if self.tier not in ("", *TIERS):
            raise ValueError(f"tier must be one of {', '.join(TIERS)}, not {self.tier!r}")
        if self.sanitize != "":
            from trisect.sanitizer.session import kinds_text

            self.sanitize = kinds_text(self.sanitize)

    def hash(self) -> str:
        text = "_".join(f"{name}-{value}" for name, value in sorted(self.__dict__.items()))
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


@functools.cache
def host_isa() -> str:
    """Processor and instruction sets of this machine, for the key of compiled code."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith(("flags", "Features")):
                    flags = " ".join(sorted(line.partition(":")[2].split()))
                    return f"{platform.machine()}-{hashlib.sha256(flags.encode()).hexdigest()[:16]}"
    except OSError:
        pass
    return platform.machine()


class CpuBackend(BaseBackend):
    """Makes kernels for the host."""

    binary_ext = "ttir"
    idle_options = frozenset({"num_warps", "num_ctas", "num_stages", "maxnreg"})

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == "cpu"

    def hash(self) -> str:
        return f"cpu-{host_isa()}"

    def parse_options(self, options: dict) -> CpuOptions:
        known = {
            name: options[name] for name in CpuOptions.__dataclass_fields__ if options.get(name) is not None
        }
        return CpuOptions(**known)

    def get_codegen_implementation(self, options=None) -> dict:
        return {"min_dot_size": lambda lhs_type, rhs_type: (1, 1, 1)}

    def get_module_map(self) -> dict:
        return {}

    def load_dialects(self, context) -> None:
        """A context has every dialect from the start."""

    def pack_metadata(self, metadata) -> tuple:
        return (metadata.num_warps, metadata.num_ctas, metadata.shared)

    def add_stages(self, stages: dict, options, language=Language.TRITON) -> None:
        stages["ttir"] = self.make_ttir

    @staticmethod
    def make_ttir(module, metadata):
        """The optimised module; the one it is made from stays as it is."""
        optimised = module.clone()
        optimised.run_passes(TTIR_PIPELINE)
        return optimised
