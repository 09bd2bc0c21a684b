"""The vendor that FlagGems finds on a machine without a GPU: its NVIDIA settings on the device "cpu".

What: FlagGems imports the package `_<vendor>` from sys.path and reads `vendor_info` from it; this one stands
before its own `_nvidia` and hands on that one's tuning tables and heuristics.
Why: its list of vendors has no entry for a CPU, and its tables for NVIDIA are the complete ones.
"""

import os
import sys

from backend_utils import VendorInfoBase

vendor_info = VendorInfoBase(
    vendor_name="nvidia", device_name="cpu", device_query_cmd="true", triton_extra_name="cuda"
)

CUSTOMIZED_UNUSED_OPS = ()

__path__ += [
    place
    for place in (os.path.join(folder, "_nvidia") for folder in sys.path if folder.endswith("backend"))
    if os.path.isdir(place)
]
