"""Errors of launching, tuning and assembling."""

from trisect.errors import TritonError


class InterpreterError(TritonError):
    """An exception raised while a kernel was interpreted."""

    def __init__(self, error_message: str | None = None):
        self.error_message = error_message

    def __str__(self) -> str:
        return self.error_message or ""


class OutOfResources(TritonError):
    """A kernel needs more of a resource than the device has."""

    def __init__(self, required, limit, name):
        self.required = required
        self.limit = limit
        self.name = name

    def __str__(self) -> str:
        return (
            f"out of resource: {self.name}, Required: {self.required}, Hardware limit: {self.limit}. "
            "Reducing block sizes or `num_stages` may help."
        )

    def __reduce__(self):
        # Exceptions are rebuilt from args, which are empty here.
        return (type(self), (self.required, self.limit, self.name))


class PTXASError(TritonError):
    """The assembler of PTX failed."""

    def __init__(self, error_message: str | None = None):
        self.error_message = error_message or ""

    def __str__(self) -> str:
        return f"PTXAS error: {self.error_message}"


class AutotunerError(TritonError):
    """Tuning failed or was asked for something impossible."""

    def __init__(self, error_message: str | None = None):
        self.error_message = error_message

    def __str__(self) -> str:
        return f"Autotuner error: {self.error_message or 'unknown'}"
