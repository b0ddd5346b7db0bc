from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from refscore import _native
from refscore.errors import InputError
from refscore.inputs import Segment
from refscore.metrics.core.alignments import numbered_pair
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import MeanScore, RowMean, Rows
from refscore.metrics.core.text_settings import TextMetric, formula_setting
from refscore.settings import choice
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase
from refscore.tokenizers.settings import lowercase_setting, tokenizer_setting

_NLTK = {
    "lowercase": False,
    "first_context": "right",
    "context_limit": "nltk",
    "correlation": "tau-nltk",
    "single_word": "zero",
    "empty_reference": "zero",
}


class AlignedWord(NamedTuple):
    """A hypothesis word, its position in the reference, and the context that identified it.

    Args:
        word: The word.
        rank: Its position in the reference, from 0, or None if it is not aligned.
        context: Where the hypothesis words begin and end that occur exactly once in both texts; often just the word.

    Example:
        >>> import refscore
        >>> for aligned in refscore.RIBES().alignment("a cat and a dog", "a dog and a cat"):
        ...     print(aligned.word, aligned.rank, aligned.context)
        a 3 (0, 2)
        cat 4 (1, 2)
        and 2 (2, 3)
        a 3 (2, 4)
        dog 1 (4, 5)
    """

    word: Hashable
    rank: int | None
    context: tuple[int, int] | None


class RIBESScore(MeanScore):
    """A RIBES score: mean scores, correlations, precisions and brevity penalties over segments.

    Example:
        >>> import refscore
        >>> score = refscore.ribes(["Bob hit John yesterday"], ["John hit Bob yesterday"])
        >>> print(score)
        RIBES = 50.00 (NKT = 0.500 P = 1.000 BP = 1.000 segments = 1)
        >>> score.signature
        'ribes|nrefs:1|case:lc|norm:none|tok:none|alpha:0.25|beta:0.1|first:left|limit:none|corr:tau|single:reference|empty:error|version:0.1.0'
    """

    __slots__ = ()

    metric: RIBES

    nkt = RowMean(1, "The mean rank correlation, normalized to 0..1: Kendall's tau, or Spearman's rho if it is set.")
    precision = RowMean(2, "The mean share of aligned hypothesis words.")
    brevity_penalty = RowMean(3, "The mean brevity penalty: 1 if hypotheses are at least as long as their references.")
    parts = ("nkt", "precision", "brevity_penalty", "segments")
    parts_text = "NKT = {0.nkt:.3f} P = {0.precision:.3f} BP = {0.brevity_penalty:.3f} segments = {0.segments}"


@dataclass(frozen=True, kw_only=True)
class RIBES(TextMetric[RIBESScore]):
    """RIBES: how well the word order agrees, for language pairs with very different word orders.

    Every difference between known implementations is a setting. Each hypothesis word is aligned with the reference word
    that has the same neighbours. The score is the correlation between the two word orders, times powers of the share of
    aligned words and a brevity penalty. An empty hypothesis scores 0. An empty corpus has no score.

    Example:
        >>> import refscore
        >>> metric = refscore.RIBES()
        >>> hypothesis = "he read the book because he was interested in world history"
        >>> score = metric.segment(hypothesis, "he was interested in world history because he read the book")
        >>> round(score.value, 4)
        0.3091
        >>> metric.segments(["a b c", "x y"], ["a b c d", "a b"]).round(4)
        array([0.9672, 0.    ])
    """

    tokenizer: AnyTokenizer = tokenizer_setting("none")
    lowercase: Lowercase = lowercase_setting(True)
    alpha: float = formula_setting(
        0.25,
        "The exponent of the precision, which is the share of aligned hypothesis words; at least 0.",
        "the exponent of the precision is {alpha}",
        "alpha",
    )
    beta: float = formula_setting(
        0.10,
        "The exponent of the brevity penalty; at least 0.",
        "the exponent of the brevity penalty is {beta}",
        "beta",
    )
    first_context: Literal["left", "right"] = choice(
        "left",
        "The side of the neighbours that are tried first at each context size.",
        {
            "left": "a repeated word is found by its left neighbours first",
            "right": "a repeated word is found by its right neighbours first",
        },
        key="first",
        title="neighbours",
    )
    context_limit: Literal["none", "nltk"] = choice(
        "none",
        "The limit on neighbours.",
        {
            "none": "all neighbours are tried",
            "nltk": "some neighbours near the end of a sentence are omitted, as in NLTK",
        },
        key="limit",
        title="reach of neighbours",
    )
    correlation: Literal["tau", "tau-nltk", "tau-runs", "rho"] = choice(
        "tau",
        "The rank correlation. NLTK's rounding changes values below 0.0001; before 3.10.4, NLTK counted runs.",
        {
            "tau": "Kendall's tau of all pairs of words",
            "tau-nltk": "Kendall's tau of all pairs of words, rounded like NLTK's",
            "tau-runs": "Kendall's tau of only the pairs within runs of consecutive words",
            "rho": "Spearman's rho",
        },
        key="corr",
        title="word order",
        stage="formula",
    )
    single_word: Literal["reference", "zero"] = choice(
        "reference",
        "The correlation if only one word is aligned.",
        {
            "reference": "the correlation of a single aligned word is 1 if the reference has only one word, else 0",
            "zero": "the correlation of a single aligned word is 0",
        },
        key="single",
        title="one aligned word",
        stage="formula",
    )
    empty_reference: Literal["error", "skip", "zero"] = choice(
        "error",
        "How to treat a reference without words.",
        {
            "error": "a reference without words is an error",
            "skip": "a reference without words is ignored, as are segments with no other reference",
            "zero": "a reference without words scores 0",
        },
        key="empty",
        title="empty references",
    )

    name = "ribes"
    kernel_type = _native.Ribes
    columns = ("score", "nkt", "precision", "bp", "segments")
    row_type = FLOATS
    papers = (
        "Isozaki, Hirao, Duh, Sudoh, Tsukada (2010): Automatic Evaluation of Translation Quality for Distant Language "
        "Pairs. EMNLP.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "official": Preset({}, tool="RIBES.py", version="1.03.1", scale=1),
        "nltk": Preset(_NLTK, tool="NLTK", version="3.10.4", part="corpus_ribes", scale=1),
        "nltk-3.9": Preset(
            {**_NLTK, "correlation": "tau-runs"}, tool="NLTK", version="up to 3.10.3", part="corpus_ribes", scale=1
        ),
    }

    def alignment(self, hypothesis: Segment, reference: Segment) -> tuple[AlignedWord, ...]:
        """Return each hypothesis word's position in a reference.

        Both are texts or token sequences.

        Returns:
            One entry per hypothesis word. Words that are not aligned have the rank None.

        Example:
            >>> import refscore
            >>> words = refscore.RIBES().alignment("the book was read by the boy", "the boy read the book")
            >>> [word.rank for word in words if word.rank is not None]
            [3, 4, 2, 0, 1]
        """
        pair = numbered_pair(self.pipeline, hypothesis, reference)
        aligned = [AlignedWord(word, None, None) for word in pair.words]
        for position, rank, begin, end in self.kernel.align(pair.numbers, pair.target_numbers, pair.vocabulary):
            aligned[position] = AlignedWord(pair.words[position], rank, (begin, end))
        return tuple(aligned)

    def _score(self, row: Rows | tuple[Any, ...], references: tuple[int, int] | None) -> RIBESScore:
        if references is not None and row[4] == 0:
            raise InputError(
                None,
                "no reference has words",
                "empty_reference='skip' ignores such segments: pass at least one reference with words",
            )
        return super()._score(row, references)


def ascending_pairs(ranks: Iterable[int]) -> int:
    """Count ascending pairs, as for Kendall's tau, in O(n log n).

    Args:
        ranks: Whole numbers.

    Returns:
        How many pairs i < j have ranks[i] < ranks[j].

    Example:
        >>> from refscore.metrics import ascending_pairs
        >>> ascending_pairs([7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5])
        21
    """
    listed = list(ranks) if isinstance(ranks, Iterable) else [ranks]
    if not isinstance(ranks, Iterable) or not all(isinstance(rank, (int, np.integer)) for rank in listed):
        raise InputError(None, "ranks must be whole numbers")
    try:
        return _native.ascending_pairs(np.array(listed, dtype=np.int64))
    except OverflowError:  # numbers of more than 64 bits
        order = {rank: i for i, rank in enumerate(sorted(set(listed)))}
        return _native.ascending_pairs(np.array([order[rank] for rank in listed], dtype=np.int64))


ribes = corpus_function(RIBES)
