"""CrystalBLEU: the metric and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from refscore import _native
from refscore.errors import SettingError
from refscore.inputs import Hypotheses, References
from refscore.metrics.bleu.metric import BLEUFormula, BLEUScore
from refscore.metrics.core.fitted import MOST_FITTED_ORDERS, FittedMetric, WeightsKind
from refscore.metrics.core.presets import TAKES_TOKENS, Preset
from refscore.metrics.core.text_settings import COMMON_TOKENIZERS, tokenizer_setting
from refscore.metrics.crystalbleu.ngrams import FrequentNgrams
from refscore.settings import WholeNumber, order_setting, setting, with_default
from refscore.tokenizers.base import AnyTokenizer

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.metrics.bleu.metric import BLEUSettings

    class CrystalBLEUSettings(BLEUSettings, total=False):
        """The settings of `CrystalBLEU`, and `preset` to start from."""

        k: int
        ignored: FrequentNgrams | None


class CrystalBLEUScore(BLEUScore):
    """A CrystalBLEU score, with the parts of a BLEU score. Ignored n-grams are not counted.

    Example:
        >>> import refscore
        >>> score = refscore.crystalbleu(["x = f ( y , z ) ;"], ["x = f ( y , w ) ;"], k=2, max_order=2)
        >>> score.counts, score.totals
        ((6, 6), (7, 8))
    """

    __slots__ = ()

    metric: CrystalBLEU


_DECLARED = BLEUFormula.__dataclass_fields__


@dataclass(frozen=True, kw_only=True)
class CrystalBLEU(FittedMetric[BLEUScore], BLEUFormula):
    """CrystalBLEU: BLEU without the n-grams that most texts share. 0..1, higher is better.

    It is for source code, which has many n-grams in common with any other code. The metric must be fitted first:
    `CrystalBLEU.fit(texts, k=500)` finds the k most frequent n-grams of these texts and returns a metric that ignores
    them. Use a large corpus of the same language. `refscore.crystalbleu` fits on the references themselves.

    Example:
        >>> import refscore
        >>> code = ["int a = f ( b ) ;", "int c = 0 ;", "return f ( c ) ;"]
        >>> metric = refscore.CrystalBLEU.fit(code, k=8)
        >>> round(metric.segment("int x = g ( y , z ) ;", "int a = g ( y , z ) ;").value, 4)
        0.7598
        >>> metric.segment("int x = 1 ;", "int c = 0 ;").value
        0.0
    """

    tokenizer: AnyTokenizer = tokenizer_setting("none", *COMMON_TOKENIZERS)
    max_order: int = order_setting(4, "The largest order of n-grams, 1 to 64.", most=MOST_FITTED_ORDERS)
    smoothing: str = with_default(_DECLARED["smoothing"], "nltk-0")
    short_order: Literal["zero", "pad", "perfect"] = with_default(_DECLARED["short_order"], "pad")
    k: int = setting(
        500,
        "How many of the most frequent n-grams `fit` selects.",
        WholeNumber(0, 1_000_000_000),
        key="k",
        title="ignored n-grams",
        otherwise="the {k} most frequent n-grams of a set of texts are ignored",
        alternatives=(500,),
    )
    ignored: FrequentNgrams | None = setting(
        None, "The ignored n-grams, from `CrystalBLEU.fit`.", WeightsKind(FrequentNgrams), key="ignored"
    )

    name: ClassVar[str] = "crystalbleu"
    display_name: ClassVar[str] = "CrystalBLEU"
    summary: ClassVar[str] = "CrystalBLEU: BLEU without the most frequent n-grams, for source code."
    papers: ClassVar[tuple[str, ...]] = (
        "Eghbali and Pradel (2022): CrystalBLEU: Precisely and Efficiently Measuring the Similarity of Code. ASE.",
    )
    score_type: ClassVar[type[CrystalBLEUScore]] = CrystalBLEUScore
    presets: ClassVar[Mapping[str, Preset]] = {
        "original": Preset({}, tool="crystalbleu", version="0.2", part="corpus_bleu", scale=1, note=TAKES_TOKENS)
    }
    weights_setting: ClassVar[str] = "ignored"
    weights_type: ClassVar[type[FrequentNgrams]] = FrequentNgrams

    def _check(self) -> None:
        FittedMetric._check(self)
        BLEUFormula._check(self)
        if self.ignored is not None and len(self.ignored) > self.k:
            raise SettingError(f"k is {self.k}, but {len(self.ignored)} n-grams are ignored: fit the metric again")

    def _count_options(self) -> dict[str, Any]:
        return {"most": self.k}

    def _make_kernel(self) -> _native.CrystalBleu:
        return _native.CrystalBleu(**self._kernel_settings(), ignored=self._native_weights())

    def ignores(self, ngram: tuple[Any, ...]) -> bool:
        """Return whether the n-gram is among the ignored ones."""
        return self.ignored is not None and ngram in self.ignored


def crystalbleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = None,
    **settings: Unpack[CrystalBLEUSettings],
) -> CrystalBLEUScore:
    """Return the CrystalBLEU score of a corpus, fitted on its own references. 0..1, higher is better.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        threads: The number of threads; all cores by default.
        **settings: Settings of `CrystalBLEU`. `preset` selects a preset that the other settings override.

    Example:
        >>> import refscore
        >>> score = refscore.crystalbleu(["x = f ( y , z ) ;"], ["x = f ( y , w ) ;"], k=2, max_order=2)
        >>> round(score.value, 4)
        0.8018
    """
    score = CrystalBLEU.with_settings(settings).corpus(hypotheses, references, threads=threads)
    assert isinstance(score, CrystalBLEUScore)
    return score
