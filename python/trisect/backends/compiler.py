"""What a backend's compiler is: options, stages, rules."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from dataclasses import dataclass
from enum import Enum
from types import ModuleType


@dataclass(frozen=True)
class GPUTarget:
    """Backend name, architecture and warp size of what code is made for."""

    backend: str
    arch: int | str
    warp_size: int


class Language(Enum):
    """Input languages."""

    TRITON = 0
    GLUON = 1


class BaseBackend(metaclass=ABCMeta):
    """Compiles TTIR for one target."""

    supports_native_tensor_specialization = True
    #: Launch options that are taken and change nothing about the generated code.
    idle_options: frozenset[str] = frozenset()

    def __init__(self, target: GPUTarget) -> None:
        if not self.supports_target(target):
            raise ValueError(f"{type(self).__name__} does not compile for {target}")
        self.target = target

    @staticmethod
    @abstractmethod
    def supports_target(target: GPUTarget) -> bool:
        """Whether this backend compiles for a target."""

    @abstractmethod
    def hash(self) -> str:
        """Identifies what the generated code depends on besides source and options."""

    @abstractmethod
    def parse_options(self, options: dict):
        """The options object of a dictionary; names it does not know are left out."""

    @abstractmethod
    def add_stages(self, stages: dict, options, language=Language.TRITON) -> None:
        """Adds stage name → function(previous stage's result, metadata), in order."""

    @abstractmethod
    def load_dialects(self, context) -> None:
        """Loads what the backend needs into a context."""

    @abstractmethod
    def get_module_map(self) -> dict[str, ModuleType]:
        """Modules of kernels → modules of this backend that take their place."""

    def locate(self, stage: str) -> str | None:
        """The file that the text of a stage will lie in, if lines are to point into it (USE_IR_LOC)."""
        return None

    def check_resources(self, metadata) -> None:
        """Raises OutOfResources if the current device cannot run a kernel."""
        return None

    def artifact(self, metadata, asm) -> bytes | None:
        """The compiled form that a kernel's stages hold; None if the tiers are to make it."""
        return None

    def get_codegen_implementation(self, options) -> dict:
        """Functions that the front end asks for what differs between targets."""
        return {}

    @staticmethod
    def parse_attr(desc: str) -> list:
        """The argument attributes of a specialisation key."""
        return [["tt.divisibility", 16]] if "D" in desc else []

    @staticmethod
    def get_int_specialization(arg, **kwargs) -> str:
        return "D" if arg % 16 == 0 and kwargs.get("align", False) else ""

    @staticmethod
    def get_tensor_specialization(arg, **kwargs) -> str:
        return "D" if arg.data_ptr() % 16 == 0 and kwargs.get("align", False) else ""
