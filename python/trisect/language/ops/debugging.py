"""Asserts, prints, assumptions, hints, barriers, target assembly and library symbols."""

from ..builtin import builtin
from ..constants import unwrap
from ..tuples import tuple as tl_tuple


@builtin
def static_print(*values, sep=" ", end="\n", file=None, flush=False, _semantic=None):
    """Prints values while compiling; the code generator does it before any value is lowered."""
    print(
        *(unwrap(value) for value in values), sep=unwrap(sep), end=unwrap(end), file=file, flush=unwrap(flush)
    )


@builtin
def static_assert(cond, msg="", _semantic=None):
    """Fails compilation when a compile-time condition is false; done by the code generator."""
    if not unwrap(cond):
        raise AssertionError(unwrap(msg))


@builtin
def device_print(prefix, *args, hex=False, _semantic=None):
    """Prints a prefix and values at run time, one line per element."""
    prefix = unwrap(prefix)
    if not isinstance(prefix, str):
        raise TypeError(f"the first argument of device_print must be a string, got {prefix!r}")
    if any(not character.isprintable() for character in prefix):
        raise ValueError("device_print prefix contains characters that cannot be printed")
    return _semantic.device_print(prefix, args, hex)


@builtin
def plain_print(prefix, *args, hex=False, _semantic=None):
    """Python's print() in a kernel: as device_print; the code generator takes values and f-strings apart."""
    return device_print(prefix, *args, hex=hex, _semantic=_semantic)


@builtin
def device_assert(cond, msg="", mask=None, _semantic=None):
    """Runtime check in debug mode; aborts the kernel with a message when false."""
    return _semantic.device_assert(cond, msg, mask)


@builtin
def assume(cond, _semantic=None):
    """Tells the optimiser that a condition always holds."""
    return _semantic.assume(cond)


@builtin
def debug_barrier(_semantic=None):
    """Synchronises all threads of the program instance."""
    return _semantic.debug_barrier()


@builtin
def multiple_of(input, values, _semantic=None):
    """Hint: values are divisible by this."""
    return _semantic.hint("tt.divisibility", "multiple_of", input, values)


@builtin
def max_contiguous(input, values, _semantic=None):
    """Hint: runs of this many values increase by one."""
    return _semantic.hint("tt.contiguity", "max_contiguous", input, values)


@builtin
def max_constancy(input, values, _semantic=None):
    """Hint: runs of this many neighbouring values are equal."""
    return _semantic.hint("tt.constancy", "max_constancy", input, values)


@builtin
def inline_asm_elementwise(asm, constraints, args, dtype, is_pure, pack, _semantic=None):
    """Applies target assembly to packs of elements from the inputs."""
    types = unwrap(dtype)
    single = not hasattr(types, "__iter__")
    types = [unwrap(ty) for ty in ([types] if single else types)]
    results = _semantic.inline_asm(
        unwrap(asm), unwrap(constraints), list(unwrap(args)), types, unwrap(is_pure), unwrap(pack)
    )
    return results[0] if single else tl_tuple(results)


def listed_for(args, symbols):
    """What is listed for the types of tensors."""
    types = tuple(arg.type.scalar for arg in args)
    if types not in symbols:
        known = ", ".join("(" + ", ".join(map(str, key)) + ")" for key in symbols)
        raise ValueError(
            f"input arg type does not match. Expect one of {known}, got "
            f"({', '.join(map(str, types))}); convert the arguments with .to(...)"
        )
    return symbols[types]


def dispatch(func, lib_name, lib_path, args, arg_type_symbol_dict, ret_type, is_pure, _semantic=None):
    """Selects the library symbol by argument types and emits the external call."""
    if not arg_type_symbol_dict:
        raise ValueError("arg_type_symbol_dict is empty")
    count = len(next(iter(arg_type_symbol_dict)))
    if len(args) != count:
        raise ValueError(f"length of input args does not match. Expect {len(args)}, got {count}")
    args = [_semantic.to_tensor(arg) for arg in args]
    symbol = listed_for(args, arg_type_symbol_dict)
    name, scalar = symbol[0], symbol[1] if ret_type is None else ret_type
    return _semantic.extern_elementwise(lib_name, lib_path, args, name, scalar.scalar, is_pure)


@builtin
def extern_elementwise(lib_name, lib_path, args, arg_type_symbol_dict, is_pure, _semantic=None):
    """Emits an elementwise call of the library symbol that is listed for exactly these argument types."""
    return dispatch(None, lib_name, lib_path, args, arg_type_symbol_dict, None, is_pure, _semantic=_semantic)
