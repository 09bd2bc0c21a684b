"""The CPU backend: kernels on the host, interpreted and compiled."""
