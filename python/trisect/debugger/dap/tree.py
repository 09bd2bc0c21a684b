"""What an editor's variables view shows: scopes, blocks that open into rows and elements.

What: `Tree` gives numbers to everything that can be opened while the launch stands still.
Limits: the numbers hold until the launch moves on.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from ..values import show

#: Elements of one level that are sent unasked; an editor that pages asks for others.
MOST_SENT = 1000


class Tree:
    """References of one stop."""

    def __init__(self):
        self._open = []

    def reference(self, children) -> int:
        """A number for a function that gives the children."""
        self._open.append(children)
        return len(self._open)

    def children(self, reference: int, start: int, count: int) -> list[dict]:
        if not 1 <= reference <= len(self._open):
            raise ValueError(f"there is no variable {reference} at this stop")
        return self._open[reference - 1](start, count or MOST_SENT)

    def scopes(self, frame, session) -> list[dict]:
        def named(make):
            return self.reference(lambda start, count: make()[start : start + count])

        return [
            {
                "name": "Variables",
                "presentationHint": "locals",
                "variablesReference": named(lambda: [self.variable(value) for value in frame.variables()]),
                "expensive": False,
            },
            {
                "name": "Compile-time values",
                "variablesReference": named(
                    lambda: [
                        {"name": name, "value": text, "type": "constexpr", "variablesReference": 0}
                        for name, text in frame.constants().items()
                    ]
                ),
                "expensive": False,
            },
            {
                "name": "Tensors",
                "variablesReference": named(
                    lambda: [
                        self.array(view.name, session.tensors[view.name], f"tensors.{view.name}")
                        for view in session.tensors.views
                    ]
                ),
                "expensive": True,
            },
        ]

    def variable(self, value) -> dict:
        """A kernel variable."""
        elements = value.places() if value.is_pointer else value.elements
        node = self.array(value.name, elements, value.name)
        return {**node, "value": value.summary(), "type": value.type}

    def array(self, name: str, array, expression: str | None = None) -> dict:
        """An array, one of its elements, or a group of values, under a name."""
        if isinstance(array, (tuple, list, SimpleNamespace)):
            return self._group(name, array, expression)
        array = array if isinstance(array, np.ma.MaskedArray) else np.asarray(array)
        node = {"name": name, "value": _brief(array), "type": _kind(array), "variablesReference": 0}
        if expression:
            node["evaluateName"] = expression
        if array.ndim:
            node["variablesReference"] = self.reference(
                lambda start, count: [
                    self.array(f"[{index}]", array[index], f"{expression}[{index}]" if expression else None)
                    for index in range(start, min(start + count, len(array)))
                ]
            )
            node["indexedVariables"] = len(array)
        return node

    def _group(self, name, group, expression):
        if isinstance(group, SimpleNamespace):
            items = [(field, f".{field}", item) for field, item in vars(group).items()]
        else:
            items = [(f"[{index}]", f"[{index}]", item) for index, item in enumerate(group)]
        prefix = expression or name

        def children(start, count):
            return [
                self.array(label, item, prefix + path) for label, path, item in items[start : start + count]
            ]

        value = " ".join(show(group).split())
        return {
            "name": name,
            "value": value,
            "type": "group",
            "variablesReference": self.reference(children),
        }


def _kind(array) -> str:
    return f"{array.dtype}{list(array.shape) if array.ndim else ''}"


def _brief(array) -> str:
    if array.ndim == 0:
        return str(array[()]) if array.dtype == object else show(array[()])
    text = " ".join(show(array).split())
    return text if len(text) <= 80 else text[:77] + "..."
