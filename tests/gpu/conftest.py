"""What the tests on a GPU share: they are skipped, with the reason, where there is none."""

import pytest
import torch


def pytest_collection_modifyitems(items):
    from trisect._C import cuda

    why = cuda.why_no_device() or ("" if torch.cuda.is_available() else "PyTorch sees no GPU")
    if why:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=why))
