"""The kernels of language.py as front end work: a launch is one compilation from the AST to optimised TTIR.

`check()` also writes the text of both stages, `<case>.pre.ttir` and `<case>.post.ttir`, to the folder that
TTIR_OUT names. Works under either `triton`: the target is the first that this package can compile for here.
"""

import importlib.util
import os
import sys
from pathlib import Path

import language
from triton._C.libtriton import ir
from triton.backends import backends
from triton.backends.compiler import GPUTarget, Language
from triton.compiler import ASTSource, make_backend

OUT = Path(os.environ["TTIR_OUT"])
TARGET = GPUTarget("cpu", "", 32) if "cpu" in backends else GPUTarget("cuda", 90, 32)


def load_kernels():
    path = OUT / "language_kernels.py"
    language.write_module(path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


KERNELS = load_kernels()
BACKEND = make_backend(TARGET)
OPTIONS = BACKEND.parse_options({})
STAGES = {}
BACKEND.add_stages(STAGES, OPTIONS, Language.TRITON)


def front_end(case):
    source = ASTSource(getattr(KERNELS, case.name), case.signature, {"BLOCK": case.block}, {})
    context = ir.context()
    ir.load_dialects(context)
    BACKEND.load_dialects(context)
    functions = BACKEND.get_codegen_implementation(OPTIONS)
    return source.make_ir(TARGET, OPTIONS, functions, BACKEND.get_module_map(), context)


def make(case):
    def launch():
        return STAGES["ttir"](front_end(case), {})

    def check():
        (OUT / f"{case.name}.pre.ttir").write_text(str(front_end(case)))
        (OUT / f"{case.name}.post.ttir").write_text(str(launch()))
        return 0.0

    return launch, check


CASES = {case.name: (lambda case=case: make(case)) for case in language.kernels()}
