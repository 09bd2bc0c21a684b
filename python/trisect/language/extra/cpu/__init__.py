"""Functions of CPUs."""

from . import libdevice
from .vnni import vnni_decode

__all__ = ["libdevice", "vnni_decode"]
