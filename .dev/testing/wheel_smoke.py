"""What an installed package must do in an environment with NumPy alone: be found there, parse, refuse."""

import sys

import trisect

assert trisect.__file__.startswith(sys.prefix), f"not the installed package: {trisect.__file__}"

module = trisect.ir.parse("module { tt.func public @f(%x: !tt.ptr<f32>) { tt.return } }")
assert "tt.func public @f" in str(module), str(module)
try:
    trisect.ir.parse("module { tt.func }")
except trisect.InvalidInput as error:
    print("refused as it should be:", str(error).splitlines()[0])
else:
    raise AssertionError("bad text was accepted")
assert "torch" not in sys.modules
print("trisect", trisect.__version__, "works in", sys.prefix)
