"""A warm launch of an empty kernel with 20 mixed arguments, against upstream's run() (./dev bench launch).

Upstream's side ends before its launcher; ours in tier 1, or in nothing to show the way there alone.
"""

from compare import compare, ours, upstream

CASE = "20 arguments"
LAUNCHES = 20_000  # in one timed sample of kernels/launch.py


def sides():
    tier_1 = {"TRISECT_TIER": "cpu", "TRISECT_THREADS": "1"}
    nothing = {"LAUNCH_INTO": "nothing"}
    return [
        ours("tier 1, torch", tier_1 | {"LAUNCH_TENSORS": "torch"}),
        ours("tier 1, NumPy", tier_1 | {"LAUNCH_TENSORS": "numpy"}),
        ours("nothing, torch", nothing | {"LAUNCH_TENSORS": "torch"}),
        ours("nothing, NumPy", nothing | {"LAUNCH_TENSORS": "numpy"}),
        upstream("upstream, torch", {"LAUNCH_TENSORS": "torch"}),
    ]


def main():
    row = compare("launch", "kernels/launch", [CASE], sides(), budget=3.0)["rows"][CASE]
    peer = row["upstream, torch"].get("median")
    for name, result in row.items():
        if "median" not in result:
            print(f"{name:16} failed: {result['failed'].strip().splitlines()[-1]}")
            continue
        ratio = f"{peer / result['median']:6.1f} times upstream's speed" if peer else ""
        print(f"{name:16} {result['median'] / LAUNCHES * 1e6:6.2f} us a launch {ratio}")


if __name__ == "__main__":
    main()
