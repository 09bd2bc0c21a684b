"""Compiling for the host: options, and TTIR as the one stage that is made ahead.

What: the front end's module becomes the optimised TTIR that compiled tiers start from; machine code is made
by the tiers while the kernel runs.
Limits: options of GPUs (warps, stages) are taken and change nothing but the key (CpuOptions.def).
"""

from __future__ import annotations

import functools
import hashlib
import platform

from trisect.backends.compiler import BaseBackend, GPUTarget, Language
from trisect.backends.options import options_class

#: What makes the TTIR that compiled tiers start from.
TTIR_PIPELINE = "require-defined-pointers,ttir-pipeline"


def __getattr__(name):
    # The table of options is in the native library, which an import must not wait for.
    if name == "CpuOptions":
        return options_class("CpuOptions", "cpu", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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

    @property
    def idle_options(self) -> frozenset[str]:
        return options_class("CpuOptions", "cpu", __name__).idle

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == "cpu"

    def hash(self) -> str:
        return f"cpu-{host_isa()}"

    def parse_options(self, options: dict):
        made = options_class("CpuOptions", "cpu", __name__)
        known = {name: options[name] for name in made.__dataclass_fields__ if options.get(name) is not None}
        return made(**{"arch": self.target.arch, **known})

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
