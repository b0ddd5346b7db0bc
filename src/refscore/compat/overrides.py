"""Override a library's functions and classes with refscore's, so existing code runs on refscore unchanged."""

from __future__ import annotations

import re
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from types import ModuleType
from typing import Any, NamedTuple

from refscore.compat.strictness import DropInWarning, set_strict
from refscore.errors import NotInstalledError, SettingError, UnknownNameError


class Library(NamedTuple):
    """How refscore replaces a library.

    Attributes:
        oldest: The oldest version with the names that refscore overrides.
        version: The version that refscore reproduces, or None for several.
        overrides: The module below `refscore.compat` that overrides each module of the library. By default, each
            module of the drop-in overrides the module with the same name. Other modules and names stay.
        stay: Modules of an installed library that stay although the drop-in has them too.
        options: The module below `refscore.compat` whose function `set_OPTION` applies an option of `install`.
    """

    oldest: str
    version: str | None
    overrides: Mapping[str, str] = {}
    stay: Sequence[str] = ()
    options: Mapping[str, str] = {}


LIBRARIES: Mapping[str, Library] = {
    "editdistance": Library("0.6", "0.8.1"),
    "evaluate": Library("0.4", "0.4.6", {"evaluate.loading": "evaluate.hub"}),
    "jiwer": Library("4.0", "4.0"),
    "lighteval": Library("0.11", "0.13.0", {"lighteval.metrics.utils.stderr": "lighteval"}),
    "lm_eval": Library("0.4.2", "0.4.13", {"lm_eval.api.metrics": "lm_eval"}, options={"resamples": "lm_eval"}),
    "lmms_eval": Library("0.2", "0.7.3", {"lmms_eval.api.metrics": "lmms_eval"}, options={"resamples": "lmms_eval"}),
    "nltk": Library("3.6.6", None, options={"version": "nltk.versions"}),
    # METEOR and SPICE run Java. COCOEvalCap includes them, and uses refscore's other classes.
    "pycocoevalcap": Library("1.2", "1.2", stay=("eval", "meteor.meteor", "spice.spice")),
    "rouge": Library("1.0", "1.0.1"),
    "rouge_chinese": Library("1.0", "1.0.3"),
    "rouge_score": Library("0.1", "0.1.2"),
    "sacrebleu": Library("2.2", "2.6.0", stay=("dataset", "utils", "version")),
    "torchmetrics": Library("1.4", "1.9"),
}


_ABSENT = object()


class _Patch(NamedTuple):
    """A changed name in a module of the library or in `sys.modules`.

    Attributes:
        names: The dictionary that has the name.
        original: The value before, or `_ABSENT`. The value None in `sys.modules` prevents an import.
    """

    names: dict[str, Any]
    name: str
    original: Any
    override: Any


_patches: dict[str, list[_Patch]] = {}
_lock = threading.RLock()


def install(*libraries: str, version: str | None = None, strict: bool = False, resamples: int | None = None) -> None:
    """Override functions and classes of libraries with refscore's, in every module of the library that has them.

    Code that calls them through the library's modules, or imports them later, then runs on refscore. Names that were
    imported from the library before keep their values, and a `DropInWarning` lists the modules with such names. A
    second call replaces the first. The library need not be installed, except for lighteval, lm_eval, lmms_eval and
    torchmetrics, because refscore only replaces parts of them. If the installed version is too old, this raises a
    SettingError.
    Only this process and its later forks are affected: call `install` in spawned processes and other programs too.

    Args:
        *libraries: One or several of "editdistance", "evaluate", "jiwer", "lighteval", "lm_eval", "lmms_eval",
            "nltk", "pycocoevalcap", "rouge", "rouge_chinese", "rouge_score", "sacrebleu" and "torchmetrics".
        version: The version of NLTK to reproduce, by default the installed one. For the other libraries, refscore
            reproduces one version.
        strict: Raise an error for input that the library scores although it is a mistake, such as a string instead of
            a list of words. By default, such input gets the library's number and a `DropInWarning`.
        resamples: The number of samples for the standard errors of corpus metrics in lm_eval and lmms_eval. The
            default is the number that they use, which is at most 100.

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
    if not libraries:
        raise SettingError(f"install needs the name of a library: {', '.join(sorted(LIBRARIES))}")
    notes = [note for library in libraries for note in check_choice(library, version)]
    if resamples is not None and not any("resamples" in LIBRARIES[library].options for library in libraries):
        raise SettingError(f"resamples={resamples!r} has no effect on {', '.join(libraries)}: leave it out")
    # Import everything before any change, and before the lock: a thread that imports the library may wait for it.
    stand_ins = {library: load(library) for library in libraries}
    with _lock:
        try:
            for library in libraries:
                _set_options(library, strict, version=version, resamples=resamples)
                notes += _install(library, stand_ins[library])
        except Exception:
            uninstall(*libraries)
            raise
    for note in notes:
        warnings.warn(note, DropInWarning, stacklevel=2)


def uninstall(*libraries: str) -> None:
    """Undo `install` for libraries. Do nothing if they are not installed.

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
    for library in libraries:
        _check_name(library)
    with _lock:
        for library in libraries:
            _set_options(library, False, version=None, resamples=None)
            _restore(library)


def original_of(value: Any) -> Any:
    """Return the library's object that a value overrides, or the value itself if it overrides none."""
    patches = chain.from_iterable(_patches.values())
    return next((patch.original for patch in patches if patch.override is value), value)


def check_choice(library: str, version: str | None) -> list[str]:
    """Raise an error if a drop-in cannot be installed. Return warnings if it may differ from the library."""
    _check_name(library)
    notes: list[str] = []
    oldest, followed = LIBRARIES[library][:2]
    if followed is None:
        notes = import_module(f"refscore.compat.{library}.versions").check(version)
    elif version not in (None, followed):
        raise SettingError(f"refscore reproduces only {library} {followed}: leave out version={version!r}")
    installed = installed_version(library)
    if installed is None:
        return notes
    if _numbers(installed) < _numbers(oldest):
        raise SettingError(
            f"the drop-in for {library} needs {oldest} or newer, but {installed} is installed: "
            f"pip install '{library}>={oldest}', or uninstall it"
        )
    if followed is None or _numbers(installed)[:2] == _numbers(followed)[:2]:
        return notes
    return [f"refscore reproduces {library} {followed}, but {installed} is installed: numbers may differ"]


def installed_version(library: str) -> str | None:
    from importlib import metadata  # slow to import

    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, [*re.findall(r"\d+", version), 0, 0, 0][:3]))


def _check_name(library: str) -> None:
    if not isinstance(library, str) or library not in LIBRARIES:
        raise UnknownNameError.suggest("library", library, LIBRARIES)


def _set_options(library: str, strict: bool, **values: Any) -> None:
    set_strict(library, strict)
    for option, name in LIBRARIES[library].options.items():
        module = sys.modules.get(f"refscore.compat.{name}")
        if module is not None:  # otherwise it has the default
            getattr(module, f"set_{option}")(values[option])


def load(library: str) -> dict[str, ModuleType]:
    """Import a library, if it is installed, and refscore's modules for it, by the names of the library's modules."""
    package = import_module(f"refscore.compat.{library}")  # raises the error for missing packages
    entry = LIBRARIES[library]
    for module in entry.options.values():
        import_module(f"refscore.compat.{module}")
    if entry.overrides and original_module(library) is not None:
        for name in entry.overrides:
            if original_module(name) is None:
                raise SettingError(
                    f"the installed {library} has no module {name}: install a version that refscore reproduces, "
                    f"{entry.version or 'a newer one'}"
                )
        return {name: import_module(f"refscore.compat.{ours}") for name, ours in entry.overrides.items()}
    modules = _modules(library, package)
    if original_module(library) is None:
        return modules
    stay = {f"{library}.{name}" for name in entry.stay}
    return {name: module for name, module in modules.items() if name not in stay and original_module(name) is not None}


def _modules(library: str, package: ModuleType) -> dict[str, ModuleType]:
    """Import all modules of a drop-in."""
    from pkgutil import walk_packages  # slow to import

    modules = {library: package}
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        name = module.name.replace(package.__name__, library, 1)
        if not name.endswith(".__main__"):
            with suppress(NotInstalledError):  # this module needs the library itself
                modules[name] = import_module(module.name)
    take_missing_names(package.__name__)
    return modules


def original_module(name: str) -> ModuleType | None:
    """Import a library's module. Return None if it does not exist, or is refscore's."""
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):  # a dependency of the library is missing
            raise
        return None
    return None if module.__name__.startswith("refscore.") else module


def _install(library: str, stand_ins: Mapping[str, ModuleType]) -> list[str]:
    _restore(library)
    is_present = sys.modules.get(library) is not None  # `load` has imported it
    if not is_present:  # make its name refer to refscore's package
        _patches[library] = [_change(sys.modules, name, module) for name, module in stand_ins.items()]
        return []
    patches = _patches[library] = _patch(library, stand_ins)
    # Exclude objects that the library only imports, such as Python's Fraction in older versions of NLTK.
    originals = {id(patch.original) for patch in patches if _root(patch.original, library) == library}
    holders = _holders(library, originals)
    if not holders:
        return []
    names = ", ".join(holders[:5]) + (f" and {len(holders) - 5} more" if len(holders) > 5 else "")
    return [f"these modules have imported names of {library} and keep the originals: {names}. Call install first"]


def _change(names: dict[str, Any], name: str, override: Any) -> _Patch:
    patch = _Patch(names, name, names.get(name, _ABSENT), override)
    names[name] = override
    return patch


def take_missing_names(package: str) -> None:
    """Take names that the loaded modules of a drop-in lack from the original, if it is installed."""
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            vars(module).setdefault("__getattr__", partial(_original_name, module))


def _original_name(module: ModuleType, name: str) -> Any:
    ours = module.__name__.removeprefix("refscore.compat.")
    library = ours.partition(".")[0]
    # Python itself imports refscore's submodules.
    if name.startswith("__") or (hasattr(module, "__path__") and find_spec(f"{module.__name__}.{name}")):
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}", name=name, obj=module)
    theirs = next((place for place, stand_in in LIBRARIES[library].overrides.items() if stand_in == ours), ours)
    original = original_module(theirs)
    if original is not None:
        return getattr(original, name)
    version = LIBRARIES[library].version
    package = library if version is None else f"{library}=={version}"
    raise AttributeError(
        f"refscore's drop-in for {library} takes {theirs}.{name} from the original, which is not installed: pip "
        f"install {package}",
        name=name,
        obj=module,
    )


def _restore(library: str) -> None:
    """Undo the changes, also in modules of the library that were loaded later."""
    patches = _patches.pop(library, [])
    for names, name, original, override in patches:
        if names.get(name) is not override:
            continue
        if original is _ABSENT:
            del names[name]
        else:
            names[name] = original
    _exchange(library, {id(patch.override): patch.original for patch in patches})


def _patch(library: str, modules: Mapping[str, ModuleType]) -> list[_Patch]:
    """Override names that modules of the library share with refscore's, everywhere in the library."""
    overrides = {}
    for name, ours in modules.items():
        theirs = sys.modules.get(name)
        for member in _exported(ours):
            original = getattr(theirs, member, None)
            # A module of a different library, such as sacrebleu in lm_eval. Strings and so on may be equal by chance.
            is_foreign = isinstance(original, ModuleType) and _root(original, library) != library
            if callable(original) or isinstance(original, dict) or is_foreign:
                overrides[id(original)] = getattr(ours, member)
    return _exchange(library, overrides)


def _exported(module: ModuleType) -> list[str]:
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and str(getattr(value, "__module__", "")).startswith("refscore.compat.")
    ]


def _exchange(library: str, values: Mapping[int, Any]) -> list[_Patch]:
    """Replace objects, given by identity, under every name in all loaded modules of a library."""
    return [
        _change(members, name, values[id(value)])
        for place, module in list(sys.modules.items())
        if place == library or place.startswith(f"{library}.")
        for members in [_members(module)]
        for name, value in list(members.items())
        if id(value) in values
    ]


def _members(module: Any) -> dict[str, Any]:
    """Return the values of a module by name. Other objects in `sys.modules` have none."""
    # isinstance would accept objects that only pretend to be modules, such as cffi's, and vars would load lazy modules.
    if not issubclass(type(module), ModuleType):
        return {}
    members: dict[str, Any] = object.__getattribute__(module, "__dict__")
    return members


def _holders(library: str, originals: set[int]) -> list[str]:
    """Return the loaded modules outside a library that contain its objects, given by identity."""
    return sorted(
        name
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] not in (library, "refscore") and _holds(name, module, originals)
    )


def _holds(name: str, module: Any, originals: set[int]) -> bool:
    with suppress(Exception):  # objects of other packages may raise anything when they are read
        return not all(originals.isdisjoint(map(id, values)) for values in _held(name, _members(module).copy()))
    return False


def _held(module: str, members: dict[str, Any]) -> Iterator[Iterable[Any]]:
    """Yield the values of a module, their types, and the contents of containers, partials and its own classes."""
    members.pop("__builtins__", None)
    yield members.values()
    yield map(type, members.values())
    for value in members.values():
        kind = type(value)  # not isinstance, which may load lazy objects
        if kind in (list, tuple, set, frozenset):
            yield value
        elif issubclass(kind, dict):
            yield dict.values(value)
        elif issubclass(kind, partial):
            yield (value.func,)
        elif issubclass(kind, type) and vars(value).get("__module__") == module:
            yield value.__bases__
            yield [item.__func__ if type(item) is staticmethod else item for item in list(vars(value).values())]


def _root(value: Any, default: str) -> str:
    """Return the package that defines an object, or the default if unknown. For a module, return its package."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", default)
    return str(name).partition(".")[0]


@contextmanager
def needs(drop_in: str, *packages: str, names: str = "", install: str) -> Iterator[None]:
    """Raise a NotInstalledError for a drop-in if one of these packages is missing in a `with` block of imports."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in packages:  # a dependency of these packages is missing
            raise
        message = f"refscore.compat.{drop_in} needs {names or ' and '.join(packages)}: pip install {install}"
        raise NotInstalledError(message, name=error.name) from None
