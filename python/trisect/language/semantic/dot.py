"""Matrix products.

What: the checks, the accumulator and the precision of `tt.dot` and `tt.dot_scaled`. `input_precision`
concerns fp32 operands and allows, never demands, less precision; the options of a compilation give the
default. Another option gives the order in which products of bf16 add up.
"""

import math
import warnings

from ..constants import unwrap
from ..tensor import tensor
from ..types import bfloat16, block_type, dtype, float16, float32, int8, uint8
from ..typing_rules import dot_result_type
from .enums import INPUT_PRECISION, SCALED_FORMAT

#: Orders in which products of bf16 add up, as input precisions.
BF16_SUMS = {"chain": INPUT_PRECISION["ieee"], "blocks": INPUT_PRECISION["blocks"]}
#: What a kernel may name where its target lists none.
PRECISIONS = tuple(word for word in INPUT_PRECISION if word not in BF16_SUMS)


class Dots:
    """Matrix product part of the semantic object."""

    def _input_precision(self, input_precision, allow_tf32):
        word, allow_tf32 = unwrap(input_precision), unwrap(allow_tf32)
        if word is not None and allow_tf32 is not None:
            raise ValueError("Only one of input_precision and allow_tf32 can be specified")
        if word is None:
            word = getattr(self.options, "default_dot_input_precision", "ieee")
            if allow_tf32 is not None:
                word = "tf32" if allow_tf32 else "ieee"
        word = str(word).lower()
        allowed = getattr(self.options, "allowed_dot_input_precisions", None) or PRECISIONS
        if word not in PRECISIONS or word not in allowed and word != "ieee":
            raise ValueError(f"input_precision must be one of {tuple(allowed)}. Got {word}")
        return INPUT_PRECISION[word]

    def _bf16_sums(self, precision):
        word = getattr(self.options, "bf16_sums", "chain")
        if word not in BF16_SUMS:
            raise ValueError(f"bf16_sums must be one of {tuple(BF16_SUMS)}. Got {word}")
        return precision if word == "chain" else BF16_SUMS[word]

    def dot(
        self,
        lhs,
        rhs,
        acc=None,
        input_precision=None,
        allow_tf32=None,
        max_num_imprecise_acc=None,
        out_dtype=None,
    ):
        precision = self._input_precision(input_precision, allow_tf32)
        lhs, rhs, acc, out_dtype = self.to_tensor(lhs), self.to_tensor(rhs), unwrap(acc), unwrap(out_dtype)
        if not lhs.type.is_block() or not rhs.type.is_block():
            raise ValueError(f"dot takes two blocks, got {lhs.type} and {rhs.type}")
        self._warn_of_deprecated(lhs.type.scalar, rhs.type.scalar)
        if lhs.type.scalar.is_fp8e4b15():
            lhs = self.cast(lhs, float16)
        if rhs.type.scalar.is_fp8e4b15():
            rhs = self.cast(rhs, float16)
        if out_dtype is None:
            out_dtype = float32
        if out_dtype is bfloat16:
            raise ValueError(
                "out_dtype=bfloat16 is unsupported. Please use out_dtype=float32/float16 and cast with "
                "`.to(tl.bfloat16)`"
            )
        result = dot_result_type(lhs.type.scalar, rhs.type.scalar, out_dtype)
        if lhs.type.scalar.is_floating() and not out_dtype.is_floating():
            raise TypeError(f"out_dtype={out_dtype} cannot hold a product of {lhs.type.scalar}; use float32")
        if len(lhs.type.shape) == len(rhs.type.shape) > 3:
            return self._dot_of_batches(
                lhs, rhs, acc, input_precision, allow_tf32, max_num_imprecise_acc, out_dtype
            )
        shape = self._dot_shape(lhs, rhs)
        ty = block_type(result, shape)
        acc = self._accumulator(acc, ty)
        if lhs.type.scalar.is_bf16() and rhs.type.scalar.is_bf16() and result.is_fp32():
            precision = self._bf16_sums(precision)
        attrs = {"inputPrecision": precision}
        imprecise = unwrap(max_num_imprecise_acc)
        if imprecise is None:
            imprecise = getattr(self.options, "max_num_imprecise_acc_default", 0) or 0
            imprecise = min(imprecise, lhs.type.shape[-1])
        if lhs.type.scalar.is_fp8() and imprecise:
            if imprecise > lhs.type.shape[-1]:
                raise ValueError(f"max_num_imprecise_acc ({imprecise}) must be <= K ({lhs.type.shape[-1]})")
            attrs["maxNumImpreciseAcc"] = imprecise
        return self.emit("tt.dot", [lhs.handle, rhs.handle, acc.handle], ty, attrs)

    def _warn_of_deprecated(self, *scalars):
        deprecated = getattr(self.options, "deprecated_fp8_dot_operand_dtypes", None) or ()
        for name in sorted({scalar.name for scalar in scalars if scalar.name in deprecated}):
            warnings.warn(
                f"the use of {name} in tl.dot is deprecated on this architecture; it is converted to fp16",
                stacklevel=2,
            )

    def _dot_of_batches(self, lhs, rhs, acc, *options):
        """A product of four dimensions and more: all but the last two are one batch."""
        batch = lhs.type.shape[:-2]
        if batch != rhs.type.shape[:-2]:
            raise ValueError(f"batch dimensions of dot differ: {list(batch)} and {list(rhs.type.shape[:-2])}")
        flat = [
            self.reshape(value, (math.prod(batch), *value.type.shape[-2:]))
            if isinstance(value, tensor) and value.type.is_block()
            else value
            for value in (lhs, rhs, acc)
        ]
        product = self.dot(*flat, *options)
        return self.reshape(product, (*batch, *product.type.shape[-2:]))

    def _dot_shape(self, lhs, rhs):
        a, b = lhs.type.shape, rhs.type.shape
        if len(a) != len(b) or len(a) not in (2, 3):
            raise ValueError(f"Both inputs must be either 2D or 3D; (lhs: {list(a)} vs rhs: {list(b)})")
        if a[-1] != b[-2]:
            raise ValueError(
                f"First input shape ({list(a)}) and second input shape {list(b)} are not compatible for "
                "matmul (second index of first shape must be equal to first index of second shape)"
            )
        if len(a) == 3 and a[0] != b[0]:
            raise ValueError(f"batch dimensions of dot differ: {a[0]} and {b[0]}")
        minimum = self.codegen_fns.get("min_dot_size")
        if minimum is not None:
            m, n, k = minimum(lhs.type, rhs.type)
            if a[-2] < m or a[-1] < k or b[-1] < n:
                raise ValueError(f"Input shapes should have M >= {m}, N >= {n} and K >= {k}")
        return (*a[:-2], a[-2], b[-1])

    def _accumulator(self, acc, ty):
        if acc is None:
            return self.constant(0, ty)
        if not isinstance(acc, tensor):
            return self.constant(acc, ty)
        if acc.type is not ty:
            raise ValueError(
                f"the accumulator of dot must have shape {list(ty.shape)} and type {ty.scalar}, got "
                f"{acc.type}; create it with tl.zeros or convert it with .to({ty.scalar})"
            )
        return acc

    def dot_scaled(
        self,
        lhs,
        lhs_scale,
        lhs_format,
        rhs,
        rhs_scale,
        rhs_format,
        acc=None,
        fast_math=False,
        lhs_k_pack=True,
        rhs_k_pack=True,
        out_dtype=None,
    ):
        lhs, lhs_format = self._scaled_operand(lhs, lhs_format, "lhs")
        rhs, rhs_format = self._scaled_operand(rhs, rhs_format, "rhs")
        lhs_scale, rhs_scale = unwrap(lhs_scale), unwrap(rhs_scale)
        lhs_k_pack, rhs_k_pack, acc = bool(unwrap(lhs_k_pack)), bool(unwrap(rhs_k_pack)), unwrap(acc)
        for packed, name, word in ((lhs_k_pack, "lhs", lhs_format), (rhs_k_pack, "rhs", rhs_format)):
            if not packed and word != "e2m1":
                raise ValueError(f"{name}_k_pack=False is only for e2m1 operands, got {word}")
        *batch, m, k = lhs.type.shape
        *rhs_batch, rhs_k, n = rhs.type.shape
        if lhs_format == "e2m1":
            m, k = (m, 2 * k) if lhs_k_pack else (2 * m, k)
        if rhs_format == "e2m1":
            rhs_k, n = (2 * rhs_k, n) if rhs_k_pack else (rhs_k, 2 * n)
        if k != rhs_k or batch != rhs_batch:
            raise ValueError(
                f"operands of dot_scaled do not go together: lhs is {list(lhs.type.shape)} of {lhs_format}, "
                f"rhs is {list(rhs.type.shape)} of {rhs_format}"
            )
        out = unwrap(out_dtype) or float32
        if out is not float32:
            raise ValueError(f"dot_scaled computes in float32, got out_dtype={out}")
        self._check_scale(lhs_scale, m, k, "lhs_scale")
        self._check_scale(rhs_scale, n, k, "rhs_scale")
        ty = block_type(float32, (*batch, m, n))
        acc = self._accumulator(acc, ty)
        operands = [lhs.handle, rhs.handle, acc.handle]
        segments = [1, 1, 1, 0, 0]
        for position, scale in ((3, lhs_scale), (4, rhs_scale)):
            if scale is not None:
                operands.append(scale.handle)
                segments[position] = 1
        return self.emit(
            "tt.dot_scaled",
            operands,
            ty,
            {
                "a_elem_type": SCALED_FORMAT[lhs_format],
                "b_elem_type": SCALED_FORMAT[rhs_format],
                "fastMath": bool(unwrap(fast_math)),
                "lhs_k_pack": lhs_k_pack,
                "rhs_k_pack": rhs_k_pack,
                "operandSegmentSizes": segments,
            },
        )

    def _scaled_operand(self, value, word, name):
        word = unwrap(word)
        if word not in SCALED_FORMAT:
            raise ValueError(
                f"{name}_format {word} is not supported; the formats are {', '.join(SCALED_FORMAT)}"
            )
        scalar = value.type.scalar
        if word == "e2m1":
            if scalar not in (int8, uint8):
                raise ValueError(f"{name} of e2m1 must be uint8 (two values in a byte), got {scalar}")
            return value, word
        wanted = {"e5m2": dtype("fp8e5"), "e4m3": dtype("fp8e4nv"), "bf16": bfloat16, "fp16": float16}.get(
            word, uint8
        )
        if scalar is wanted:
            return value, word
        if scalar.primitive_bitwidth != wanted.primitive_bitwidth:
            raise ValueError(f"{name} of {word} must be {wanted} or its bits, got {scalar}")
        return self.bitcast(value, wanted), word

    @staticmethod
    def _check_scale(scale, rows, k, name):
        if scale is None:
            return
        if not isinstance(scale, tensor):
            raise ValueError(f"{name} must be a block or None, got {scale!r}")
        # Scales of one byte serve 32 elements, of fp8 16.
        groups = k // (16 if scale.type.scalar.is_fp8() else 32)
        if list(scale.type.shape[-2:]) != [rows, groups]:
            raise ValueError(
                f"{name} must be a tensor of shape [{rows}, {groups}]. Got {list(scale.type.shape)}"
            )
