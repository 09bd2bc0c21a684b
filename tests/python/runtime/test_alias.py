"""The name triton: what programs see under it, each in a process of its own."""

import os
import subprocess
import sys
import textwrap

import pytest

import trisect
from trisect import _alias

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(trisect.__file__)))


def run(*arguments, cwd=None, path=(ROOT,), check=True):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    finished = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=cwd, env=environment, check=False
    )
    if check:
        assert finished.returncode == 0, finished.stderr
    return finished


def script(tmp_path, text, name="program.py"):
    path = tmp_path / name
    path.write_text(textwrap.dedent(text))
    return str(path)


def test_a_script_runs_unchanged(tmp_path):
    program = script(
        tmp_path,
        """
        import sys
        import numpy as np
        import triton
        import triton.language as tl
        from triton.runtime.driver import driver
        @triton.jit
        def double(x, N: tl.constexpr):
            offsets = tl.arange(0, N)
            tl.store(x + offsets, 2 * tl.load(x + offsets))
        x = np.arange(8, dtype=np.float32)
        double[(1,)](x, 8)
        assert (x == 2 * np.arange(8)).all()
        assert triton.runtime.driver is driver
        print(triton.__version__, sys.argv[1:], __name__)
        """,
    )
    assert run("-m", "trisect", program, "--flag", "x").stdout == "3.6.0 ['--flag', 'x'] __main__\n"


def test_every_module_is_the_same_object():
    code = """
import importlib, sys
import triton, trisect
names = ["language", "runtime", "runtime.jit", "runtime.autotuner", "runtime.driver", "runtime.cache",
         "runtime.errors",
         "backends", "backends.compiler", "backends.driver", "compiler",
         "compiler.compiler", "compiler.errors", "knobs",
         "testing", "tools", "tools.tensor_descriptor", "language.core", "language.math", "language.extra"]
assert triton is trisect
for name in names:
    ours, theirs = importlib.import_module("trisect." + name), importlib.import_module("triton." + name)
    assert ours is theirs, name
    assert ours.__spec__.name == "trisect." + name, name
mixed = [name for name in sys.modules if name.startswith("triton.") and not name.startswith("triton._C.lib")
         and sys.modules[name] is not sys.modules["trisect" + name[6:]]]
assert mixed == [], mixed
from triton._C.libtriton import ir, llvm
context = ir.context(); ir.load_dialects(context)
assert ir.module.__name__ == "Module" and llvm.get_cpu_features()
assert triton._C.libtriton.ir is ir and triton._C is trisect._C is sys.modules["trisect._C"]
"""
    run("-m", "trisect", "-c", code)


def test_what_programs_probe_for():
    code = """
import importlib.util, importlib.metadata
assert importlib.util.find_spec("triton") is not None
assert importlib.metadata.version("triton") == "3.6.0"
import triton
assert importlib.util.find_spec("triton") is not None
assert importlib.util.find_spec("triton.language") is not None
for missing in ("triton.experimental.gluon", "triton.experimental.tle.language", "triton.nothing"):
    try:
        importlib.import_module(missing)
    except ImportError:
        continue
    raise AssertionError(missing)
import triton.backends.compiler, triton.compiler.compiler
assert not hasattr(triton.backends.compiler, "AttrsDescriptor")
assert not hasattr(triton.compiler.compiler, "AttrsDescriptor")
assert "cpu" in triton.backends.backends
"""
    run("-m", "trisect", "-c", code)


def test_modules_and_code(tmp_path):
    script(tmp_path, "import triton, sys; print(triton.__name__, sys.argv[1:], __name__)", "shown.py")
    expected = "trisect ['a'] __main__\n"
    assert run("-m", "trisect", "-m", "shown", "a", cwd=tmp_path).stdout == expected
    code = "import triton, sys; print(triton.__name__, sys.argv[1:], __name__)"
    assert run("-m", "trisect", "-c", code, "a").stdout == expected


def test_child_processes_are_under_the_alias(tmp_path):
    code = "import subprocess, sys; print(subprocess.check_output([sys.executable, '-c', " \
           "'import triton; print(triton.__name__)'], text=True), end='')"  # fmt: skip
    assert run("-m", "trisect", "-c", code).stdout == "trisect\n"


def test_worker_processes_take_kernels(tmp_path):
    program = script(
        tmp_path,
        """
        import multiprocessing, pickle
        import triton
        def ask(name):
            import triton
            return triton.__name__, triton.runtime.jit.JITFunction.__module__
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.apply(ask, ("x",)))
        """,
    )
    assert run("-m", "trisect", program).stdout == "('trisect', 'trisect.runtime.jit')\n"


def test_a_handed_on_folder_is_enough():
    """Compile workers of other libraries get sys.path and nothing else."""
    assert run("-c", "import triton; print(triton.__name__)", path=(_alias.FOLDER,)).stdout == "trisect\n"


def test_without_asking_another_triton_is_left_alone(tmp_path):
    (tmp_path / "triton").mkdir()
    (tmp_path / "triton" / "__init__.py").write_text("__version__ = 'other'\n")
    code = "import trisect.language, triton; print(triton.__version__)"
    assert run("-c", code, path=(ROOT, str(tmp_path))).stdout == "other\n"
    code = "import triton; print(triton.__version__)"
    assert run("-m", "trisect", "-c", code, path=(ROOT, str(tmp_path))).stdout == "3.6.0\n"


def test_two_tritons_are_never_mixed(tmp_path):
    (tmp_path / "triton").mkdir()
    (tmp_path / "triton" / "__init__.py").write_text("")
    code = "import trisect; trisect.install_as_triton(); trisect.install_as_triton()\n"
    code += "import triton.language as tl; print(tl is trisect.language)"
    assert run("-c", code).stdout == "True\n"


def test_the_pytest_plugin_and_its_workers(tmp_path):
    script(
        tmp_path,
        """
        import triton, trisect
        def test_alias():
            assert triton is trisect
        def test_alias_again():
            assert triton is trisect
        """,
        "test_inner.py",
    )
    finished = run("-m", "pytest", "-q", "-p", "trisect.as_triton", "-p", "no:cacheprovider", cwd=tmp_path)
    assert "2 passed" in finished.stdout
    finished = run("-m", "trisect", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", cwd=tmp_path)
    assert "2 passed" in finished.stdout


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((), "usage: python -m trisect script.py"),
        (("-m",), "-m needs an argument"),
        (("-x",), "unknown option -x"),
    ],
)
def test_wrong_command_lines(arguments, message):
    finished = run("-m", "trisect", *arguments, check=False)
    assert finished.returncode != 0 and message in finished.stderr + finished.stdout


def test_a_traceback_shows_the_script(tmp_path):
    finished = run(
        "-m", "trisect", script(tmp_path, "def f():\n    raise KeyError('own')\nf()\n"), check=False
    )
    assert (
        finished.returncode == 1 and "KeyError: 'own'" in finished.stderr and "program.py" in finished.stderr
    )
