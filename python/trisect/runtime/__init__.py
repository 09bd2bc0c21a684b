"""Launching, tuning, caching, drivers."""

from .autotuner import Autotuner, Config, Heuristics, autotune, heuristics
from .cache import RedisRemoteCacheBackend, RemoteCacheBackend
from .driver import driver
from .errors import InterpreterError, OutOfResources
from .jit import JITFunction, KernelInterface, MockTensor, TensorWrapper, reinterpret

__all__ = [
    "Autotuner", "Config", "Heuristics", "InterpreterError", "JITFunction", "KernelInterface",
    "MockTensor", "OutOfResources", "RedisRemoteCacheBackend", "RemoteCacheBackend", "TensorWrapper",
    "autotune", "driver", "heuristics", "reinterpret",
]  # fmt: skip
