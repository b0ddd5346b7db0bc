"""Tokenizers by name: the built-in ones, those registered here, and those that installed packages bring or offer.

A package offers one by an entry point in the group `refscore.tokenizers`, named like the tokenizer and pointing to a
function from text to a sequence of tokens.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from refscore.errors import InputError, SettingError, UnknownNameError
from refscore.tokenizers import external
from refscore.tokenizers.base import AnyTokenizer, Encoder, TokenizeFunction, Tokenizer
from refscore.tokenizers.builtin import BUILTIN

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "refscore.tokenizers"

_registered: dict[str, Tokenizer] = dict(BUILTIN)


def register(name: str, function: TokenizeFunction | Encoder) -> None:
    """Makes a tokenizer available by name, in this process.

    Args:
        name: Letters, digits and `.+-_`, so that it fits into signatures.
        function: From text to a sequence of tokens; the first line of its docstring describes it. Or an object of
            the packages tokenizers, tiktoken or sentencepiece.

    Example:
        >>> from refscore import tokenizers
        >>> tokenizers.register("comma", lambda text: text.split(","))
        >>> tokenizers.tokenize("a,b c", "comma")
        ['a', 'b c']
    """
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9.+_-]+", name):
        raise SettingError(f"a tokenizer's name has letters, digits and .+-_ only, not {name!r}")
    if name in BUILTIN or name in external.OFFERS:
        raise SettingError(f"the tokenizer {name!r} is built in and cannot be replaced")
    known = function if isinstance(function, Tokenizer) else _of_object(function)
    if known is not None:
        _registered[name] = replace(known, name=name)
        return
    if not callable(function):
        raise SettingError(f"a tokenizer is a function from text to tokens, not {function!r}")
    summary = (getattr(function, "__doc__", None) or "").strip().partition("\n")[0]
    _registered[name] = Tokenizer(name, function, summary=summary)


def _of_object(value: object) -> Tokenizer | None:
    from refscore.tokenizers.subwords import of_object  # slow to import, and rarely needed

    return of_object(value)


def _offered() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return {point.name: point for point in entry_points(group=GROUP)}


def _loaded(point: EntryPoint) -> TokenizeFunction:
    try:
        function: TokenizeFunction = point.load()
    except Exception as error:
        raise SettingError(
            f"the tokenizer {point.name!r}, offered as {point.value!r}, cannot be loaded: {error}"
        ) from error
    return function


def available() -> list[str]:
    """The names of all tokenizers, those included that need other packages.

    >>> from refscore import tokenizers
    >>> "13a" in tokenizers.available()
    True
    """
    return sorted({*_registered, *external.OFFERS, *_offered()})


def get(tokenizer: AnyTokenizer) -> Tokenizer:
    """The tokenizer of a name, or one around a function or an object of another package.

    >>> from refscore import tokenizers
    >>> tokenizers.get("13a").name
    '13a'
    """
    return resolve(tokenizer)[1]


def resolve(tokenizer: AnyTokenizer) -> tuple[str | TokenizeFunction, Tokenizer]:
    """The tokenizer of a setting, and the setting in the one form that compares, hashes and pickles by content.

    >>> resolve("13a")[0], resolve(get("13a"))[0]
    ('13a', '13a')
    """
    if isinstance(tokenizer, str):
        return _named(tokenizer)
    if isinstance(tokenizer, Tokenizer):
        if _registered.get(tokenizer.name) == tokenizer:
            return tokenizer.name, tokenizer
        return external.setting_of(tokenizer) or tokenizer, tokenizer
    known = _of_object(tokenizer)
    if known is not None:
        return known, known
    if not callable(tokenizer):
        raise SettingError(f"tokenizer must be a name or a function from text to tokens, not {tokenizer!r}")
    module, name = (
        getattr(tokenizer, "__module__", None) or "builtins",
        getattr(tokenizer, "__qualname__", type(tokenizer).__qualname__),
    )
    return tokenizer, Tokenizer(f"custom({module}.{name})", tokenizer)


def _named(name: str) -> tuple[str, Tokenizer]:
    if name not in _registered:
        found = external.find(name)
        if found is not None:
            return found
        offered = _offered()
        if name in offered:
            register(name, _loaded(offered[name]))
    if name not in _registered:
        raise UnknownNameError.suggest("tokenizer", name, [*available(), *external.FORMS])
    return name, _registered[name]


def tokenize(text: str, tokenizer: AnyTokenizer = "13a") -> list[Any]:
    """The tokens of a text.

    Args:
        text: Any string.
        tokenizer: A name, a function, or an object of the packages tokenizers, tiktoken or sentencepiece.

    Returns:
        The tokens, as the metrics see them.

    Example:
        >>> import refscore
        >>> refscore.tokenize("It costs 3.50, doesn't it?")
        ['It', 'costs', '3.50', ',', "doesn't", 'it', '?']
    """
    if not isinstance(text, str):
        raise InputError(None, f"text must be a string, not {text!r}")
    return get(tokenizer).tokenize(text)
