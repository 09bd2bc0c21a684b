"""The head of a record that is kept under bench/results."""

import datetime
import os

import torch


def head(benchmark: str) -> dict:
    """What was measured where; the commit is that of the kit."""
    import triton

    return {
        "benchmark": benchmark,
        "date": datetime.datetime.now().isoformat(timespec="seconds"),
        "commit": os.environ.get("TRISECT_COMMIT", ""),
        "command": f"./dev gpu-bench {benchmark}",
        "device": torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "triton": triton.__version__,
    }
