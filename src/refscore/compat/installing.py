"""Puts refscore's functions in the place of another library's, so that code written for that one need not change."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from refscore.compat.stand_ins import stand_ins
from refscore.errors import SettingError, UnknownNameError

# For each library a function, as module:function, that takes the version to follow and says what stands in for what:
# {module of the library: {name in it: refscore's object}}.
LIBRARIES: Mapping[str, str] = {
    "nltk": "refscore.compat.nltk.replacing:replacements",
}


class _Installed(NamedTuple):
    """What a library had, and what it has in its place."""

    original: Any
    replacement: Any


_installed: dict[str, list[_Installed]] = {}
_modules_before: dict[str, dict[str, ModuleType | None]] = {}
_lock = threading.RLock()


def install(library: str, *, version: str | None = None) -> None:
    """Puts refscore's functions in the place of a library's own, in every module of it that has them.

    Code that calls them through the library's modules, or imports them from there later, then runs on refscore; a name
    that a program has imported from there before stays what it was. Installed again, the new version holds. A library
    that is not installed itself gets modules that have refscore's functions and nothing else.

    Args:
        library: "nltk".
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
        if library in _modules_before:
            _put_back(library)
        if not _import(library, replacements):
            modules = stand_ins(replacements)
            _modules_before[library] = {name: sys.modules.get(name) for name in modules}
            sys.modules.update(modules)
            return
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
        library: "nltk".

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


def _check_name(library: str) -> None:
    if not isinstance(library, str) or library not in LIBRARIES:
        raise UnknownNameError.of("library", library, LIBRARIES)


def _import(library: str, modules: Mapping[str, Any]) -> bool:
    """Loads the modules; False if the library is not there."""
    for module in (library, *modules):
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:  # something that the library itself needs
                raise
            if module != library:
                raise SettingError(f"the installed {library} has no module {module}: another version has") from None
            return False
    return True


def _put_back(library: str) -> None:
    """Also in modules of the library that were loaded since, which have their names from the ones replaced."""
    for name, module in _modules_before.pop(library, {}).items():
        if module is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = module
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
