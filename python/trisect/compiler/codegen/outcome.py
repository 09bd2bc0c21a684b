"""How a list of statements ends.

What: `FALLS` goes on with what follows; `Returned` has returned a value whatever happened; `MaybeReturned`
has returned where a run-time flag is true. This is how early returns stay structured: no branches between
blocks, so every function can be inlined anywhere. What follows an early return lies inside a branch; where
such branches nest too deeply, statements end as `Paused`, and the statement list that began them goes on.
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
    """The function has returned `value` where `flag`, an i1 scalar, is true; else `paused` may go on."""

    def __init__(self, flag, value, paused=None):
        self.flag, self.value, self.paused = flag, value, paused


class Paused:
    """Statements, from `node` on, that are not generated yet: `resume()` does, and gives their outcome."""

    def __init__(self, node, resume):
        self.node, self.resume = node, resume


def paused_in(outcome):
    """What has to be resumed before an outcome is final, or None."""
    return outcome if isinstance(outcome, Paused) else getattr(outcome, "paused", None)


class After:
    """What follows some statements: the rest of their list, then the function's end or a continuation.

    `depth` counts the branches that the statements lie in because an early return came before them.
    """

    def __init__(self, rest=(), final=False, then=None, depth=0):
        self.rest, self.final, self.then, self.depth = rest, final, then, depth

    @property
    def ends_function(self):
        return self.final and not self.rest and self.then is None
