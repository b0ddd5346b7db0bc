from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import SettingError
from refscore.metrics.core.aggregation import AggregatingMetric
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.prepared import Reading
from refscore.metrics.core.presets import NLTK, SACREBLEU, Preset
from refscore.metrics.core.score import RowCounts, Score
from refscore.normalizers.base import AnyNormalizer
from refscore.settings import MOST_ORDERS, Flag, Number, WholeNumber, choice, setting
from refscore.tokenizers.pipeline import Lowercase, Pipeline
from refscore.tokenizers.settings import LOWERCASE, NORMALIZE


def _every_third(first: int) -> Callable[[CHRF], slice]:
    """Return the columns of a count, none with `average="macro"`."""
    return lambda metric: slice(first, 0 if metric.average == "macro" else None, 3)


class CHRFScore(Score):
    """A chrF score with its precision, recall and counts.

    Example:
        >>> import refscore
        >>> score = refscore.chrf(["the cat sat on a mat"], ["the cat sat on the mat"])
        >>> print(score)
        chrF2 = 65.98 (P = 0.744 R = 0.642)
        >>> score.matches
        (14, 12, 10, 8, 7, 6)
        >>> score.signature
        'chrf|nrefs:1|case:mixed|norm:none|chars:codepoints|nc:6|nw:0|beta:2.0|space:no|smooth:none|avg:micro|version:0.1.0'
    """

    __slots__ = ()

    metric: CHRF

    @property
    def value(self) -> float:
        if self.metric.average == "macro":
            total, count = self.row.tolist()
            return float(total / count) if count else 0.0
        return float(self._kernel_parts()[0])

    @property
    def precision(self) -> float | None:
        """The mean precision over the orders that both sides have, or None with `average="macro"`."""
        return None if self.metric.average == "macro" else self._kernel_parts()[1]

    @property
    def recall(self) -> float | None:
        """The mean recall over the orders that both sides have, or None with `average="macro"`."""
        return None if self.metric.average == "macro" else self._kernel_parts()[2]

    hyp_ngrams = RowCounts(
        _every_third(0), "The hypothesis n-grams by order, characters then words, or 0 if the reference has none."
    )
    ref_ngrams = RowCounts(_every_third(1), "The reference n-grams by order.")
    matches = RowCounts(_every_third(2), "The common n-grams by order.")
    parts = ("precision", "recall", "hyp_ngrams", "ref_ngrams", "matches")

    def details(self) -> dict[str, Any]:
        return {"segments": int(self.row[1])} if self.metric.average == "macro" else super().details()

    def __str__(self) -> str:
        text = f"{self.metric.title} = {round(self.percent, 10):.2f}"
        if self.metric.average == "macro":
            return f"{text} (mean of {int(self.row[1])})"
        _, precision, recall = self._kernel_parts()
        return f"{text} (P = {precision:.3f} R = {recall:.3f})"


@dataclass(frozen=True, kw_only=True)
class CHRF(AggregatingMetric[CHRFScore]):
    """chrF: the F-score of character n-grams; chrF++ counts word n-grams too.

    Every difference between known implementations is a setting. Characters are code points by default. If the input is
    tokens, each token counts as a character, and there are no words. An empty hypothesis scores 0 (nearly 0 with
    epsilon smoothing). An empty corpus has no score.

    Example:
        >>> import refscore
        >>> metric = refscore.CHRF(word_order=2)
        >>> metric.segments(["the cat sat on a mat", "a dog"], ["the cat sat on the mat", "cats"]).round(4)
        array([0.6744, 0.05  ])
    """

    lowercase: Lowercase = LOWERCASE
    normalize: AnyNormalizer = NORMALIZE
    characters: Literal["codepoints", "graphemes"] = choice(
        "codepoints",
        "The unit of a character.",
        {
            "codepoints": "a character is a Unicode code point",
            "graphemes": "a character is a grapheme cluster, as readers see it",
        },
        key="chars",
        title="characters",
    )
    char_order: int = setting(
        6,
        "The largest order of character n-grams; 0 for none.",
        WholeNumber(0, MOST_ORDERS),
        key="nc",
        title="character n-grams",
        other_names=("n_char_order", "max_len"),
        otherwise="up to {char_order} characters",
    )
    word_order: int = setting(
        0,
        "The largest order of word n-grams; 0 for none, 2 for chrF++.",
        WholeNumber(0, MOST_ORDERS),
        key="nw",
        title="word n-grams",
        other_names=("n_word_order",),
        words={0: "no words count"},
        otherwise="n-grams of up to {word_order} words count too",
        alternatives=(0, 2),
    )
    beta: float = setting(
        2.0,
        "The weight of recall: it counts beta times as much as precision.",
        Number(0),
        key="beta",
        title="beta",
        stage="formula",
        otherwise="recall counts {beta} times as much as precision",
        alternatives=(1.0, 2.0, 3.0),
    )
    whitespace: bool = setting(
        False,
        "Count whitespace as characters.",
        Flag(),
        key="space",
        title="whitespace",
        words={False: "whitespace is ignored", True: "whitespace counts as characters"},
        alternatives=(True, False),
    )
    smoothing: Literal["none", "epsilon", "nltk"] = choice(
        "none",
        "How orders are averaged.",
        {
            "none": "one F-score of the mean precision and recall, over the orders that both sides have",
            "epsilon": "the mean of all orders' F-scores, with a tiny number for 0/0",
            "nltk": "the mean of all orders' F-scores, as NLTK computes it",
        },
        key="smooth",
        title="mean of orders",
        stage="formula",
        alternatives=("epsilon", "none"),
        other_names=("eps_smoothing",),
    )
    average: Literal["micro", "macro"] = choice(
        "micro",
        "How segments are averaged for a corpus.",
        {
            "micro": "the counts of all segments are summed",
            "macro": "the score is the mean of the segment scores",
        },
        key="avg",
        title="corpus",
        stage="formula",
    )

    name = "chrf"
    kernel_type = _native.Chrf
    display_name = "chrF"
    papers = (
        "Popović (2015): chrF: character n-gram F-score for automatic MT evaluation. WMT.",
        "Popović (2017): chrF++: words helping character n-grams. WMT.",
    )
    signature_reader = "refscore.metrics.chrf.sacrebleu_signature"
    presets: ClassVar[Mapping[str, Preset]] = {
        "sacrebleu": SACREBLEU({}, part="chrF"),
        "chrf++": SACREBLEU({"word_order": 2}, part="chrF++"),
        "nltk": NLTK({"beta": 3.0, "smoothing": "nltk", "average": "macro"}, part="corpus_chrf"),
    }

    def _check(self) -> None:
        if self.char_order + self.word_order == 0:
            raise SettingError("char_order and word_order cannot both be 0: set one of them to at least 1")

    def _make_pipeline(self) -> Pipeline:
        tokenizer = "char" if self.characters == "codepoints" else "graphemes"
        return Pipeline(tokenizer, self.lowercase, self.normalize)

    @property
    def title(self) -> str:
        """The name in sacrebleu's output: chrF2, chrF2++."""
        return f"chrF{self.beta:g}{'+' * min(self.word_order, 9)}"

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        """Return the beta and the word order for a title such as chrF2 or chrF3++, or None if it is not one."""
        match = re.fullmatch(r"chrf([0-9]{1,3}(?:\.[0-9]{1,3})?)(\+{0,8})", title.lower())
        return {"beta": float(match[1]), "word_order": len(match[2])} if match else None

    @cached_property
    def reading(self) -> Reading:
        """How text is read. Metrics that read text in the same way can share prepared references."""
        form = ["units", "with spaces" if self.whitespace else "", "with words" if self.word_order else ""]
        return Reading(self.pipeline, " ".join(filter(None, form)))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The column names."""
        if self.average == "macro":
            return ("score", "segments")
        orders = [f"char_{n}" for n in range(1, self.char_order + 1)]
        orders += [f"word_{n}" for n in range(1, self.word_order + 1)]
        return tuple(f"{kind}_{order}" for order in orders for kind in ("hyp", "ref", "match"))

    @cached_property
    def row_type(self) -> np.dtype[Any]:
        """The number type: int64, or float64 with `average="macro"`."""
        return np.dtype(np.float64 if self.average == "macro" else np.int64)


chrf = corpus_function(CHRF)
