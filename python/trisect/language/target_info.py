"""Compile-time questions about the target that kernels are compiled for."""

from ..runtime.jit import constexpr_function


def current_target():
    """The active GPUTarget, or None without a driver."""
    from ..runtime import driver

    try:
        return driver.active.get_current_target()
    except RuntimeError:
        return None


def _backend():
    target = current_target()
    return None if target is None else target.backend


@constexpr_function
def is_cuda():
    """Compile-time: is the target CUDA?"""
    return _backend() == "cuda"


@constexpr_function
def cuda_capability_geq(major, minor=0):
    """Compile-time: CUDA target with at least this compute capability?"""
    target = current_target()
    return target is not None and target.backend == "cuda" and target.arch >= major * 10 + minor


@constexpr_function
def is_hip():
    """Compile-time: is the target HIP?"""
    return _backend() == "hip"


def _is_arch(name):
    target = current_target()
    return target is not None and target.backend == "hip" and target.arch == name


@constexpr_function
def is_hip_cdna3():
    """Compile-time: is the architecture gfx942?"""
    return _is_arch("gfx942")


@constexpr_function
def is_hip_cdna4():
    """Compile-time: is the architecture gfx950?"""
    return _is_arch("gfx950")


@constexpr_function
def is_hip_gfx1250():
    """Compile-time: is the architecture gfx1250?"""
    return _is_arch("gfx1250")
