"""Normalizers by name: built-in, registered in this process, or from installed packages.

A package provides a normalizer through an entry point in the group `refscore.normalizers`. The entry point has the
normalizer's name and points to a function from text to text.
"""

from __future__ import annotations

from refscore.errors import InputError, Location, SettingError, UnknownNameError
from refscore.normalizers.base import AnyNormalizer, NormalizeFunction, Normalizer
from refscore.normalizers.builtin import BUILTIN
from refscore.plugins import check_name, custom_name, entry_points_of, register_entry_point, summary_of

GROUP = "refscore.normalizers"

_registered: dict[str, Normalizer] = dict(BUILTIN)

# Names that other tools use, for suggestions.
_OTHER_NAMES = {
    **dict.fromkeys(("whisper", "whisper_en", "english", "EnglishTextNormalizer"), "whisper-en"),
    **dict.fromkeys(("basic", "whisper_basic", "BasicTextNormalizer"), "whisper-basic"),
    **dict.fromkeys(("punctuation", "RemovePunctuation"), "nopunct"),
    **dict.fromkeys(("nfc", "NFD"), "NFC"),
    **dict.fromkeys(("nfkc", "NFKD"), "NFKC"),
}


def register(name: str, function: NormalizeFunction) -> None:
    """Make a normalizer available by name in this process.

    Args:
        name: The name, of letters, digits and `.+-_`, so signatures can contain it.
        function: A function from text to text, described by the first line of its docstring.

    Example:
        >>> from refscore import normalizers
        >>> normalizers.register("no-hyphens", lambda text: text.replace("-", " "))
        >>> normalizers.normalize("twenty-one", "no-hyphens")
        'twenty one'
    """
    check_name("normalizer", name, BUILTIN)
    if not callable(function):
        raise SettingError(f"a normalizer must be a function from text to text, not {function!r}")
    if isinstance(function, Normalizer):
        _registered[name] = Normalizer(name, function.function, function.native, function.summary)
    else:
        _registered[name] = Normalizer(name, function, summary=summary_of(function))


def available() -> list[str]:
    """Return all normalizer names.

    >>> from refscore import normalizers
    >>> "whisper-en" in normalizers.available()
    True
    """
    return sorted({*_registered, *entry_points_of(GROUP)})


def get(normalizer: AnyNormalizer) -> Normalizer:
    """Return the normalizer with this name, or a normalizer for a function.

    >>> from refscore import normalizers
    >>> normalizers.get("NFC").name, normalizers.get(str.title).name
    ('NFC', 'custom(builtins.str.title)')
    """
    return resolve(normalizer)[1]


def resolve(normalizer: AnyNormalizer) -> tuple[AnyNormalizer, Normalizer]:
    """Return the setting in a form that compares, hashes and pickles by content, and its normalizer."""
    if isinstance(normalizer, str):
        return normalizer, _find(normalizer)
    if isinstance(normalizer, Normalizer):
        is_named = _registered.get(normalizer.name) == normalizer
        return normalizer.name if is_named else normalizer, normalizer
    if not callable(normalizer):
        raise SettingError(f"normalize must be a name or a function from text to text, not {normalizer!r}")
    return normalizer, Normalizer(custom_name(normalizer), normalizer)


def _find(name: str) -> Normalizer:
    if name not in _registered:
        point = entry_points_of(GROUP).get(name)
        if point is None:
            raise UnknownNameError.suggest("normalizer", name, available(), _OTHER_NAMES)
        register_entry_point("normalizer", point, register)
    return _registered[name]


def normalize(text: str, normalizer: AnyNormalizer) -> str:
    """Return the normalized text.

    Args:
        text: Any string.
        normalizer: A name from `available`, or a function from text to text.

    Returns:
        The text as metrics split it.

    Example:
        >>> from refscore import normalizers
        >>> normalizers.normalize("Mr. Jones won't pay £20.50, uh, for the grey colour!", "whisper-en")
        'mister jones will not pay £20.50 for the gray color'
    """
    if not isinstance(text, str):
        raise InputError(Location("text"), f"must be a string, not {text!r}")
    return get(normalizer).normalize(text)
