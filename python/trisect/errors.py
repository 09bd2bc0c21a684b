"""The exceptions of Trisect: what went wrong, and whose fault it is.

A *kernel fault* says that the user's kernel is wrong, *unsupported* that a tier cannot run it, *invalid
input* that text, an option or an argument makes no sense, an *engine error* that Trisect itself is wrong.
`TritonError` is the base of the errors of the language and its runtime, as users of `triton` know them.
"""


class TritonError(Exception):
    """Base of compile and runtime errors of the language."""


class _Positioned:
    file: str | None = None
    line: int | None = None
    column: int | None = None


class KernelFault(RuntimeError):
    """The kernel did something wrong, such as an access out of bounds."""

    def __init__(
        self,
        message,
        *,
        kind="assert",
        kernel="",
        file=None,
        line=None,
        program_id=(0, 0, 0),
        details=None,
        finding=None,
    ):
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.kernel = kernel
        self.file = file
        self.line = line
        self.program_id = tuple(program_id)
        self.details = dict(details or {})
        self.finding = finding

    def __reduce__(self):
        facts = dict(self.__dict__)
        return (_rebuild_fault, (facts.pop("message"), facts))


def _rebuild_fault(message, facts):
    return KernelFault(message, **facts)


class Unsupported(_Positioned, RuntimeError):
    """A tier cannot run this kernel; another one may."""


class InvalidInput(_Positioned, ValueError):
    """Text, an option or an argument that makes no sense."""


class EngineError(_Positioned, RuntimeError):
    """Trisect itself is wrong; please report it with what it prints."""


#: Errors about a kernel or its arguments; a launch shows them without frames of this package.
KERNEL_ERRORS = (TritonError, KernelFault, Unsupported, InvalidInput)

__all__ = ["EngineError", "InvalidInput", "KernelFault", "TritonError", "Unsupported"]
