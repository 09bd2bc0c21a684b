"""The libdevice functions under their CPU path; the same objects as `extra.libdevice`."""

from ..libdevice import *  # noqa: F403
from ..libdevice import __all__  # noqa: F401
