"""lit over tests/ir and tests/passes: RUN lines, FileCheck and the tools of the release build."""

# ruff: noqa: F821 (lit defines config and lit_config)
import os
from pathlib import Path

import lit.formats

root = Path(__file__).resolve().parent.parent
build = Path(lit_config.params.get("build", root / "build" / "release"))

config.name = "trisect"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ttir"]
config.excludes = ["Inputs"]
config.test_source_root = str(root / "tests")
config.test_exec_root = str(build / "lit")
config.environment["PATH"] = os.pathsep.join([str(build / "bin"), "/usr/lib/llvm-19/bin", os.environ["PATH"]])
