"""What can be launched: whatever has `run` gets `kernel[grid](...)` and `warmup`."""

from __future__ import annotations

from typing import Generic, TypeVar

from .tensors import MockTensor

T = TypeVar("T")


class KernelInterface(Generic[T]):
    """Gives `kernel[grid](...)` to whatever has `run`."""

    def run(self, *args, grid, warmup, **kwargs):
        """Launches on a grid, or only compiles."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it runs")

    def warmup(self, *args, grid, **kwargs):
        """Compiles for these arguments (dtypes may stand for tensors) without launching."""
        return self.run(*map(MockTensor.wrap_dtype, args), grid=grid, warmup=True, **kwargs)

    def __getitem__(self, grid) -> T:
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)
