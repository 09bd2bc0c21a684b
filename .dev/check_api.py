"""Compares the package with a list of public names: is each there, with that signature?

The list is a JSON file: modules -> names -> {kind, signature, members}. A signature agrees when our
parameters begin with the listed ones, with the same names and the same defaults (annotations, `_semantic` and
`_generator` aside); what we add must have a default. The first parameter of a method is the object, whatever
its name. Libdevice functions are compared by the number of their arguments. What is missing is printed with a
reason; one that has none in REASONS is a defect.
"""

import argparse
import ast
import importlib
import inspect
import json
import sys
from collections import Counter

# Why a name is left out on purpose: by module, by (module, name), or by (module, name, member).
_PYTHON_INTERPRETER = "tier 0 runs the TTIR module: there is no builder of NumPy operations behind it"
REASONS = {
    "triton.runtime.interpreter": _PYTHON_INTERPRETER,
    ("triton.tools", "LinearLayout"): "layouts are the compiler's own matter; no host code needs one",
    ("triton.language", "tensor", "gather"): "the method is tl.gather, whose parameter is called `index`",
}
INTERNAL = {"_semantic", "_generator", "_builder"}


def plain(value):
    """A default value as text that does not depend on how it is wrapped."""
    value = getattr(value, "value", value)
    return repr(value)


def listed_parameters(text):
    """(name, default text or None, kind) of a signature such as `(x, dim: constexpr=None, *, k=1)`."""
    arguments = ast.parse(f"def f{text}: pass").body[0].args
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    rows = [(a.arg, d, "positional") for a, d in zip(positional, defaults, strict=True)]
    if arguments.vararg:
        rows.append((arguments.vararg.arg, None, "star"))
    rows += [(a.arg, d, "keyword") for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if arguments.kwarg:
        rows.append((arguments.kwarg.arg, None, "doublestar"))
    return rows


KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.VAR_POSITIONAL: "star",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "doublestar",
}


def our_parameters(thing, is_method=False):
    target = getattr(thing, "fn", thing) if not inspect.isclass(thing) else thing
    rows = [
        (p.name, p.default, KINDS[p.kind])
        for p in inspect.signature(target).parameters.values()
        if p.name not in INTERNAL
    ]
    return rows[1:] if is_method or (rows and rows[0][0] == "self") else rows


def default_agrees(listed, ours, scope):
    if ours is inspect.Parameter.empty:
        return False
    try:
        wanted = ast.literal_eval(listed)
    except ValueError:
        try:
            wanted = eval(ast.unparse(listed), scope)
        except Exception:
            return (
                True  # refers to a private name of another package: that there is a default is all we can ask
            )
    return plain(wanted) == plain(ours)


def disagreement(listed_text, thing, scope, is_method=False):
    """What is wrong with our signature, or None."""
    try:
        ours = our_parameters(thing, is_method)
    except (TypeError, ValueError) as error:
        return f"no signature: {error}"
    listed = [row for row in listed_parameters(listed_text) if row[0] != "self"]
    extra_keywords = any(kind == "doublestar" for _, _, kind in ours)
    by_name = {name: (default, kind) for name, default, kind in ours}
    for position, (name, default, kind) in enumerate(listed):
        if kind in ("star", "doublestar"):
            if not any(k == kind for _, _, k in ours):
                return f"takes no {'*' if kind == 'star' else '**'}{name}"
            continue
        if name not in by_name:
            if extra_keywords and default is not None:
                continue
            return f"no parameter {name}"
        if kind == "positional" and [n for n, _, _ in ours].index(name) != position:
            return f"parameter {name} stands elsewhere"
        if default is not None and not default_agrees(default, by_name[name][0], scope):
            return f"default of {name} is {by_name[name][0]!r}, expected {ast.unparse(default)}"
        if default is None and kind == "positional" and by_name[name][0] is not inspect.Parameter.empty:
            continue
    names = {name for name, _, _ in listed}
    for name, default, kind in ours:
        if name not in names and kind in ("positional", "keyword") and default is inspect.Parameter.empty:
            return f"extra parameter {name} has no default"
    return None


def check_name(module, name, spec):
    """None if `name` is there as the list says, else what is wrong."""
    if not hasattr(module, name):
        return "missing"
    thing = getattr(module, name)
    signature = spec.get("signature")
    if signature is None or spec.get("kind") in ("class", "constant", "dtype", "module"):
        if spec.get("kind") == "class" and not inspect.isclass(thing):
            return f"is a {type(thing).__name__}, expected a class"
        if signature is None or spec.get("kind") != "class":
            return None
    if spec.get("kind") == "extern":
        wanted, ours = len(listed_parameters(signature)), len(our_parameters(thing))
        return None if wanted == ours else f"takes {ours} arguments, expected {wanted}"
    return disagreement(signature, thing, vars(module))


def check_members(thing, members):
    for member in members:
        if member.get("kind") in ("attribute", "field", "property"):
            annotated = set()
            for base in getattr(thing, "__mro__", ()):
                annotated |= set(getattr(base, "__annotations__", {}))
            try:
                source = inspect.getsource(thing)
            except (OSError, TypeError):
                source = ""
            there = hasattr(thing, member["name"]) or member["name"] in annotated
            there = there or f"self.{member['name']}" in source
            yield member["name"], None if there else "missing"
        elif not hasattr(thing, member["name"]):
            yield member["name"], "missing"
        elif member.get("signature"):
            found = inspect.getattr_static(thing, member["name"])
            is_method = not isinstance(found, (staticmethod, classmethod))
            found = getattr(thing, member["name"])
            yield member["name"], disagreement(member["signature"], found, {}, is_method)


def reason_for(*key):
    for length in range(len(key), 0, -1):
        found = REASONS.get(key[:length] if length > 1 else key[0])
        if found:
            return found
    return "no reason"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("list", help="JSON file of modules, names and signatures")
    parser.add_argument("--all", action="store_true", help="print every missing name, not 60")
    options = parser.parse_args()
    with open(options.list, encoding="utf-8") as file:
        modules = json.load(file)["modules"]
    present, wrong, per_module = 0, [], Counter()
    for path, content in modules.items():
        ours = "trisect" + path.removeprefix("triton")
        try:
            module = importlib.import_module(ours)
        except ImportError as error:
            module, failure = None, str(error)
        for spec in content["names"]:
            rows = []
            if module is None:
                rows.append((spec["name"], f"module does not import: {failure}"))
            else:
                rows.append((spec["name"], check_name(module, spec["name"], spec)))
                thing = getattr(module, spec["name"], None)
                if thing is not None:
                    rows += [
                        (f"{spec['name']}.{m}", why)
                        for m, why in check_members(thing, spec.get("members", []))
                    ]
            for name, why in rows:
                if why is None:
                    present += 1
                else:
                    wrong.append((path, name, why))
                    per_module[path] += 1
    total = present + len(wrong)
    for path, name, why in wrong if options.all else wrong[:60]:
        print(f"  {path}.{name}: {why} ({reason_for(path, *name.split('.'))})")
    if len(wrong) > 60 and not options.all:
        print(f"  and {len(wrong) - 60} more: " + ", ".join(f"{m} {n}" for m, n in per_module.most_common()))
    print(
        f"{present}/{total} names present with that signature; {len(wrong) / total:.1%} missing or different"
    )
    return 0 if len(wrong) <= 0.03 * total else 1


if __name__ == "__main__":
    sys.exit(main())
