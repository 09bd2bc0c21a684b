"""Pictures of what launches do: footprints on tensors, hot lines, a timeline.

What: `python -m trisect trace script.py -o out.html`, and `with trisect.tracing.record() as launches:` around
any code that launches kernels.
Why: strides, overlaps and idle lanes are seen at a glance and hard to read from code.
Limits: recorded launches run in tier 0, operation by operation, on one thread; times compare lines, not
tiers.
"""

from trisect.tracing.page import write_page
from trisect.tracing.perfetto import write_perfetto
from trisect.tracing.record import Recording, record
from trisect.tracing.recording import Launch

__all__ = ["Launch", "Recording", "record", "write_page", "write_perfetto"]
