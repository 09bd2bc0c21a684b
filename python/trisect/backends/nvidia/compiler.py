"""Compiling for NVIDIA GPUs: options, and the stages from TTIR to machine code.

What: `CUDABackend` makes ttir, ttgir, llir, ptx and, where there is a ptxas, cubin; what a launch needs
besides goes into the metadata.
Limits: the code generator goes from TTIR to PTX in one run, so of its stages ttir, ptx and cubin can be
replaced (TRITON_KERNEL_OVERRIDE), ttgir and llir cannot. Without ptxas the driver assembles the PTX.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
from pathlib import Path

from trisect import knobs
from trisect._env import getenv
from trisect.backends.compiler import BaseBackend, GPUTarget, Language
from trisect.backends.options import LaunchOptions, options_class
from trisect.errors import InvalidInput
from trisect.runtime.errors import OutOfResources

from .driver import CudaDriver
from .tools import libdevice_path, search_wheels

#: What makes the TTIR that compiled tiers start from.
TTIR_PIPELINE = "ttir-pipeline"
#: A launcher that hands over parameters by itself, as PyTorch's static one does, must leave these kernels to
#: `CompiledKernel.run`: they take one parameter more than their signature says. This size tells it so.
HIDDEN_PARAMETER_BYTES = 40


def sm_arch_from_capability(capability: int) -> str:
    """The assembler's name of an architecture; with what only that architecture has, from 9.0 on."""
    return f"sm_{capability}{'a' if capability >= 90 else ''}"


def get_ptxas(arch: int = 90):
    """ptxas with its version; raises RuntimeError if there is none."""
    return knobs.nvidia.ptxas_blackwell if arch >= 100 else knobs.nvidia.ptxas


def _capability(arch: str) -> int:
    match = re.fullmatch(r"sm_?(\d+)a?", str(arch))
    if match is None:
        raise ValueError(f"an architecture (TRITON_OVERRIDE_ARCH, `arch`) looks like sm90, not {arch!r}")
    return int(match.group(1))


def _options_class() -> type:
    """The class of the options, made from CudaOptions.def."""
    made = options_class("CUDAOptions", "cuda", __name__)
    if made.hash is LaunchOptions.hash:
        made.hash = _hash_with_libraries
        made.enable_iisan = property(lambda self: self.instrumentation_mode == "iisan")
    return made


def _hash_with_libraries(self) -> str:
    """Libraries count with what is in them."""
    facts = dict(self.__dict__)
    facts["extern_libs"] = tuple((name, _file_hash(path)) for name, path in self.extern_libs or ())
    text = "_".join(f"{name}-{value}" for name, value in sorted(facts.items()))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def __getattr__(name):
    # The table of options is in the native library, which an import must not wait for.
    if name == "CUDAOptions":
        return _options_class()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@functools.lru_cache
def _file_hash(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise InvalidInput(f"extern_libs: '{path}' cannot be read: {error.strerror}") from None


@functools.cache
def _cuda():
    """The native module, with ptxas of installed packages made known to it."""
    from trisect._C import cuda

    for folder in search_wheels("bin", "ptxas"):
        cuda.add_assembler_folder(folder)
    return cuda


def _with_libdevice(libraries) -> tuple:
    """(name, path) of all libraries, libdevice among them where it is found."""
    found = dict(libraries or {})
    found.setdefault("libdevice", libdevice_path())
    return tuple(sorted((name, path) for name, path in found.items() if path))


def _interpreted(options=None) -> bool:
    """Whether kernels run in tier 0, which takes TTIR: no code is made for the GPU then."""
    chosen = options.tier if options is not None else ""
    return (chosen or getenv("TRISECT_TIER")) == "interp"


class CUDABackend(BaseBackend):
    """Makes kernels for NVIDIA GPUs."""

    @property
    def idle_options(self) -> frozenset[str]:
        return _options_class().idle

    def __init__(self, target: GPUTarget) -> None:
        super().__init__(target)
        if type(target.arch) is not int:
            raise TypeError(
                f"the architecture of a target of CUDA is a number, 90 for sm_90, not {target.arch!r}"
            )
        self.binary_ext = "cubin"

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == "cuda"

    def hash(self) -> str:
        """Assembler and architecture; without an assembler the driver is the next to see the code."""
        found = _cuda().assembler()
        suffix = "-interp" if _interpreted() else ""
        if found and knobs.nvidia.disable_ptxas_opt:
            suffix += "-unoptimised"
        return f"{found[1] if found else 'driver'}-{self.target.arch}{suffix}"

    def parse_options(self, options: dict):
        arch = knobs.runtime.override_arch or f"sm{self.target.arch}"
        capability = _capability(arch)
        given = {"arch": arch}
        given["supported_fp8_dtypes"] = ("fp8e5", "fp8e4b15") + (("fp8e4nv",) if capability >= 89 else ())
        given["deprecated_fp8_dot_operand_dtypes"] = ("fp8e4b15",) if capability >= 90 else ()
        given["max_num_imprecise_acc_default"] = 2**30 if capability == 90 else 0
        made = _options_class()
        known = {name: options[name] for name in made.__dataclass_fields__ if options.get(name) is not None}
        if knobs.nvidia.ptxas_options:
            given["ptx_options"] = knobs.nvidia.ptxas_options
        given["extern_libs"] = _with_libdevice(known.pop("extern_libs", None))
        return made(**{**given, **known})

    def get_codegen_implementation(self, options=None) -> dict:
        from trisect.language.extra import cuda

        narrow = _capability(options.arch if options else f"sm{self.target.arch}") < 80
        convert = cuda.convert_custom_float8_sm70 if narrow else cuda.convert_custom_float8_sm80
        return {"min_dot_size": lambda lhs_type, rhs_type: (1, 1, 1), "convert_custom_types": convert}

    def get_module_map(self) -> dict:
        from trisect.language.extra.cuda import libdevice

        return {"triton.language.extra.libdevice": libdevice}

    def load_dialects(self, context) -> None:
        """A context has every dialect from the start."""

    def pack_metadata(self, metadata) -> tuple:
        return (metadata.num_warps, metadata.num_ctas, metadata.shared)

    def check_resources(self, metadata) -> None:
        """Raises OutOfResources if the current device has less shared memory than a block takes."""
        driver = CudaDriver()
        if not driver.is_active():
            return
        limit = driver.utils.get_device_properties(driver.get_current_device())["max_shared_mem"]
        if metadata.shared > limit:
            raise OutOfResources(metadata.shared, limit, "shared memory")

    def artifact(self, metadata, asm) -> bytes | None:
        from trisect._C import runtime

        if "ptx" not in asm and "cubin" not in asm:
            return None
        compiled = runtime.Compiled(
            target="cuda",
            kernel=metadata.name,
            symbol=metadata.symbol,
            abi=metadata.abi,
            code=asm["cubin"] if "cubin" in asm else asm["ptx"].encode(),
            info=metadata.launch_info.encode("latin-1"),
            shared=metadata.shared,
            warps=metadata.num_warps,
        )
        return compiled.serialized()

    def add_stages(self, stages: dict, options, language=Language.TRITON) -> None:
        if language == Language.GLUON:
            raise NotImplementedError(
                "Gluon kernels are not supported: Trisect compiles triton.jit functions"
            )
        stages["ttir"] = self.make_ttir
        if _interpreted(options):
            return
        generator = _Generator(options, self.locate)
        stages["ttgir"] = generator.ttgir
        stages["llir"] = generator.llir
        stages["ptx"] = generator.ptx
        if _cuda().assembler() is not None:
            stages["cubin"] = generator.cubin

    @staticmethod
    def make_ttir(module, metadata):
        """The optimised module; the one it is made from stays as it is."""
        optimised = module.clone()
        optimised.run_passes(TTIR_PIPELINE)
        return optimised


class _Generator:
    """The stages behind TTIR, from one run of the code generator."""

    def __init__(self, options, locate):
        self.options = options
        self.locate = locate
        self.artifact = None

    def ttgir(self, module, metadata) -> str:
        from trisect._C import runtime

        texts = {name: value for name, value in self.options.__dict__.items() if value is not None}
        if file := self.locate("ttgir"):
            texts["ttgir_file"] = file
        self.artifact = runtime.compile("cuda", module, metadata["name"], texts)
        metadata["shared"] = self.artifact.shared
        metadata["global_scratch_size"] = HIDDEN_PARAMETER_BYTES
        metadata["global_scratch_align"] = 8
        metadata["profile_scratch_size"] = 0
        metadata["profile_scratch_align"] = 1
        metadata["tmem_size"] = 0
        metadata["launch_info"] = self.artifact.info.decode("latin-1")
        metadata["symbol"] = self.artifact.symbol
        metadata["abi"] = self.artifact.abi
        metadata["n_regs"] = self.artifact.registers
        metadata["n_spills"] = self.artifact.spills
        # Code is made for blocks of exactly so many threads.
        metadata["n_max_threads"] = metadata["num_warps"] * 32
        return self.artifact.stage("ttgir")

    def llir(self, ttgir, metadata) -> str:
        self._same("ttgir", ttgir)
        return self.artifact.stage("llir")

    def ptx(self, llir, metadata) -> str:
        self._same("llir", llir)
        return self.artifact.stage("ptx")

    def cubin(self, ptx, metadata) -> bytes:
        if ptx == self.artifact.stage("ptx"):
            return self.artifact.code
        arch = sm_arch_from_capability(_capability(self.options.arch))
        cubin, log, _, _ = _cuda().assemble(
            ptx,
            arch,
            fuse=self.options.enable_fp_fusion,
            line_info=not knobs.compilation.disable_line_info,
            optimise=not knobs.nvidia.disable_ptxas_opt,
            further=self.options.ptx_options or "",
        )
        if knobs.nvidia.dump_ptxas_log:
            print(log, file=sys.stderr)
        return cubin

    def _same(self, stage, text):
        if str(text) != self.artifact.stage(stage):
            raise RuntimeError(
                f"stage {stage} cannot be replaced: the code generator goes from ttir to ptx in one run; "
                "replace ttir, ptx or cubin"
            )


__all__ = ["CUDABackend", "get_ptxas", "sm_arch_from_capability"]
