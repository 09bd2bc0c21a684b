"""The tests themselves, in Python: each can fail.

A test function asserts, expects an exception or a warning, or calls a function of these folders that does.
"""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
FOLDERS = ("python", "faults", "gpu")
EXPECTING = {"raises", "warns", "fail", "check_call"}


def checks_itself(function) -> bool:
    for node in ast.walk(function):
        if isinstance(node, (ast.Assert, ast.Raise)):
            return True
        name = getattr(node, "attr", None) or getattr(node, "id", "")
        if isinstance(node, (ast.Name, ast.Attribute)) and (name.startswith("assert") or name in EXPECTING):
            return True
        if isinstance(node, ast.keyword) and node.arg == "check" and getattr(node.value, "value", 0) is True:
            return True
    return False


def functions(tree):
    return [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def used_names(function) -> set[str]:
    """Functions that are called or handed on, and fixtures."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
    return names | {argument.arg for argument in function.args.args}


def idle_tests(trees) -> list[str]:
    """`file::test` of the tests that cannot fail."""
    everywhere = [(path, function) for path, tree in trees.items() for function in functions(tree)]
    used = {id(function): used_names(function) for _, function in everywhere}
    checking = {id(function) for _, function in everywhere if checks_itself(function)}
    helpers, found = (
        set(),
        {f.name for _, f in everywhere if id(f) in checking and not f.name.startswith("test_")},
    )
    while found > helpers:
        helpers = found
        more = {f.name for _, f in everywhere if not f.name.startswith("test_") and used[id(f)] & helpers}
        found = helpers | more
    return [
        f"{path}::{function.name}"
        for path, function in everywhere
        if function.name.startswith("test_") and Path(path).name.startswith("test_")
        if id(function) not in checking and not used[id(function)] & helpers
    ]


def test_every_test_can_fail():
    trees = {
        str(path.relative_to(TESTS)): ast.parse(path.read_text(encoding="utf-8"))
        for folder in FOLDERS
        for path in sorted((TESTS / folder).rglob("*.py"))
    }
    assert len(trees) > 50
    assert idle_tests(trees) == []


def test_a_test_without_a_check_is_found():
    tree = ast.parse(
        "def helper(x):\n  assert x\n"
        "def through(x):\n  return helper(x)\n"
        "def test_direct():\n  assert 1\n"
        "def test_by_helper():\n  through(2)\n"
        "def test_expects():\n  with pytest.raises(ValueError):\n    int('x')\n"
        "def test_idle():\n  int('1')\n"
    )
    assert idle_tests({"test_x.py": tree}) == ["test_x.py::test_idle"]
