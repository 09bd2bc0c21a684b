"""Branches, loops, early returns and the variables they carry."""

import pytest
from frontend import compile_kernel, kernel_text, ops, text_of

import trisect.language as tl
from trisect.compiler.errors import CompilationError
from trisect.runtime.jit import jit


@jit
def constexpr_branch(o, FLAG: tl.constexpr):
    if FLAG:
        tl.store(o, 1)
    else:
        tl.store(o, 2)


@pytest.mark.parametrize("flag,value", [(True, 1), (False, 2)])
def test_compile_time_branch_leaves_no_branch(flag, value):
    module = compile_kernel(constexpr_branch, o="*i32", FLAG=flag)
    assert ops(module, "scf.if") == 0 and ops(module, "tt.store") == 1
    assert f"arith.constant {value} : i32" in text_of(module)


@jit
def carried_if(o, n):
    x = 1
    y = 2.0
    if n > 3:
        x = n
        z = 5
    elif n > 2:
        y = 3.0
        z = 6
    else:
        z = 7
    tl.store(o, x + z + y.to(tl.int32))


def test_branches_carry_what_they_assign():
    module = compile_kernel(carried_if, o="*i32", n="i32")
    assert ops(module, "scf.if") == 2
    assert "-> (i32, f32, i32)" in text_of(module)


@jit
def unused_conflict(o, n):
    if n > 3:
        t = 1
        tl.store(o, t)
    else:
        t = 2.0
        tl.store(o, t.to(tl.int32))


@jit
def used_conflict(o, n):
    if n > 3:
        t = 1
    else:
        t = 2.0
    tl.store(o, t)


def test_types_that_differ_matter_only_if_used():
    compile_kernel(unused_conflict, o="*i32", n="i32")
    with pytest.raises(CompilationError, match="Mismatched type for t between then block"):
        compile_kernel(used_conflict, o="*i32", n="i32")


@jit
def block_condition(o):
    if tl.arange(0, 4) > 2:
        tl.store(o, 1)


def test_a_block_is_no_condition():
    with pytest.raises(CompilationError, match="use tl.where"):
        compile_kernel(block_condition, o="*i32")


@jit
def early_return(o, n):
    if n > 3:
        tl.store(o, 1)
        return
    x = n * 2
    if x > 4:
        return
    tl.store(o, x)


def test_early_return_nests_the_rest():
    module = compile_kernel(early_return, o="*i32", n="i32")
    assert ops(module, "scf.if") == 2 and ops(module, "tt.return") == 1 and ops(module, "cf.cond_br") == 0


@jit
def value_helper(n):
    if n > 3:
        return n * 2
    return n + 1


@jit
def partial_helper(a, b):
    if a > 0:
        if b > 0:
            return 10
        a += 1
    return a


@jit
def calls_helpers(o, n):
    for i in range(0, n):
        tl.store(o + i, value_helper(i) + partial_helper(n, i))


def test_helpers_that_return_early_can_be_called_in_loops():
    module = compile_kernel(calls_helpers, o="*i32", n="i32")
    assert ops(module, "tt.call") == 2 and ops(module, "tt.return") == 3


@jit
def return_in_loop(n):
    for i in range(n):
        if i > 3:
            return


def test_return_inside_a_loop_is_refused():
    with pytest.raises(CompilationError, match="Cannot have `return` statements inside"):
        compile_kernel(return_in_loop, n="i32")


@jit
def static_return(x, N: tl.constexpr):
    for i in tl.static_range(N):
        if x == i:
            return i * 10
    return -1


@jit
def calls_static_return(o, n):
    tl.store(o, static_return(n, 3))


def test_return_inside_an_unrolled_loop():
    module = compile_kernel(calls_static_return, o="*i32", n="i32")
    assert ops(module, "scf.if") == 4


@jit
def loop_options(o, n):
    acc = 0.0
    for i in tl.range(
        0,
        n,
        num_stages=3,
        loop_unroll_factor=2,
        flatten=True,
        warp_specialize=True,
        disallow_acc_multi_buffer=True,
        disable_licm=True,
    ):
        acc += i
    tl.store(o, acc)


def test_loop_options_become_attributes():
    text = text_of(compile_kernel(loop_options, o="*fp32", n="i32"))
    for word in (
        "tt.num_stages = 3 : i32",
        "tt.loop_unroll_factor = 2 : i32",
        "tt.flatten",
        "tt.warp_specialize",
        "tt.disallow_acc_multi_buffer",
        "llvm.loop_annotation",
    ):
        assert word in text


@jit
def negative_step(o, n):
    for i in range(n - 1, -1, -1):
        tl.store(o + i, i)


def test_negative_step_counts_up_and_mirrors():
    text = kernel_text(compile_kernel(negative_step, o="*i32", n="i32"))
    assert "scf.for" in text and text.count("arith.subi") == 2


@jit
def grid_stride(o, n):
    for i in tl.range(tl.program_id(0), n, tl.num_programs(0)):
        tl.store(o + i, i)


def test_run_time_step():
    assert ops(compile_kernel(grid_stride, o="*i32", n="i32"), "scf.for") == 1


@jit
def unsigned_bounds(o, n):
    for i in range(0, n.to(tl.uint32)):
        tl.store(o + i, i.to(tl.float32))


def test_unsigned_index_runs_in_64_bits():
    text = kernel_text(compile_kernel(unsigned_bounds, o="*fp32", n="i32"))
    assert ": i64 {" in text and "arith.uitofp" in text


@jit
def index_is_typed(o, n, N: tl.constexpr):
    for i in range(N):
        tl.store(o + i, i.to(tl.float32))
    for i in tl.static_range(2, 8, 3):
        tl.store(o + i, i * 1.5)


def test_index_of_a_constant_range_is_a_tensor():
    module = compile_kernel(index_is_typed, o="*fp32", n="i32", N=4)
    assert ops(module, "scf.for") == 1 and ops(module, "tt.store") == 3


@jit
def while_loop(o, n):
    i = n
    total = 0
    while i > 1:
        total += i
        i = i // 2
    tl.store(o, total)


@jit
def spin(lock):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.atomic_xchg(lock, 0, sem="release")


def test_while():
    module = compile_kernel(while_loop, o="*i32", n="i32")
    assert "scf.while" in text_of(module) and ops(module, "scf.condition") == 1
    assert ops(compile_kernel(spin, lock="*i32"), "tt.atomic_cas") == 1


@jit
def changes_type(o, n):
    x = 0
    for _ in range(n):
        x = x + 1.5
    tl.store(o, x)


def test_carried_type_must_stay():
    with pytest.raises(
        CompilationError, match="Loop-carried variable x has initial type int32 but is re-assigned to fp32"
    ):
        compile_kernel(changes_type, o="*fp32", n="i32")


@jit
def rebound_scalars(o, x, n):
    m = float("-inf")
    s = 0.0
    found = 0
    for i in range(n):
        v = tl.load(x + i)
        if v > m:
            m = v
            found = i
        s += v
    tl.store(o, m + s + found)


def test_python_scalars_become_carried_tensors():
    assert "iter_args" in text_of(compile_kernel(rebound_scalars, o="*fp32", x="*fp32", n="i32"))


@jit
def local_to_loop(o, n):
    for i in range(n):
        t = i * 2
    tl.store(o, t)


def test_names_first_assigned_in_a_loop_end_with_it():
    with pytest.raises(CompilationError, match="t is not defined"):
        compile_kernel(local_to_loop, o="*i32", n="i32")


@jit
def ternary(o, n, FLAG: tl.constexpr):
    a = 1 if FLAG else 2.0
    b = n if n > 3 else -n
    tl.store(o, a + b)


def test_conditional_expressions():
    assert ops(compile_kernel(ternary, o="*i32", n="i32", FLAG=True), "scf.if") == 1


@jit
def tuple_through_loop(o, n):
    pair = (n, 1.0)
    for _ in range(n):
        a, b = pair
        pair = (a + n, b * 2.0)
    tl.store(o, pair[0] + pair[1])


def test_tuples_are_carried():
    assert "(i32, f32)" in text_of(compile_kernel(tuple_through_loop, o="*fp32", n="i32"))


@jit
def pointer_through_while(p, n):
    q = p
    i = 0
    while i < n:
        tl.store(q, i)
        q += 4
        i += 1


def test_pointers_are_carried():
    assert "!tt.ptr<i32>, i32" in text_of(compile_kernel(pointer_through_while, p="*i32", n="i32"))
