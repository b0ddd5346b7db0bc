"""sacrebleu's `metrics.helpers`: n-gram counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """Count a line's word n-grams as tuples, for several orders. Also return how many words it has."""
    words = line.split()
    ngrams = [tuple(words[i : i + n]) for n in range(min_order, max_order + 1) for i in range(len(words) - n + 1)]
    return Counter(ngrams), len(words)


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """Count word n-grams for one order. Their words are joined by spaces.

    Example:
        >>> extract_word_ngrams(["a", "b", "a", "b"], 2)
        Counter({'a b': 2, 'b a': 1})
    """
    return Counter([" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)])


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Count a line's character n-grams for one order.

    Example:
        >>> extract_char_ngrams("a ba", 2)
        Counter({'ab': 1, 'ba': 1})
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter([text[i : i + n] for i in range(len(text) - n + 1)])


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """Count a line's character n-grams for each order from 1."""
    text = line if include_whitespace else "".join(line.split())
    return [extract_char_ngrams(text, n, include_whitespace=True) for n in range(1, max_order + 1)]
