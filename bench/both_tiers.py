"""A launch in both tiers, in turn, by its processor time; part of bench/promoted.py.

What: `Captured` makes a launch again from the memory that it found, `every_launch` hands launches to a
function, `answer_of` times one of them: as many launches as take a short while, once more if compiled code is
slower, and then as any program launches it until tiers have settled. Else comparisons are off.
Limits: a kernel of which one launch takes too long is left out, and named; memory of which a kernel finds the
address in a tensor stays, but is not put back.
"""

import contextlib
import os
import statistics
import sys
import time

TIERS = ("interp", "cpu")
#: Launches of a kernel in each tier: as many as take this long, within these bounds.
SECONDS, FEWEST, MOST = 0.3, 5, 200
#: What the clock and the way to a launch are good for.
UNSURE = 1e-6
#: Launches after which tiers have settled, and how much longer than tier 0 compiled code may take then.
SETTLED, ALLOWED = 400, 1.25
#: Seconds that one launch may take.
LONGEST = 5
#: Tensors beyond this are not put back.
MOST_BYTES = 1 << 28


def names_of_callers():
    """What the functions hold that are under way: a kernel may find addresses of theirs in a tensor."""
    frame, held = sys._getframe(), []
    while frame := frame.f_back:
        held.append(dict(frame.f_locals))
    return held


class Captured:
    """A launch with its tensors, which can be made again from the same start."""

    def __init__(self, run, function, args, kwargs):
        self.run, self.function, self.args, self.kwargs = run, function, args, kwargs
        self.alive = names_of_callers()
        tensors = {id(a): a for a in [*args, *kwargs.values()] if hasattr(a, "untyped_storage")}
        storages = {t.untyped_storage().data_ptr(): t.untyped_storage() for t in tensors.values()}
        kept = sum(s.nbytes() for s in storages.values()) <= MOST_BYTES
        self.starts = [(storage, storage.clone()) for storage in storages.values()] if kept else []

    def restore(self):
        for storage, start in self.starts:
            storage.copy_(start)

    def __call__(self):
        self.run(self.function, *self.args, **self.kwargs)


@contextlib.contextmanager
def every_launch(capture):
    """Calls `capture(run, function, args, kwargs)` in place of each launch; `run` is the launch itself."""
    from trisect.runtime.jit import JITFunction

    run = JITFunction.run
    JITFunction.run = lambda function, *args, **kwargs: capture(run, function, args, kwargs)
    try:
        yield
    finally:
        JITFunction.run = run


def timed(launch, tier):
    os.environ["TRISECT_TIER"] = tier
    if isinstance(launch, Captured):
        launch.restore()
    start = time.thread_time()
    launch()
    return time.thread_time() - start


def measure(launch, seconds):
    """Seconds of every launch, a list for each tier."""
    for tier in TIERS:
        timed(launch, tier)
        took = timed(launch, tier)
        if took > LONGEST:
            raise TimeoutError(f"a launch takes {took:.0f} s in the tier {tier}")
    once = sum(timed(launch, tier) for tier in TIERS)
    samples = {tier: [] for tier in TIERS}
    for number in range(max(FEWEST, min(MOST, int(seconds / (once + 1e-9))))):
        for tier in TIERS if number % 2 else reversed(TIERS):
            samples[tier].append(timed(launch, tier))
    return samples


def slower(samples):
    quarter = {tier: statistics.quantiles(found, n=4) for tier, found in samples.items()}
    return quarter["cpu"][0] > quarter["interp"][2] + UNSURE


def ends_in(launch):
    """The tier that runs the kernel where nobody demands one, and the last that was told of it."""
    from trisect._C.runtime import wait_for_compiles

    from trisect import knobs

    found = []
    hooks = knobs.runtime.launch_exit_hook
    note = lambda facts: found.append(facts.get()["function"])  # noqa: E731 - the same one is removed
    hooks.add(note)
    os.environ["TRISECT_CHECK"] = "promote"
    try:
        for number in range(SETTLED):
            timed(launch, "auto")
            if number == FEWEST:
                wait_for_compiles()
    finally:
        os.environ["TRISECT_CHECK"] = "off"
        hooks.remove(note)
    return {"ends in": found[-1].tier, "told": found[-1].events[-1].text if found[-1].events else ""}


def answer_of(launch, seconds=SECONDS):
    try:
        samples = measure(launch, seconds)
        if slower(samples):
            samples = measure(launch, seconds)
        return {"samples": samples} | (ends_in(launch) if slower(samples) else {})
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}".splitlines()[0]}
