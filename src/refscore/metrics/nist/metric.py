"""NIST: the metric and its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from refscore import _native
from refscore.errors import SettingError, SignatureError
from refscore.metrics.core.arrow_columns import columns
from refscore.metrics.core.metric import FLOATS
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.presets import NLTK, TAKES_TOKENS, Preset
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.core.settings import Kind, order_setting, read_signature, setting, settings_by_name
from refscore.metrics.core.text_settings import TextMetric
from refscore.metrics.nist.information import Information
from refscore.segments import Hypotheses, MixedTokens, MixedTokensError, References, check

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.metrics.core.text_settings import TextSettings

    class NISTSettings(TextSettings, total=False):
        """The settings of `NIST`, and `preset` to start from."""

        max_order: int
        information: Information | None


# 64: the kernel stores one bit per order for each token, in a 64-bit word.
MOST_ORDERS = 64


class InformationKind(Kind):
    """The weights of a fitted metric. Signatures contain their digest."""

    values = ()

    def check(self, name: str, value: Any) -> Information | None:
        """Return the weights, or None."""
        if value is not None and not isinstance(value, Information):
            raise SettingError(f"{name} must be from NIST.fit(references), not {value!r}")
        return value

    def write(self, value: Information | None) -> str:
        """Return the digest of the weights."""
        return "none" if value is None else value.digest

    def read(self, text: str) -> None:
        """Return None for an unfitted metric, and raise an error for a fitted one: signatures contain no weights."""
        if text != "none":
            raise SignatureError(
                f"the signature is of a fitted NIST metric, and has only a digest of its weights ({text}): fit NIST on "
                "the same references and compare the signatures, or pickle the metric"
            )

    def parse(self, text: str) -> str:
        """Return the text, which `check` rejects: weights cannot be written as text."""
        return text


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


def _fit(start: type[NIST] | NIST, references: References, **settings: Any) -> NIST:
    """Return the metric with the information of these references' n-grams.

    Args:
        start: The class, for default settings, or a metric, for its settings.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences. Tokens must be
            all strings or all integers.
        **settings: Settings of `NIST`; on the class also `preset`.

    Returns:
        The fitted metric. n-grams that do not occur in these references have no information.
    """
    if isinstance(start, type):
        start = start.with_settings({**settings, "information": None})
    elif settings:
        start = type(start).with_settings({**settings_by_name(start), **settings, "information": None})
    # A copy without checks, for speed: the settings are valid, and NLTK's interface fits in every call.
    fitted = object.__new__(type(start))
    vars(fitted).update(vars(start))
    fitted._set("information", Information.count(references, start.pipeline, start.max_order))
    fitted._set("kernel", fitted._make_kernel())
    fitted._set("reads_directly", fitted.pipeline.prepare is None)
    return fitted


class _Fit:
    """A descriptor that makes `fit` a method of both the class and its instances."""

    __doc__ = _fit.__doc__

    def __get__(self, metric: NIST | None, kind: type[NIST]) -> Callable[..., NIST]:
        return MethodType(_fit, kind if metric is None else metric)


@dataclass(frozen=True, kw_only=True)
class NIST(TextMetric[NISTScore]):
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

    max_order: int = order_setting(5, "The largest order of n-grams, 1 to 64.", most=MOST_ORDERS, alternatives=(4, 5))
    information: Information | None = setting(None, "The weights, from `NIST.fit`.", InformationKind(), key="info")

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
    fit: ClassVar[_Fit] = _Fit()

    def _check(self) -> None:
        if self.information is not None and self.information.max_order != self.max_order:
            raise SettingError(
                f"max_order is {self.max_order}, but the weights have n-grams up to {self.information.max_order}: "
                "fit the metric again"
            )

    def _make_kernel(self) -> _native.Nist:
        information = self.information
        if information is None:
            native = _native.NistInformation.fit([], self.pipeline.native, self.max_order)
        else:
            native = information.native
        return _native.Nist(rules=self.pipeline.native, information=native)

    @property
    def needs_fit(self) -> bool:
        """Whether the metric has no weights yet."""
        return self.information is None

    def fitted_state(self) -> bytes | None:
        """Return the weights; None if the metric is not fitted."""
        return None if self.information is None else self.information.to_bytes()

    @classmethod
    def from_fitted_state(cls, pairs: Mapping[str, str], state: bytes) -> NIST:
        """Return the fitted metric from the pairs of its signature and its weights."""
        return replace(read_signature(cls, {**pairs, "info": "none"}), information=Information.from_bytes(state))

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens: raise an error, since weights are stored by token."""
        return "refuse"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a row. ref_len is a sum over orders, each with its own best reference."""
        orders = range(1, self.max_order + 1)
        return ("hyp_len", "ref_len", *(f"{kind}_{n}" for kind in ("information", "total") for n in orders))

    def corpus(
        self, hypotheses: Hypotheses, references: References | PreparedReferences, *, threads: int | None = None
    ) -> NISTScore:
        """Return the corpus score. An unfitted metric takes weights from these references.

        The arguments are those of `Metric.corpus`. `score.metric` is the fitted metric.
        """
        if not self.needs_fit:
            return super().corpus(hypotheses, references, threads=threads)
        hypotheses, references = columns(hypotheses, references, kernel_threads(threads))
        sides = (hypotheses, references)
        # Iterators can be read only once.
        plain = all(isinstance(side, (list, tuple)) and {*map(type, side)} <= {str, list, tuple} for side in sides)
        if plain or all(isinstance(side, _native.ArrowColumns) for side in sides):
            with suppress(MixedTokensError):
                return self.fit(references).corpus(hypotheses, references, threads=threads)
        segments = check(hypotheses, references)
        return self.fit(segments.references).corpus(segments.hypotheses, segments.references, threads=threads)


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
