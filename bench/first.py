"""The first result of a kernel that was never compiled, AST to output, in a warm process (./dev bench first).

Medians over fresh copies; upstream's interpreter, which compiles nothing, runs the same launches.
"""

import sys
import tempfile

from compare import compare, ours, upstream

#: Milliseconds that the first result may take.
LIMITS = {"vector_add": 20, "matmul": 40}
CASES = ["vector_add", "softmax", "matmul", "attention"]


def main():
    with tempfile.TemporaryDirectory() as cache:
        place = {"TRITON_CACHE_DIR": cache}
        sides = [
            ours("tier 0", place | {"TRISECT_TIER": "interp"}),
            upstream("upstream", place | {"TRITON_INTERPRET": "1"}),
        ]
        record = compare("first", "kernels/first", CASES, sides)
    missed = []
    print(f"{'kernel':12}{'tier 0':>12}{'slowest':>12}{'upstream':>12}{'limit':>8}")
    for case, row in record["rows"].items():
        result, peer = row["tier 0"], row["upstream"].get("median", float("nan"))
        limit = LIMITS.get(case)
        if "median" not in result or result["wrong"]:
            print(f"{case:12} failed: {result.get('failed', 'wrong result').strip().splitlines()[-1]}")
            missed.append(case)
            continue
        median = result["median"] * 1e3
        line = f"{case:12}{median:9.1f} ms{max(result['samples']) * 1e3:9.1f} ms{peer * 1e3:9.1f} ms"
        print(line + (f"{limit:5} ms  {'ok' if median <= limit else 'MISSED'}" if limit else ""))
        if limit and median > limit:
            missed.append(case)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
