from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import InputError, SettingError
from refscore.inputs import uniform_tokens
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.fitted import MOST_FITTED_ORDERS, FittedMetric, NgramWeights, WeightsKind
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import RowCount, Score
from refscore.settings import Flag, Number, OrNone, order_setting, setting, whole_number
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting

# Kernels store frequencies in 32 bits.
MOST_DOCUMENTS = 2**32 - 1


class DocumentFrequencies(NgramWeights):
    """How many documents were counted that contain each n-gram. Create it with `CIDER.fit` or `from_counts`.

    A document is all references for one segment (one image). An n-gram's weight is ln(number of documents) -
    ln(documents with the n-gram). An n-gram without documents weighs as much as one with a single document. Two objects
    are equal if all weights are equal and the same tokens are known.

    Example:
        >>> import refscore
        >>> frequencies = refscore.CIDER.fit([["a dog", "a big dog"], "a cat", "two cats"]).document_frequencies
        >>> frequencies.documents, round(frequencies.weight(["a"]), 4), round(frequencies.weight(["a", "dog"]), 4)
        (3, 0.4055, 1.0986)
    """

    metric_name = "CIDER"
    native_type = _native.DocumentFrequencies

    @classmethod
    def from_counts(
        cls, counts: Mapping[Sequence[Any], float], documents: int, *, max_order: int = 4
    ) -> DocumentFrequencies:
        """Return document frequencies that another program counted.

        CIDEr-D implementations for training captioning models store them as `document_frequency` and `ref_len` in a
        pickle.

        Args:
            counts: How many documents have each n-gram, a tuple with tokens that are all strings or all integers.
            documents: How many documents there are.
            max_order: The largest n-gram order. Longer ones are ignored.

        Example:
            >>> from refscore.metrics import DocumentFrequencies
            >>> frequencies = DocumentFrequencies.from_counts({("a",): 60, ("dog",): 2, ("a", "dog"): 2}, 100)
            >>> round(frequencies.weight(["a", "dog"]), 4)
            3.912
        """
        whole_number("documents", documents, 1, MOST_DOCUMENTS)
        whole_number("max_order", max_order, 1, MOST_FITTED_ORDERS)
        if not isinstance(counts, Mapping):
            raise InputError(None, f"counts is {type(counts).__name__}", "pass a mapping of n-grams to numbers")
        ngrams: list[list[Any]] = []
        frequencies: list[int] = []
        for ngram, count in counts.items():
            if isinstance(ngram, (str, bytes)) or not isinstance(ngram, Sequence) or len(ngram) == 0:
                raise InputError(None, f"the n-gram {ngram!r} is not a tuple of tokens", "pass tuples such as ('a',)")
            number = _whole(count)
            if number is None or not 0 <= number <= documents:
                raise InputError(
                    None,
                    f"the n-gram {ngram!r} has {count!r} documents, of {documents:,}",
                    "pass whole numbers from 0 to the number of documents",
                )
            # n-grams in one document weigh as much as unknown ones.
            if len(ngram) <= max_order and (number > 1 or (number == 1 and len(ngram) == 1)):
                ngrams.append(list(ngram))
                frequencies.append(number)
        try:
            native = _native.DocumentFrequencies.from_ngrams(ngrams, frequencies, documents, max_order)
        except _native.UnsupportedInput:
            uniform = uniform_tokens(ngrams)
            if uniform is None:
                raise InputError(None, "the n-grams mix tokens", "pass only strings or only integers") from None
            native = _native.DocumentFrequencies.from_ngrams(uniform, frequencies, documents, max_order)
        return cls(native)

    @property
    def documents(self) -> int:
        """How many documents were counted."""
        return self.native.documents  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<document frequencies of {len(self):,} n-grams in {self.documents:,} documents, {self.digest}>"


def _whole(count: Any) -> int | None:
    try:
        return int(count) if count == int(count) else None
    except (TypeError, ValueError, OverflowError):
        return None


class SigmaKind(Number):
    def __init__(self) -> None:
        super().__init__()
        self.values = ("a number above 0",)

    def check(self, name: str, value: Any) -> float:
        number = super().check(name, value)
        if number <= 0:
            raise SettingError(f"{name} must be above 0, not {number:g}: pass None for no length penalty")
        return number


class CIDERScore(Score):
    """A CIDEr score with its similarity by order.

    Example:
        >>> import refscore
        >>> references = [["a dog runs", "the dog is running"], ["two cats sleep", "cats asleep on a bed"]]
        >>> score = refscore.cider(["a dog runs fast", "cats sleep"], references)
        >>> print(score)
        CIDEr-D = 275.69 (similarity = 0.553/0.376/0.174/0.000 segments = 2)
        >>> round(score.value, 4)
        2.7569
    """

    __slots__ = ()

    metric: CIDER

    @property
    def value(self) -> float:
        """The score, from 0 to 10. Papers print it times 100: `percent`."""
        return float(self.metric.kernel.values(self.row.astype(np.float64).reshape(1, -1), 1)[0])

    @property
    def similarities(self) -> tuple[float, ...]:
        """The mean similarity by order, from 0 to 1. The score is 10 times their mean."""
        count = self.row[-1].item()
        return tuple(similarity / count if count else 0.0 for similarity in self.row[:-1].tolist())

    segments = RowCount(-1, "The number of segments in the mean.")
    parts = ("similarities", "segments")

    def __str__(self) -> str:
        orders = "/".join(f"{similarity:.3f}" for similarity in self.similarities)
        percent = round(self.percent, 10)
        return f"{self.metric.title} = {percent:.2f} (similarity = {orders} segments = {self.segments})"


@dataclass(frozen=True, kw_only=True)
class CIDER(FittedMetric[CIDERScore]):
    """CIDEr: the similarity of an image caption with its references, weighted by tf-idf.

    It is CIDEr-D as coco-caption computes it. The metric must be fitted first: `CIDER.fit(references)` counts how many
    images have each n-gram in their references, and returns a metric with these document frequencies. `refscore.cider`
    fits and scores in one call. A segment score is the mean over its references. A corpus score is the mean over
    segments. `percent` is the number that papers print, often above 100.

    Example:
        >>> import refscore
        >>> references = [["a dog runs", "the dog is running"], ["two cats sleep", "cats asleep on a bed"]]
        >>> metric = refscore.CIDER.fit(references)
        >>> metric.segments(["a dog runs fast", "cats sleep"], references).round(4)
        array([3.2456, 2.2682])
        >>> round(refscore.CIDER.fit(references, preset="textbook").corpus(["a dog", "cats"], references).value, 4)
        1.8697
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "ptb-coco",
        "ptb-coco",
        "none",
        note='"ptb-coco" lowercases the text and removes punctuation, as coco-caption does.',
    )
    max_order: int = order_setting(4, "The largest order of n-grams, 1 to 64.", most=MOST_FITTED_ORDERS)
    clip: bool = setting(
        True,
        "Limit the weight of each n-gram of the hypothesis to its weight in the reference, as CIDEr-D does, so "
        "repetition does not pay.",
        Flag(),
        key="clip",
        title="clipping",
        words={True: "repeated n-grams are clipped", False: "repeated n-grams are not clipped"},
        alternatives=(True, False),
    )
    sigma: float | None = setting(
        6.0,
        "The standard deviation of the Gaussian length penalty of CIDEr-D, in tokens; None for no penalty.",
        OrNone(SigmaKind()),
        key="sigma",
        title="length penalty",
        stage="formula",
        words={None: "there is no length penalty"},
        otherwise="a Gaussian penalty for different lengths has the standard deviation {sigma}",
        alternatives=(6.0, None),
    )
    document_frequencies: DocumentFrequencies | None = setting(
        None,
        "The weights, from `CIDER.fit` or `DocumentFrequencies.from_counts`.",
        WeightsKind(DocumentFrequencies),
        key="df",
    )

    name = "cider"
    kernel_type = _native.Cider
    display_name = "CIDEr"
    row_type = FLOATS
    papers = ("Vedantam, Zitnick and Parikh (2015): CIDEr: Consensus-based Image Description Evaluation. CVPR.",)
    is_bounded = False
    highest_value = 10
    presets: ClassVar[Mapping[str, Preset]] = {
        "coco-caption": Preset(
            {},
            tool="pycocoevalcap",
            version="1.2",
            part="Cider",
            scale=1,
            note="it is CIDEr-D, and papers print it times 100",
        ),
        "textbook": Preset(
            {"clip": False, "sigma": None},
            tool="Vedantam et al. 2015",
            part="CIDEr",
            scale=1,
            note="multiplied by 10, as in the authors' code",
        ),
    }
    weights_setting = "document_frequencies"
    weights_type = DocumentFrequencies

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The column names: the similarity by order, and the segment count."""
        return (*(f"similarity_{n}" for n in range(1, self.max_order + 1)), "segments")

    @property
    def title(self) -> str:
        """The name in papers: CIDEr-D with clipping and length penalty, else CIDEr."""
        return "CIDEr-D" if self.clip and self.sigma is not None else "CIDEr"

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        """Return the settings for a title. Most papers call CIDEr-D CIDEr, so both are CIDEr-D."""
        return {} if title.lower() in ("cider", "cider-d") else None


cider = corpus_function(CIDER)
