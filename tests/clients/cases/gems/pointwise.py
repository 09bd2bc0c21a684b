"""FlagGems: pointwise operators, with and without broadcasting, transposed inputs and in place."""

import torch
import torch.nn.functional as F

from host_device import claimed

from . import flag_gems as gems
from . import pair, table, values, within

TABLE = table()
SHAPES = [(5, 33), (3, 7, 129)]


def add(name, reference, inputs=values, run=None, shapes=SHAPES, **more):
    """In place where the name ends with an underscore: on a copy."""
    function = run or getattr(gems, name)
    if name.endswith("_"):
        TABLE.add(
            name, lambda x, *rest: function(x.clone(), *rest), reference, inputs, shapes, length=1, **more
        )
    else:
        TABLE.add(name, function, reference, inputs, shapes, length=1, **more)


# One tensor, torch has the operator under this name or under the one without the underscore.
for name in (
    "abs abs_ absolute angle arcsinh_ asinh_ atan atan_ ceil ceil_ cos cos_ cosh cosh_ erf erf_ exp exp_ "
    "exp2 exp2_ expm1 expm1_ floor_ i0 isfinite isinf isnan isneginf logical_not nan_to_num neg neg_ round "
    "round_ sgn_ sigmoid sigmoid_ signbit sin sin_ sinh_ square square_ tanh tanh_"
).split():
    add(name, getattr(torch, name.removesuffix("_")))
for name in (
    "celu celu_ elu elu_ gelu gelu_ hardsigmoid hardswish_ relu6 relu relu_ selu selu_ silu silu_ softplus "
    "softshrink"
).split():
    add(name, getattr(F, name.removesuffix("_")))
add("log_sigmoid", F.logsigmoid)
# These ask for a GPU tensor before they launch.
for name, reference in (("i0e", torch.special.i0e), ("i1", torch.special.i1)):
    add(f"special_{name}", reference, run=claimed(getattr(gems, f"special_{name}")))
add("arcsinh", torch.asinh, run=claimed(gems.arcsinh))
add("i0_", torch.i0, run=claimed(gems.i0_))
for name in "digamma_ log log10 log10_ log1p_ reciprocal reciprocal_ rsqrt rsqrt_ sqrt sqrt_".split():
    add(name, getattr(torch, name.removesuffix("_")), within(0.1, 9.0))
for name in "acos arctanh_ logit logit_ tan tan_".split():
    add(name, getattr(torch, name.removesuffix("_")), within(0.05, 0.95))
add("gelu tanh", lambda x: F.gelu(x, approximate="tanh"), run=lambda x: gems.gelu(x, approximate="tanh"))

# Two tensors.
for name in "add add_ atan2 copysign fmin hypot logaddexp maximum minimum mul mul_ sub sub_".split():
    add(name, getattr(torch, name.removesuffix("_")), pair)
for name in "eq ge greater gt isclose le lt ne".split():
    add(
        name,
        getattr(torch, name),
        lambda make, *s: (make.normal(*s, grad=False).round(), make.normal(*s, grad=False).round()),
    )


def positive(make, *shape):
    return make.normal(*shape, grad=False), make.uniform(*shape, low=0.5, high=3, grad=False)


add("true_divide", torch.true_divide, positive)
add("true_divide_", torch.true_divide, positive)
for mode in ("floor", "trunc"):
    # Quotients lie between integers, where every precision rounds alike.
    add(
        f"div_mode {mode}", lambda x, y, mode=mode: torch.div(x, y, rounding_mode=mode),
        lambda make, *s: (
            make.integers(*s, low=-9).to(make.dtype) + 0.25, make.integers(*s, low=1, high=4).to(make.dtype)
        ),
        run=lambda x, y, mode=mode: gems.div_mode(x, y, rounding_mode=mode),
    )  # fmt: skip
add(
    "remainder",
    torch.remainder,
    lambda make, *s: (make.integers(*s, low=-9), make.integers(*s, low=1)),
    dtypes=(torch.int64,),
)
add(
    "floor_divide",
    torch.floor_divide,
    lambda make, *s: (make.integers(*s, low=-9), make.integers(*s, low=1)),
    dtypes=(torch.int64,),
)
add(
    "polar",
    lambda r, a: torch.view_as_real(torch.polar(r, a)),
    positive,
    run=lambda r, a: torch.view_as_real(gems.polar(r, a)),
    dtypes=(torch.float32,),
)
add("pow_tensor_tensor", torch.pow, lambda make, *s: positive(make, *s)[::-1], roundings=4)
add("pow_tensor_scalar", lambda x: x**3, run=lambda x: gems.pow_tensor_scalar(x, 3), roundings=4)
add("pow_scalar", lambda x: 2.5**x, run=lambda x: gems.pow_scalar(2.5, x), roundings=4)
add(
    "prelu", torch.prelu, lambda make, *s: (make.normal(*s, grad=False), make.normal(s[1], grad=False)),
    run=claimed(gems.prelu),
)  # fmt: skip
add("sub broadcast", lambda x: x - x[:, :1], run=lambda x: gems.sub(x, x[:, :1]))
add(
    "add scalar alpha",
    lambda x, y: torch.add(x, y, alpha=2.5),
    pair,
    run=lambda x, y: gems.add(x, y, alpha=2.5),
)
add("mul transposed", lambda x: x.mT * x.mT.contiguous(), run=lambda x: gems.mul(x.mT, x.mT.contiguous()))
add("exp strided", lambda x: x[..., ::2].exp(), run=lambda x: gems.exp(x[..., ::2]))

# Three tensors, scalars, masks.
add(
    "addcdiv",
    lambda x, y, z: torch.addcdiv(x, y, z, value=0.5),
    lambda make, *s: (*values(make, *s), *positive(make, *s)),
    run=lambda x, y, z: gems.addcdiv(x, y, z, value=0.5),
)
add(
    "addcmul",
    lambda x, y, z: torch.addcmul(x, y, z, value=0.5),
    lambda make, *s: (*values(make, *s), *pair(make, *s)),
    run=lambda x, y, z: gems.addcmul(x, y, z, value=0.5),
    roundings=4,
)
add("clamp", lambda x: x.clamp(-0.5, 0.7), run=lambda x: gems.clamp(x, -0.5, 0.7))
add("clamp_", lambda x: x.clamp(-0.5, 0.7), run=lambda x: gems.clamp_(x, -0.5, 0.7))
add("clamp_min", lambda x: x.clamp_min(0.2), run=lambda x: gems.clamp_min(x, 0.2))
add("clip", lambda x: x.clip(-0.5, 0.7), run=lambda x: gems.clip(x, -0.5, 0.7))
add(
    "clamp_tensor",
    lambda x, y: x.clamp(y - 1, y + 1),
    pair,
    run=lambda x, y: gems.clamp_tensor(x, y - 1, y + 1),
)
add(
    "lerp_scalar",
    lambda x, y: torch.lerp(x, y, 0.3),
    pair,
    run=lambda x, y: gems.lerp_scalar(x, y, 0.3),
    roundings=4,
)
add("lerp_tensor", torch.lerp, lambda make, *s: (*pair(make, *s), make.uniform(*s, grad=False)), roundings=4)
add("threshold", lambda x: F.threshold(x, 0.2, -3.0), run=lambda x: gems.threshold(x, 0.2, -3.0))
add("where_self", torch.where, lambda make, *s: (make.booleans(*s), *pair(make, *s)))
add(
    "masked_fill",
    lambda x, m: x.masked_fill(m, 2.5),
    lambda make, *s: (*values(make, *s), make.booleans(*s)),
    run=lambda x, m: gems.masked_fill(x, m, 2.5),
)
add("glu", lambda x: F.glu(x, 0), run=lambda x: gems.glu(x, 0), shapes=[(6, 33), (4, 7, 129)])
add(
    "soft_margin_loss",
    F.soft_margin_loss,
    lambda make, *s: (*values(make, *s), make.booleans(*s).to(make.dtype) * 2 - 1),
    run=claimed(gems.soft_margin_loss),
    roundings=8,
)
add(
    "margin_ranking_loss",
    F.margin_ranking_loss,
    lambda make, *s: (*pair(make, *s), make.booleans(*s).to(make.dtype) * 2 - 1),
    roundings=8,
)
add("mse_loss", F.mse_loss, pair, roundings=4)
for name in ("silu_and_mul", "gelu_and_mul"):
    act = F.silu if name[0] == "s" else F.gelu
    add(
        name,
        lambda x, y, act=act: act(x) * y,
        lambda make, *s: (make.normal(*s), make.normal(*s)),
        roundings=4,
    )

# Integers and booleans.
integers = (torch.int16, torch.int32, torch.int64)


def whole(make, *shape):
    return make.integers(*shape, low=-99, high=99, dtype=make.dtype), make.integers(
        *shape, low=-99, high=99, dtype=make.dtype
    )


for name in ("and", "or"):
    reference = getattr(torch, f"bitwise_{name}")
    add(f"bitwise_{name}_tensor", reference, whole, dtypes=integers)
    add(
        f"bitwise_{name}_scalar",
        lambda x, f=reference: f(x, 5),
        lambda *a: whole(*a)[:1],
        run=lambda x, n=name: getattr(gems, f"bitwise_{n}_scalar")(x, 5),
        dtypes=integers,
    )
add("bitwise_not", torch.bitwise_not, lambda *a: whole(*a)[:1], dtypes=integers)
for name in ("left", "right"):
    add(
        f"bitwise_{name}_shift",
        getattr(torch, f"bitwise_{name}_shift"),
        lambda make, *s: (
            make.integers(*s, high=99, dtype=make.dtype),
            make.integers(*s, high=6, dtype=make.dtype),
        ),
        dtypes=integers,
    )
for name in "logical_and logical_or logical_xor".split():
    add(
        name,
        getattr(torch, name),
        lambda make, *s: (make.booleans(*s), make.booleans(*s)),
        dtypes=(torch.bool,),
    )
