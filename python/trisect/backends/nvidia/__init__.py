"""The NVIDIA backend: kernels on GPUs, compiled through PTX."""
