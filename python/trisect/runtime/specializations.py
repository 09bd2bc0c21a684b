"""Specialisations as data: what hooks are told of one, and compiling one that a hook was told of before.

What: `call_hook` describes a specialisation to jit_cache_hook and jit_post_compile_hook;
`serialize_specialization_data` writes it as JSON, `load_specialization` (JITFunction.preload) reads it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple

from trisect._imports import service

from .driver import driver


class Specialization(NamedTuple):
    """What one kernel is compiled from, its function aside."""

    key: str
    options: object
    signature: dict
    constants: dict
    attrs: dict
    target: object


@dataclass
class JitFunctionInfo:
    """What hooks are told about a function."""

    module: str
    name: str
    jit_function: object


def convert_to_tuple_if_list(item):
    """Lists as tuples, recursively."""
    if not isinstance(item, list):
        return item
    return tuple(convert_to_tuple_if_list(nested) for nested in item)


def serialize_specialization_data(name, signature, constants, attrs, options, key, target=None) -> str:
    """One specialisation as JSON, for `preload`."""
    constants = {
        path: {"dtype": str(value)} if value.__class__.__name__ == "dtype" else value
        for path, value in constants.items()
    }
    facts = {
        "name": name,
        "signature": signature,
        "constant_keys": [list(path) for path in constants],
        "constant_vals": list(constants.values()),
        "attrs_keys": [list(path) for path in attrs],
        "attrs_vals": list(attrs.values()),
        "options": options.__dict__,
        "key": key,
        "target": vars(target) if target is not None else None,
    }
    return json.dumps(facts, default=str)


def call_hook(hook, function, wanted, warmup):
    """Tells a hook about a specialisation; what it answers, None without a hook."""
    if not hook:
        return None
    name = function.fn.__qualname__ if function.fn is not None else function.__qualname__
    options, signature = wanted.options, wanted.signature
    facts = {
        "signature": signature,
        "device": driver.active.get_current_device(),
        "constants": wanted.constants,
        "num_warps": options.num_warps,
        "num_ctas": options.num_ctas,
        "num_stages": options.num_stages,
        "enable_fp_fusion": options.enable_fp_fusion,
        "launch_cooperative_grid": options.launch_cooperative_grid,
        "extern_libs": options.extern_libs,
        "configs": [wanted.attrs],
        "specialization_data": serialize_specialization_data(
            name, signature, wanted.constants, wanted.attrs, options, wanted.key, wanted.target
        ),
        "is_warmup": warmup,
        "key": wanted.key,
    }
    arguments = ", ".join(f"{name}: {kind}" for name, kind in signature.items())
    numbers = [f"{option}={getattr(options, option)}" for option in ("num_warps", "num_ctas", "num_stages")]
    return hook(
        key=wanted.key,
        repr=f"{name}[{', '.join(numbers)}]({arguments})",
        fn=JitFunctionInfo(function.module, name, function),
        compile=facts,
        is_manual_warmup=warmup,
        already_compiled=False,
    )


_FACTS = ("name", "signature", "constant_keys", "constant_vals", "attrs_keys", "attrs_vals", "options", "key")


def load_specialization(function, specialization_data, here) -> Specialization:
    """Reads what `serialize_specialization_data` wrote of a function for the target `here`."""
    facts = _facts_of(function, specialization_data)
    if facts["name"] not in (function.__qualname__, function.__name__):
        raise RuntimeError(
            f"Specialization data is for {facts['name']} but trying to preload for {function.__name__}"
        )
    try:
        target = type(here)(**facts["target"]) if facts.get("target") else here
        wanted = _wanted(facts, target)
    except (AttributeError, TypeError, ValueError) as error:
        raise _no_specialization(function, str(error)) from error
    if target != here:
        raise RuntimeError(f"Specialization data is for {target} but trying to preload for {here}")
    return wanted


def _no_specialization(function, reason: str) -> ValueError:
    return ValueError(
        f"kernel '{function.__name__}' preloads the JSON that a hook is given as "
        f"compile['specialization_data'], and this is none: {reason}"
    )


def _facts_of(function, text) -> dict:
    try:
        facts = json.loads(text)
    except (TypeError, ValueError) as error:
        raise _no_specialization(function, str(error)) from None
    if not isinstance(facts, dict):
        raise _no_specialization(function, f"it holds a {type(facts).__name__}")
    missing = [name for name in _FACTS if name not in facts]
    if missing:
        raise _no_specialization(function, f"it lacks {', '.join(missing)}")
    return facts


def _wanted(facts: dict, target) -> Specialization:
    dtype = service("language").dtype
    paths = map(convert_to_tuple_if_list, facts["constant_keys"])
    return Specialization(
        key=facts["key"],
        options={name: convert_to_tuple_if_list(value) for name, value in facts["options"].items()},
        signature={name: convert_to_tuple_if_list(kind) for name, kind in facts["signature"].items()},
        constants={
            path: dtype(value["dtype"]) if isinstance(value, dict) and "dtype" in value else value
            for path, value in zip(paths, facts["constant_vals"], strict=True)
        },
        attrs=dict(zip(map(convert_to_tuple_if_list, facts["attrs_keys"]), facts["attrs_vals"], strict=True)),
        target=target,
    )
