"""A pytest plugin: `-p trisect.as_triton` runs a test suite in which `import triton` means Trisect."""

from trisect._alias import install_as_triton

install_as_triton()

#: With it comes the option --trisect-sanitize.
pytest_plugins = ["trisect.checking.pytest_plugin", "trisect.sanitizer.pytest_plugin"]


def pytest_report_header(config):
    return "triton: trisect.as_triton (release 3.6.0)"
