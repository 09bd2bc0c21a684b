"""Stand-ins for tensors: one without data, and one seen under another dtype."""

from __future__ import annotations

from trisect._utils import canonicalize_dtype, get_primitive_bitwidth

from ._tensors import check_elements


class MockTensor:
    """A tensor of a dtype without data, for warming a kernel up."""

    @staticmethod
    def wrap_dtype(arg):
        """A MockTensor for a dtype, anything else as it is."""
        if arg.__class__.__name__ == "dtype" and arg.__class__.__module__.split(".")[0] in (
            "torch",
            "trisect",
        ):
            return MockTensor(arg)
        return arg

    def __init__(self, dtype, shape=None):
        self.dtype = dtype
        self.shape = [1] if shape is None else shape

    def stride(self):
        strides = [1]
        for size in reversed(self.shape[1:]):
            strides.append(strides[-1] * size)
        return tuple(reversed(strides))

    @staticmethod
    def data_ptr():
        return 0

    @staticmethod
    def ptr_range():
        return 0


class TensorWrapper:
    """A tensor under another dtype of the same width."""

    def __init__(self, base, dtype):
        self.dtype = dtype
        self.base = base
        self.data = base.data
        self.device = getattr(base, "device", "cpu")
        self.shape = base.shape

    def data_ptr(self):
        return _address(self.base)

    @property
    def __array_interface__(self):
        return self.base.__array_interface__

    def stride(self, *args):
        if hasattr(self.base, "stride"):
            return self.base.stride(*args)
        strides = tuple(step // self.base.itemsize for step in self.base.strides)
        return strides[args[0]] if args else strides

    def __str__(self) -> str:
        return f"TensorWrapper[{self.dtype}]({self.base})"

    def element_size(self):
        return self.base.element_size() if hasattr(self.base, "element_size") else self.base.itemsize

    def cpu(self):
        return TensorWrapper(self.base.cpu(), self.dtype)

    def copy_(self, other):
        self.base.copy_(other.base)

    def clone(self):
        return TensorWrapper(self.base.clone(), self.dtype)

    def to(self, device):
        return TensorWrapper(self.base.to(device), self.dtype)

    def new_empty(self, sizes):
        return TensorWrapper(self.base.new_empty(sizes), self.dtype)


def _address(tensor) -> int:
    if hasattr(tensor, "data_ptr"):
        return tensor.data_ptr()
    return tensor.__array_interface__["data"][0]


def reinterpret(tensor, dtype):
    """`tensor` under `dtype`, without copying; the base itself if it has that dtype."""
    if isinstance(tensor, TensorWrapper):
        if dtype == tensor.base.dtype:
            return tensor.base
        return TensorWrapper(tensor.base, dtype)
    if hasattr(tensor, "data_ptr") or hasattr(tensor, "__array_interface__"):
        check_elements(tensor)
        have = get_primitive_bitwidth(canonicalize_dtype(tensor.dtype))
        want = get_primitive_bitwidth(canonicalize_dtype(dtype))
        if max(have, 8) != max(want, 8):
            raise ValueError(f"a tensor of {tensor.dtype} cannot be seen as {dtype}: their widths differ")
        return TensorWrapper(tensor, dtype)
    raise TypeError(f"Cannot reinterpret a {type(tensor)}.")
