from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from refscore import _native
from refscore.data_warnings import TokenizedTextWarning, issue
from refscore.errors import SettingError
from refscore.inputs import References, is_list
from refscore.metrics.bleu.metric import BLEUFormula, BLEUScore
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.fitted import MOST_FITTED_ORDERS, FittedMetric, NgramWeights, WeightsKind
from refscore.metrics.core.presets import TAKES_TOKENS, Preset
from refscore.settings import WholeNumber, order_setting, setting, with_default
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import COMMON_TOKENIZERS, tokenizer_setting


class FrequentNgrams(NgramWeights):
    """The most frequent n-grams in a text collection, with their counts. Create it with `CrystalBLEU.fit`.

    Of equally frequent n-grams, shorter ones come first, then those that occur first. Two objects are equal if their
    n-grams and counts are equal.

    Example:
        >>> import refscore
        >>> ngrams = refscore.CrystalBLEU.fit(["a b a c", "a b"], k=3).ignored
        >>> len(ngrams), ngrams.weight(["a", "b"]), ["c"] in ngrams
        (3, 2.0, False)
    """

    metric_name = "CrystalBLEU"
    native_type = _native.FrequentNgrams

    def __contains__(self, ngram: Sequence[Any]) -> bool:
        return self.weight(ngram) > 0

    def __repr__(self) -> str:
        return f"<{len(self):,} frequent n-grams, {self.digest}>"


class CrystalBLEUScore(BLEUScore):
    """A CrystalBLEU score, with the same parts as a BLEU score. Ignored n-grams are not counted.

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
class CrystalBLEU(FittedMetric[CrystalBLEUScore], BLEUFormula[CrystalBLEUScore]):
    """CrystalBLEU: BLEU without the most frequent n-grams, for source code.

    Source code has many n-grams in common with any other code. The metric must be fitted first:
    `CrystalBLEU.fit(texts, k=500)` finds the k most frequent n-grams in these texts and returns a metric that ignores
    them. Use a large corpus in the same language. `refscore.crystalbleu` fits on the references themselves.

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

    name = "crystalbleu"
    kernel_type = _native.CrystalBleu
    display_name = "CrystalBLEU"
    papers = (
        "Eghbali and Pradel (2022): CrystalBLEU: Precisely and Efficiently Measuring the Similarity of Code. ASE.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "original": Preset({}, tool="crystalbleu", version="0.2", part="corpus_bleu", scale=1, note=TAKES_TOKENS)
    }
    steps_module = "refscore.metrics.bleu.steps"
    weights_setting = "ignored"
    weights_type = FrequentNgrams

    def check_fit(self, references: References) -> None:
        """Warn about lists of words, which are read as several texts per segment."""
        entries: Any = references
        if not is_list(entries) or not all(map(is_list, entries)):
            return
        texts = [text for entry in entries for text in entry]
        if len(texts) > len(entries) and all(map(self._is_one_token, texts)):
            message = (
                "each list of references has only texts of one word: if they are token sequences, put each one in a "
                'list, as in [[["int", "a"]], [["b"]]]'
            )
            issue([TokenizedTextWarning(message)])

    def _is_one_token(self, text: Any) -> bool:
        return isinstance(text, str) and len(self.pipeline.tokens(text)) == 1

    def _check(self) -> None:
        FittedMetric._check(self)
        BLEUFormula._check(self)
        if self.ignored is not None and len(self.ignored) > self.k:
            raise SettingError(f"k is {self.k}, but {len(self.ignored)} n-grams are ignored: fit the metric again")

    def _count_options(self) -> dict[str, Any]:
        return {"most": self.k}

    def ignores(self, ngram: tuple[Any, ...]) -> bool:
        return self.ignored is not None and ngram in self.ignored

    @property
    def ngram_rule(self) -> str:
        self.check_fitted()
        return (
            f"The {len(self.ignored or ()):,} most frequent n-grams of the texts that the metric was fitted on are "
            "ignored: they count neither as matches nor as n-grams of the hypothesis."
        )


crystalbleu = corpus_function(CrystalBLEU)
