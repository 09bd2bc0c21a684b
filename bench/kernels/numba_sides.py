"""Loops in Numba, a peer of the benchmark of tier 1.

What: for what a plain loop over NumPy arrays says well, a function that does it in place, on as many threads
as torch uses. Why: torch and NumPy have no loop of one's own; whoever writes one in Python writes it so.
Limits: f32 and integers, since NumPy has no bf16; no exponentials, which Numba calls one by one.
"""

import numba
import numpy as np
import torch

# Numba's own threads: those of an OpenMP runtime of its own would spin beside torch's.
numba.config.THREADING_LAYER = "workqueue"


def add(x, y, out):
    for i in numba.prange(x.size):
        out[i] = x[i] + y[i]


def row_sum(x, out):
    for r in numba.prange(x.shape[0]):
        total = np.float32(0)
        for c in range(x.shape[1]):
            total += x[r, c]
        out[r] = total


def row_argmax(x, out):
    for r in numba.prange(x.shape[0]):
        out[r] = np.argmax(x[r])


def column_sum(x, out):
    parts = numba.get_num_threads()
    width = (x.shape[1] + parts - 1) // parts
    for part in numba.prange(parts):
        begin, end = part * width, min((part + 1) * width, x.shape[1])
        out[begin:end] = 0
        for r in range(x.shape[0]):
            out[begin:end] += x[r, begin:end]


def cumsum(x, out):
    for r in numba.prange(x.shape[0]):
        total = np.float32(0)
        for c in range(x.shape[1]):
            total += x[r, c]
            out[r, c] = total


def histogram(x, out):
    parts = numba.get_num_threads()
    counts = np.zeros((parts, out.size), np.int32)
    width = (x.size + parts - 1) // parts
    for part in numba.prange(parts):
        for i in range(part * width, min((part + 1) * width, x.size)):
            counts[part, x[i]] += 1
    for bin in range(out.size):
        out[bin] = counts[:, bin].sum()


def gather(table, ids, out):
    for i in numba.prange(ids.size):
        out[i] = table[ids[i]]


def sort(x, out):
    for r in numba.prange(x.shape[0]):
        row = x[r].copy()
        row.sort()
        out[r] = row


def side(loop, *tensors):
    """A call of `loop` on these tensors, the last of which it fills."""
    threads = torch.get_num_threads()
    made = numba.njit(parallel=threads > 1, fastmath=True, nogil=True)(loop)
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    arrays = [tensor.numpy() for tensor in tensors]
    return lambda: made(*arrays)
