"""Programs look below this name for what they can do without: nothing of it is here.

`from triton.experimental import gluon` says so by name; `find_spec("triton.experimental.gluon")` finds
nothing, which is how libraries ask.
"""


def __getattr__(name):
    if name == "gluon":
        raise AttributeError(
            "Gluon is not supported: Trisect compiles kernels written with triton.jit and triton.language"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
