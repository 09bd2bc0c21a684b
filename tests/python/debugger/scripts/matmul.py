"""A matrix product by blocks, with helpers that it calls."""

import numpy as np
import triton
import triton.language as tl


@triton.jit
def tile(pointer, rows, columns, stride):
    return tl.load(pointer + rows[:, None] * stride + columns[None, :])


@triton.jit
def multiply(acc, a_ptr, b_ptr, rows, columns, k, K, N, BLOCK: tl.constexpr):
    steps = k + tl.arange(0, BLOCK)
    a = tile(a_ptr, rows, steps, K)
    b = tile(b_ptr, steps, columns, N)
    return tl.dot(a, b, acc)


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr):
    row, column = tl.program_id(0), tl.program_id(1)
    rows = row * BLOCK + tl.arange(0, BLOCK)
    columns = column * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), tl.float32)
    for k in range(0, K, BLOCK):
        acc = multiply(acc, a_ptr, b_ptr, rows, columns, k, K, N, BLOCK)
    acc = acc * 2
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], acc)


M, N, K, BLOCK = 8, 4, 8, 4
a = np.arange(M * K, dtype=np.float32).reshape(M, K)
b = np.ones((K, N), np.float32)
c = np.zeros((M, N), np.float32)
matmul[(M // BLOCK, N // BLOCK)](a, b, c, M, N, K, BLOCK=BLOCK)
print("sum of c:", c.sum())
