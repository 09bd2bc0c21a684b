"""Kernels with a mistake in what they say of the language: conditions, loops, names, calls, attributes.

Each has a stored report, as those of mistakes.py.
"""

# ruff: noqa: B007, B018, F841, F821, E711, SIM
from mistakes import PLAIN, Pair, Point, mistake, one_sided, plain_python, recursive, two_arguments

import trisect.language as tl


@mistake
def block_as_condition(o):
    if tl.arange(0, 4) > 2:
        tl.store(o, 1)


@mistake
def return_in_loop(n):
    for i in range(n):
        if i > 3:
            return


@mistake
def break_in_loop(n):
    for i in range(n):
        break


@mistake
def float_bounds(f):
    for i in range(f):
        pass


@mistake
def zero_step(o):
    for i in range(0, 4, 0):
        pass


@mistake
def loop_over_tensor(o):
    for i in tl.arange(0, 4):
        pass


@mistake
def static_range_of_argument(n):
    for i in tl.static_range(n):
        pass


@mistake
def carried_type(n, p):
    x = 0
    for i in range(n):
        x = x + 1.5
    tl.store(p, x)


@mistake
def branches_disagree(o, n):
    if n > 3:
        t = 1
    else:
        t = 2.0
    tl.store(o, t)


@mistake
def name_of_loop(o, n):
    for i in range(n):
        t = i * 2
    tl.store(o, t)


@mistake
def ternary_types(o, n):
    tl.store(o, 1 if n > 3 else 2.0)


@mistake
def undefined_name(o):
    tl.store(o, nowhere)


@mistake
def plain_global(o):
    tl.store(o, PLAIN)


@mistake
def plain_function(n):
    plain_python(n)


@mistake
def missing_argument(n):
    two_arguments(n)


@mistake
def extra_argument(n):
    two_arguments(n, n, n)


@mistake
def unknown_keyword(n):
    two_arguments(n, z=n)


@mistake
def recursion(n):
    recursive(n)


@mistake
def return_types(n):
    one_sided(n)


@mistake
def too_many_targets(o):
    a, b = (1, 2, 3)


@mistake
def unpack_of_scalar(n):
    a, b = n


@mistake
def run_time_index(n):
    (1, 2, 3)[n]


@mistake
def unknown_attribute(n):
    n.size


@mistake
def unknown_function(n):
    tl.expp(n)


@mistake
def unknown_field(n):
    Point(n, 1).z


@mistake
def frozen_aggregate(n):
    pair = Pair(n, n)
    pair.a = n


@mistake
def missing_field(n):
    Pair(n)


@mistake
def annotated_run_time(n):
    m: tl.constexpr = n + 1
    tl.arange(0, m)


@mistake
def static_assert_of_tensor(n):
    tl.static_assert(n > 1)


@mistake
def failed_static_assert(o):
    tl.static_assert(1 > 2, "one is not above two")


@mistake
def f_string_of_tensor(n):
    tl.static_print(f"{n}")


@mistake
def print_prefix(n):
    tl.device_print(n)


@mistake
def try_block(n):
    try:
        n + 1
    except ValueError:
        pass


@mistake
def with_block(n):
    with n:
        pass


@mistake
def float_of_tensor(n):
    float(n)


@mistake
def libdevice_of_integer(n):
    tl.extra.libdevice.tanh(n)


@mistake
def wrong_hint(o):
    tl.multiple_of(tl.arange(0, 16), [4, 4])
