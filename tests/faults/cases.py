"""The register of cases: kernels that must fail, and look-alikes that must stay silent.

What: each file of this folder makes a pair of decorators with `group(kind)`. `@fails` and `@clean` take a
function that makes its tensors and launches one kernel. The guilty line of a failing kernel ends with the
comment `# fault`, which the tests hold against the line that a report names. What else a report must say
stands in the decorator, worked out by hand: `tensor` (the parameter), `index` (of the element in it), `lane`
(the first guilty one of its block) and `lanes` (how many), `program` and, of a race, the `other`; `value`
(one, or both of a conflict).
Why: the expectation stands in the source next to the defect; the stored reports only fix the wording.
Limits: a case makes its tensors anew at each call; nothing larger than a page or two.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
GROUPS = (
    "out_of_bounds", "out_of_bounds_indirect", "out_of_bounds_tiles", "out_of_bounds_blocks", "uninitialized",
    "undefined", "undefined_results", "undefined_paths", "race", "race_layout", "store_conflict",
    "redundant_store", "integer_overflow", "broken_hint", "misaligned", "asserts", "deadlock", "nan_origin",
)  # fmt: skip
CASES: dict[str, "Case"] = {}
EXPECTED = ("program", "other", "index", "lane", "lanes", "value")


@dataclass(frozen=True)
class Case:
    """One kernel with one launch."""

    name: str
    kind: str
    fails: bool
    launch: Callable[[], None]
    #: The parameter whose tensor the report names, where it names one.
    tensor: str | None
    #: The facts that the report must state, by the names of EXPECTED.
    expected: dict
    #: Settings of `trisect.sanitize` that the case needs.
    settings: dict


def group(kind: str):
    """The decorators `fails` and `clean` for cases of one kind."""

    def register(launch, fails, tensor, rest):
        name = launch.__name__
        if name in CASES:
            raise ValueError(f"two cases are called {name}")
        expected = {key: rest.pop(key) for key in EXPECTED if key in rest}
        CASES[name] = Case(name, kind, fails, launch, tensor, expected, rest)
        return launch

    def fails(tensor=None, **rest):
        return lambda launch: register(launch, True, tensor, rest)

    def clean(**settings):
        return lambda launch: register(launch, False, None, settings)

    return fails, clean


def load() -> dict[str, Case]:
    """All cases of all groups by name."""
    for name in GROUPS:
        importlib.import_module(name)
    return CASES
