"""Install inherited drop-ins in a Python process, each when its library is first imported.

Python imports `sitecustomize` at startup. `refscore.compat.children` puts this folder first in PYTHONPATH, and the
names of libraries into REFSCORE_COMPAT. This module imports as little as possible, because most processes never use
the libraries.
"""

from __future__ import annotations

import os
import sys
import warnings
from _thread import get_ident
from importlib import import_module
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # importing it from typing is slow
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any


class _Finder:
    """Find the modules whose import installs a drop-in: the library's, or refscore's module for it.

    Both are needed, because refscore's module may import the library, and only the outer import may install.
    """

    def __init__(self, libraries: list[str]) -> None:
        self.watched = set(libraries)
        self.searches: set[tuple[int, str]] = set()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        library = name.removeprefix("refscore.compat.")
        search = get_ident(), name
        if library not in self.watched or search in self.searches:
            return None
        self.searches.add(search)
        try:
            for finder in sys.meta_path:
                spec = finder.find_spec(name, path, target) if hasattr(finder, "find_spec") else None
                if spec is not None and spec.loader is not None:  # else a folder without a package
                    loader: Any = _InstallingLoader(spec.loader, library, self.watched)
                    spec.loader = loader
                    return spec
        finally:
            self.searches.remove(search)
        self.watched.discard(library)
        _install(library)  # in the place of a library that is not installed itself
        loaded: Any = _LoadedModule(sys.modules[name]) if name in sys.modules else None
        return ModuleSpec(name, loaded) if loaded else None


class _InstallingLoader:
    """Load a module with its own loader, then install the drop-in."""

    def __init__(self, loader: Any, library: str, watched: set[str]) -> None:
        self.loader = loader
        self.library = library
        self.watched = watched

    def __getattr__(self, name: str) -> Any:
        if name == "loader":  # of a copy that is not filled yet
            raise AttributeError(name)
        return getattr(self.loader, name)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.loader
        spec = module.__spec__
        if spec is not None:
            spec.loader = self.loader
        try:
            self.watched.remove(self.library)
        except KeyError:  # installed meanwhile, or about to be
            self.loader.exec_module(module)
            return
        try:
            self.loader.exec_module(module)
            _install(self.library)
        except BaseException:
            self.watched.add(self.library)
            raise
        if spec is not None and spec.loader_state is not None:  # LazyLoader refuses a different module in its place
            sys.modules[spec.name] = module


class _LoadedModule:
    """Return a module that is already loaded, without changing its `__spec__`."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.spec = module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec


def _inherited() -> list[str]:
    return [choice.partition("==")[0] for choice in os.environ.get("REFSCORE_COMPAT", "").split(",") if choice]


def _install(library: str) -> None:
    if library not in _inherited():  # `uninstall` has since removed it
        return
    try:
        from refscore.compat.children import install_inherited
    except ImportError as error:
        warnings.warn(f"{library} is not replaced: {sys.executable} cannot import refscore ({error})", stacklevel=2)
        return
    install_inherited(library)


def _import_next_sitecustomize() -> None:
    """Import the next `sitecustomize` on the path, which this one hides."""
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != folder]
    this = sys.modules.pop("sitecustomize")
    try:
        import_module("sitecustomize")
    except ModuleNotFoundError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault("sitecustomize", this)


if __name__ == "sitecustomize":
    sys.meta_path.insert(0, _Finder(_inherited()))
    _import_next_sitecustomize()
