"""sacrebleu's tokenizers: the base class, and those that refscore has by name."""

from __future__ import annotations

from refscore.compat.sacrebleu.errors import NoTokenizerError
from refscore.errors import NotInstalledError
from refscore.tokenizers import get, tokenize


class BaseTokenizer:
    """The class that tokenizers derive from.

    Example:
        >>> from refscore.compat.sacrebleu import BLEU
        >>> from refscore.compat.sacrebleu.tokenizers import BaseTokenizer
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
        """Return the tokenizer's name in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, separated by spaces."""
        raise NotImplementedError


class NamedTokenizer(BaseTokenizer):
    """A tokenizer that refscore has, too, by a name that is also the one in signatures."""

    name: str

    def signature(self) -> str:
        """Return the tokenizer's name in signatures."""
        return self.name

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, separated by spaces."""
        if line and line[-1].isspace():  # counts for sacrebleu; refscore's tokenizers ignore it
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
    """The line as it is.

    >>> NoneTokenizer()("Hello, world.")
    'Hello, world.'
    """

    name = "none"

    def __call__(self, line: str) -> str:
        """Return the line."""
        return line


class TokenizerChar(NamedTokenizer):
    """Each character as a token. Whitespace stays among them and separates tokens, too.

    >>> TokenizerChar()("abc")
    'a b c'
    """

    name = "char"

    def __call__(self, line: str) -> str:
        """Return the characters of a line, separated by spaces."""
        return " ".join(line)


class TokenizerZh(NamedTokenizer):
    """Each Chinese character as a token, the rest by the rules of 13a. What is Chinese is sacrebleu's definition.

    >>> TokenizerZh()("你好, world")
    '你 好 , world'
    """

    name = "zh"

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, separated by spaces."""
        return " ".join(tokenize(line.strip(), "zh-sacrebleu"))


class ExternalTokenizer(NamedTokenizer):
    """A tokenizer that needs other packages: the error for those that are missing names the extra."""

    def __init__(self) -> None:
        try:
            self._signature = get(self.name).name
        except NotInstalledError as error:
            raise NoTokenizerError(str(error)) from None

    def signature(self) -> str:
        """Return the tokenizer's name in signatures, with a version where results depend on it."""
        return self._signature

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, separated by spaces."""
        return " ".join(tokenize(line, self.name))


class TokenizerJaMecab(ExternalTokenizer):
    """The words of Japanese that MeCab finds, by the dictionary that sacrebleu uses, too.

    >>> TokenizerJaMecab()("これはテストです。")  # doctest: +SKIP
    """

    name = "ja-mecab"


class TokenizerKoMecab(ExternalTokenizer):
    """The words of Korean that MeCab finds, by the dictionary that sacrebleu uses, too.

    >>> TokenizerKoMecab()("이것은")  # doctest: +SKIP
    """

    name = "ko-mecab"
