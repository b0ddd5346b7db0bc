"""Tokenizers by name: built-in, registered in this process, or from installed packages.

A package provides a tokenizer through an entry point in the group `refscore.tokenizers`. The entry point has the
tokenizer's name and points to a function from text to tokens.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from refscore.errors import InputError, Location, SettingError, UnknownNameError
from refscore.plugins import check_name, custom_name, entry_points_of, register_entry_point, summary_of
from refscore.tokenizers import external
from refscore.tokenizers.base import AnyTokenizer, Encoder, TokenizeFunction, Tokenizer
from refscore.tokenizers.builtin import BUILTIN

GROUP = "refscore.tokenizers"

_registered: dict[str, Tokenizer] = dict(BUILTIN)

# Languages, and names that other tools use, for suggestions.
_OTHER_NAMES = {
    **dict.fromkeys(("ja", "japanese", "mecab", "ipadic"), "ja-mecab"),
    **dict.fromkeys(("ko", "korean", "mecab-ko"), "ko-mecab"),
    **dict.fromkeys(("th", "thai", "newmm"), "th-newmm"),
    **dict.fromkeys(("chinese", "jieba"), "zh"),
    **dict.fromkeys(("whitespace", "split", "words"), "none"),
    **dict.fromkeys(("international", "v14", "v14international"), "intl"),
    "characters": "char",
    "spbleu": "flores200",
}


def register(name: str, function: TokenizeFunction | Encoder) -> None:
    """Make a tokenizer available by name in this process.

    Args:
        name: The name, of letters, digits and `.+-_`, so signatures can contain it.
        function: A function from text to tokens, described by its docstring's first line. Or an
            object from tokenizers, tiktoken or sentencepiece.

    Example:
        >>> from refscore import tokenizers
        >>> tokenizers.register("comma", lambda text: text.split(","))
        >>> tokenizers.tokenize("a,b c", "comma")
        ['a', 'b c']
    """
    check_name("tokenizer", name, {*BUILTIN, *external.OFFERS})
    tokenizer = function if isinstance(function, Tokenizer) else _wrap_object(function)
    if tokenizer is None:
        if not callable(function):
            raise SettingError(f"a tokenizer must be a function from text to tokens, not {function!r}")
        tokenizer = Tokenizer(name, function, summary=summary_of(function))
    _registered[name] = replace(tokenizer, name=name)


def _wrap_object(value: object) -> Tokenizer | None:
    from refscore.tokenizers.subwords import wrap_object  # slow to import, and rarely needed

    return wrap_object(value)


def available() -> list[str]:
    """Return all tokenizer names, including those that need other packages.

    >>> from refscore import tokenizers
    >>> "13a" in tokenizers.available()
    True
    """
    return sorted({*_registered, *external.OFFERS, *entry_points_of(GROUP)})


def get(tokenizer: AnyTokenizer) -> Tokenizer:
    """Return the tokenizer with this name, or a tokenizer for a function or another package's object.

    >>> from refscore import tokenizers
    >>> tokenizers.get("13a").name
    '13a'
    """
    return resolve(tokenizer)[1]


def resolve(tokenizer: AnyTokenizer) -> tuple[str | TokenizeFunction, Tokenizer]:
    """Return the setting in a form that compares, hashes and pickles by content, and its tokenizer."""
    if isinstance(tokenizer, str):
        return _resolve_name(tokenizer)
    if isinstance(tokenizer, Tokenizer):
        if _registered.get(tokenizer.name) == tokenizer:
            return tokenizer.name, tokenizer
        return external.find_setting(tokenizer) or tokenizer, tokenizer
    wrapped = _wrap_object(tokenizer)
    if wrapped is not None:
        return wrapped, wrapped
    if not callable(tokenizer):
        raise SettingError(f"tokenizer must be a name or a function from text to tokens, not {tokenizer!r}")
    return tokenizer, Tokenizer(custom_name(tokenizer), tokenizer)


def _resolve_name(name: str) -> tuple[str, Tokenizer]:
    if name not in _registered:
        known = external.find(name)
        if known is not None:
            return known
        point = entry_points_of(GROUP).get(name)
        if point is None:
            raise UnknownNameError.suggest("tokenizer", name, [*available(), *external.FORMS], _OTHER_NAMES)
        register_entry_point("tokenizer", point, register)
    return name, _registered[name]


def tokenize(text: str, tokenizer: AnyTokenizer = "13a") -> list[Any]:
    """Return a text's tokens.

    Args:
        text: Any string.
        tokenizer: A name, a function from text to tokens, or an object from tokenizers, tiktoken or sentencepiece.

    Returns:
        The tokens, as metrics count them.

    Example:
        >>> import refscore
        >>> refscore.tokenize("It costs 3.50, doesn't it?")
        ['It', 'costs', '3.50', ',', "doesn't", 'it', '?']
    """
    if not isinstance(text, str):
        raise InputError(Location("text"), f"must be a string, not {text!r}")
    return get(tokenizer).tokenize(text)
