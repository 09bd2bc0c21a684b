"""lit over tests/ir and tests/passes: text tests with RUN lines, FileCheck and the tools of the release build."""

import os
from pathlib import Path

import lit.formats

root = Path(__file__).resolve().parent.parent
build = Path(lit_config.params.get("build", root / "build" / "release"))  # noqa: F821

config.name = "trisect"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir", ".ttir"]  # noqa: F821
config.excludes = ["Inputs"]  # noqa: F821
config.test_source_root = str(root / "tests")  # noqa: F821
config.test_exec_root = str(build / "lit")  # noqa: F821
config.environment["PATH"] = os.pathsep.join(  # noqa: F821
    [str(build / "bin"), "/usr/lib/llvm-19/bin", os.environ["PATH"]]
)
