"""Functions without a symbol: lambdas and functions defined inside a kernel.

What: such a function is generated anew where it is called, on a copy of the variables that it saw when it
was made.
"""

from trisect.language.base import base_value


class InlineFunction(base_value):
    """A lambda or an inner `def`."""

    def __init__(self, node, scope, generator):
        self.node, self.scope, self.generator = node, scope, generator

    def flatten_ir(self, handles):
        raise TypeError("a function made inside a kernel cannot be carried through a loop or branch")
