"""Flash Linear Attention (fla-core): operators of recurrences and attention, and the modules around them.

Settings: none; the library asks Triton's driver for the target, gets "cpu" and runs there.
"""
