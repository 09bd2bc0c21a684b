"""Every launch compared with tier 0: `python -m trisect check`, and an option of pytest."""
