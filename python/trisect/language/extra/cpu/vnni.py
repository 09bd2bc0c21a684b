"""Undoing the interleaving of rows that matrix instructions of CPUs want."""

from ...builtin import builtin


@builtin
def vnni_decode(arg0, _semantic=None):
    """Undoes VNNI packing of a 2-D block of 8- or 16-bit values."""
    shape, width = arg0.type.shape, arg0.type.scalar.primitive_bitwidth
    if len(shape) != 2 or width not in (8, 16):
        raise ValueError(f"vnni_decode takes a 2-D block of 8- or 16-bit values, got {arg0.type}")
    factor = 32 // width
    rows, columns = shape
    if columns % factor:
        raise ValueError(f"the columns of a packed block must be a multiple of {factor}, got {columns}")
    parts = _semantic.reshape(arg0, (rows, columns // factor, factor))
    return _semantic.reshape(_semantic.permute(parts, (0, 2, 1)), (rows * factor, columns // factor))
