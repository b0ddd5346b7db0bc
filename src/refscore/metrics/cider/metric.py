"""CIDEr and CIDEr-D: the metric and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from refscore import _native
from refscore.errors import SettingError
from refscore.inputs import Hypotheses, References
from refscore.metrics.cider.frequencies import DocumentFrequencies
from refscore.metrics.core.fitted import MOST_FITTED_ORDERS, FittedMetric, WeightsKind
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.core.text_settings import tokenizer_setting
from refscore.settings import Flag, OptionalNumber, order_setting, setting
from refscore.tokenizers.base import AnyTokenizer

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.metrics.core.text_settings import TextSettings

    class CIDERSettings(TextSettings, total=False):
        """The settings of `CIDER`, and `preset` to start from."""

        max_order: int
        clip: bool
        sigma: float | None
        document_frequencies: DocumentFrequencies | None


class SigmaKind(OptionalNumber):
    """A number above 0, or None for no penalty."""

    def check(self, name: str, value: Any) -> Any:
        """Return the number as a float, or None."""
        number: float | None = super().check(name, value)
        if number is not None and number <= 0:
            raise SettingError(f"{name} must be above 0, not {number:g}: pass None for no length penalty")
        return number

    def write(self, value: float | None) -> str:
        """Return the number with all its digits, or none."""
        return "none" if value is None else super().write(value)

    def read(self, text: str) -> Any:
        """Return the number; None for "none"."""
        return None if text == "none" else float(text)


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
    """CIDEr-D as coco-caption computes it: the similarity of captions in tf-idf weighted n-grams. 0..10.

    The metric must be fitted first: `CIDER.fit(references)` counts how many images have each n-gram in their
    references, and returns a metric with these document frequencies. `refscore.cider` fits and scores in one call. The
    score of a segment is the mean over its references. A corpus score is the mean over segments. `percent` is the
    number that papers print, often above 100.

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
        SigmaKind(),
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

    name: ClassVar[str] = "cider"
    display_name: ClassVar[str] = "CIDEr"
    row_type = FLOATS
    summary: ClassVar[str] = "CIDEr: the similarity of an image caption with its references, weighted by tf-idf."
    scale: ClassVar[str] = "0..10, higher is better"
    papers: ClassVar[tuple[str, ...]] = (
        "Vedantam, Zitnick and Parikh (2015): CIDEr: Consensus-based Image Description Evaluation. CVPR.",
    )
    score_type: ClassVar[type[CIDERScore]] = CIDERScore
    is_bounded: ClassVar[bool] = False
    highest_value: ClassVar[float | None] = 10
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
    weights_setting: ClassVar[str] = "document_frequencies"
    weights_type: ClassVar[type[DocumentFrequencies]] = DocumentFrequencies

    def _make_kernel(self) -> _native.Cider:
        return _native.Cider(
            rules=self.pipeline.native,
            frequencies=self._native_weights(),
            clip=self.clip,
            sigma=1.0 if self.sigma is None else self.sigma,
            penalize=self.sigma is not None,
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a row: the similarity of each order, and the number of segments."""
        return (*(f"similarity_{n}" for n in range(1, self.max_order + 1)), "segments")

    @property
    def title(self) -> str:
        """The name in papers: CIDEr-D with clipping and length penalty, else CIDEr."""
        return "CIDEr-D" if self.clip and self.sigma is not None else "CIDEr"

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        """Return the settings of a title. Most papers call CIDEr-D CIDEr, so both are CIDEr-D."""
        return {} if title.lower() in ("cider", "cider-d") else None


def cider(
    hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Unpack[CIDERSettings]
) -> CIDERScore:
    """Return the CIDEr-D score of a corpus, with the document frequencies of its own references. 0..10.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        threads: The number of threads; all cores by default.
        **settings: Settings of `CIDER`. `preset` selects a preset that the other settings override.

    Example:
        >>> import refscore
        >>> references = [["a dog runs", "the dog is running"], ["two cats sleep", "cats asleep on a bed"]]
        >>> score = refscore.cider(["a dog runs fast", "cats sleep"], references)
        >>> round(score.value, 4), round(score.percent, 2)
        (2.7569, 275.69)
    """
    return CIDER.with_settings(settings).corpus(hypotheses, references, threads=threads)
