"""Facts about the host's processor."""


def get_cpu_features() -> set[str]:
    """The instruction sets of the host, as Linux names them."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith(("flags", "Features")):
                    return set(line.partition(":")[2].split())
    except OSError:
        pass
    return set()


def get_cpu_name() -> str:
    import platform

    return platform.machine()


__all__ = ["get_cpu_features", "get_cpu_name"]
