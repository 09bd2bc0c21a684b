"""The name `triton` for this package.

What: while the alias is on, `triton` and each `triton.x.y` are the very module objects `trisect` and
`trisect.x.y`. The name is served from a real folder that is put on sys.path and PYTHONPATH, so that child
processes, worker pools and `importlib.util.find_spec` see it too.
Limits: another package called triton must not have been imported before: modules of both are never mixed.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import os
import sys

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
#: Holds a package `triton` that turns the alias on.
FOLDER = os.path.join(_PACKAGE, "_as_triton")

#: What other packages of this name keep in their extension.
_EXTENSION = "triton._C.libtriton"


def _own_name(name: str) -> str | None:
    """The name here of a module of `triton`, None if it has none."""
    if name == _EXTENSION or name.startswith(f"{_EXTENSION}."):
        return "trisect._triton_c.libtriton" + name[len(_EXTENSION) :]
    if name.startswith("triton."):
        return "trisect" + name[len("triton") :]
    return None


class _AliasLoader(importlib.abc.Loader):
    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        module = importlib.import_module(self.name)
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        # The import system has put the alias's spec on the module; its own belongs there.
        module.__spec__ = self.spec
        _share_loaded()


class _AliasFinder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        own = _own_name(fullname)
        if own is None:
            return None
        try:
            spec = importlib.util.find_spec(own)
        except ModuleNotFoundError:
            return None
        if spec is None:
            return None
        alias = importlib.util.spec_from_loader(fullname, _AliasLoader(own), origin=spec.origin)
        alias.submodule_search_locations = spec.submodule_search_locations
        return alias


def _share_loaded():
    """Gives every loaded module its name under triton, so that the import system leaves its parent alone."""
    for name, module in list(sys.modules.items()):
        if name.startswith("trisect."):
            sys.modules.setdefault("triton" + name[len("trisect") :], module)


def activate() -> None:
    """Makes `triton` mean this package, in this process."""
    other = sys.modules.get("triton")
    own = sys.modules["trisect"]
    if other is not None and other is not own and not _is_placeholder(other):
        place = getattr(other, "__file__", "an unknown place")
        raise RuntimeError(
            f"another package called triton was imported before, from {place}; turn Trisect's alias on "
            "before the first `import triton` (python -m trisect does)"
        )
    if not any(isinstance(finder, _AliasFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AliasFinder())
    sys.modules["triton"] = own
    _share_loaded()


def _is_placeholder(module) -> bool:
    """Whether a module is the package `triton` of FOLDER, which turns the alias on."""
    folder = os.path.dirname(os.path.abspath(getattr(module, "__file__", None) or ""))
    return folder.endswith(os.path.join("trisect", "_as_triton", "triton"))


def _prepend(paths: str, folder: str) -> str:
    rest = [path for path in paths.split(os.pathsep) if path and path != folder]
    return os.pathsep.join([folder, *rest])


def install_as_triton() -> None:
    """Makes `import triton` mean this package from now on, in this process and in those it starts."""
    activate()
    if FOLDER in sys.path:
        sys.path.remove(FOLDER)
    sys.path.insert(0, FOLDER)
    parent = os.path.dirname(_PACKAGE)
    if parent not in sys.path:
        sys.path.append(parent)
    os.environ["PYTHONPATH"] = _prepend(_prepend(os.environ.get("PYTHONPATH", ""), parent), FOLDER)
    importlib.invalidate_caches()
