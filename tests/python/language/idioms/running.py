"""What the tests of idioms share: each runs in tiers interp and cpu, and under all sanitizers in silence."""

import numpy as np
import pytest

import trisect as triton

RUNS = pytest.mark.parametrize("run", ["interp", "cpu", "sanitized"])


def random(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def uniform(*shape, low=0.0, high=1.0, seed=0):
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def integers(high, *shape, low=0, seed=0, dtype=np.int32):
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)


def zeros(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


def softmax(x, axis=-1):
    weights = np.exp(x - x.max(axis, keepdims=True))
    return weights / weights.sum(axis, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def launch(run, kernel, grid, *args, **kwargs):
    """One launch in a tier, or in tier 0 under every sanitizer, whose first finding is an error."""
    if run != "sanitized":
        return kernel[grid](*args, tier=run, **kwargs)
    with triton.sanitize("all"):
        return kernel[grid](*args, **kwargs)


def close(found, expected, tolerance=1e-4):
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def same(found, expected):
    """Equal shapes and elements; dtypes may differ."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)
