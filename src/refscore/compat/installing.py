"""Puts refscore's functions in the place of another library's, so that code written for that one need not change."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NamedTuple

from refscore.errors import NotInstalledError, SettingError, UnknownNameError

# For each library a function, as module:function, that takes the version to follow and says what stands in for what:
# {module of the library: {name in it: refscore's object}}.
LIBRARIES: Mapping[str, str] = {
    "evaluate": "refscore.compat.evaluate.replacing:replacements",
    "nltk": "refscore.compat.nltk.replacing:replacements",
    "torchmetrics": "refscore.compat.torchmetrics.replacing:replacements",
}

# Modules that stand in for a whole library where it is not installed.
STAND_INS: Mapping[str, str] = {"evaluate": "refscore.compat.evaluate"}


class _Installed(NamedTuple):
    """What a library had, and what it has in its place."""

    original: Any
    replacement: Any


_installed: dict[str, list[_Installed]] = {}
_lock = threading.RLock()


def install(library: str, *, version: str | None = None) -> None:
    """Puts refscore's functions in the place of a library's own, in every module of it that has them.

    Code that calls them through the library's modules, or imports them from there later, then runs on refscore; a name
    that a program has imported from there before stays what it was. Installed again, the new version holds.

    Args:
        library: "evaluate", "nltk" or "torchmetrics". Where evaluate is not installed, refscore's stands in for it.
        version: The version of the library whose numbers are followed where versions differ; None for the installed
            one.

    Example:
        >>> from refscore import compat
        >>> from nltk.translate import ribes_score
        >>> compat.install("nltk", version="3.9.1")
        >>> ribes_score.kendall_tau([2, 1, 0, 3], normalize=False)
        -1.0
        >>> compat.uninstall("nltk")
        >>> ribes_score.kendall_tau([2, 1, 0, 3], normalize=False)
        0.0
    """
    _check_name(library)
    module, _, function = LIBRARIES[library].partition(":")
    replacements = getattr(import_module(module), function)(version)
    with _lock:
        if _stands_in(library):
            return
        _import(library, replacements)
        _put_back(library)
        pairs = [
            _Installed(getattr(sys.modules[module], name), replacement)
            for module, names in replacements.items()
            for name, replacement in names.items()
            if hasattr(sys.modules[module], name)
        ]
        _exchange(library, {id(pair.original): pair.replacement for pair in pairs})
        _installed[library] = pairs


def uninstall(library: str) -> None:
    """Puts back what `install` has replaced. Nothing happens if nothing is installed.

    Args:
        library: "evaluate", "nltk" or "torchmetrics".

    Example:
        >>> from refscore import compat
        >>> from nltk.translate import bleu_score
        >>> before = bleu_score.corpus_bleu
        >>> compat.install("nltk")
        >>> bleu_score.corpus_bleu is before
        False
        >>> compat.uninstall("nltk")
        >>> bleu_score.corpus_bleu is before
        True
    """
    _check_name(library)
    with _lock:
        _put_back(library)


def _stands_in(library: str) -> bool:
    """Whether refscore's module is the library now, since there is no other."""
    if library not in STAND_INS:
        return False
    module = import_module(STAND_INS[library])
    if sys.modules.get(library) is None and find_spec(library) is None:
        sys.modules[library] = module
    return sys.modules.get(library) is module


def _check_name(library: str) -> None:
    if not isinstance(library, str) or library not in LIBRARIES:
        raise UnknownNameError.of("library", library, LIBRARIES)


def _import(library: str, modules: Mapping[str, Any]) -> None:
    for module in (library, *modules):
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:  # something that the library itself needs
                raise
            if module != library:
                raise SettingError(f"the installed {library} has no module {module}: another version has") from None
            raise NotInstalledError(
                f"{library} is not installed, so that nothing of it can be replaced: pip install {library}, "
                f"or import refscore.compat.{library} in its place",
                name=library,
            ) from None


def _put_back(library: str) -> None:
    """Also in modules of the library that were loaded since, which have their names from the ones replaced."""
    stand_in = sys.modules.get(STAND_INS.get(library, ""))
    if stand_in is not None and sys.modules.get(library) is stand_in:
        del sys.modules[library]
    pairs = _installed.pop(library, [])
    _exchange(library, {id(pair.replacement): pair.original for pair in pairs})


def _exchange(library: str, by_identity: Mapping[int, Any]) -> None:
    """Exchanges objects in all loaded modules of a library, whatever their names there."""
    for module in _loaded(library):
        for name, value in list(vars(module).items()):
            if id(value) in by_identity:
                setattr(module, name, by_identity[id(value)])


def _loaded(library: str) -> Iterator[ModuleType]:
    for name, module in list(sys.modules.items()):
        if (name == library or name.startswith(f"{library}.")) and isinstance(module, ModuleType):
            yield module
