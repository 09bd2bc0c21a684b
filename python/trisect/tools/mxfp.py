"""Microscaling formats on the host: 4-bit floats and power-of-two scales, as torch tensors.

What: `MXFP4Tensor` holds e2m1 values one a byte, packs two a byte and converts; `MXScaleTensor` holds e8m0
scales.
Limits: needs torch; conversion to e2m1 rounds to nearest, ties to even, and saturates.
"""

from __future__ import annotations

import torch

#: The magnitudes of e2m1 by their three bits.
_E2M1 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
_BIAS = 127
_NAN = 255


class _Stored:
    """Values kept as bytes: encoded from a float tensor, or of a size, to be filled by `random`."""

    def __init__(self, data=None, size=None, device=None):
        self.device = device
        if data is not None:
            if not isinstance(data, torch.Tensor):
                raise TypeError(f"data is a torch tensor, not {type(data).__name__}")
            self.device = data.device if device is None else device
            self.data = self._from_float(data.to(self.device))
        elif size is not None:
            self.size = size if isinstance(size, (tuple, torch.Size)) else (size,)
        else:
            raise ValueError("Either parameter data or size must be provided")


class MXFP4Tensor(_Stored):
    """A tensor of e2m1 values: sign in bit 3, two bits of exponent, one of mantissa."""

    def random(self):
        """Fills with random values."""
        signs = torch.randint(0, 2, self.size, dtype=torch.uint8, device=self.device)
        magnitudes = torch.randint(0, 8, self.size, dtype=torch.uint8, device=self.device)
        self.data = (signs << 3) | magnitudes
        return self

    def to(self, dtype):
        """The values in a float dtype."""
        if not dtype.is_floating_point:
            raise ValueError(f"e2m1 values convert to float dtypes, not {dtype}")
        table = torch.tensor(_E2M1, dtype=dtype, device=self.data.device)
        magnitudes = table[(self.data & 7).long()]
        return torch.where(self.data & 8 != 0, -magnitudes, magnitudes)

    @staticmethod
    def _from_float(values):
        values = values.to(torch.float32)
        magnitude = values.abs()
        bits = torch.zeros_like(values, dtype=torch.uint8)
        for code in range(1, 8):
            middle = (_E2M1[code - 1] + _E2M1[code]) / 2
            # In the middle the even code wins.
            above = magnitude >= middle if code % 2 == 0 else magnitude > middle
            bits += above.to(torch.uint8)
        return bits | (torch.signbit(values).to(torch.uint8) << 3)

    def to_packed_tensor(self, dim):
        """Bytes of two values along a dimension, the first in the low half."""
        data = self.data
        if not 0 <= dim < data.ndim:
            raise ValueError(f"there is no dimension {dim} among {data.ndim}")
        if data.size(dim) % 2:
            padding = list(data.shape)
            padding[dim] = 1
            data = torch.cat([data, torch.zeros(padding, dtype=torch.uint8, device=data.device)], dim=dim)
        low, high = data.unflatten(dim, (-1, 2)).unbind(dim + 1)
        return (high << 4) | low

    def unpack_packed_tensor(self, packed_tensor, dim, original_shape):
        """The values of such bytes, one a byte again."""
        values = torch.stack([packed_tensor & 0xF, packed_tensor >> 4], dim=dim + 1).flatten(dim, dim + 1)
        return values.narrow(dim, 0, original_shape[dim]).contiguous()


class MXScaleTensor(_Stored):
    """A tensor of e8m0 scales: 2**(byte - 127), NaN for 255."""

    def random(self, low=None, high=None):
        """Fills with random scales, between powers of two if bounds are given."""
        first = 0 if low is None else max(0, int(torch.tensor(float(low)).log2().item()) + _BIAS)
        last = 254 if high is None else min(254, int(torch.tensor(float(high)).log2().item()) + _BIAS)
        self.data = torch.randint(first, last + 1, self.size, dtype=torch.uint8, device=self.device)
        return self

    def to(self, dtype):
        """The scales in a float dtype."""
        if not dtype.is_floating_point:
            raise ValueError(f"scales convert to float dtypes, not {dtype}")
        values = torch.exp2(self.data.to(torch.float64) - _BIAS)
        values[self.data == _NAN] = float("nan")
        return values.to(dtype)

    @staticmethod
    def _from_float(values):
        values = values.to(torch.float64)
        exponents = torch.log2(values).round().clamp(-_BIAS, _BIAS) + _BIAS
        invalid = torch.isnan(values) | torch.isinf(values) | (values <= 0)
        return torch.where(invalid, torch.full_like(exponents, _NAN), exponents).to(torch.uint8)
