"""Host-side tensor descriptors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class TensorDescriptor:
    """A tensor with the shape of the block that a kernel's access moves.

    The last stride is 1, the others and the address are multiples of 16 bytes. `padding` is what is read
    outside of the tensor: zero or nan.
    """

    base: Any
    shape: list[int]
    strides: list[int]
    block_shape: list[int]
    padding: str = "zero"
    round_f32_to_tf32: bool = False

    def __post_init__(self):
        rank = len(self.shape)
        if not 0 < rank <= 5:
            raise ValueError(f"a descriptor has one to five dimensions, not {rank}")
        if len(self.strides) != rank:
            raise ValueError(f"rank mismatch: {rank} sizes and {len(self.strides)} strides")
        if len(self.block_shape) != rank:
            raise ValueError(f"rank mismatch: {rank} sizes and a block of {len(self.block_shape)}")
        if any(size <= 0 for size in self.shape):
            raise ValueError(f"shape must be positive, not {list(self.shape)}")
        if self.strides[-1] != 1:
            raise ValueError(f"Last dimension must be contiguous: its stride is {self.strides[-1]}, not 1")
        if self.padding not in ("zero", "nan"):
            raise ValueError(f"padding is 'zero' or 'nan', not {self.padding!r}")
        if _address(self.base) % 16:
            raise ValueError("base must be 16-byte aligned")
        width = _item_bytes(self.base)
        for stride in self.strides[:-1]:
            if stride * width % 16:
                raise ValueError(
                    f"strides must be 16-byte aligned: {stride} elements are {stride * width} bytes"
                )
        for size in self.block_shape:
            if size <= 0 or size & (size - 1):
                raise ValueError(f"block_shape must be powers of 2, not {list(self.block_shape)}")
        if self.padding == "nan" and not _is_floating(self.base):
            raise ValueError("Padding option `nan` is only supported for floating point tensors")
        if self.round_f32_to_tf32 and not str(self.base.dtype).endswith("float32"):
            raise ValueError("round_f32_to_tf32 is for float32 tensors")

    @staticmethod
    def from_tensor(tensor: Any, block_shape: list[int], padding: str = "zero", round_f32_to_tf32=False):
        """The descriptor of a whole tensor."""
        if callable(getattr(tensor, "stride", None)):
            strides = list(tensor.stride())
        else:
            strides = [step // tensor.itemsize for step in tensor.strides]
        return TensorDescriptor(
            tensor, list(tensor.shape), strides, block_shape, padding, round_f32_to_tf32=round_f32_to_tf32
        )


def _address(base) -> int:
    if hasattr(base, "data_ptr"):
        return base.data_ptr()
    from trisect.runtime._tensors import describe

    return describe(base)[0]


def _item_bytes(base) -> int:
    if hasattr(base, "element_size"):
        return base.element_size()
    if hasattr(base, "itemsize"):
        return base.itemsize
    from trisect._utils import canonicalize_dtype, get_primitive_bitwidth

    return max(get_primitive_bitwidth(canonicalize_dtype(base.dtype)) // 8, 1)


def _is_floating(base) -> bool:
    text = str(base.dtype)
    return "float" in text or "fp" in text or "bf16" in text
