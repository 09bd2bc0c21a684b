"""Jit functions: kernels and the helpers they call.

What: `jit` makes a `JITFunction`, under TRITON_INTERPRET=1 an `InterpretedFunction`; `kernel[grid](...)`
binds and specialises the arguments, compiles what is new and launches. A launch whose arguments were seen
before is done natively (trisect._C.launch); this module does the rest.
Limits: callables, parameters and stand-in tensors have modules of their own; their names are public here.
"""

from __future__ import annotations

import functools
import inspect
import operator
import sys
from collections import namedtuple

from trisect import knobs
from trisect._imports import service
from trisect._locks import fork_safe_lock, lazy
from trisect._utils import (
    canonicalize_dtype,
    flatten_leaves,
    get_primitive_bitwidth,
    type_canonicalisation_dict,
)

from . import _async_compile
from ._native import launch as native
from ._tensors import is_writable
from .binding import (
    compute_cache_key,
    create_function_from_signature,
    kwargs_as_options,
    pack_args,
)
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
from .constants import is_plain
from .dependencies import DependenciesFinder
from .driver import driver
from .interface import KernelInterface, T
from .launching import slots_of
from .outside import ABSENT
from .parameters import KernelParam, mangle_type, native_specialize_impl
from .placement import driver_for, place_of
from .specializations import (
    JitFunctionInfo,
    Specialization,
    call_hook,
    convert_to_tuple_if_list,
    load_specialization,
    serialize_specialization_data,
)
from .tensors import MockTensor, TensorWrapper, reinterpret

TRITON_MODULE = "triton.language"
GLUON_MODULE = "triton.experimental.gluon.language"


def get_device_key():
    """Names the current target and device."""
    target = driver.active.get_current_target()
    return f"{target.backend}:{driver.active.get_current_device()}"


_Caches = namedtuple("_Caches", ["kernels", "keys", "target", "backend"])


class JITFunction(JITCallable, KernelInterface[T]):
    """A function that is compiled for each specialisation of its arguments."""

    #: Options that hold for every launch, whatever it says.
    launch_options: dict = {}

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
            if self.params[-1].is_constexpr and (fixed or unaligned):
                raise ValueError(
                    f"{param.name} marked as constexpr and listed in do_not_specialize or "
                    "do_not_specialize_on_alignment; drop one of the two"
                )
        self.arg_names = [param.name for param in self.params]
        self.constexprs = [param.num for param in self.params if param.is_constexpr]
        self.debug = debug
        self.noinline = noinline
        self.kernel = None
        self.pre_run_hooks = []
        self.device_caches = {}
        self._given: dict[JITCallable, None] = {}
        self._compile_lock = fork_safe_lock()

    def repr(self, _):
        """The kernel's name: what the `repr` callback says of a specialisation, else the function's."""
        return self.__name__ if self._repr is None else self._repr(_)

    def is_gluon(self) -> bool:
        return False

    def add_pre_run_hook(self, hook):
        """Adds a function that is called with the arguments before each launch."""
        if not callable(hook):
            raise TypeError("a pre-run hook must be callable")
        self.pre_run_hooks.append(hook)

    # Launching

    @lazy
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
        # The native one takes this one's place when it is first called for, unless somebody has wrapped it.
        subscript = _subscript()
        if JITFunction.__getitem__ is _own_getitem:
            JITFunction.__getitem__ = subscript
        return subscript(self, grid)

    def create_binder(self, place=None) -> _Caches:
        """The caches and the backend of a place; of the current device without one."""
        active = driver_for(place)
        if place is None or place[0] == "cpu":
            target, index = active.get_current_target(), active.get_current_device()
        else:
            target, index = active.target_of(place[1]), place[1]
        device = (target, index)
        caches = self.device_caches.get(device)
        if caches is None:
            backend = service("compiler").make_backend(target)
            caches = self.device_caches.setdefault(device, _Caches({}, {}, target, backend))
        return caches

    @lazy
    def _bind(self):
        return create_function_from_signature(self.signature, self.params)

    def _bound(self, args, kwargs):
        try:
            return self._bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"kernel '{self.__name__}': {error}") from None
        except (OverflowError, ValueError, RuntimeError) as error:
            raise type(error)(f"kernel '{self.__name__}': {error}") from None

    def run(self, *args, grid, warmup, **kwargs):
        native()
        if not warmup and not self._globals_changed():
            kernel = self._dispatcher.launch(grid, args, kwargs)
            if kernel is not None:
                return kernel
        given = dict(kwargs)
        kwargs["debug"] = kwargs.get("debug", self.debug) or knobs.runtime.debug
        kwargs["instrumentation_mode"] = knobs.compilation.instrumentation_mode
        for hook in self.pre_run_hooks:
            hook(*args, **kwargs)
        bound, specialization, extra = self._bound(args, kwargs)
        self._note_given(bound)
        # What a constexpr leads to lies nowhere, whatever attributes it has.
        passed = {param.name: bound[param.name] for param in self.params if not param.is_constexpr}
        place = place_of(passed, self.__name__)
        caches = self.create_binder(place)
        key = compute_cache_key(caches.keys, specialization, kwargs_as_options(kwargs, bound))
        # A kernel of an older source has another key, so it is found again if the source is set back.
        key = f"{self.cache_key}{key}"
        kernel = caches.kernels.get(key)
        if kernel is None:
            kernel = self._compile(key, caches, bound, specialization, kwargs, extra, warmup)
            if kernel is None:
                return None
        if not warmup:
            self._launch(kernel, grid, bound, args, given, specialization, place)
        return kernel

    def _note_given(self, bound):
        """Functions among the constants are part of the kernel, with what they name."""
        for value in bound.values():
            for item in value if isinstance(value, (tuple, list)) else (value,):
                if isinstance(item, JITCallable):
                    item.cache_key  # noqa: B018 - finds what it names
                    self._given.setdefault(item)

    def _globals_changed(self) -> bool:
        return any(
            [function.globals_changed() for function in (self, *self._given) if function.used_global_vals]
        )

    def _launch(self, kernel, grid, bound, args, given, specialization, place):
        if grid is None:
            raise ValueError(f"kernel '{self.__name__}' is launched with a grid, such as kernel[(16,)](...)")
        if callable(grid):
            grid = grid(bound)
        sizes = self._grid_sizes(grid)
        if isinstance(kernel, _async_compile.FutureKernel):
            kernel = kernel.result()
        self._check_writable(bound, kernel)
        active = driver_for(place)
        stream = active.get_current_stream(active.get_current_device() if place is None else place[1])
        enter, exit = knobs.runtime.launch_enter_hook or None, knobs.runtime.launch_exit_hook or None
        values = tuple(bound.values())
        facts = kernel.launch_metadata(sizes, stream, *values)
        kernel.run(*sizes, stream, kernel.function, kernel.packed_metadata, facts, enter, exit, *values)
        slots = [
            slot
            for param, (kind, _) in zip(self.params, specialization, strict=True)
            if not param.is_constexpr
            for slot in slots_of(kind)
        ]
        # Where a launch without tensors runs is asked anew each time.
        settled = place is not None or kernel.metadata.target.backend == "cpu"
        # Nor is what a constant leads to watched.
        settled = settled and all(map(is_plain, specialization))
        if isinstance(kernel.function, native().Executable) and settled:
            self._remember(kernel, args, given, slots)

    def _remember(self, kernel, args, given, slots):
        """Lets the next launch of this kind go by the dispatcher, unless a list may change unseen."""
        covered = (self, *self._given)
        if any(function.mutable_texts for function in covered):
            return
        rows = {key: row for function in covered for key, row in (function.used_global_vals or {}).items()}
        self._dispatcher.watch(
            [
                (owner, name) if value is ABSENT else (owner, name, value)
                for (name, _), (value, owner) in rows.items()
            ]
        )
        self._dispatcher.remember(args, given, slots, kernel.function, kernel)

    def _grid_sizes(self, grid):
        # An array of no dimension has a length that raises TypeError.
        is_sequence = hasattr(grid, "__len__") and hasattr(grid, "__getitem__") and not hasattr(grid, "keys")
        if is_sequence and getattr(grid, "ndim", 1) and not isinstance(grid, str):
            sizes = tuple(grid)
        else:
            sizes = (grid,)
        if not 1 <= len(sizes) <= 3:
            raise ValueError(
                f"kernel '{self.__name__}': a grid has one to three dimensions, not {len(sizes)}"
            )
        for size in sizes:
            if not hasattr(size, "__index__"):
                raise TypeError(f"kernel '{self.__name__}': a grid dimension is an integer, not {size!r}")
        sizes = tuple(map(operator.index, sizes))
        for size in sizes:
            if not 0 <= size < 2**31:
                raise ValueError(
                    f"kernel '{self.__name__}': a grid dimension must lie between 0 and 2**31 - 1, not {size}"
                )
        return (*sizes, 1, 1)[:3]

    def _check_writable(self, bound, kernel):
        """Refuses memory that must not be written where the kernel may write it."""
        from .written import written_parameters

        protected = [
            name for name, value in bound.items() if not all(map(is_writable, flatten_leaves(value)))
        ]
        written = written_parameters(kernel.asm["ttir"]) if protected else ()
        for name in protected:
            if name in written:
                raise ValueError(
                    f"kernel '{self.__name__}' writes to argument '{name}', which is read-only memory; pass "
                    "a copy (array.copy()), or an array that owns writable memory"
                )

    # Compiling

    def _compile(self, key, caches, bound, specialization, kwargs, extra, warmup):
        facts = pack_args(self, caches.backend, kwargs, bound, specialization, extra)
        wanted = Specialization(key, *facts, caches.target)
        with self._compile_lock:
            known = caches.kernels.get(key)
            return known if known is not None else self._do_compile(wanted, warmup, caches)

    def _do_compile(self, wanted, warmup, caches):
        if call_hook(knobs.runtime.jit_cache_hook, self, wanted, warmup):
            return None
        compiler = service("compiler")
        source = compiler.ASTSource(self, wanted.signature, wanted.constants, wanted.attrs)

        def finish(kernel):
            caches.kernels[wanted.key] = kernel
            call_hook(knobs.runtime.jit_post_compile_hook, self, wanted, warmup)

        mode = _async_compile.active_mode.get()
        if mode is None:
            kernel = compiler.compile(source, caches.target, wanted.options)
            finish(kernel)
            return kernel
        kernel = mode.submit(
            (self.cache_key, wanted.key),
            lambda: compiler.compile(source, caches.target, wanted.options, _env_vars={}),
            finish,
            lambda: caches.kernels.pop(wanted.key, None),
        )
        caches.kernels[wanted.key] = kernel
        return kernel

    def preload(self, specialization_data):
        """Compiles a specialisation that a hook was given as JSON, and keeps it."""
        caches = self.create_binder()
        wanted = load_specialization(self, specialization_data, caches.target)
        compiler = service("compiler")
        source = compiler.ASTSource(self, wanted.signature, wanted.constants, wanted.attrs)
        kernel = caches.kernels[wanted.key] = compiler.compile(source, caches.target, wanted.options)
        return kernel

    # Being a function among others

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            f"Cannot call @triton.jit'd outside of the scope of a kernel: launch '{self.__name__}' as "
            f"{self.__name__}[grid](...)"
        )

    def __repr__(self):
        return f"{type(self).__name__}({self.module}:{self.__qualname__})"

    def __reduce_ex__(self, protocol):
        module = sys.modules.get(self.__module__)
        if self.fn is not None and getattr(module, self.__qualname__, None) is self:
            return self.__qualname__  # found there again by its name
        return super().__reduce_ex__(protocol)

    def __copy__(self):
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __getstate__(self):
        # Native tables, locks and compiled kernels belong to the process, globals to the module; the text and
        # the parameters, which a compiled kernel needs, can be sent.
        dropped = ("_dispatcher", "_bind", "_compile_lock", "device_caches", "_given", "mutable_texts")
        state = {name: value for name, value in self.__dict__.items() if name not in dropped}
        for name in ("fn", "__globals__", "used_global_vals", "_hash_lock"):
            if state.get(name) is not None:
                state[name] = None
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.device_caches = {}
        self._given = {}
        self._compile_lock = fork_safe_lock()
        if self.__dict__.get("_hash_lock") is None:
            self._hash_lock = fork_safe_lock()


#: Whoever puts others in their place, to see launches, sees them all.
_own_run, _own_getitem = JITFunction.run, JITFunction.__getitem__


@functools.cache
def _subscript():
    return native().subscript(JITFunction, _own_run, KernelInterface.__getitem__)


class InterpretedFunction(JITFunction):
    """A jit function whose launches run in tier 0."""

    launch_options = {"tier": "interp"}

    def __init__(self, fn, **kwargs):
        super().__init__(fn, **kwargs)


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
        if not hasattr(fn, "__code__") or fn.__name__ == "<lambda>":
            raise TypeError(f"@triton.jit decorates a function made with `def`, not {fn!r}")
        kind = JITFunction
        if knobs.runtime.interpret:
            kind = InterpretedFunction
        return kind(
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
