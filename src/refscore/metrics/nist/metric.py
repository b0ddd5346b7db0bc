from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from refscore import _native
from refscore.cached import cached_property
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.fitted import MOST_FITTED_ORDERS, FittedMetric, NgramWeights, WeightsKind
from refscore.metrics.core.presets import NLTK, TAKES_TOKENS, Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import KernelPart, RowCount, RowCounts, Score
from refscore.settings import order_setting, setting


class Information(NgramWeights):
    """n-gram information in bits, from counts in references. Create it with `NIST.fit`.

    The information is log2(count of the n-gram without its last token / count of the n-gram). For a single token, it is
    log2(number of all tokens / count of the token). It is 0 for an n-gram that the references do not have. Two objects
    are equal if their counts are equal.

    Example:
        >>> import refscore
        >>> information = refscore.NIST.fit(["a b a c", "a b"]).information
        >>> information.weight(["a"]), information.weight(["a", "c"]), information.weight(["x"])
        (1.0, 1.5849625007211563, 0.0)
        >>> information == refscore.NIST.fit([["a b", "a b a c"]]).information
        True
    """

    metric_name = "NIST"
    native_type = _native.NistInformation

    def __repr__(self) -> str:
        return f"<information of {len(self):,} n-grams, {self.digest}>"


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

    value = KernelPart[float](0, "The score, from 0 up.")
    length_penalty = KernelPart[float](
        1, "The length penalty: 1 if the hypotheses are at least as long as the references, less if they are shorter."
    )
    information = KernelPart[tuple[float, ...]](
        2, "The matching information by order, in bits per n-gram of the hypotheses."
    )
    totals = RowCounts(lambda metric: slice(2 + metric.max_order, None), "The hypothesis n-grams by order.")
    hyp_len = RowCount(0, "How many tokens the hypotheses have.")

    @property
    def ref_len(self) -> float:
        """The mean reference length over the orders. Each order has its own best reference."""
        return float(self.row[1].item() / self.metric.max_order)

    parts = ("information", "totals", "length_penalty", "hyp_len", "ref_len")

    def __str__(self) -> str:
        value, penalty, information = self._kernel_parts()
        orders = "/".join(f"{order:.4f}" for order in information)
        return (
            f"NIST = {value:.4f} {orders} (penalty = {penalty:.3f} hyp_len = {self.hyp_len} "
            f"ref_len = {round(self.ref_len, 2):g})"
        )


@dataclass(frozen=True, kw_only=True)
class NIST(FittedMetric[NISTScore]):
    """NIST: matching n-grams weighted by their information, so rare ones count more.

    It is computed as in NLTK. The metric must be fitted first: `NIST.fit(references)` counts all n-grams of the
    references and returns a metric with these weights. `refscore.nist` fits and scores in one call. For each order, the
    information of the common n-grams is divided by the number of n-grams of the hypothesis. The score is the sum over
    orders, times a length penalty. With several references, each order uses the best one, or the longest if several are
    equal. An empty hypothesis scores 0.

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

    name = "nist"
    kernel_type = _native.Nist
    row_type = FLOATS
    papers = (
        "Doddington (2002): Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence "
        "Statistics. HLT.",
    )
    is_bounded = False
    printed_scale = 1
    presets: ClassVar[Mapping[str, Preset]] = {
        "nltk": NLTK({"tokenizer": "none"}, part="corpus_nist", note=TAKES_TOKENS)
    }
    weights_setting = "information"
    weights_type = Information

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The column names. ref_len is a sum over orders, each with its own best reference."""
        orders = range(1, self.max_order + 1)
        return ("hyp_len", "ref_len", *(f"{kind}_{n}" for kind in ("information", "total") for n in orders))


nist = corpus_function(NIST)
