"""Values of kernel variables: elements, mask, type, and how they are shown.

What: `Value` is a variable at one statement as a NumPy array, with the mask of the load that made it;
`Tensors` gives the tensors that were passed to the launch, as its writes so far have left them.
Why: addresses differ from run to run and tell nothing; pointers are shown as tensor and element.
Limits: bf16 and the fp8 formats are shown as float32, which holds each of their values.
"""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np

_BLOCK = re.compile(r"<\[(.*?)\], (.*)>")
_PART = re.compile(r"\.(\w+)|\[(\d+)\]")
#: More elements than this are shown in part.
MOST_SHOWN = 256


def type_text(text: str) -> str:
    """`fp32[64, 32]` of the language's `<[64, 32], fp32>`."""
    found = _BLOCK.fullmatch(text)
    return f"{found.group(2)}[{found.group(1)}]" if found else text


class View:
    """The memory behind a pointer argument."""

    def __init__(self, index, name, address, size, shape, strides):
        self.index, self.name, self.address, self.size = index, name, address, size
        self.shape, self.strides = tuple(shape), tuple(strides)

    def element_address(self, index) -> int:
        """The address of one element; IndexError as NumPy says it."""
        index = index if isinstance(index, tuple) else (index,)
        if len(index) != len(self.shape):
            raise IndexError(f"{self.name} has {len(self.shape)} dimensions, the index has {len(index)}")
        offset = 0
        for axis, (at, extent, stride) in enumerate(zip(index, self.shape, self.strides, strict=True)):
            if not -extent <= at < extent:
                raise IndexError(f"{self.name} has {extent} elements along axis {axis}; there is no {at}")
            offset += (at % extent) * stride
        return self.address + offset * self.size

    def reach(self) -> tuple[int, int]:
        """First address, and the one after the last."""
        spans = [(extent - 1) * stride for extent, stride in zip(self.shape, self.strides, strict=True)]
        low = sum(min(span, 0) for span in spans)
        high = sum(max(span, 0) for span in spans) + 1
        return self.address + low * self.size, self.address + high * self.size


class Value:
    """One variable, or a part of one."""

    def __init__(self, variable, array, mask, views):
        self.name, self.type = variable.name, type_text(variable.type)
        scalar = self.type.split("[")[0]
        if scalar.startswith("uint"):
            array = array.view(f"u{array.dtype.itemsize}")
        self.array = array
        self.is_pointer = scalar.startswith("pointer")
        self.undefined = variable.undefined and mask is not None
        self.mask = None if mask is None else np.broadcast_to(mask, array.shape)
        self._views = views

    @property
    def elements(self):
        """The array; lanes that hold nothing are masked."""
        if not self.undefined:
            return self.array
        return np.ma.masked_array(self.array, ~self.mask)

    def heading(self) -> str:
        text = f"{self.name}: {self.type}"
        if self.mask is not None:
            off = "hold nothing" if self.undefined else "hold `other`"
            missing = int(self.mask.size - np.count_nonzero(self.mask))
            if missing:
                text += f", {missing} of {self.mask.size} lanes were masked off and {off}"
        return text

    def text(self) -> str:
        if self.is_pointer:
            return show(self.places())
        return show(self.elements)

    def places(self):
        """Pointers as text: tensor and element."""
        flat = [place(int(address), self._views) for address in self.array.reshape(-1)]
        return np.array(flat, dtype=object).reshape(self.array.shape)

    def summary(self) -> str:
        """One line for a table of variables."""
        if self.array.ndim == 0:
            return self.text()
        if self.is_pointer:
            flat = self.array.reshape(-1)
            return f"{place(int(flat[0]), self._views)} ... {place(int(flat[-1]), self._views)}"
        defined = self.array[self.mask] if self.undefined else self.array
        if defined.size == 0:
            return "no lane holds anything"
        first = " ".join(show(item) for item in defined.reshape(-1)[:4])
        text = f"[{first}{' ...' if defined.size > 4 else ''}]"
        if self.array.dtype != np.bool_:
            with np.errstate(invalid="ignore"):
                finite = defined[~np.isnan(defined)] if defined.dtype.kind == "f" else defined
            if finite.size:
                text += f" {show(finite.min())} to {show(finite.max())}"
            if finite.size < defined.size:
                text += f", {defined.size - finite.size} NaN"
        else:
            text += f" {np.count_nonzero(defined)} true"
        return text


def place(address: int, views) -> str:
    """`x[3, 1]`, or how far an address is from the nearest tensor."""
    nearest, distance = None, None
    for view in views:
        low, high = view.reach()
        if low <= address < high:
            element, within = divmod(address - view.address, view.size)
            index = _index(element, view)
            if index is not None:
                return f"{view.name}[{', '.join(map(str, index))}]" + (f" + {within} bytes" if within else "")
        away = min(abs(address - low), abs(address - high))
        if distance is None or away < distance:
            nearest, distance = view, away
    if nearest is None or distance > 1 << 40:
        return f"{address:#x}"
    element = (address - nearest.address) // nearest.size
    return f"{nearest.name} {'+' if element >= 0 else '-'} {abs(element)} (outside)"


def _index(element: int, view):
    """The index of an element by its distance from the first; None if the view steps over it."""
    order = sorted(range(len(view.shape)), key=lambda axis: -abs(view.strides[axis]))
    index = [0] * len(view.shape)
    for axis in order:
        stride = view.strides[axis]
        if stride:
            index[axis] = min(int(element / stride), view.shape[axis] - 1)
            if index[axis] < 0:
                return None
            element -= index[axis] * stride
    return index if element == 0 else None


def show(value) -> str:
    """A NumPy value as text, also inside tuples, lists and objects."""
    if isinstance(value, (tuple, list)):
        opening, closing = "()" if isinstance(value, tuple) else "[]"
        return opening + ", ".join(map(show, value)) + closing
    if isinstance(value, SimpleNamespace):
        return "\n".join(f"{name}: {show(item)}" for name, item in vars(value).items())
    with np.printoptions(threshold=MOST_SHOWN, edgeitems=3, linewidth=100, precision=6):
        return str(value)


class Tensors:
    """The launch's tensors by the names of the parameters."""

    def __init__(self, launch, statements):
        self._launch = launch
        # Memory has no signs: the kernel's pointers say how it is read.
        self._unsigned = {
            variable.name
            for statement in statements
            for variable in statement.variables
            if type_text(variable.type).startswith("pointer<uint")
        }
        self.views = [View(index, *facts) for index, facts in enumerate(launch.tensors)]

    def view(self, name: str):
        for view in self.views:
            if view.name == name:
                return view
        known = ", ".join(view.name for view in self.views) or "none"
        raise KeyError(f"the launch has no tensor {name!r}; its tensors: {known}")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __getitem__(self, name):
        return self._read(name, self._launch.tensor(self.view(name).index))

    def element(self, name, bits):
        """The element of a tensor that has these bits."""
        return self._read(name, self._launch.element(self.view(name).index, bits))

    def _read(self, name, array):
        return array.view(f"u{array.itemsize}") if name in self._unsigned else array


def nested(parts: dict):
    """Variables from their parts: `pair[0]` and `tile.shape[1]` become lists and objects."""
    tree: dict = {}
    for name, value in parts.items():
        base = re.match(r"\w+", name).group()
        at, key = tree, base
        for field, index in _PART.findall(name[len(base) :]):
            at = at.setdefault(key, {})
            key = field or int(index)
        at[key] = value
    return {name: _built(node) for name, node in tree.items()}


def _built(node):
    if not isinstance(node, dict):
        return node
    if all(isinstance(key, int) for key in node):
        return [_built(node.get(index)) for index in range(max(node) + 1)]
    return SimpleNamespace(**{key: _built(child) for key, child in node.items()})
