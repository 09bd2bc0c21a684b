"""Conversion of e4m3 floats with bias 15, which have no IR type; the same bits on every architecture."""

from ...builtin import builtin


@builtin
def convert_custom_float8_sm80(arg, dst_ty, fp_downcast_rounding=None, _semantic=None):
    """Conversion of e4m3b15 floats for sm80 and newer."""
    return _semantic.cast_to(arg, dst_ty, fp_downcast_rounding)


@builtin
def convert_custom_float8_sm70(arg, dst_ty, fp_downcast_rounding=None, _semantic=None):
    """Conversion of e4m3b15 floats for older GPUs."""
    return _semantic.cast_to(arg, dst_ty, fp_downcast_rounding)
