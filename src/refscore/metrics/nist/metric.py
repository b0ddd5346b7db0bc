"""NIST: the metric and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from refscore import _native
from refscore.inputs import Hypotheses, References
from refscore.metrics.core.fitted import MOST_FITTED_ORDERS, FittedMetric, WeightsKind
from refscore.metrics.core.presets import NLTK, TAKES_TOKENS, Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.nist.information import Information
from refscore.settings import order_setting, setting

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.metrics.core.text_settings import TextSettings

    class NISTSettings(TextSettings, total=False):
        """The settings of `NIST`, and `preset` to start from."""

        max_order: int
        information: Information | None


class NISTScore(Score):
    """A NIST score with its information by order, length penalty and lengths.

    Example:
        >>> import refscore
        >>> score = refscore.nist(["the cat sat on a mat"], ["the cat sat on the mat"])
        >>> print(score)
        NIST = 2.1875 1.9875/0.2000/0.0000/0.0000/0.0000 (penalty = 1.000 hyp_len = 6 ref_len = 6)
        >>> score.totals
        (6, 5, 4, 3, 2)
    """

    __slots__ = ()

    metric: NIST

    def _parts(self) -> tuple[float, float, tuple[float, ...]]:
        kernel = self.metric.kernel
        assert isinstance(kernel, _native.Nist)
        return kernel.parts(self.row.astype(np.float64))

    @property
    def value(self) -> float:
        """The score, from 0 up."""
        return self._parts()[0]

    @property
    def length_penalty(self) -> float:
        """The length penalty: 1 if the hypotheses are at least as long as the references, less if they are shorter."""
        return self._parts()[1]

    @property
    def information(self) -> tuple[float, ...]:
        """The matching information by order, in bits per n-gram of the hypotheses."""
        return self._parts()[2]

    @property
    def totals(self) -> tuple[int, ...]:
        """The number of n-grams of the hypotheses by order."""
        return tuple(int(count) for count in self.row[2 + self.metric.max_order :])

    hyp_len = RowCount(0, "The number of tokens of the hypotheses.")

    @property
    def ref_len(self) -> float:
        """The mean reference length over the orders. Each order has its own best reference."""
        return float(self.row[1].item() / self.metric.max_order)

    parts = ("information", "totals", "length_penalty", "hyp_len", "ref_len")

    def __str__(self) -> str:
        value, penalty, information = self._parts()
        orders = "/".join(f"{order:.4f}" for order in information)
        return (
            f"NIST = {value:.4f} {orders} (penalty = {penalty:.3f} hyp_len = {self.hyp_len} "
            f"ref_len = {round(self.ref_len, 2):g})"
        )


@dataclass(frozen=True, kw_only=True)
class NIST(FittedMetric[NISTScore]):
    """NIST as NLTK computes it: the information of matching n-grams. From 0 up, higher is better.

    The metric must be fitted first: `NIST.fit(references)` counts all n-grams of the references and returns a metric
    with these weights. `refscore.nist` fits and scores in one call. For each order, the information of the common
    n-grams is divided by the number of n-grams of the hypothesis. The score is the sum over orders, times a length
    penalty. With several references, each order uses the best one, or the longest of equal ones. An empty hypothesis
    scores 0.

    Example:
        >>> import refscore
        >>> references = ["the cat sat on the mat", "a dog sat on the rug"]
        >>> metric = refscore.NIST.fit(references)
        >>> round(metric.corpus(["the cat sat on a mat", "a dog sat"], references).value, 4)
        2.0483
        >>> metric.segments(["the cat sat", "on the"], references).round(4)
        array([0.4638, 0.0141])
    """

    max_order: int = order_setting(
        5, "The largest order of n-grams, 1 to 64.", most=MOST_FITTED_ORDERS, alternatives=(4, 5)
    )
    information: Information | None = setting(
        None, "The weights, from `NIST.fit`.", WeightsKind(Information), key="info"
    )

    name: ClassVar[str] = "nist"
    row_type = FLOATS
    summary: ClassVar[str] = "NIST: matching n-grams weighted by their information, so rare ones count more."
    scale: ClassVar[str] = "From 0 up, higher is better"
    papers: ClassVar[tuple[str, ...]] = (
        "Doddington (2002): Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence "
        "Statistics. HLT.",
    )
    score_type: ClassVar[type[NISTScore]] = NISTScore
    is_bounded: ClassVar[bool] = False
    printed_scale: ClassVar[float] = 1
    presets: ClassVar[Mapping[str, Preset]] = {
        "nltk": NLTK({"tokenizer": "none"}, part="corpus_nist", note=TAKES_TOKENS)
    }
    weights_setting: ClassVar[str] = "information"
    weights_type: ClassVar[type[Information]] = Information

    def _make_kernel(self) -> _native.Nist:
        return _native.Nist(rules=self.pipeline.native, information=self._native_weights())

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a row. ref_len is a sum over orders, each with its own best reference."""
        orders = range(1, self.max_order + 1)
        return ("hyp_len", "ref_len", *(f"{kind}_{n}" for kind in ("information", "total") for n in orders))


def nist(
    hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Unpack[NISTSettings]
) -> NISTScore:
    """Return the NIST score of a corpus, with the information of its own references. From 0 up, higher is better.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        threads: The number of threads; all cores by default.
        **settings: Settings of `NIST`. `preset` selects a preset that the other settings override.

    Example:
        >>> import refscore
        >>> score = refscore.nist(["the cat sat on a mat"], [["the cat sat on the mat", "a cat was on the mat"]])
        >>> round(score.value, 4)
        2.7403
    """
    return NIST.with_settings(settings).corpus(hypotheses, references, threads=threads)
