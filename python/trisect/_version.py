"""The release of the language and runtime that this package stands in for."""

__version__ = "3.6.0"
