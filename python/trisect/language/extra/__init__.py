"""Device functions beyond the language: libdevice by generic names, and what one kind of device has alone."""

from . import cpu, cuda, libdevice

__all__ = ["cpu", "cuda", "libdevice"]
