# operators [DTYPE...]: torch's operators through torch.compile, which writes kernels for Trisect, beside eager torch
# (tests/operators). --samples N of each, --names NAME..., --keep. About five minutes a type.
need_build release
exec "$PYTHON" tests/operators/run.py "$@"
