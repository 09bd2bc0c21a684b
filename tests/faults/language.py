"""The language of the cases: Trisect's, or that of a peer where Trisect is not installed."""

try:
    import trisect as triton
    import trisect.language as tl
    from trisect.tools.tensor_descriptor import TensorDescriptor
except ImportError:
    import triton
    import triton.language as tl
    from triton.tools.tensor_descriptor import TensorDescriptor

__all__ = ["TensorDescriptor", "tl", "triton"]
