"""Runs a case and says what came of it.

What: the operator runs on every tier that a user's program would reach: until its kernels are hot, then, as
long as compiled forms come that no comparison has judged, a few times more; outputs and gradients of each run
are held against one float64 reference. A record names each hot kernel that ends in tier 0, with the reason.
Why: a promoted kernel must give what tier 0 gave, so one right run is not enough.
Limits: a case in which no kernel was launched fails: then torch was compared with torch.
"""

from __future__ import annotations

import time

import torch
from trisect._C.runtime import wait_for_compiles

from compare import difference
from trisect import knobs

#: Launches of a kernel before it is hot, as docs/tiers.md has it; the next one asks for compiled code.
HOT = 2
#: Runs in which compiled forms may come up.
MORE_RUNS = 3


class Launches:
    """The kernels that were launched since `clear`."""

    def __init__(self):
        self.clear()
        knobs.runtime.launch_enter_hook.add(self._enter)
        knobs.runtime.launch_exit_hook.add(self._exit)

    def clear(self):
        self.count = 0
        self.kernels, self.tiers, self.each = {}, {}, {}

    def _enter(self, facts):
        self.count += 1
        function = facts.get()["function"]
        self.kernels[id(function)] = function
        self.each[id(function)] = self.each.get(id(function), 0) + 1

    def _exit(self, facts):
        tier = facts.get()["function"].tier
        self.tiers[tier] = self.tiers.get(tier, 0) + 1

    def compiled(self) -> bool:
        """Whether a kernel has a compiled form that was not judged yet."""
        return any(kernel.events and kernel.events[-1].kind == "compiled" for kernel in self.kernels.values())

    def hot_in_tier_0(self) -> list[str]:
        """Why each kernel that was launched often enough did not leave tier 0."""
        reasons = []
        for number, kernel in self.kernels.items():
            if self.each[number] > HOT and kernel.tier == "interp":
                told = [event.text for event in kernel.events if event.kind in ("kept", "withdrawn")]
                reasons.append(told[-1] if told else f"{kernel.name}: nothing was told")
        return reasons

    def events(self, kind: str) -> list[str]:
        return [e.text for kernel in self.kernels.values() for e in kernel.events if e.kind == kind]


def _leaves(value):
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _fresh(value, wide):
    """A copy of an input, floats as float64 for the reference."""
    if isinstance(value, (tuple, list)):
        return type(value)(_fresh(item, wide) for item in value)
    if not isinstance(value, torch.Tensor):
        return value
    copy = value.detach().clone(memory_format=torch.preserve_format)
    if wide and value.is_floating_point():
        copy = copy.double()
    return copy.requires_grad_(value.requires_grad)


def evaluate(case, function, inputs, wide):
    """Outputs, and the gradients of every input that asks for one."""
    arguments = _fresh(inputs, wide)
    outputs = list(_leaves(function(*arguments)))
    named = [(f"output {i}" if len(outputs) > 1 else "output", o) for i, o in enumerate(outputs)]
    heads = [o for o in outputs if isinstance(o, torch.Tensor) and o.requires_grad]
    leaves = [a for a in _leaves(arguments) if isinstance(a, torch.Tensor) and a.requires_grad]
    if case.backward and heads:
        generator = torch.Generator().manual_seed(1)
        seeds = [
            torch.randn(o.shape, generator=generator, dtype=torch.float64).to(case.dtype).to(o.dtype)
            for o in heads
        ]
        # Kernels that work in place may write to an output after this.
        named = [(name, o.detach().clone() if isinstance(o, torch.Tensor) else o) for name, o in named]
        gradients = torch.autograd.grad(heads, leaves, seeds, allow_unused=True)
        named += [(f"gradient of input {i}", g) for i, g in enumerate(gradients)]
    return named


def run_case(case, launches: Launches) -> dict:
    """One record: outcome `passed` or `failed`, why, seconds, launches by tier."""
    started = time.perf_counter()
    launches.clear()
    record = {"library": case.library, "case": case.name}

    def finish(outcome, why=None):
        record.update(outcome=outcome, seconds=round(time.perf_counter() - started, 2))
        record.update(launches=launches.count, tiers=launches.tiers)
        kept = launches.events("kept")
        if kept:
            record["kept"] = kept
        hot = launches.hot_in_tier_0()
        if hot:
            record["hot"] = hot
        if why:
            record["why"] = why
        return record

    inputs = case.inputs()
    try:
        want = evaluate(case, case.reference, inputs, wide=True)
    except Exception as error:
        return finish("failed", f"the reference: {type(error).__name__}: {error}")
    for attempt in range(1, HOT + 2 + MORE_RUNS):
        if attempt > HOT + 1:
            wait_for_compiles()
            # The last run is of what has been judged.
            if attempt > HOT + 3 and not launches.compiled():
                break
        try:
            got = evaluate(case, case.run, inputs, wide=False)
        except Exception as error:
            return finish("failed", f"run {attempt}: {type(error).__name__}: {error}")
        if len(got) != len(want):
            return finish("failed", f"run {attempt}: {len(got)} results, the reference has {len(want)}")
        for (what, value), (_, expected) in zip(got, want, strict=True):
            wrong = difference(case, what, value, expected)
            if wrong:
                return finish("failed", f"run {attempt}: {wrong}")
        if not launches.count:
            return finish("failed", "no kernel was launched")
    withdrawn = launches.events("withdrawn")
    return finish("failed", "; ".join(withdrawn)) if withdrawn else finish("passed")
