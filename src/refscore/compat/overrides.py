"""Override a library's functions and classes with refscore's, so code written for the library need not change."""

from __future__ import annotations

import re
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from refscore.compat import children as child_processes
from refscore.errors import NotInstalledError, SettingError, UnknownNameError


class DropInWarning(UserWarning):
    """Issued by `install` for modules that keep the originals, and for a version that refscore does not follow.

    Example:
        >>> import warnings
        >>> from refscore import compat
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore", compat.DropInWarning)
        ...     compat.install("jiwer")
        >>> compat.uninstall("jiwer")
    """


class Library(NamedTuple):
    """How refscore takes the place of a library.

    Attributes:
        oldest: The oldest version that has the names which refscore overrides.
        version: The version that refscore follows; None if it follows several. The package in `refscore.compat` then
            has a module `versions` with the function `follow`.
        overrides: For each module of the library, the module below `refscore.compat` whose names override it. Empty if
            that package always replaces the whole library, installed or not.
        can_cut: Whether the library cuts inputs of different lengths, which refscore refuses unless `strict=False`. The
            package in `refscore.compat` then has a module `inputs` with the function `set_strict`.
    """

    oldest: str
    version: str | None
    overrides: Mapping[str, str] = {}
    can_cut: bool = False


def _under(library: str, *modules: str) -> dict[str, str]:
    """Return the overrides of modules that have the same names in the library and below `refscore.compat`."""
    return {f"{library}.{module}": f"{library}.{module}" for module in modules}


# The modules of refscore.compat.torchmetrics, and those of torchmetrics.text with the same names in them.
_TORCHMETRICS_MODULES = {
    "bleu": ("bleu", "sacre_bleu"),
    "chrf": ("chrf",),
    "error_rates": ("wer", "cer", "mer", "wip", "wil"),
    "rouge": ("rouge",),
    "ter": ("ter",),
}

LIBRARIES: Mapping[str, Library] = {
    "evaluate": Library("0.4", "0.4.6", {"evaluate.loading": "evaluate.hub"}),
    "jiwer": Library("4.0", "4.0"),
    "nltk": Library(
        "3.6.6",
        None,
        {
            "nltk": "nltk",
            "nltk.translate": "nltk.translate",
            **_under(
                "nltk.translate",
                *("bleu_score", "chrf_score", "gleu_score", "meteor_score", "nist_score", "ribes_score"),
            ),
        },
    ),
    "rouge_score": Library("0.1", "0.1.2"),
    "sacrebleu": Library(
        "2.2",
        "2.6.0",
        {
            **_under("sacrebleu", "compat", "metrics", "significance"),
            **_under("sacrebleu.metrics", "base", "bleu", "chrf", "helpers", "lib_ter", "ter"),
            **_under(
                "sacrebleu.tokenizers",
                *("tokenizer_13a", "tokenizer_base", "tokenizer_char", "tokenizer_intl", "tokenizer_ja_mecab"),
                *("tokenizer_ko_mecab", "tokenizer_none", "tokenizer_re", "tokenizer_spm", "tokenizer_ter"),
                "tokenizer_zh",
            ),
        },
        can_cut=True,
    ),
    "torchmetrics": Library(
        "1.4",
        "1.9",
        {
            "torchmetrics": "torchmetrics",
            **_under("torchmetrics", "text", "functional", "functional.text"),
            **{
                f"torchmetrics.{package}.{module}": f"torchmetrics.{ours}"
                for package in ("text", "functional.text")
                for ours, modules in _TORCHMETRICS_MODULES.items()
                for module in modules
            },
        },
    ),
}


class _Patch(NamedTuple):
    """A name in a module of the library that has a different value."""

    module: ModuleType
    name: str
    original: Any
    override: Any


@dataclass
class _Changes:
    """What `install` has changed for one library."""

    patches: list[_Patch] = field(default_factory=list)
    modules_added: list[str] = field(default_factory=list)
    # None as a module, which keeps it from being imported, is an entry too.
    modules_before: dict[str, ModuleType] = field(default_factory=dict)


_changes: dict[str, _Changes] = {}
_lock = threading.RLock()


def install(*libraries: str, version: str | None = None, children: bool = False, strict: bool = True) -> None:
    """Override functions and classes of libraries with refscore's, in every module of the library that has them.

    Code that calls them through the library's modules, or imports them from there later, then runs on refscore. Names
    that a program has imported from the library before keep their values; a `DropInWarning` names the modules. A second
    call replaces the first. The library itself need not be installed, except for torchmetrics, whose classes refscore's
    derive from. A version that lacks what refscore overrides is a SettingError.

    Args:
        *libraries: "evaluate", "jiwer", "nltk", "rouge_score", "sacrebleu" or "torchmetrics"; one or several.
        version: The version of NLTK whose numbers are followed where versions differ; None for the installed one. For
            the other libraries refscore follows one version.
        children: Whether child processes that start from now on do the same, by environment variables. A forked process
            does in any case.
        strict: Whether hypotheses and references of different lengths are an error. False, for sacrebleu only, cuts the
            longer ones as sacrebleu does, and warns.

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
    if not strict and not any(LIBRARIES[library].can_cut for library in libraries):
        raise SettingError(f"strict=False has no effect on {', '.join(libraries)}: leave it out")
    if children:
        child_processes.check_inheritance()
    # All imports come before any change, and before the lock: a thread that imports the library may wait for it.
    stand_ins = {library: _load(library) for library in libraries}
    with _lock:
        try:
            for library in libraries:
                notes += _install(library, version, stand_ins[library])
                _set_strict(library, strict, children)
        except Exception:
            uninstall(*libraries)
            raise
        if children:
            child_processes.hand_down(dict.fromkeys(libraries, version))
    for note in notes:
        warnings.warn(note, DropInWarning, stacklevel=2)


def uninstall(*libraries: str) -> None:
    """Restore what `install` has overridden in libraries, also for new child processes. Do nothing without `install`.

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
        _load_settings(library)
    with _lock:
        for library in libraries:
            child_processes.withdraw(library)
            if LIBRARIES[library].version is None:
                _versions(library).follow(None)
            _set_strict(library, True)
            _restore(library)


@contextmanager
def installed(library: str) -> Iterator[None]:
    """Within it, a library is overridden as by `install`; afterwards it is as before."""
    if library in _changes:
        yield
        return
    install(library)
    try:
        yield
    finally:
        uninstall(library)


def original_of(value: Any) -> Any:
    """Return the object of a library that a value overrides; the value itself if it overrides none."""
    patches = (patch for changes in _changes.values() for patch in changes.patches)
    return next((patch.original for patch in patches if patch.override is value), value)


def check_choice(library: str, version: str | None) -> list[str]:
    """Raise an error if a drop-in cannot be installed; return the remarks on one that may differ from the library."""
    _check_name(library)
    notes: list[str] = []
    oldest, followed = LIBRARIES[library][:2]
    if followed is None:
        notes = _versions(library).check(version)
    elif version not in (None, followed):
        raise SettingError(f"refscore follows one version of {library}, {followed}: leave version={version!r} out")
    installed_version = _installed_version(library)
    if installed_version is None:
        return notes
    if _numbers(installed_version) < _numbers(oldest):
        raise SettingError(
            f"the drop-in for {library} needs {oldest} or newer, or none at all, but {installed_version} is installed: "
            f"pip install '{library}>={oldest}'"
        )
    if followed is None or _numbers(installed_version)[:2] == _numbers(followed)[:2]:
        return notes
    return [f"refscore follows {library} {followed}, but {installed_version} is installed: numbers may differ"]


def _installed_version(library: str) -> str | None:
    from importlib import metadata  # slow to import

    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    """Return the first numbers of a version, to compare them."""
    return tuple(map(int, [*re.findall(r"\d+", version), 0, 0, 0][:3]))


def _check_name(library: str) -> None:
    if not isinstance(library, str) or library not in LIBRARIES:
        raise UnknownNameError.suggest("library", library, LIBRARIES)


def _versions(library: str) -> Any:
    return import_module(f"refscore.compat.{library}.versions")


def _set_strict(library: str, strict: bool, children: bool = False) -> None:
    if LIBRARIES[library].can_cut:
        import_module(f"refscore.compat.{library}.inputs").set_strict(strict)
        if strict or children:
            child_processes.hand_down_strictness(strict)


def _load_settings(library: str) -> None:
    """Import what `_versions` and `_set_strict` use."""
    for name, is_there in (("versions", LIBRARIES[library].version is None), ("inputs", LIBRARIES[library].can_cut)):
        if is_there:
            import_module(f"refscore.compat.{library}.{name}")


def _load(library: str) -> dict[str, ModuleType]:
    """Import a library, if it is installed, and what overrides it: refscore's modules by the names of the library's."""
    package = import_module(f"refscore.compat.{library}")  # the error for a package that it needs
    _load_settings(library)
    overrides = LIBRARIES[library].overrides
    if not overrides or not _exists(library):
        return _load_package(library, package)
    for name in overrides:
        if not _exists(name):
            raise SettingError(
                f"the installed {library} has no module {name}: install a version that refscore follows, "
                f"{LIBRARIES[library].version or 'a newer one'}"
            )
    return {name: import_module(f"refscore.compat.{ours}") for name, ours in overrides.items()}


def _load_package(library: str, package: ModuleType) -> dict[str, ModuleType]:
    from pkgutil import walk_packages  # slow to import

    modules = {library: package}
    # The module that `python -m` is about to run; runpy warns if it is loaded before.
    run = tuple(sys.orig_argv) if sys.argv[:1] == ["-m"] else ()
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        name = module.name.replace(package.__name__, library, 1)
        if not name.endswith(".__main__") and not any(argument.endswith(name) for argument in run):
            with suppress(NotInstalledError):  # what the library itself is needed for
                modules[name] = import_module(module.name)
    return modules


def _exists(module: str) -> bool:
    """Import a module of a library; return whether there is one, and not refscore's in its place."""
    try:
        return not import_module(module).__name__.startswith("refscore.")
    except ModuleNotFoundError as error:
        if error.name != module:  # something that the library itself needs
            raise
        return False


def _install(library: str, version: str | None, stand_ins: Mapping[str, ModuleType]) -> list[str]:
    """Install one drop-in; return the remarks on it."""
    entry = LIBRARIES[library]
    if entry.version is None:
        _versions(library).follow(version)
    _restore(library)
    by_name = stand_ins.keys() == entry.overrides.keys()
    changes = _Changes(_patch(library, stand_ins)) if by_name else _replace_modules(library, stand_ins)
    _changes[library] = changes
    # Without what the library itself imports, such as Python's Fraction in older versions of NLTK.
    originals = {id(patch.original) for patch in changes.patches if _root(patch.original, library) == library}
    holders = _holders(library, originals)
    if not holders:
        return []
    names = ", ".join(holders[:5]) + (f" and {len(holders) - 5} more" if len(holders) > 5 else "")
    return [f"these modules have imported names of {library} and keep the originals: {names}. Call install before"]


def _replace_modules(library: str, modules: Mapping[str, ModuleType]) -> _Changes:
    """Let the library's name lead to refscore's package, and override names in modules that are loaded already."""
    for name, stand_in in modules.items():
        vars(stand_in).setdefault("__getattr__", partial(raise_missing_name, library, name))
    changes = _Changes(
        patches=_patch(library, modules),
        modules_added=list(modules),
        modules_before={name: sys.modules[name] for name in modules if name in sys.modules},
    )
    sys.modules.update(modules)
    return changes


def raise_missing_name(library: str, module: str, name: str) -> NoReturn:
    """Raise the error for a name that a stand-in for a module of a library does not have."""
    version = LIBRARIES[library].version
    package = library if version is None else f"{library}=={version}"
    raise AttributeError(
        f"module {module!r} is refscore's stand-in for {library} and has no attribute {name!r}: if the original has, "
        f"pip install {package}, and call refscore.compat.uninstall({library!r}) or leave install({library!r}) out",
        name=name,
    )


def _restore(library: str) -> None:
    """Undo the changes, also in modules of the library that were loaded since and have imported overridden names."""
    changes = _changes.pop(library, _Changes())
    for name in changes.modules_added:
        sys.modules.pop(name, None)
    sys.modules.update(changes.modules_before)
    for patch in changes.patches:
        if getattr(patch.module, patch.name, None) is patch.override:
            setattr(patch.module, patch.name, patch.original)
    _exchange(library, {id(patch.override): patch.original for patch in changes.patches})


def _patch(library: str, modules: Mapping[str, ModuleType]) -> list[_Patch]:
    """Override names that modules of the library share with refscore's modules, wherever the library has imported them.

    `modules` has refscore's by the names of the library's.
    """
    overrides = {}
    for name, ours in modules.items():
        theirs = sys.modules.get(name)
        for member in _exported(ours):
            original = getattr(theirs, member, None)
            if callable(original) or isinstance(original, dict):  # others, such as strings, may be the same by chance
                overrides[id(original)] = getattr(ours, member)
    return _exchange(library, overrides)


def _exported(module: ModuleType) -> list[str]:
    """Return the public names of a module of refscore's."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and str(getattr(value, "__module__", "")).startswith("refscore.compat.")
    ]


def _exchange(library: str, values: Mapping[int, Any]) -> list[_Patch]:
    """Replace objects, given by their identities, in all loaded modules of a library, under any name."""
    patches = []
    for place, module in list(sys.modules.items()):
        if (place == library or place.startswith(f"{library}.")) and isinstance(module, ModuleType):
            for name, value in list(_members(module).items()):
                if id(value) in values:
                    patches.append(_Patch(module, name, value, values[id(value)]))
                    setattr(module, name, values[id(value)])
    return patches


def _members(module: ModuleType) -> dict[str, Any]:
    """Return the values of a module by their names; `vars` would load a lazy one."""
    members: dict[str, Any] = object.__getattribute__(module, "__dict__")
    return members


def _holders(library: str, originals: set[int]) -> list[str]:
    """Return the loaded modules outside a library that hold objects of it, given by their identities."""
    return sorted(
        name
        for name, module in list(sys.modules.items())
        if isinstance(module, ModuleType)
        and name.partition(".")[0] not in (library, "refscore")
        and not all(originals.isdisjoint(map(id, values)) for values in _held(name, _members(module).copy()))
    )


def _held(module: str, members: dict[str, Any]) -> Iterator[Iterable[Any]]:
    """Yield the values of a module, their types, and the contents of containers, partials and its own classes."""
    members.pop("__builtins__", None)
    yield members.values()
    yield map(type, members.values())
    for value in members.values():
        kind = type(value)  # not isinstance, which may make lazy objects load
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
    """Return the package that an object is defined in, or the default for objects that do not say."""
    return str(getattr(value, "__module__", default)).partition(".")[0]
