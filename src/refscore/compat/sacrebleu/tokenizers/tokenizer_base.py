"""What a tokenizer is for sacrebleu."""

from __future__ import annotations

from refscore.compat.sacrebleu.mistakes import NoTokenizerError
from refscore.errors import NotInstalledError
from refscore.tokenizers import Tokenizer, get, tokenize


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
        """The tokenizer's name in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """The tokens of a line, separated by spaces."""
        raise NotImplementedError


def tokens_of_whole(line: str, tokenizer: str) -> list[str]:
    """The tokens of a line whose white space at the end counts as well; refscore's tokenizers leave that out."""
    if line and line[-1].isspace():
        return tokenize(f"{line} x", tokenizer)[:-1]
    return tokenize(line, tokenizer)


def needed(tokenizer: str) -> Tokenizer:
    """A tokenizer of refscore's that needs other packages, or the error that names the extra that brings them."""
    try:
        return get(tokenizer)
    except NotInstalledError as error:
        raise NoTokenizerError(str(error)) from None
