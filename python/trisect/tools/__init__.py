"""Helpers for host code: descriptors, packed formats, disassembly."""
