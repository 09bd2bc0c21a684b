"""Stands where programs look for `triton._C`."""
