"""Functions without a symbol: lambdas and functions defined inside a kernel.

What: such a function is generated anew where it is called, on a copy of the variables that the function
around it has then, as in Python; defaults have the values from where it was made.
"""

from trisect.language.base import base_value


class InlineFunction(base_value):
    """A lambda or an inner `def`; `own`: variables of the comprehensions and lambdas that it was made in."""

    def __init__(self, node, own, defaults, generator):
        self.node, self.own, self.defaults, self.generator = node, own, defaults, generator

    def flatten_ir(self, handles):
        raise TypeError("a function made inside a kernel cannot be carried through a loop or branch")
