from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from refscore import _native
from refscore.errors import SettingError
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import NLTK, TAKES_TOKENS, Preset
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.core.text_settings import TextMetric
from refscore.settings import MOST_ORDERS, WholeNumber, order_setting, setting


class GLEUScore(Score):
    """A GLEU score with its two counts.

    Example:
        >>> import refscore
        >>> score = refscore.gleu(["the cat sat on a mat"], ["the cat sat on the mat"])
        >>> print(score)
        GLEU = 61.11 (matches = 11 total = 18)
        >>> score.signature
        'gleu|nrefs:1|case:mixed|norm:none|tok:13a|min:1|order:4|version:0.1.0'
    """

    __slots__ = ()

    metric: GLEU

    @property
    def value(self) -> float:
        matches, total = self.row.tolist()
        return float(matches / total) if total else 0.0

    matches = RowCount(0, "The number of common n-grams of hypotheses and references.")
    total = RowCount(
        1, "The number of n-grams of the hypothesis or its reference, the larger of the two, summed over segments."
    )
    parts = ("matches", "total")
    parts_text = "matches = {0.matches} total = {0.total}"


@dataclass(frozen=True, kw_only=True)
class GLEU(TextMetric[GLEUScore]):
    """GLEU, Google's BLEU for single sentences: matching n-grams divided by the n-grams of the longer text.

    A segment score divides the n-grams that hypothesis and reference share, over all orders, by the
    larger n-gram count. With several references, the best score counts, or the first if several are equal. A
    corpus score divides the sums of both numbers. Texts without n-grams score 0.

    Example:
        >>> import refscore
        >>> metric = refscore.GLEU()
        >>> metric.segment(["a", "b", "c"], [["a", "b", "d"]]).value
        0.5
        >>> metric.segments(["a b c d", "x y"], ["a b x d", "a b"])
        array([0.4, 0. ])
    """

    min_order: int = setting(
        1,
        "The smallest order of n-grams, at least 1.",
        WholeNumber(1, MOST_ORDERS),
        key="min",
        title="shortest n-grams",
        otherwise="n-grams of at least {min_order} tokens",
    )
    max_order: int = order_setting(4, "The largest order of n-grams, at least `min_order`.")

    name = "gleu"
    common_name = "GLEU"
    common_name_meaning = (
        "for translations: without sources, the smaller of precision and recall of the n-grams of all orders together"
    )
    kernel_type = _native.Gleu
    columns = ("matches", "total")
    papers = (
        "Wu, Schuster, Chen, Le, Norouzi et al. (2016): Google's Neural Machine Translation System: Bridging the Gap "
        "between Human and Machine Translation. arXiv:1609.08144.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "evaluate": Preset({"tokenizer": "13a-evaluate"}, tool="Hugging Face's evaluate", part="google_bleu", scale=1),
        "nltk": NLTK({"tokenizer": "none"}, part="corpus_gleu", note=TAKES_TOKENS),
    }

    def _check(self) -> None:
        if self.min_order > self.max_order:
            raise SettingError(f"min_order must be at most max_order, {self.max_order}, not {self.min_order}")


gleu = corpus_function(GLEU)
