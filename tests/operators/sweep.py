"""torch's operators through Inductor's Triton code for the CPU, beside torch's own results.

What: every operator of torch's own test tables, with some of the samples of those, is compiled by
torch.compile with `cpu_backend="triton"`, which writes its kernels in the language, and run; the results are
held against eager ones. Why: Inductor writes kernels that no person would, for every way to index, reduce and
cast. Limits: what differs from run to run is passed over, and so is a sample that Inductor's C++ gets wrong,
too; both are counted. What libraries do whole (linear algebra, transforms, sparse tensors) is left out.

    python -m trisect tests/operators/sweep.py DTYPE [--samples N] [--part K/N] [--names NAME...]
        [--gradients] [--dynamic]
"""

import argparse
import collections
import json
import signal
import sys
import warnings

import torch
import torch._inductor.config as config
from torch._inductor import metrics
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map

#: Parts of names: results of chance, memory that nobody has written, and what libraries do.
LEFT_OUT = "as_strided_copy dropout empty fft linalg resize rrelu sparse stft svd".split()
#: Names of results of chance that are parts of others.
OF_CHANCE = (
    "bernoulli cauchy exponential geometric log_normal multinomial normal rand_like randint randint_like "
    "randn randn_like uniform"
).split()
#: Absolute and relative, by the type of a result; integers are equal.
LIMITS = {
    torch.float64: 1e-7,
    torch.float32: 2e-4,
    torch.float16: 1e-2,
    torch.bfloat16: 3e-2,
    torch.complex64: 2e-4,
    torch.complex128: 1e-7,
}
#: Of f64, where torch's own results are less exact: up to 9e-7 from the C library's, which ours are equal to.
WIDER = dict.fromkeys(
    ("special.bessel_j0", "special.bessel_j1", "special.bessel_y0", "special.bessel_y1"), 1e-6
)
#: Seconds for one sample.
MOST = 120


class TookTooLong(Exception):
    pass


def stop(*_):
    raise TookTooLong(f"more than {MOST} s")


def copied(values):
    return tree_map(lambda value: value.clone() if isinstance(value, torch.Tensor) else value, values)


def difference(got, want, least=0.0):
    """What is different by more than the limits and `least`, in a line, or None."""
    got, want = ([x for x in tree_leaves(side) if isinstance(x, torch.Tensor)] for side in (got, want))
    if len(got) != len(want):
        return f"{len(got)} results, not {len(want)}"
    for number, (one, other) in enumerate(zip(got, want, strict=True)):
        limit = max(LIMITS[other.dtype], least) if other.dtype in LIMITS else 0
        try:
            torch.testing.assert_close(one, other, atol=limit, rtol=limit, equal_nan=True)
        except AssertionError as error:
            return f"result {number}: " + " ".join(str(error).split())[:300]
    return None


def outcome(function, sample, gradients):
    """Results, and with `gradients` what the inputs get for an even spread of weights of the results."""
    if not gradients:
        return function(*copied(sample))
    given = tree_map(fresh, sample)
    results = function(*given)
    inputs = [x for x in tree_leaves(given) if isinstance(x, torch.Tensor) and x.requires_grad]
    grown = [x for x in tree_leaves(results) if isinstance(x, torch.Tensor) and x.requires_grad]
    weights = [torch.linspace(0.5, 1.5, x.numel(), dtype=x.real.dtype).reshape(x.shape).to(x) for x in grown]
    got = torch.autograd.grad(grown, inputs, weights, allow_unused=True) if grown and inputs else ()
    return tree_map(lambda x: x.detach() if isinstance(x, torch.Tensor) else x, (results, got))


def fresh(value):
    """A copy that owes nothing to what it was made of."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().clone().requires_grad_(value.requires_grad)


def problem(function, backend, sample, want, least, options):
    """Of a compiled run; None if its results are those wanted."""
    torch._dynamo.reset()
    signal.alarm(MOST)
    try:
        with config.patch(cpu_backend=backend):
            compiled = torch.compile(function, dynamic=options.dynamic)
            return difference(outcome(compiled, sample, options.gradients), want, least)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # what compiled code raises need not be an Exception
        return f"{type(error).__name__}: {str(error)[-600:]}"
    finally:
        signal.alarm(0)


def samples_of(operator, dtype, options):
    """Some, spread over all there are."""
    every = list(operator.sample_inputs("cpu", dtype, requires_grad=options.gradients))
    step = max(1, (len(every) - 1) / max(1, options.samples - 1))
    return [every[int(n * step)] for n in range(min(options.samples, len(every)))]


def own_error(function, given, want, gradients):
    """How far torch's own results are from those in f64, at most; 0 where nothing is known."""

    def doubled(value):
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            return value
        return value.detach().double().requires_grad_(value.requires_grad)

    try:
        exact = outcome(function, tree_map(doubled, given), gradients)
    except Exception:  # not of f64
        return 0.0
    sides = ([x for x in tree_leaves(side) if isinstance(x, torch.Tensor)] for side in (want, exact))
    errors = [
        (one.double() - other).abs()
        for one, other in zip(*sides, strict=True)
        if one.is_floating_point() and other.is_floating_point()
    ]
    known = [error[error.isfinite()] for error in errors]
    return max((float(error.max()) for error in known if error.numel()), default=0.0)


def run(operator, sample, counts, options):
    """One sample; what is wrong with it, or None."""

    def function(arguments, keywords):
        return operator.op(*arguments, **keywords)

    given = ((sample.input, *sample.args), sample.kwargs)
    try:
        want, again = (outcome(function, given, options.gradients) for _ in range(2))
    except Exception:
        counts["refused by torch"] += 1
        return None
    if difference(want, again):
        counts["by chance"] += 1
        return None
    least = WIDER.get(operator.name, 0.0)
    before = metrics.generated_kernel_count
    wrong = problem(function, "triton", given, want, least, options)
    counts["kernels"] += metrics.generated_kernel_count - before
    if wrong and wrong.startswith("result"):
        # Where little of the number is left after a subtraction, torch is as far off.
        least = max(least, 2 * own_error(function, given, want, options.gradients))
        wrong = problem(function, "triton", given, want, least, options)
    if wrong is None:
        counts["right"] += 1
    elif problem(function, "cpp", given, want, least, options) is not None:
        counts["wrong in Inductor's C++, too"] += 1
        wrong = None
    else:
        counts["wrong"] += 1
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("dtype")
    parser.add_argument("--names", nargs="*", default=(), help="operators; all unless given")
    parser.add_argument("--samples", type=int, default=4, help="of an operator, at most")
    parser.add_argument("--gradients", action="store_true", help="of the inputs, too")
    parser.add_argument("--dynamic", action="store_true", help="sizes that kernels do not know")
    parser.add_argument("--part", default="0/1", help="K/N: each N-th operator, from the K-th")
    parsed = parser.parse_args()
    dtype = getattr(torch, parsed.dtype)
    first, step = map(int, parsed.part.split("/"))
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGALRM, stop)
    config.compile_threads = 1
    config.fx_graph_cache = False
    counts, wrong = collections.Counter(), []
    chosen = [
        operator
        for operator in op_db
        if dtype in operator.dtypes
        and not any(part in operator.name for part in LEFT_OUT)
        and operator.name not in OF_CHANCE
        and (not parsed.gradients or dtype in operator.backward_dtypes)
        and (not parsed.names or operator.name in parsed.names)
    ][first::step]
    for number, operator in enumerate(chosen):
        print(f"at {number} of {len(chosen)}, {operator.name}", file=sys.stderr, flush=True)
        counts["operators"] += 1
        for index, sample in enumerate(samples_of(operator, dtype, parsed)):
            if text := run(operator, sample, counts, parsed):
                wrong.append(f"{operator.name} {operator.variant_test_name} {dtype} sample {index}: {text}")
                print(wrong[-1], file=sys.stderr, flush=True)
    print(json.dumps({"dtype": parsed.dtype, "counts": counts, "wrong": wrong}))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
