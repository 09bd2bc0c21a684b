"""How a list of statements ends.

What: `FALLS` goes on with what follows; `Returned` has returned a value whatever happened; `MaybeReturned`
has returned where a run-time flag is true. This is how early returns stay structured: no branches between
blocks, so every function can be inlined anywhere.
"""


class _Falls:
    def __repr__(self):
        return "FALLS"


FALLS = _Falls()


class Returned:
    """The function has returned `value`."""

    def __init__(self, value, node=None):
        self.value, self.node = value, node


class MaybeReturned:
    """The function has returned `value` where `flag`, an i1 scalar, is true."""

    def __init__(self, flag, value):
        self.flag, self.value = flag, value
