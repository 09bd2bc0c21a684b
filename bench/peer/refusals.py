"""Kernels that one or both front ends should refuse, through ours and upstream's: same class, same line.

What: each case of refusal_cases.py and refusal_constants.py is the body of a kernel; both front ends compile
it. They agree if both take it with the same kinds of warning, or both refuse it with the same class of error
at the same line. Rows that differ are listed with the reason that KEPT gives; one without a reason fails the
run.
"""

import sys
import textwrap
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]
import refusal_constants as constants  # noqa: E402
from refusal_cases import CASES, HEAD, SIGNATURE  # noqa: E402
from refusal_kept import KEPT  # noqa: E402

from front_ends import answers  # noqa: E402


def kernel(name, body):
    parameters = ["x", "y", "i", "n", "f", "u", "N: tl.constexpr"]
    return f"\n\n@triton.jit\ndef {name}({', '.join(parameters)}):\n{textwrap.indent(body.strip(), '    ')}\n"


def said(answer):
    """What an answer amounts to."""
    if "types" in answer:
        return ("taken", *answer["warnings"])
    return ("refused", answer["error"], f"line {answer['line']}")


def main():
    chosen = set(sys.argv[1:])
    cases = {name: body for name, body in (CASES | constants.CASES).items() if not chosen or name in chosen}
    text = HEAD + "".join(kernel(name, body) for name, body in cases.items())
    rows = [[name, SIGNATURE, {"N": 8}] for name in cases]
    mine, theirs = answers(text, rows)
    alike, kept, differ = {"taken": 0, "refused": 0}, 0, 0
    for name, own, other in zip(cases, mine, theirs, strict=True):
        if said(own) == said(other):
            alike[said(own)[0]] += 1
            continue
        print(f"{name}: ours {' '.join(said(own))}; upstream {' '.join(said(other))}")
        for side, answer in (("ours", own), ("upstream", other)):
            if "text" in answer:
                print(f"    {side}: [{answer['cause']}] {answer['text'][:200]}")
        if why := (KEPT | constants.KEPT).get(name):
            kept += 1
            print(f"    kept: {why}")
        else:
            differ += 1
    print(
        f"{len(cases)} kernels: {alike['refused']} refused alike, {alike['taken']} taken alike, {kept} kept "
        f"otherwise, {differ} differ"
    )
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
