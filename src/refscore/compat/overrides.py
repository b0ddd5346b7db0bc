"""Override a library's functions and classes with refscore's, so code written for the library need not change."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from refscore.errors import NotInstalledError, SettingError, UnknownNameError


class Library(NamedTuple):
    """How refscore takes the place of a library.

    Attributes:
        version: The version that refscore follows; None if it follows several. The package in `refscore.compat` then
            has a module `versions` with the function `follow`.
        overrides: For each module of the library, the module below `refscore.compat` whose names override it. Empty if
            that package always replaces the whole library, installed or not.
        can_cut: Whether the library cuts inputs of different lengths, which refscore refuses unless `strict=False`. The
            package in `refscore.compat` then has a module `inputs` with the function `set_strict`.
    """

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
    "evaluate": Library("0.4.6", {"evaluate.loading": "evaluate.hub"}),
    "jiwer": Library("4.0"),
    "nltk": Library(
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
    "rouge_score": Library("0.1.2"),
    "sacrebleu": Library(
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


def install(library: str, *, version: str | None = None, strict: bool = True) -> None:
    """Override a library's functions and classes with refscore's, in every module of the library that has them.

    Code that calls them through the library's modules, or imports them from there later, then runs on refscore. Names
    that a program has imported from the library before keep their values. A second call replaces the first. The
    library itself need not be installed, except for torchmetrics, whose classes refscore's derive from.

    Args:
        library: "evaluate", "jiwer", "nltk", "rouge_score", "sacrebleu" or "torchmetrics".
        version: The version of NLTK whose numbers are followed where versions differ; None for the installed one. For
            the other libraries refscore follows one version.
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
    _check_name(library)
    entry = LIBRARIES[library]
    if entry.version is not None and version not in (None, entry.version):
        raise SettingError(f"refscore follows one version of {library}, {entry.version}: leave version={version!r} out")
    if not strict and not entry.can_cut:
        raise SettingError(f"strict=False has no effect on {library}: leave it out")
    import_module(f"refscore.compat.{library}")  # the error for a package that it needs comes before any change
    with _lock:
        if entry.version is None:
            _versions(library).follow(version)
        _restore(library)
        _set_strict(library, strict)
        try:
            patches_names = entry.overrides and _exists(library)
            _changes[library] = _override_names(library) if patches_names else _replace_modules(library)
        except Exception:
            uninstall(library)
            raise


def uninstall(library: str) -> None:
    """Restore what `install` has overridden in a library. Do nothing if nothing is installed.

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


def _check_name(library: str) -> None:
    if not isinstance(library, str) or library not in LIBRARIES:
        raise UnknownNameError.suggest("library", library, LIBRARIES)


def _versions(library: str) -> Any:
    return import_module(f"refscore.compat.{library}.versions")


def _set_strict(library: str, strict: bool) -> None:
    if LIBRARIES[library].can_cut:
        import_module(f"refscore.compat.{library}.inputs").set_strict(strict)


def _exists(module: str) -> bool:
    """Import a module of a library; return whether there is one."""
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:  # something that the library itself needs
            raise
        return False
    return True


def _override_names(library: str) -> _Changes:
    """Override names in the modules of an installed library."""
    modules = {}
    for name, ours in LIBRARIES[library].overrides.items():
        modules[name] = import_module(f"refscore.compat.{ours}")
        if not _exists(name):
            raise SettingError(f"the installed {library} has no module {name}: another version has")
    return _Changes(_patch(library, modules))


def _replace_modules(library: str) -> _Changes:
    """Let the library's name lead to refscore's package, and override names in modules that are loaded already."""
    from pkgutil import walk_packages  # slow to import

    package = import_module(f"refscore.compat.{library}")
    modules = {library: package}
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith(".__main__"):
            with suppress(NotInstalledError):  # what the library itself is needed for
                modules[module.name.replace(package.__name__, library, 1)] = import_module(module.name)
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
            for name, value in list(vars(module).items()):
                if id(value) in values:
                    patches.append(_Patch(module, name, value, values[id(value)]))
                    setattr(module, name, values[id(value)])
    return patches
