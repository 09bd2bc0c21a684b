"""Stands where programs look for `triton._C.libtriton`: a walkable view of modules, facts about the host."""

from trisect.runtime.parameters import native_specialize_impl

from . import ir, llvm

__all__ = ["ir", "llvm", "native_specialize_impl"]
