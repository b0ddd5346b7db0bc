"""rouge-score's `rouge_score.tokenizers`: tokenizers for scorers."""

from __future__ import annotations

import abc
from typing import Any

from refscore.compat.rouge_score.tokenize import as_text
from refscore.tokenizers.pipeline import Pipeline

__all__ = ["DefaultTokenizer", "Tokenizer"]


class Tokenizer(abc.ABC):
    """The base class for tokenizers. A subclass implements `tokenize`.

    Example:
        >>> from refscore.compat.rouge_score import rouge_scorer, tokenizers
        >>> class Characters(tokenizers.Tokenizer):
        ...     def tokenize(self, text):
        ...         return list(text)
        >>> rouge_scorer.RougeScorer(["rouge1"], tokenizer=Characters()).score("天气很好", "天气好")["rouge1"].recall
        0.75
    """

    @abc.abstractmethod
    def tokenize(self, text: str) -> Any:
        """Return a text's tokens."""


_PLAIN, _STEMMED = (Pipeline("rouge", True, "none", stem=stem) for stem in (False, True))


class DefaultTokenizer(Tokenizer):
    """Split text into lowercase words: runs of A to Z and digits.

    Example:
        >>> DefaultTokenizer(use_stemmer=True).tokenize("Running dogs, and more!")
        ['run', 'dog', 'and', 'more']
    """

    def __init__(self, use_stemmer: bool = False) -> None:
        self.stems = bool(use_stemmer)

    def tokenize(self, text: str) -> Any:
        return (_STEMMED if self.stems else _PLAIN).tokens(as_text(text, "text"))
