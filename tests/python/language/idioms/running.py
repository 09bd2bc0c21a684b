"""What the tests of idioms share: each runs in tiers interp and cpu, and under all sanitizers in silence."""

import numpy as np
import pytest

import trisect as triton

RUNS = pytest.mark.parametrize("run", ["interp", "cpu", "sanitized"])


def random(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def launch(run, kernel, grid, *args, **kwargs):
    """One launch in a tier, or in tier 0 under every sanitizer, whose first finding is an error."""
    if run != "sanitized":
        return kernel[grid](*args, tier=run, **kwargs)
    with triton.sanitize("all"):
        return kernel[grid](*args, **kwargs)


def close(found, expected, tolerance=1e-4):
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
