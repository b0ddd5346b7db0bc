"""Puts refscore's functions in the place of another library's, so that code written for that one need not change."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from refscore.compat.stand_ins import stand_ins
from refscore.errors import NotInstalledError, SettingError, UnknownNameError

# Where a drop-in has a part of a library: a function, as module:function, that takes the version to follow and says
# what stands in for what, {module of the library: {name in it: refscore's object}}. Where it has the whole: the package
# that takes the library's place, with modules named alike; the library itself is then not needed.
LIBRARIES: Mapping[str, str] = {
    "evaluate": "refscore.compat.evaluate.replacing:replacements",
    "jiwer": "refscore.compat.jiwer",
    "nltk": "refscore.compat.nltk.replacing:replacements",
    "rouge_score": "refscore.compat.rouge_score",
    "sacrebleu": "refscore.compat.sacrebleu.replacing:replacements",
    "torchmetrics": "refscore.compat.torchmetrics.replacing:replacements",
}

# The packages that take a library's place if it is not installed; others that are not get modules with refscore's
# functions and nothing else.
STAND_INS: Mapping[str, str] = {"evaluate": "refscore.compat.evaluate", "sacrebleu": "refscore.compat.sacrebleu"}


class _Installed(NamedTuple):
    """What a library had, and what it has in its place."""

    original: Any
    replacement: Any


_installed: dict[str, list[_Installed]] = {}
# What was not there at all is left out; None in the place of a module, which keeps it from being imported, is not.
_modules_before: dict[str, dict[str, ModuleType]] = {}
_modules_added: dict[str, list[str]] = {}
_lock = threading.RLock()


def install(library: str, *, version: str | None = None) -> None:
    """Puts refscore's functions in the place of a library's own, in every module of it that has them.

    Code that calls them through the library's modules, or imports them from there later, then runs on refscore; a name
    that a program has imported from there before stays what it was. Installed again, the new version holds. But for
    torchmetrics, whose classes the drop-in's are made of, a library need not be installed itself.

    Args:
        library: "evaluate", "jiwer", "nltk", "rouge_score", "sacrebleu" or "torchmetrics".
        version: The version of the library whose numbers are followed where versions differ, which is NLTK's alone;
            None for the installed one.

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
    if not function:
        if version is not None:
            raise SettingError(f"{module} follows one version of {library}: leave version out")
        with _lock:
            _put_back(library)
            _exchange_modules(library, module)
        return
    replacements = getattr(import_module(module), function)(version)
    with _lock:
        _put_back(library)
        if not _is_installed(library):
            if library in STAND_INS:
                _exchange_modules(library, STAND_INS[library])
            else:
                _add_modules(library, stand_ins(replacements))
            return
        _import(library, replacements)
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
        library: "evaluate", "jiwer", "nltk", "rouge_score", "sacrebleu" or "torchmetrics".

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
        raise UnknownNameError.suggest("library", library, LIBRARIES)


def _is_installed(library: str) -> bool:
    try:
        import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library:  # something that the library itself needs
            raise
        return False
    return True


def _import(library: str, modules: Mapping[str, Any]) -> None:
    for module in modules:
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:  # something that the library itself needs
                raise
            raise SettingError(f"the installed {library} has no module {module}: another version has") from None


def _put_back(library: str) -> None:
    """Also in modules of the library that were loaded since, which have their names from the ones replaced."""
    for name in _modules_added.pop(library, ()):
        sys.modules.pop(name, None)
    sys.modules.update(_modules_before.pop(library, {}))
    pairs = _installed.pop(library, [])
    _exchange(library, {id(pair.replacement): pair.original for pair in pairs})


def _exchange_modules(library: str, package: str) -> None:
    """The library's name then leads to the package; modules of it that are loaded get the package's objects."""
    modules = {}
    for name in _names_of_modules(package):
        with suppress(NotInstalledError):  # what the library itself is needed for
            modules[name.replace(package, library, 1)] = import_module(name)
    pairs = [
        _Installed(getattr(original, name), getattr(module, name))
        for place, module in modules.items()
        if isinstance(original := sys.modules.get(place), ModuleType)
        for name in getattr(module, "__all__", ())
        if callable(getattr(original, name, None))
    ]
    _exchange(library, {id(pair.original): pair.replacement for pair in pairs})
    _installed[library] = pairs
    _add_modules(library, modules)


def _add_modules(library: str, modules: Mapping[str, ModuleType]) -> None:
    _modules_added[library] = list(modules)
    _modules_before[library] = {name: sys.modules[name] for name in modules if name in sys.modules}
    sys.modules.update(modules)


def _names_of_modules(package: str) -> Iterator[str]:
    from pkgutil import walk_packages  # slow to import

    yield package
    for found in walk_packages(import_module(package).__path__, f"{package}."):
        if not found.name.endswith(".__main__"):
            yield found.name


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
