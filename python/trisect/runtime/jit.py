"""Jit functions: kernels and the helpers they call.

What: `jit` makes a `JITFunction`; `kernel[grid](...)` binds and specialises the arguments, compiles what is
new and launches. A launch whose arguments were seen before is done natively (trisect._C.launch); this module
does the rest.
Limits: callables, parameters and stand-in tensors have modules of their own; their names are public here.
"""

from __future__ import annotations

import functools
import inspect
import json
import threading
from collections import namedtuple
from dataclasses import dataclass
from typing import Generic, TypeVar

from trisect import knobs
from trisect._utils import (
    canonicalize_dtype,
    find_paths_if,
    flatten_leaves,
    get_iterable_path,
    get_primitive_bitwidth,
    type_canonicalisation_dict,
)

from . import _async_compile
from ._native import launch as native
from ._tensors import device_of
from .callable import (
    INDENT_PATTERN,
    BoundConstexprFunction,
    ConstexprFunction,
    JITCallable,
    constexpr_function,
    get_def_col_number,
    get_def_line_number,
    get_full_name,
)
from .dependencies import DependenciesFinder
from .driver import driver
from .parameters import KernelParam, mangle_type, native_specialize_impl, specialize
from .tensors import MockTensor, TensorWrapper, reinterpret

TRITON_MODULE = "triton.language"
GLUON_MODULE = "triton.experimental.gluon.language"

T = TypeVar("T")


class KernelInterface(Generic[T]):
    """Gives `kernel[grid](...)` to whatever has `run`."""

    def run(self, *args, grid, warmup, **kwargs):
        """Launches on a grid, or only compiles."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it runs")

    def warmup(self, *args, grid, **kwargs):
        """Compiles for these arguments (dtypes may stand for tensors) without launching."""
        return self.run(*map(MockTensor.wrap_dtype, args), grid=grid, warmup=True, **kwargs)

    def __getitem__(self, grid) -> T:
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)


@dataclass
class JitFunctionInfo:
    """What hooks are told about a function."""

    module: str
    name: str
    jit_function: JITFunction


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


def compute_cache_key(kernel_key_cache, specialization, options) -> str:
    """The key of a kernel in memory."""
    key = (tuple(map(_hashable, specialization)), str(options))
    known = kernel_key_cache.get(key)
    if known is None:
        known = kernel_key_cache[key] = repr(specialization) + str(options)
    return known


def _hashable(item):
    try:
        hash(item)
        return type(item), item
    except TypeError:
        return repr(item)


def get_device_key():
    """Names the current target and device."""
    target = driver.active.get_current_target()
    return f"{target.backend}:{driver.active.get_current_device()}"


def create_function_from_signature(sig, kparams, backend=None):
    """A function that binds a call: (name → argument, [(type, key)], options)."""
    by_name = {param.name: param for param in kparams}

    def bind(*args, **kwargs):
        options = {name: value for name, value in kwargs.items() if name not in by_name}
        own = {name: value for name, value in kwargs.items() if name in by_name}
        bound = sig.bind(*args, **own)
        bound.apply_defaults()
        arguments = {param.name: bound.arguments[param.name] for param in kparams}
        return arguments, [_specialized(arguments[param.name], param) for param in kparams], options

    return bind


def _specialized(value, param):
    try:
        return specialize(value, param)
    except (TypeError, OverflowError) as error:
        raise type(error)(f"argument '{param.name}': {error}") from None


_Caches = namedtuple("_Caches", ["kernels", "keys", "target", "backend"])


class JITFunction(JITCallable, KernelInterface[T]):
    """A function that is compiled for each specialisation of its arguments."""

    def __init__(
        self,
        fn,
        version=None,
        do_not_specialize=None,
        do_not_specialize_on_alignment=None,
        debug=None,
        noinline=None,
        repr=None,
        launch_metadata=None,
    ):
        super().__init__(fn)
        for param in self.signature.parameters.values():
            if param.kind is inspect.Parameter.VAR_KEYWORD:
                raise TypeError(
                    f"{self._fn_name}: a jit function cannot take **{param.name}; name its parameters"
                )
        self.module = fn.__module__
        self.version = version
        self.do_not_specialize = do_not_specialize if do_not_specialize is not None else []
        self.do_not_specialize_on_alignment = (
            do_not_specialize_on_alignment if do_not_specialize_on_alignment is not None else []
        )
        self._repr = repr
        self.launch_metadata = launch_metadata
        self.params = []
        for index, param in enumerate(self.signature.parameters.values()):
            fixed = index in self.do_not_specialize or param.name in self.do_not_specialize
            unaligned = (
                index in self.do_not_specialize_on_alignment
                or param.name in self.do_not_specialize_on_alignment
            )
            self.params.append(KernelParam(index, param, fixed, unaligned))
        self.arg_names = [param.name for param in self.params]
        self.constexprs = [param.num for param in self.params if param.is_constexpr]
        self.debug = debug
        self.noinline = noinline
        self.kernel = None
        self.pre_run_hooks = []
        self.device_caches = {}
        self._compile_lock = threading.RLock()

    def repr(self, specialization):
        """The kernel's name: what the `repr` callback says, else the function's."""
        return self.__name__ if self._repr is None else self._repr(specialization)

    def is_gluon(self) -> bool:
        return False

    def add_pre_run_hook(self, hook):
        """Adds a function that is called with the arguments before each launch."""
        if not callable(hook):
            raise TypeError("a pre-run hook must be callable")
        self.pre_run_hooks.append(hook)

    # Launching

    @functools.cached_property
    def _dispatcher(self):
        rows = [
            (
                param.name,
                param.is_constexpr,
                param.is_const,
                not param.do_not_specialize,
                not param.do_not_specialize_on_alignment,
                param.default,
                param.is_keyword_only,
            )
            for param in self.params
        ]
        return native().Dispatcher(rows, self.pre_run_hooks, inspect.Parameter.empty)

    def __getitem__(self, grid) -> T:
        if type(self).run is not JITFunction.run or "run" in self.__dict__:
            return super().__getitem__(grid)
        return native().bind_launch(self._dispatcher, self, grid)

    def create_binder(self) -> _Caches:
        """The caches and the backend of the current device."""
        target = driver.active.get_current_target()
        device = (target, driver.active.get_current_device())
        caches = self.device_caches.get(device)
        if caches is None:
            from trisect.compiler import make_backend

            caches = self.device_caches[device] = _Caches({}, {}, target, make_backend(target))
        return caches

    @functools.cached_property
    def _bind(self):
        return create_function_from_signature(self.signature, self.params)

    def _bound(self, args, kwargs):
        try:
            return self._bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"kernel '{self.__name__}': {error}") from None
        except OverflowError as error:
            raise OverflowError(f"kernel '{self.__name__}': {error}") from None

    def run(self, *args, grid, warmup, **kwargs):
        if not warmup and not self._globals_changed():
            kernel = self._dispatcher.launch(grid, args, kwargs)
            if kernel is not None:
                return kernel
        given = dict(kwargs)
        kwargs["debug"] = kwargs.get("debug", self.debug) or knobs.runtime.debug
        kwargs["instrumentation_mode"] = knobs.compilation.instrumentation_mode
        for hook in self.pre_run_hooks:
            hook(*args, **kwargs)
        caches = self.create_binder()
        bound, specialization, extra = self._bound(args, kwargs)
        key = compute_cache_key(caches.keys, specialization, kwargs_as_options(kwargs, bound))
        # A kernel of an older source has another key, so it is found again if the source is set back.
        key = f"{self.cache_key}{key}"
        kernel = caches.kernels.get(key)
        if kernel is None:
            kernel = self._compile(key, caches, bound, specialization, kwargs, extra, warmup)
            if kernel is None:
                return None
        if not warmup:
            self._launch(kernel, grid, bound, args, given, specialization, caches)
        return kernel

    def _globals_changed(self) -> bool:
        return bool(self.used_global_vals) and self.globals_changed()

    def _launch(self, kernel, grid, bound, args, given, specialization, caches):
        if grid is None:
            raise ValueError(f"kernel '{self.__name__}' is launched with a grid, such as kernel[(16,)](...)")
        self._check_devices(bound, caches.target)
        if callable(grid):
            grid = grid(bound)
        sizes = tuple(grid) if isinstance(grid, (tuple, list)) else (grid,)
        if not 1 <= len(sizes) <= 3:
            raise ValueError(f"a grid has one to three dimensions, not {len(sizes)}")
        sizes = (*sizes, 1, 1)[:3]
        if isinstance(kernel, _async_compile.FutureKernel):
            kernel = kernel.result()
        device = driver.active.get_current_device()
        stream = driver.active.get_current_stream(device)
        enter, exit = knobs.runtime.launch_enter_hook or None, knobs.runtime.launch_exit_hook or None
        values = tuple(bound.values())
        facts = kernel.launch_metadata(sizes, stream, *values)
        kernel.run(*sizes, stream, kernel.function, kernel.packed_metadata, facts, enter, exit, *values)
        slots = [
            leaf
            for param, (kind, _) in zip(self.params, specialization, strict=True)
            if not param.is_constexpr
            for leaf in flatten_leaves(kind)
        ]
        if isinstance(kernel.function, native().Executable) and not any(
            s.startswith("tensordesc") for s in slots
        ):
            used = (self.used_global_vals or {}).items()
            self._dispatcher.watch([(scope, name, value) for (name, _), (value, scope) in used])
            self._dispatcher.remember(args, given, slots, kernel.function, kernel)

    def _check_devices(self, bound, target):
        """Refuses tensors that the target cannot reach."""
        if target.backend != "cpu":
            return
        for name, argument in bound.items():
            device = device_of(argument)
            if device is not None and device.split(":")[0] not in ("cpu", "None"):
                raise ValueError(
                    f"kernel '{self.__name__}': argument '{name}' is on device '{device}', but kernels run "
                    "on the CPU here; move it with .cpu(), or select a GPU driver"
                )

    # Compiling

    def _pack_args(self, backend, kwargs, bound, specialization, extra):
        """(options, signature, constants, attributes) of a specialisation."""
        options = backend.parse_options(kwargs)
        for name in extra:
            if name not in options.__dict__ and name not in ("debug", "instrumentation_mode"):
                known = ", ".join(sorted(options.__dict__))
                raise KeyError(
                    f"Keyword argument {name} was specified but unrecognised: kernel '{self.__name__}' "
                    f"has no such parameter, and the launch options are {known}"
                )
        names = list(bound)
        signature = {name: kind for name, (kind, _) in zip(names, specialization, strict=True)}
        values = list(bound.values())
        kinds = list(signature.values())
        constants = {
            path: get_iterable_path(values, path)
            for path in find_paths_if(kinds, lambda _, k: k == "constexpr")
        }
        keys = [key if kind != "constexpr" else None for kind, key in specialization]
        attrs = {
            path: backend.parse_attr(get_iterable_path(keys, path))
            for path in find_paths_if(
                keys, lambda path, key: isinstance(key, str) and _kind_at(kinds, path) != "constexpr"
            )
        }
        return options, signature, constants, {path: attr for path, attr in attrs.items() if attr}

    def _compile(self, key, caches, bound, specialization, kwargs, extra, warmup):
        options, signature, constants, attrs = self._pack_args(
            caches.backend, kwargs, bound, specialization, extra
        )
        with self._compile_lock:
            known = caches.kernels.get(key)
            if known is not None:
                return known
            return self._do_compile(key, signature, constants, options, attrs, warmup, caches)

    def _do_compile(self, key, signature, constants, options, attrs, warmup, caches):
        from trisect.compiler import ASTSource, compile

        if self._call_hook(
            knobs.runtime.jit_cache_hook, key, signature, constants, options, attrs, warmup, caches.target
        ):
            return None
        source = ASTSource(self, signature, constants, attrs)
        mode = _async_compile.active_mode.get()
        if mode is not None:
            env_vars = {}

            def finalize(kernel):
                caches.kernels[key] = kernel
                self._call_hook(
                    knobs.runtime.jit_post_compile_hook, key, signature, constants, options, attrs, warmup,
                    caches.target,
                )  # fmt: skip

            kernel = mode.submit(
                (self.cache_key, key),
                lambda: compile(source, caches.target, options.__dict__, _env_vars=env_vars),
                finalize,
                lambda: caches.kernels.pop(key, None),
            )
            caches.kernels[key] = kernel
            return kernel
        kernel = compile(source, caches.target, options.__dict__)
        caches.kernels[key] = kernel
        self._call_hook(
            knobs.runtime.jit_post_compile_hook,
            key,
            signature,
            constants,
            options,
            attrs,
            warmup,
            caches.target,
        )
        return kernel

    def _call_hook(self, hook, key, signature, constants, options, attrs, warmup, target):
        if not hook:
            return None
        name = self.fn.__qualname__ if self.fn is not None else self.__qualname__
        data = serialize_specialization_data(name, signature, constants, attrs, options, key, target)
        facts = {
            "signature": signature,
            "device": driver.active.get_current_device(),
            "constants": constants,
            "num_warps": options.num_warps,
            "num_ctas": options.num_ctas,
            "num_stages": options.num_stages,
            "enable_fp_fusion": options.enable_fp_fusion,
            "launch_cooperative_grid": options.launch_cooperative_grid,
            "extern_libs": options.extern_libs,
            "configs": [attrs],
            "specialization_data": data,
            "is_warmup": warmup,
            "key": key,
        }
        arguments = ", ".join(f"{name}: {kind}" for name, kind in signature.items())
        numbers = [
            f"{option}={getattr(options, option)}" for option in ("num_warps", "num_ctas", "num_stages")
        ]
        return hook(
            key=key,
            repr=f"{name}[{', '.join(numbers)}]({arguments})",
            fn=JitFunctionInfo(self.module, name, self),
            compile=facts,
            is_manual_warmup=warmup,
            already_compiled=False,
        )

    def preload(self, specialization_data):
        """Compiles a specialisation that a hook was given as JSON, and keeps it."""
        from trisect import language
        from trisect.backends.compiler import GPUTarget
        from trisect.compiler import ASTSource, compile

        facts = json.loads(specialization_data)
        if facts["name"] not in (self.__qualname__, self.__name__):
            raise RuntimeError(
                f"Specialization data is for {facts['name']} but trying to preload for {self.__name__}"
            )
        target = GPUTarget(**facts["target"]) if facts.get("target") else None
        caches = self.create_binder()
        if target is not None and target != caches.target:
            raise RuntimeError(
                f"Specialization data is for {target} but trying to preload for {caches.target}"
            )
        paths = map(convert_to_tuple_if_list, facts["constant_keys"])
        constants = {
            path: language.dtype(value["dtype"]) if isinstance(value, dict) and "dtype" in value else value
            for path, value in zip(paths, facts["constant_vals"], strict=True)
        }
        attrs = dict(
            zip(map(convert_to_tuple_if_list, facts["attrs_keys"]), facts["attrs_vals"], strict=True)
        )
        options = {name: convert_to_tuple_if_list(value) for name, value in facts["options"].items()}
        signature = {name: convert_to_tuple_if_list(kind) for name, kind in facts["signature"].items()}
        source = ASTSource(self, signature, constants, attrs)
        kernel = compile(source, caches.target, options)
        caches.kernels[facts["key"]] = kernel
        return kernel

    # Being a function among others

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            f"Cannot call @triton.jit'd outside of the scope of a kernel: launch '{self.__name__}' as "
            f"{self.__name__}[grid](...)"
        )

    def __repr__(self):
        return f"JITFunction({self.module}:{self.__qualname__})"

    def __getstate__(self):
        # Native tables, locks and compiled kernels belong to the process.
        dropped = ("_dispatcher", "_bind", "_compile_lock", "device_caches")
        state = {name: value for name, value in self.__dict__.items() if name not in dropped}
        if state.get("_hash_lock") is not None:
            state["_hash_lock"] = None
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.device_caches = {}
        self._compile_lock = threading.RLock()
        if self.__dict__.get("_hash_lock") is None:
            self._hash_lock = threading.RLock()


def _kind_at(kinds, path):
    """The type at a path; the entry of its parameter where that is not a tuple."""
    current = kinds
    for index in path:
        if not isinstance(current, (tuple, list)):
            break
        current = current[index]
    return current


def kwargs_as_options(kwargs, bound) -> tuple:
    """The keywords of a call that may be options."""
    return tuple(
        (name, str(value))
        for name, value in sorted(kwargs.items())
        if name not in bound or name.startswith("num_")
    )


def jit(
    fn=None,
    *,
    version=None,
    repr=None,
    launch_metadata=None,
    do_not_specialize=None,
    do_not_specialize_on_alignment=None,
    debug=None,
    noinline=None,
):
    """Makes a Python function a kernel, or a helper that kernels call."""

    def decorator(fn) -> JITFunction:
        if not callable(fn):
            raise TypeError(f"@triton.jit decorates a function, not {fn!r}")
        return JITFunction(
            fn,
            version=version,
            do_not_specialize=do_not_specialize,
            do_not_specialize_on_alignment=do_not_specialize_on_alignment,
            debug=debug,
            noinline=noinline,
            repr=repr,
            launch_metadata=launch_metadata,
        )

    return decorator if fn is None else decorator(fn)


__all__ = [
    "BoundConstexprFunction", "ConstexprFunction", "DependenciesFinder", "GLUON_MODULE", "INDENT_PATTERN",
    "JITCallable", "JITFunction", "JitFunctionInfo", "KernelInterface", "KernelParam", "MockTensor",
    "TRITON_MODULE", "TensorWrapper", "canonicalize_dtype", "compute_cache_key", "constexpr_function",
    "convert_to_tuple_if_list", "create_function_from_signature", "get_def_col_number",
    "get_def_line_number", "get_device_key", "get_full_name", "get_primitive_bitwidth", "jit",
    "mangle_type", "native_specialize_impl", "reinterpret", "serialize_specialization_data",
    "type_canonicalisation_dict",
]  # fmt: skip
