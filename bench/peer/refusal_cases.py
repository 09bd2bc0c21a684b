"""Kernels of the comparison of refusals: bodies over x, y (*fp32, *i32), i (*i8), n, f, u (i32, fp32, u32), N = 8."""
# ruff: noqa: E501

SIGNATURE = {"x": "*fp32", "y": "*i32", "i": "*i8", "n": "i32", "f": "fp32", "u": "u32"}

HEAD = """import triton
import triton.language as tl

PLAIN = 3
ANNOTATED: tl.constexpr = 3
CONSTANT = tl.constexpr(3)
NOT_POWER = tl.constexpr(6)
LISTED = [1, 2]
TEXT = "a"


@triton.jit
def add_range(a, K: tl.constexpr):
    b = a + 1
    return b + tl.arange(0, K)


@triton.jit
def through(a, K: tl.constexpr):
    return add_range(a, K)


@triton.jit
def two(a):
    return a, a + 1


@triton.jit
def kinds(a, flag):
    if flag:
        return a
    else:
        return a.to(tl.float32)


@triton.jit
def kinds_of_count(a, flag):
    if flag:
        return a, a
    else:
        return a


@triton.jit
def value_or_nothing(a, flag):
    if flag:
        return a


@triton.jit
def block_or_scalar(a, flag):
    if flag:
        return a
    return a + tl.arange(0, 8)


@triton.jit
def nested(a):
    def inner(b):
        return b + 1
    return inner(a)


@triton.jit
def recursive(a):
    return recursive(a)


@triton.jit
def returns_in_loop(a):
    for k in range(10):
        return a
    return a


@triton.jit
def sum_up(a, b):
    return a + b


@triton.jit
def sum_wrong(a, b):
    return (a + b).to(tl.float64)


def plain_python(a):
    return a
"""

CASES = {
    # Operators of signed with unsigned integers.
    "div_signs": "tl.store(x, n / u)",
    "floordiv_signs": "tl.store(y, n // u)",
    "mod_signs": "tl.store(y, n % u)",
    "floordiv_in_place": "n //= u\ntl.store(y, n)",
    "mod_in_place": "n %= u\ntl.store(y, n)",
    "div_in_place": "n /= u\ntl.store(x, n)",
    "block_mod_signs": "tl.store(y + tl.arange(0, 8), tl.arange(0, 8) % u)",
    "floordiv_block_number": "tl.store(y + tl.arange(0, 8), tl.arange(0, 8) // 3)",
    "cdiv_signs": "tl.store(y, tl.cdiv(n, u))",
    "add_signs": "tl.store(y, n + u)",
    "compare_signs": "tl.store(y, n < u)",
    "shift_signs": "tl.store(y, n >> u)",
    "unsigned_negative": "tl.store(y, u + -1)",
    "unsigned_minus": "tl.store(y, -u)",
    "unsigned_times_negative": "tl.store(y, u * -2)",
    "narrow_with_wide": "tl.store(i, tl.load(i) + 300)",
    "float_mod": "tl.store(x, f % 2.0)",
    "float_floordiv": "tl.store(x, f // 2.0)",
    "float_and": "tl.store(x, f & 1)",
    "float_shift": "tl.store(x, f << 1)",
    "float_invert": "tl.store(x, ~f)",
    "pointer_times": "tl.store(x * 2, f)",
    "pointer_plus_pointer": "tl.store(x + x, f)",
    "pointer_minus_pointer": "tl.store(y, x - x)",
    "pointer_plus_float": "tl.store(x + f, f)",
    "pointer_minus": "tl.store(-x, f)",
    "pointer_invert": "tl.store(~x, f)",
    "pointer_compare": "tl.store(y, x == x)",
    "pointer_less_number": "tl.store(y, x < 3)",
    "power": "tl.store(x, f ** 2)",
    "power_of_constants": "tl.store(x, f + N ** 2)",
    "matmul_operator": "a = tl.zeros([16, 16], tl.float16)\ntl.store(x, tl.sum(a @ a))",
    "shift_width": "tl.store(y, n << 32)",
    "shift_beyond": "tl.store(y, n >> 40)",
    "shift_in_range": "tl.store(y, n >> 31)",
    "huge_number": "tl.store(y, n + (1 << 70))",
    "wide_number": "tl.store(y, n + (1 << 40))",
    "zero_division": "tl.store(y, n + N // 0)",
    "string_number": "tl.store(y, n + 'a')",
    "none_number": "tl.store(y, n + None)",
    "tuple_number": "tl.store(y, n + (1, 2))",
    "chain": "tl.store(y, 1 < n < 3)",
    "compare_string": "tl.store(y, n == 'a')",
    "compare_none": "tl.store(y, 1 if n == None else 2)",
    "not_block": "tl.store(y + tl.arange(0, 8), (not tl.arange(0, 8)).to(tl.int32))",
    "and_blocks": "a = tl.arange(0, 8)\ntl.store(y + a, ((a > 3) and (a < 5)).to(tl.int32))",
    "in_runtime": "tl.store(y, 1 if n in (1, 2) else 0)",
    "is_runtime": "tl.store(y, 1 if n is None else 0)",
    # Statements and names.
    "nested_function": "tl.store(y, nested(n))",
    "nested_in_kernel": "def inner(a):\n    return a + 1\ntl.store(y, inner(n))",
    "lambda_in_kernel": "g = lambda a: a + 1\ntl.store(y, g(n))",
    "annotated_global": "tl.store(y, ANNOTATED)",
    "plain_global": "tl.store(y, PLAIN)",
    "constant_global": "tl.store(y, CONSTANT)",
    "listed_global": "tl.store(y, LISTED[0])",
    "text_global": "tl.static_assert(TEXT == 'a')",
    "undefined": "tl.store(y, nowhere)",
    "undefined_after_branch": "if n > 0:\n    z = 1\ntl.store(y, z)",
    "undefined_after_loop": "for k in range(n):\n    z = k\ntl.store(y, z)",
    "deleted": "z = n\ndel z\ntl.store(y, z)",
    "with_statement": "with n:\n    tl.store(y, n)",
    "try_statement": "try:\n    tl.store(y, n)\nexcept ValueError:\n    pass",
    "raise_statement": "raise ValueError('a')",
    "global_statement": "global PLAIN\ntl.store(y, n)",
    "import_statement": "import math\ntl.store(y, n)",
    "class_statement": "class A:\n    pass\ntl.store(y, n)",
    "break_statement": "for k in range(n):\n    break\ntl.store(y, n)",
    "continue_statement": "for k in range(n):\n    continue\ntl.store(y, n)",
    "break_in_while": "while n > 0:\n    break\ntl.store(y, n)",
    "yield_statement": "yield n",
    "match_statement": "match N:\n    case 8:\n        tl.store(y, n)",
    "for_else": "for k in range(n):\n    tl.store(y, k)\nelse:\n    tl.store(y, n)",
    "while_else": "while n > 0:\n    n -= 1\nelse:\n    tl.store(y, n)",
    "list_comprehension": "a = [k for k in (1, 2)]\ntl.store(y, a[0])",
    "generator_expression": "a = tuple(k for k in (1, 2))\ntl.store(y, a[0])",
    "set_literal": "a = {1, 2}\ntl.store(y, n)",
    "dict_literal": "a = {'a': 1}\ntl.store(y, a['a'])",
    "walrus": "tl.store(y, (z := n + 1))",
    "star_arguments": "a = (y, n)\ntl.store(*a)",
    "star_keywords": "a = {'mask': None}\ntl.store(y, n, **a)",
    "augmented_unknown": "z += 1\ntl.store(y, z)",
    "unpack_few": "a, b, c = two(n)\ntl.store(y, a)",
    "unpack_many": "a, = two(n)\ntl.store(y, a)",
    "unpack_scalar": "a, b = n\ntl.store(y, a)",
    "assign_attribute": "n.a = 3\ntl.store(y, n)",
    "assign_element": "a = tl.arange(0, 8)\na[0] = 3\ntl.store(y + a, a)",
    "chained_assignment": "a = b = n\ntl.store(y, a + b)",
    "unknown_attribute": "tl.store(y, n.nowhere)",
    "unknown_function": "tl.store(y, tl.nowhere(n))",
    "unknown_method": "tl.store(y, n.nowhere())",
    "call_number": "tl.store(y, n(3))",
    "call_plain_python": "tl.store(y, plain_python(n))",
    "call_plain_python_constant": "tl.store(y, plain_python(N))",
    "too_few_arguments": "tl.store(y)",
    "too_many_arguments": "tl.program_id(0, 1, 2, 3)\ntl.store(y, n)",
    "unknown_keyword": "tl.store(y, n, nowhere=1)",
    "helper_too_few": "tl.store(y, sum_up(n))",
    "helper_unknown_keyword": "tl.store(y, sum_up(n, c=1))",
    "float_of_runtime": "tl.store(x, float(n))",
    "int_of_runtime": "tl.store(y, int(f))",
    "len_of_block": "tl.store(y, len(tl.arange(0, 8)))",
    "len_of_tuple": "tl.store(y, len((1, 2)))",
    "f_string_runtime": "tl.static_assert(f'{n}' == 'a')",
    "print_runtime": "print('n', n)",
    "device_print_no_prefix": "tl.device_print(n)",
    "device_print_long": "tl.device_print('" + "a" * 30 + "', n)",
    "static_print": "tl.static_print('a', N)",
    "constexpr_assign_runtime": "a: tl.constexpr = n\ntl.store(y, a)",
    "constexpr_reassigned": "a: tl.constexpr = 1\na = 2\ntl.store(y, a)",
    "constexpr_twice": "a: tl.constexpr = 1\na: tl.constexpr = 2\ntl.store(y, a)",
    "annotated_local": "a: tl.int32 = n\ntl.store(y, a)",
    "constexpr_parameter_changes": "N = N + 1\ntl.store(y, N)",
    # Returns and branches.
    "kinds_of_returns": "tl.store(y, kinds(n, n > 0).to(tl.int32))",
    "counts_of_returns": "a, b = kinds_of_count(n, n > 0)\ntl.store(y, a)",
    "value_or_nothing": "tl.store(y, value_or_nothing(n, n > 0))",
    "block_or_scalar": "tl.store(y + tl.arange(0, 8), block_or_scalar(n, n > 0))",
    "return_value": "return n",
    "return_in_branch": "if n > 0:\n    return\ntl.store(y, n)",
    "return_in_loop": "for k in range(n):\n    return\ntl.store(y, n)",
    "return_in_while": "while n > 0:\n    return\ntl.store(y, n)",
    "return_in_called_loop": "tl.store(y, returns_in_loop(n))",
    "return_in_static_loop": "for k in tl.static_range(2):\n    return\ntl.store(y, n)",
    "recursion": "tl.store(y, recursive(n))",
    "branch_types": "if n > 0:\n    a = n\nelse:\n    a = f\ntl.store(x, a)",
    "branch_types_unused": "if n > 0:\n    a = n\nelse:\n    a = f\ntl.store(x, f)",
    "branch_shapes": "a = n\nif n > 0:\n    a = tl.arange(0, 8)\ntl.store(y + a, a)",
    "branch_one_side": "a = n\nif n > 0:\n    a = f\ntl.store(x, a)",
    "branch_constant": "if n > 0:\n    N = 2\ntl.store(y, N)",
    "branch_constant_same": "if n > 0:\n    N = N\ntl.store(y, N)",
    "branch_constant_else": "if n > 0:\n    tl.store(y, n)\nelse:\n    N *= 2\ntl.store(y, N)",
    "branch_constant_after_return": "if n > 0:\n    return\nN = 2\ntl.store(y, N)",
    "branch_loop_target": "a = 5\nif n > 0:\n    for a in tl.static_range(3):\n        tl.store(y, a)\ntl.store(y, a)",
    "loop_changes_type": "t = tl.float32\nfor a in range(n):\n    tl.store(y, a.to(t))\n    t = tl.int8",
    "loop_changes_none": "a = None\nfor j in range(n):\n    if a is None:\n        a = j\n    else:\n        a += j\ntl.store(y, n)",
    "ternary_types": "tl.store(x, n if n > 0 else f)",
    "ternary_shapes": "tl.store(y, tl.sum(tl.arange(0, 8) if n > 0 else n))",
    "if_block": "if tl.arange(0, 8) > 3:\n    tl.store(y, n)",
    "if_float": "if f:\n    tl.store(y, n)",
    "if_pointer": "if x:\n    tl.store(y, n)",
    "while_block": "while tl.arange(0, 8) > 3:\n    tl.store(y, n)",
    "assert_runtime": "assert n > 0, 'a'",
    "assert_false": "assert N > 8, 'a'",
    "static_assert_false": "tl.static_assert(N > 8, 'a')",
    "static_assert_runtime": "tl.static_assert(n > 8)",
    "device_assert_text": "tl.device_assert(n > 0, n)",
    # Loops.
    "loop_type": "a = n\nfor k in range(10):\n    a = f\ntl.store(x, a)",
    "loop_shape": "a = n\nfor k in range(10):\n    a = a + tl.arange(0, 8)\ntl.store(y, tl.sum(a))",
    "loop_widens": "a = 0\nfor k in range(10):\n    a += tl.load(y).to(tl.int64)\ntl.store(y, a)",
    "while_type": "a = n\nwhile a > 0:\n    a = a / 2\ntl.store(x, a)",
    "loop_float": "for k in range(f):\n    tl.store(y, k)",
    "loop_float_step": "for k in range(0, 10, 1.5):\n    tl.store(y, k)",
    "loop_block": "for k in range(tl.arange(0, 8)):\n    tl.store(y, k)",
    "loop_zero_step": "for k in range(0, 10, 0):\n    tl.store(y, k)",
    "loop_negative_step": "for k in range(10, 0, -1):\n    tl.store(y, k)",
    "loop_over_number": "for k in n:\n    tl.store(y, k)",
    "loop_over_block": "for k in tl.arange(0, 8):\n    tl.store(y, k)",
    "loop_over_tuple": "for k in (1, 2):\n    tl.store(y, k)",
    "loop_over_enumerate": "for k, m in enumerate((1, 2)):\n    tl.store(y, k + m)",
    "loop_tuple_target": "for k, m in range(10):\n    tl.store(y, k)",
    "static_range_runtime": "for k in tl.static_range(n):\n    tl.store(y, k)",
    "range_no_arguments": "for k in range():\n    tl.store(y, k)",
    "range_stages": "for k in tl.range(0, 10, num_stages=3):\n    tl.store(y, k)",
    "range_unknown": "for k in tl.range(0, 10, nowhere=3):\n    tl.store(y, k)",
    # Shapes.
    "arange_power": "tl.store(y, tl.sum(tl.arange(0, 6)))",
    "arange_constant_power": "tl.store(y, tl.sum(tl.arange(0, NOT_POWER)))",
    "arange_runtime": "tl.store(y, tl.sum(tl.arange(0, n)))",
    "arange_backwards": "tl.store(y, tl.sum(tl.arange(8, 0)))",
    "arange_empty": "tl.store(y, tl.sum(tl.arange(3, 3)))",
    "arange_float": "tl.store(y, tl.sum(tl.arange(0, 8.0)))",
    "arange_huge": "tl.store(y, tl.sum(tl.arange(0, 1 << 40)))",
    "arange_offset": "tl.store(y, tl.sum(tl.arange(3, 11)))",
    "arange_large": "tl.store(y, tl.sum(tl.arange(0, 2097152)))",
    "arange_in_helper": "tl.store(y, tl.sum(add_range(n, 6)))",
    "arange_in_helper_of_helper": "tl.store(y, tl.sum(through(n, 6)))",
    "zeros_power": "tl.store(x, tl.sum(tl.zeros([3], tl.float32)))",
    "zeros_runtime": "tl.store(x, tl.sum(tl.zeros([n], tl.float32)))",
    "zeros_scalar": "tl.store(x, tl.zeros([], tl.float32))",
    "zeros_number": "tl.store(x, tl.sum(tl.zeros(8, tl.float32)))",
    "zeros_zero": "tl.store(x, tl.sum(tl.zeros([0], tl.float32)))",
    "zeros_negative": "tl.store(x, tl.sum(tl.zeros([-8], tl.float32)))",
    "zeros_large": "tl.store(x, tl.sum(tl.zeros([1024, 2048], tl.float32)))",
    "zeros_no_type": "tl.store(x, tl.sum(tl.zeros([8])))",
    "full_no_type": "tl.store(x, tl.sum(tl.full([8], 3)))",
    "full_block": "tl.store(x, tl.sum(tl.full([8], tl.arange(0, 8), tl.int32)))",
    "full_type_text": "tl.store(x, tl.sum(tl.full([8], 3, 'float32')))",
    "program_axis": "tl.store(y, tl.program_id(3))",
    "program_axis_negative": "tl.store(y, tl.program_id(-1))",
    "programs_axis": "tl.store(y, tl.num_programs(axis=5))",
    "program_axis_runtime": "tl.store(y, tl.program_id(n))",
    "expand_dims_beyond": "tl.store(y, tl.sum(tl.expand_dims(tl.arange(0, 8), 2)))",
    "expand_dims_below": "tl.store(y, tl.sum(tl.expand_dims(tl.arange(0, 8), -3)))",
    "expand_dims_last": "tl.store(y, tl.sum(tl.expand_dims(tl.arange(0, 8), -1)))",
    "expand_dims_twice": "tl.store(y, tl.sum(tl.expand_dims(tl.arange(0, 8), [0, 0])))",
    "expand_dims_pair": "tl.store(y, tl.sum(tl.expand_dims(tl.arange(0, 8), [0, 2])))",
    "expand_dims_scalar": "tl.store(y, tl.sum(tl.expand_dims(n, 0)))",
    "index_number": "tl.store(y, tl.sum(tl.arange(0, 8)[0]))",
    "index_slice": "tl.store(y, tl.sum(tl.arange(0, 8)[0:4]))",
    "index_none": "tl.store(y, tl.sum(tl.arange(0, 8)[None]))",
    "index_none_twice": "tl.store(y, tl.sum(tl.arange(0, 8)[None, :, None]))",
    "index_full_twice": "tl.store(y, tl.sum(tl.arange(0, 8)[:, :]))",
    "index_beyond": "tl.store(y, tl.sum(tl.arange(0, 8)[:, :, None]))",
    "index_ellipsis": "tl.store(y, tl.sum(tl.arange(0, 8)[..., None]))",
    "index_scalar_none": "tl.store(y, tl.sum(n[None]))",
    "index_scalar_full": "tl.store(y, tl.sum(n[:, None]))",
    "index_scalar_three": "tl.store(y, tl.sum(n[None, None, :]))",
    "index_runtime": "tl.store(y, tl.sum(tl.arange(0, 8)[n]))",
    "broadcast_shapes": "tl.store(y, tl.sum(tl.arange(0, 8) + tl.arange(0, 16)))",
    "broadcast_ranks": "tl.store(y, tl.sum(tl.arange(0, 8) + tl.zeros([4, 8], tl.int32)))",
    "broadcast_to_rank": "tl.store(y, tl.sum(tl.broadcast_to(tl.arange(0, 8), [4, 8])))",
    "broadcast_to_shrinks": "tl.store(y, tl.sum(tl.broadcast_to(tl.arange(0, 8), [4])))",
    "reshape_count": "tl.store(y, tl.sum(tl.reshape(tl.arange(0, 8), [3, 2])))",
    "reshape_other": "tl.store(y, tl.sum(tl.reshape(tl.arange(0, 8), [2, 8])))",
    "reshape_minus_one": "tl.store(y, tl.sum(tl.reshape(tl.arange(0, 8), [2, -1])))",
    "view_count": "tl.store(y, tl.sum(tl.view(tl.arange(0, 8), [2, 2])))",
    "permute_short": "tl.store(y, tl.sum(tl.permute(tl.zeros([4, 8], tl.int32), (0,))))",
    "permute_twice": "tl.store(y, tl.sum(tl.permute(tl.zeros([4, 8], tl.int32), (0, 0))))",
    "trans_vector": "tl.store(y, tl.sum(tl.trans(tl.arange(0, 8))))",
    "trans_three": "tl.store(y, tl.sum(tl.trans(tl.zeros([2, 4, 8], tl.int32))))",
    "property_t": "tl.store(y, tl.sum(tl.arange(0, 8).T))",
    "join_types": "tl.store(x, tl.sum(tl.join(tl.arange(0, 8), tl.zeros([8], tl.float32))))",
    "join_shapes": "tl.store(y, tl.sum(tl.join(tl.arange(0, 8), tl.arange(0, 16))))",
    "split_odd": "a, b = tl.split(tl.arange(0, 8))\ntl.store(y, tl.sum(a))",
    "split_vector": "a, b = tl.split(tl.arange(0, 2))\ntl.store(y, a)",
    "cat_order": "tl.store(y, tl.sum(tl.cat(tl.arange(0, 8), tl.arange(0, 8))))",
    "cat_types": "tl.store(y, tl.sum(tl.cat(tl.arange(0, 8), tl.zeros([8], tl.float32), can_reorder=True)))",
    "gather_index": "tl.store(y, tl.sum(tl.gather(tl.arange(0, 8), tl.zeros([8], tl.float32), 0)))",
    "gather_axis": "tl.store(y, tl.sum(tl.gather(tl.arange(0, 8), tl.arange(0, 8), 1)))",
    "gather_rank": "tl.store(y, tl.sum(tl.gather(tl.arange(0, 8), tl.zeros([8, 8], tl.int32), 0)))",
    "histogram_float": "tl.store(y, tl.sum(tl.histogram(tl.zeros([8], tl.float32), 8)))",
    "histogram_matrix": "tl.store(y, tl.sum(tl.histogram(tl.zeros([8, 8], tl.int32), 8)))",
    "histogram_bins": "tl.store(y, tl.sum(tl.histogram(tl.arange(0, 8), 6)))",
    "flip_matrix": "tl.store(y, tl.sum(tl.flip(tl.zeros([4, 8], tl.int32))))",
    "flip_axis": "tl.store(y, tl.sum(tl.flip(tl.zeros([4, 8], tl.int32), 0)))",
    "flip_one": "tl.store(y, tl.sum(tl.flip(tl.arange(0, 1))))",
    "sort_axis": "tl.store(y, tl.sum(tl.sort(tl.zeros([4, 8], tl.int32), 0)))",
    "topk_size": "tl.store(y, tl.sum(tl.topk(tl.arange(0, 8), 3)))",
    "topk_larger": "tl.store(y, tl.sum(tl.topk(tl.arange(0, 8), 16)))",
    # Types.
    "where_number": "tl.store(y, tl.where(n, 1, 2))",
    "where_float": "tl.store(y, tl.where(f, 1, 2))",
    "where_block_number": "a = tl.arange(0, 8)\ntl.store(y + a, tl.where(a, 1, 2))",
    "where_pointers": "tl.store(tl.where(n > 0, x, y), f)",
    "where_shapes": "tl.store(y, tl.sum(tl.where(tl.arange(0, 8) > 3, tl.arange(0, 16), 0)))",
    "cast_unknown": "tl.store(y, n.to('nowhere'))",
    "cast_text": "tl.store(y, n.to('int8'))",
    "cast_python": "tl.store(y, n.to(float))",
    "cast_nothing": "tl.store(y, n.to(None))",
    "bitcast_width": "tl.store(y, f.to(tl.int16, bitcast=True))",
    "bitcast_pointer": "tl.store(x.to(tl.pointer_type(tl.int32), bitcast=True), n)",
    "cast_pointer_narrow": "tl.store(y, x.to(tl.int32))",
    "cast_float_pointer": "tl.store(f.to(tl.pointer_type(tl.int32)), n)",
    "rounding_widening": "tl.store(x, f.to(tl.float64, fp_downcast_rounding='rtne'))",
    "rounding_unknown": "tl.store(x, f.to(tl.float16, fp_downcast_rounding='up'))",
    "rounding_integer": "tl.store(y, n.to(tl.int8, fp_downcast_rounding='rtz'))",
    "fp8_foreign": "tl.store(x, f.to(tl.float8e4b8).to(tl.float32))",
    "fp8_foreign_wide": "tl.store(x, f.to(tl.float8e5b16).to(tl.float32))",
    "fp8_old": "tl.store(x, f.to(tl.float8e4b15).to(tl.float32))",
    "fp8_native": "tl.store(x, f.to(tl.float8e4nv).to(tl.float32))",
    "fp8_in_block": "tl.store(x, tl.sum(tl.zeros([8], tl.float8e4b8).to(tl.float32)))",
    "exp_integer": "tl.store(x, tl.exp(n))",
    "exp_half": "tl.store(x, tl.exp(f.to(tl.float16)))",
    "sqrt_rn_double": "tl.store(x, tl.sqrt_rn(f.to(tl.float64)))",
    "div_rn_double": "tl.store(x, tl.div_rn(f.to(tl.float64), f.to(tl.float64)))",
    "umulhi_float": "tl.store(x, tl.umulhi(f, f))",
    "umulhi_narrow": "tl.store(i, tl.umulhi(tl.load(i), tl.load(i)))",
    "fdiv_integer": "tl.store(x, tl.fdiv(n, n))",
    "abs_pointer": "tl.store(x, tl.abs(x))",
    "clamp_integer": "tl.store(y, tl.clamp(n, 0, 3))",
    "clamp_types": "tl.store(x, tl.clamp(f, 0, n))",
    "maximum_pointer": "tl.store(x, tl.maximum(x, x))",
    "minimum_nan": "tl.store(x, tl.minimum(f, f, propagate_nan=tl.PropagateNan.ALL))",
    "minimum_nan_text": "tl.store(x, tl.minimum(f, f, propagate_nan='all'))",
    "fma_integer": "tl.store(y, tl.fma(n, n, n))",
    # Memory.
    "load_number": "tl.store(y, tl.load(n))",
    "load_float": "tl.store(x, tl.load(f))",
    "load_mask_scalar": "a = tl.arange(0, 8)\ntl.store(x + a, tl.load(x + a, mask=n > 0))",
    "load_mask_block": "tl.store(x, tl.sum(tl.load(x, mask=tl.arange(0, 8) > 3)))",
    "load_mask_number": "a = tl.arange(0, 8)\ntl.store(x + a, tl.load(x + a, mask=a))",
    "load_mask_shape": "a = tl.arange(0, 8)\ntl.store(x + a, tl.load(x + a, mask=tl.arange(0, 16) > 3))",
    "load_other_alone": "a = tl.arange(0, 8)\ntl.store(x + a, tl.load(x + a, other=0.0))",
    "load_other_block": "a = tl.arange(0, 8)\ntl.store(x + a, tl.load(x + a, mask=a > 3, other=a))",
    "load_cache": "tl.store(x, tl.load(x, cache_modifier='.nowhere'))",
    "load_cache_store": "tl.store(x, tl.load(x, cache_modifier='.wb'))",
    "load_eviction": "tl.store(x, tl.load(x, eviction_policy='nowhere'))",
    "load_volatile": "tl.store(x, tl.load(x, volatile=True))",
    "load_padding": "tl.store(x, tl.load(x, padding_option='nan'))",
    "load_boundary": "tl.store(x, tl.load(x, boundary_check=(0,)))",
    "load_unused": "tl.load(x)",
    "store_number": "tl.store(n, n)",
    "store_shape": "tl.store(x, tl.arange(0, 8))",
    "store_wider": "tl.store(x + tl.arange(0, 8), tl.arange(0, 16))",
    "store_scalar_block": "tl.store(x + tl.arange(0, 8), f)",
    "store_mask_block": "tl.store(x, f, mask=tl.arange(0, 8) > 3)",
    "store_mask_number": "tl.store(x, f, mask=n)",
    "store_cache": "tl.store(x, f, cache_modifier='.nowhere')",
    "store_pointer": "tl.store(x, x)",
    "store_none": "tl.store(x, None)",
    "block_pointer": "p = tl.make_block_ptr(x, (8, 8), (8, 1), (0, 0), (8, 8), (1, 0))\ntl.store(p, tl.load(p))",
    "block_pointer_order": "p = tl.make_block_ptr(x, (8, 8), (8, 1), (0, 0), (8, 8), (0, 0))\ntl.store(p, tl.load(p))",
    "block_pointer_rank": "p = tl.make_block_ptr(x, (8,), (8, 1), (0, 0), (8, 8), (1, 0))\ntl.store(p, tl.load(p))",
    "block_pointer_base": "p = tl.make_block_ptr(n, (8, 8), (8, 1), (0, 0), (8, 8), (1, 0))\ntl.store(p, tl.load(p))",
    "block_pointer_mask": "p = tl.make_block_ptr(x, (8, 8), (8, 1), (0, 0), (8, 8), (1, 0))\ntl.store(p, tl.load(p, mask=n > 0))",
    "block_pointer_check": "p = tl.make_block_ptr(x, (8, 8), (8, 1), (0, 0), (8, 8), (1, 0))\ntl.store(p, tl.load(p, boundary_check=(3,)))",
    "advance_rank": "p = tl.make_block_ptr(x, (8, 8), (8, 1), (0, 0), (8, 8), (1, 0))\ntl.store(tl.advance(p, (1,)), tl.load(p))",
    "advance_pointer": "tl.store(tl.advance(x, (1,)), f)",
    "descriptor_narrow": "d = tl.make_tensor_descriptor(i, [n], [1], [8])\nd.store([0], d.load([0]))",
    "descriptor_wide": "d = tl.make_tensor_descriptor(i, [n], [1], [16])\nd.store([0], d.load([0]))",
    "descriptor_strides": "d = tl.make_tensor_descriptor(x, [n, n], [1], [8, 8])\nd.store([0, 0], d.load([0, 0]))",
    "descriptor_last_stride": "d = tl.make_tensor_descriptor(x, [n, n], [n, 2], [8, 8])\nd.store([0, 0], d.load([0, 0]))",
    "descriptor_offsets": "d = tl.make_tensor_descriptor(x, [n, n], [n, 1], [8, 8])\nd.store([0], d.load([0, 0]))",
    "descriptor_rank": "d = tl.make_tensor_descriptor(x, [], [], [])\nd.store([], d.load([]))",
    "descriptor_value": "d = tl.make_tensor_descriptor(x, [n, n], [n, 1], [8, 8])\nd.store([0, 0], tl.zeros([4, 8], tl.float32))",
    # Atomics.
    "atomic_add_narrow": "tl.atomic_add(i, 1)",
    "atomic_max_float": "tl.atomic_max(x, f)",
    "atomic_and_float": "tl.atomic_and(x, f)",
    "atomic_add_number": "tl.atomic_add(n, 1)",
    "atomic_sem": "tl.atomic_add(y, 1, sem='nowhere')",
    "atomic_scope": "tl.atomic_add(y, 1, scope='nowhere')",
    "atomic_mask": "tl.atomic_add(y, 1, mask=n)",
    "atomic_cas_float": "tl.atomic_cas(x, f, f)",
    "atomic_cas_types": "tl.atomic_cas(y, 0, f)",
    "atomic_cas_narrow": "tl.atomic_cas(i, tl.load(i), tl.load(i))",
    "atomic_xchg_pointer": "tl.atomic_xchg(x, x)",
    # Reductions.
    "sum_axis": "tl.store(y, tl.sum(tl.arange(0, 8), axis=1))",
    "sum_axis_negative": "tl.store(y, tl.sum(tl.arange(0, 8), axis=-2))",
    "sum_axis_runtime": "tl.store(y, tl.sum(tl.arange(0, 8), axis=n))",
    "sum_scalar": "tl.store(y, tl.sum(n))",
    "sum_keep": "tl.store(y, tl.sum(tl.sum(tl.zeros([4, 8], tl.int32), axis=None, keep_dims=True)))",
    "min_keep": "tl.store(y, tl.sum(tl.min(tl.arange(0, 8), axis=None, keep_dims=True)))",
    "argmax_none": "tl.store(y, tl.argmax(tl.arange(0, 8), axis=None))",
    "max_indices": "a, b = tl.max(tl.arange(0, 8), axis=0, return_indices=True)\ntl.store(y, a + b)",
    "reduce_function": "tl.store(y, tl.reduce(tl.arange(0, 8), 0, sum_up))",
    "reduce_plain": "tl.store(y, tl.reduce(tl.arange(0, 8), 0, plain_python))",
    "reduce_type": "tl.store(x, tl.reduce(tl.arange(0, 8), 0, sum_wrong))",
    "reduce_unused": "tl.sum(tl.arange(0, 8))",
    "scan_axis": "tl.store(y, tl.sum(tl.cumsum(tl.arange(0, 8), 1)))",
    "scan_scalar": "tl.store(y, tl.cumsum(n))",
    "scan_reverse": "tl.store(y, tl.sum(tl.associative_scan(tl.arange(0, 8), 0, sum_up, reverse=True)))",
    "scan_unused": "tl.cumsum(tl.arange(0, 8))",
    "sum_type": "tl.store(x, tl.sum(tl.arange(0, 8), dtype=tl.float32))",
    "xor_float": "tl.store(x, tl.xor_sum(tl.zeros([8], tl.float32)))",
    "softmax_integer": "tl.store(x, tl.sum(tl.softmax(tl.arange(0, 8))))",
    # Products.
    "dot_types": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 16], tl.float16), tl.zeros([16, 16], tl.float32))))",
    "dot_shapes": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 32], tl.float16), tl.zeros([16, 16], tl.float16))))",
    "dot_small": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 4], tl.float16), tl.zeros([4, 16], tl.float16))))",
    "dot_small_integer": "tl.store(y, tl.sum(tl.dot(tl.zeros([16, 16], tl.int8), tl.zeros([16, 16], tl.int8))))",
    "dot_unsigned": "tl.store(y, tl.sum(tl.dot(tl.zeros([32, 32], tl.uint8), tl.zeros([32, 32], tl.uint8))))",
    "dot_vector": "tl.store(x, tl.sum(tl.dot(tl.zeros([16], tl.float16), tl.zeros([16], tl.float16))))",
    "dot_ranks": "tl.store(x, tl.sum(tl.dot(tl.zeros([2, 16, 16], tl.float16), tl.zeros([16, 16], tl.float16))))",
    "dot_batches": "tl.store(x, tl.sum(tl.dot(tl.zeros([2, 16, 16], tl.float16), tl.zeros([4, 16, 16], tl.float16))))",
    "dot_batched": "tl.store(x, tl.sum(tl.dot(tl.zeros([2, 16, 16], tl.float16), tl.zeros([2, 16, 16], tl.float16))))",
    "dot_integer_wide": "tl.store(y, tl.sum(tl.dot(tl.zeros([16, 16], tl.int32), tl.zeros([16, 16], tl.int32))))",
    "dot_bool": "tl.store(y, tl.sum(tl.dot(tl.zeros([16, 32], tl.int1), tl.zeros([32, 16], tl.int1))))",
    "dot_accumulator": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 16], tl.float16), tl.zeros([16, 16], tl.float16), tl.zeros([16, 16], tl.float16))))",
    "dot_accumulator_shape": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 16], tl.float16), tl.zeros([16, 16], tl.float16), tl.zeros([16, 32], tl.float32))))",
    "dot_out_half": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 16], tl.float32), tl.zeros([16, 16], tl.float32), out_dtype=tl.float16)))",
    "dot_out_bfloat": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 16], tl.float16), tl.zeros([16, 16], tl.float16), out_dtype=tl.bfloat16)))",
    "dot_out_integer": "tl.store(y, tl.sum(tl.dot(tl.zeros([16, 16], tl.float16), tl.zeros([16, 16], tl.float16), out_dtype=tl.int32)))",
    "dot_precision": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 16], tl.float32), tl.zeros([16, 16], tl.float32), input_precision='nowhere')))",
    "dot_precision_twice": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 16], tl.float32), tl.zeros([16, 16], tl.float32), input_precision='ieee', allow_tf32=True)))",
    "dot_imprecise": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 32], tl.float8e5), tl.zeros([32, 16], tl.float8e5), max_num_imprecise_acc=64)))",
    "dot_imprecise_half": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 32], tl.float16), tl.zeros([32, 16], tl.float16), max_num_imprecise_acc=64)))",
    "dot_fp8_kinds": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 32], tl.float8e5), tl.zeros([32, 16], tl.float8e4nv))))",
    "dot_fp8_foreign": "tl.store(x, tl.sum(tl.dot(tl.zeros([16, 32], tl.float8e4b8), tl.zeros([32, 16], tl.float8e4b8))))",
    "dot_pointers": "tl.store(x, tl.sum(tl.dot(x, x)))",
    "dot_scaled": "a = tl.zeros([32, 64], tl.float8e5)\nb = tl.zeros([64, 32], tl.float8e5)\ns = tl.zeros([32, 2], tl.uint8)\ntl.store(x, tl.sum(tl.dot_scaled(a, s, 'e5m2', b, s, 'e5m2')))",
    "dot_scaled_shape": "a = tl.zeros([32, 64], tl.float8e5)\nb = tl.zeros([64, 32], tl.float8e5)\ns = tl.zeros([32, 4], tl.uint8)\ntl.store(x, tl.sum(tl.dot_scaled(a, s, 'e5m2', b, s, 'e5m2')))",
    "dot_scaled_rows": "a = tl.zeros([32, 64], tl.float8e5)\nb = tl.zeros([64, 32], tl.float8e5)\ns = tl.zeros([16, 2], tl.uint8)\ntl.store(x, tl.sum(tl.dot_scaled(a, s, 'e5m2', b, s, 'e5m2')))",
    "dot_scaled_format": "a = tl.zeros([32, 64], tl.float8e5)\nb = tl.zeros([64, 32], tl.float8e5)\ns = tl.zeros([32, 2], tl.uint8)\ntl.store(x, tl.sum(tl.dot_scaled(a, s, 'nowhere', b, s, 'e5m2')))",
    "dot_scaled_k": "a = tl.zeros([32, 64], tl.float8e5)\nb = tl.zeros([32, 32], tl.float8e5)\ns = tl.zeros([32, 2], tl.uint8)\ntl.store(x, tl.sum(tl.dot_scaled(a, s, 'e5m2', b, s, 'e5m2')))",
    # Hints and asides.
    "multiple_text": "a = tl.multiple_of(tl.arange(0, 8), 'a')\ntl.store(y + a, a)",
    "multiple_length": "a = tl.multiple_of(tl.arange(0, 8), [2, 2])\ntl.store(y + a, a)",
    "multiple_runtime": "a = tl.multiple_of(tl.arange(0, 8), n)\ntl.store(y + a, a)",
    "contiguous_float": "a = tl.max_contiguous(tl.arange(0, 8), 2.0)\ntl.store(y + a, a)",
    "assume_block": "tl.assume(tl.arange(0, 8) > 0)\ntl.store(y, n)",
    "assume_number": "tl.assume(True)\ntl.store(y, n)",
    "unused_math": "tl.exp(f)\ntl.store(y, n)",
    "unused_operator": "n + 1\ntl.store(y, n)",
    "unused_helper": "sum_up(n, n)\ntl.store(y, n)",
    "unused_cast": "n.to(tl.int8)\ntl.store(y, n)",
    "unused_zeros": "tl.zeros([8], tl.float32)\ntl.store(y, n)",
    "unused_atomic": "tl.atomic_add(y, 1)",
    "unused_advance": "p = tl.make_block_ptr(x, (8, 8), (8, 1), (0, 0), (8, 8), (1, 0))\ntl.advance(p, (0, 8))\ntl.store(p, tl.load(p))",
    "unused_trans": "tl.trans(tl.zeros([4, 8], tl.int32))\ntl.store(y, n)",
    "barrier": "tl.debug_barrier()\ntl.store(y, n)",
    "swizzle": "a, b = tl.swizzle2d(n, n, 4, 4, 2)\ntl.store(y, a + b)",
    "rand_seed": "tl.store(x, tl.sum(tl.rand(f, tl.arange(0, 8))))",
    "random_offset": "tl.store(x, tl.sum(tl.rand(0, tl.zeros([8], tl.float32))))",
    "inline_asm_pack": "tl.store(y, tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1))",
    "breakpoint": "breakpoint()\ntl.store(y, n)",
}
