"""What the reports say about each kind of defect: whose bug it is, and which switch tells more.

What: one row a kind. `owner` is a sentence about who has to change what, `advice` how such a defect is
mended, `more` the switch that shows further facts.
Why: the wording stands in one place for text, JSON and pages.
Limits: the headline with the facts comes from the interpreter, which knows them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """What is said about every defect of a kind."""

    title: str
    owner: str
    advice: str
    more: str


_COLLECT = "trisect.sanitize(policy=20) goes on and collects further defects"
_PAGE = "fault.save_html('report.html') draws the tensor, the grid and the source"

WORDING = {
    "out-of-bounds": Wording(
        "Access out of bounds",
        "the kernel is wrong, or it was launched with sizes, strides or a grid that do not fit the tensor",
        "compare mask and index with the shape of the view; a view may reach less than its allocation",
        _PAGE,
    ),
    "uninitialized-read": Wording(
        "Use of memory that nobody has written",
        "the caller did not fill the tensor, or the kernel reads more of it than was written",
        "zero the accumulator before the launch, or read only what an earlier launch has written",
        "trisect.sanitize(empty_is_uninitialized=True) watches every torch.empty and numpy.empty",
    ),
    "undefined-value": Wording(
        "Use of an undefined value",
        "the kernel is wrong: the language gives this value no meaning, and each tier may make another one",
        "give `other=`, mask what uses the value, or guard the operand with tl.where",
        _COLLECT,
    ),
    "race": Wording(
        "Race between programs",
        "the kernel is wrong: nothing orders the two programs, so that the result depends on the schedule",
        "let each program write its own part, use an atomic, or order the two by release and acquire",
        "TRISECT_SEED=1, 2, 3 ... runs the programs in other orders; the report does not depend on them",
    ),
    "store-conflict": Wording(
        "Conflicting lanes of one store",
        "the kernel is wrong: which of the lanes wins is not defined",
        "make the addresses of the lanes distinct, reduce first, or use an atomic",
        _COLLECT,
    ),
    "redundant-store": Wording(
        "Bytes written twice with the same value",
        "the kernel does work twice: the result is right, the time is lost",
        "let one program write each element, or mask the overlap",
        "TRISECT_SANITIZE=on leaves this kind out",
    ),
    "integer-overflow": Wording(
        "Wrapped integer in an address, an index or a mask",
        "the kernel is wrong for sizes like these: the product or the sum needs more bits",
        "widen one operand first, such as row.to(tl.int64) * stride",
        "trisect.sanitizer.far_view(shape, strides) tests large strides without the memory",
    ),
    "broken-hint": Wording(
        "Promise to the compiler that does not hold",
        "whoever made the promise is wrong: compiled tiers rely on it and may read the wrong bytes",
        "drop the hint, or keep the promise (pad, align, launch with other sizes)",
        "TRISECT_CHECK=always compares compiled tiers with the interpreter at every launch",
    ),
    "misaligned": Wording(
        "Misaligned access",
        "the kernel or its caller is wrong: a GPU traps at an address that is no multiple of the size",
        "load smaller elements, or pass a view that starts at an aligned address",
        _PAGE,
    ),
    "assert": Wording(
        "Failed assertion",
        "the kernel says itself that its input or its state is wrong",
        "look at what the condition is made of",
        "TRISECT_TIER=interp names the element when a compiled tier stopped",
    ),
    "deadlock": Wording(
        "Programs that wait for ever",
        "the kernel is wrong: no order of the remaining programs ends the loop",
        "see who is to make the change that the loop waits for, and whether it can still run",
        "TRISECT_SEED=1, 2, 3 ... runs the programs in other orders",
    ),
    "nan-origin": Wording(
        "NaN or infinity out of finite numbers",
        "the kernel's arithmetic has no answer for these inputs",
        "guard the operand (epsilon, clamp, tl.where before the operation) or subtract the maximum first",
        "it is looked for only when named: TRISECT_SANITIZE=nan-origin",
    ),
}

#: The kinds in the order of docs/debugging.md.
KINDS = tuple(WORDING)
