"""sacrebleu's tokenizers: the base class, and the tokenizers that refscore has under the same name."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

from refscore.compat.error_types import NotInstalledRuntimeError
from refscore.errors import NotInstalledError
from refscore.tokenizers import get, tokenize

Call = TypeVar("Call", bound=Callable[..., str])


def cached_line(call: Call) -> Call:
    """Cache results. Some programs pass the same texts repeatedly, and sacrebleu caches 65,536 of them."""
    return cast(Call, lru_cache(maxsize=4096)(call))


class BaseTokenizer:
    """The base class for tokenizers.

    Example:
        >>> from refscore.compat.sacrebleu import BLEU
        >>> class Comma(BaseTokenizer):
        ...     def signature(self):
        ...         return "comma"
        ...     def __call__(self, line):
        ...         return line.replace(",", " ")
        >>> metric = BLEU(effective_order=True)
        >>> metric.tokenizer = Comma()
        >>> round(metric.sentence_score("a,b c", ["a b,c"]).score, 1)
        100.0
    """

    def signature(self) -> str:
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        raise NotImplementedError


class NamedTokenizer(BaseTokenizer):
    """A tokenizer that refscore has under the same name, which signatures use too."""

    name: str

    def signature(self) -> str:
        return self.name

    @cached_line
    def __call__(self, line: str) -> str:
        if line and line[-1].isspace():  # affects sacrebleu's result, but refscore's tokenizers ignore it
            return " ".join(tokenize(f"{line} x", self.name)[:-1])
        return " ".join(tokenize(line, self.name))


class Tokenizer13a(NamedTokenizer):
    """mteval-v13a's tokenizer, for Western languages.

    >>> Tokenizer13a()("Hello, world.")
    'Hello , world .'
    """

    name = "13a"


class TokenizerV14International(NamedTokenizer):
    """mteval-v14's tokenizer, by Unicode categories.

    >>> TokenizerV14International()("«Hello»")
    '« Hello »'
    """

    name = "intl"


class NoneTokenizer(NamedTokenizer):
    """Return lines unchanged.

    >>> NoneTokenizer()("Hello, world.")
    'Hello, world.'
    """

    name = "none"

    def __call__(self, line: str) -> str:
        return line


class TokenizerChar(NamedTokenizer):
    """Split lines into characters. Whitespace characters are tokens and separators at once.

    >>> TokenizerChar()("abc")
    'a b c'
    """

    name = "char"

    @cached_line
    def __call__(self, line: str) -> str:
        return " ".join(line)


class TokenizerZh(NamedTokenizer):
    """Split Chinese characters, as sacrebleu defines them, and tokenize the rest like 13a.

    >>> TokenizerZh()("你好, world")
    '你 好 , world'
    """

    name = "zh"

    @cached_line
    def __call__(self, line: str) -> str:
        return " ".join(tokenize(line.strip(), "zh-sacrebleu"))


class ExternalTokenizer(NamedTokenizer):
    """A tokenizer that needs other packages. If they are missing, the error names the extra."""

    def __init__(self) -> None:
        try:
            self._signature = get(self.name).name
        except NotInstalledError as error:
            raise NotInstalledRuntimeError(str(error)) from None

    def signature(self) -> str:
        return self._signature

    @cached_line
    def __call__(self, line: str) -> str:
        return " ".join(tokenize(line, self.name))


class TokenizerJaMecab(ExternalTokenizer):
    """Split Japanese text with MeCab and the dictionary that sacrebleu uses.

    >>> TokenizerJaMecab()("これはテストです。")  # doctest: +SKIP
    """

    name = "ja-mecab"


class TokenizerKoMecab(ExternalTokenizer):
    """Split Korean text with MeCab and the dictionary that sacrebleu uses.

    >>> TokenizerKoMecab()("이것은")  # doctest: +SKIP
    """

    name = "ko-mecab"
