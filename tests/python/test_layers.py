"""The check of the rooms of python/trisect finds wrong rooms, circles and files without a room."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / ".dev" / "lint"))

import python_layers

TABLE = f"""{python_layers.HEADING}

| room | files | what | may import |
| --- | --- | --- | --- |
| base | errors.py | | |
| runtime | runtime | | base |
| compiler | compiler | | base, runtime |
| entry | __init__.py | | base, runtime, compiler |

### Another
| no | room | at | all |
"""
FILES = {
    "__init__.py": "provide('compiler', 'trisect.compiler')",
    "errors.py": "",
    "runtime/__init__.py": "from .jit import run",
    "runtime/jit.py": "from trisect import errors",
    "compiler/__init__.py": "from ..runtime import jit",
}


def problems(**changed):
    files = FILES | {name.replace("__", "/") + ".py": text for name, text in changed.items()}
    rooms = python_layers.read_rooms(TABLE)
    return python_layers.check({python_layers.PACKAGE + name: text for name, text in files.items()}, rooms)


def test_imports_by_the_table_are_fine():
    assert problems() == []


@pytest.mark.parametrize(
    "text",
    [
        "import trisect.compiler",
        "def f():\n    from trisect.compiler import jit",
        "def f():\n    from .. import compiler",
        "def f():\n    importlib.import_module('trisect.compiler')",
        "load('trisect.compiler')",
    ],
)
def test_a_room_that_the_row_does_not_name(text):
    (problem,) = [text for text in problems(runtime__jit=text) if "may import base" in text]
    assert "runtime/jit.py" in problem and "imports trisect.compiler of the room compiler" in problem


def test_a_circle_inside_of_a_room():
    found = problems(runtime__a="from . import b", runtime__b="def f():\n    from .a import x")
    assert found == ["imports in a circle: trisect.runtime.a -> trisect.runtime.b -> trisect.runtime.a"]


def test_a_file_without_a_room():
    assert problems(other="") == ["python/trisect/other.py: lies in no room of docs/architecture.md"]


def test_a_row_that_names_a_room_below_it():
    rooms = python_layers.read_rooms(
        TABLE.replace("| base | errors.py | | |", "| base | errors.py | | entry |")
    )
    assert python_layers.check_table(rooms) == [
        "docs/architecture.md: the room base may import entry, which is no room above it"
    ]
