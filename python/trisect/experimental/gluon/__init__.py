"""Gluon, the language below Triton, is no part of this package: importing it says so."""

raise ImportError(
    "Gluon (triton.experimental.gluon) is not part of Trisect; kernels in the Triton language run everywhere"
)
