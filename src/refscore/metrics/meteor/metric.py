"""METEOR, with the numbers of NLTK's `meteor_score`: the metric and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from refscore import _native
from refscore.errors import relocated
from refscore.metrics.core.metric import FLOATS
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.score import MeanScore, RowMean
from refscore.metrics.core.settings import Choice, Number, setting
from refscore.metrics.core.text_settings import TextMetric, lowercase_setting, tokenizer_setting
from refscore.metrics.core.word_pairs import in_pair, read_pair
from refscore.metrics.meteor.word_matches import MatchedWord, Stem, Synonyms, WordKernel
from refscore.segments import Hypotheses, MixedTokens, References, Segment, plain_tokens
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.metrics.core.text_settings import TextSettings

    class METEORSettings(TextSettings, total=False):
        """The settings of `METEOR`, and `preset` to start from."""

        alpha: float
        beta: float
        gamma: float
        synonyms: Literal["wordnet"] | None


class METEORScore(MeanScore):
    """A METEOR score: the mean of its segments' values, and the means of what they are made of.

    Example:
        >>> import refscore
        >>> score = refscore.meteor(["the cats sat on the mat"], ["the cat sat on a mat"])
        >>> print(score)
        METEOR = 74.33 (P = 0.833 R = 0.833 F = 0.833 penalty = 0.108 segments = 1)
        >>> score.signature
        'meteor|nrefs:1|case:lc|norm:none|tok:none|alpha:0.9|beta:3.0|gamma:0.5|syn:none|version:0.1.0'
    """

    __slots__ = ()

    metric: METEOR

    precision = RowMean(1, "The mean share of hypothesis words that are matched.")
    recall = RowMean(2, "The mean share of reference words that are matched.")
    f_mean = RowMean(3, "The mean of the weighted harmonic means of precision and recall.")
    penalty = RowMean(4, "The mean penalty for matches that lie in many pieces: 0 for none.")
    parts = ("precision", "recall", "f_mean", "penalty", "segments")

    def __str__(self) -> str:
        return (
            f"METEOR = {round(self.percent, 10):.2f} (P = {self.precision:.3f} R = {self.recall:.3f} "
            f"F = {self.f_mean:.3f} penalty = {self.penalty:.3f} segments = {self.segments})"
        )


@dataclass(frozen=True, kw_only=True)
class METEOR(TextMetric[METEORScore]):
    """METEOR as NLTK computes it. 0..1, higher is better.

    Words are matched in stages: equal ones, then those with the same Porter stem, then synonyms if they are asked for.
    The score is a mean of precision and recall, less a penalty that grows with the number of pieces in which the
    matched words lie. Of several references, the one with the best score counts; a corpus' score is the mean of its
    segments'. No match, an empty hypothesis or an empty reference score 0; an empty corpus has no score.

    Example:
        >>> import refscore
        >>> metric = refscore.METEOR()
        >>> round(metric.segment("the dogs ran home", "the dog runs home").value, 4)
        0.6389
        >>> metric.segments(["a b c", "x y"], ["a b c d", "a b"]).round(4)
        array([0.755, 0.   ])
    """

    tokenizer: AnyTokenizer = tokenizer_setting("none")
    lowercase: Lowercase = lowercase_setting(True, note="Stems ignore case whatever is set here.")
    alpha: float = setting(
        0.9,
        "How much recall counts against precision, from 0 (not at all) to 1 (alone).",
        Number(0, 1),
        key="alpha",
        title="alpha",
        stage="formula",
        otherwise="recall weighs {alpha}, precision the rest",
    )
    beta: float = setting(
        3.0,
        "The power of the share of pieces among matches in the penalty; at least 0.",
        Number(0),
        key="beta",
        title="beta",
        stage="formula",
        otherwise="the penalty's power is {beta}",
    )
    gamma: float = setting(
        0.5,
        "The largest penalty, from 0 to 1.",
        Number(0, 1),
        key="gamma",
        title="gamma",
        stage="formula",
        otherwise="the largest penalty is {gamma}",
    )
    synonyms: Literal["wordnet"] | None = setting(
        None,
        'None, or "wordnet" for those of WordNet 3.0, which needs NLTK and its data.',
        Choice({None: "none", "wordnet": "wordnet"}),
        key="syn",
        title="synonyms",
        words={None: "words match if they or their stems are equal", "wordnet": "synonyms of WordNet match too"},
    )

    name: ClassVar[str] = "meteor"
    columns = ("score", "precision", "recall", "f_mean", "penalty", "segments")
    row_type = FLOATS
    summary: ClassVar[str] = (
        "METEOR: words matched exactly, by their stems and as synonyms, with recall above precision and a price for "
        "disorder."
    )
    papers: ClassVar[tuple[str, ...]] = (
        "Lavie, Agarwal (2007): METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation with "
        "Human Judgments. Workshop on Statistical Machine Translation.",
    )
    score_type: ClassVar[type[METEORScore]] = METEORScore
    presets: ClassVar[Mapping[str, Preset]] = {
        "nltk": Preset({"synonyms": "wordnet"}, tool="NLTK", version="3.10.4", part="meteor_score", scale=1)
    }

    def _make_kernel(self) -> WordKernel:
        synonyms_of = None
        if self.synonyms is not None:
            from refscore.metrics.meteor import wordnet

            wordnet.reader()
            synonyms_of = wordnet.synonyms_of
        rules = self.pipeline.native
        native = _native.Meteor(rules=rules, alpha=self.alpha, beta=self.beta, gamma=self.gamma)
        return WordKernel(native, rules, synonyms_of)

    @property
    def mixed_tokens(self) -> MixedTokens:
        """Strings are stemmed, so they cannot be mixed with other tokens."""
        return "no strings"

    def matcher(self, synonyms: Synonyms | None, stem: Stem) -> WordKernel:
        """Return what matches words with other synonyms and stems than the settings have, by the same formula.

        Args:
            synonyms: From a word to its synonyms; None for no synonyms.
            stem: From a word to its stem.

        Example:
            >>> import refscore
            >>> matcher = refscore.METEOR().matcher(None, lambda word: word[:3])
            >>> [word.stage for word in matcher.match(["walking", "home"], ["walked", "home"])[0]]
            ['stem', 'exact']
        """
        kernel = self.kernel
        assert isinstance(kernel, WordKernel)
        return kernel.matching(synonyms, stem)

    def alignment(self, hypothesis: Segment, reference: Segment) -> tuple[MatchedWord, ...]:
        """Which word of one reference each hypothesis word is matched with, and in which stage.

        Both are texts or tokens. Words without a rank are not matched.

        Example:
            >>> import refscore
            >>> words = refscore.METEOR().alignment("he was walking the dog", "the dog walked")
            >>> [(word.word, word.rank, word.stage) for word in words if word.stage]
            [('walking', 2, 'stem'), ('the', 0, 'exact'), ('dog', 1, 'exact')]
        """
        words, targets = read_pair(self.pipeline, hypothesis, reference)
        with relocated(in_pair):
            plain_tokens([words], [[targets]], mixed=self.mixed_tokens)
        kernel = self.kernel
        assert isinstance(kernel, WordKernel)
        return tuple(kernel.match(words, targets)[0])


def meteor(
    hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Unpack[METEORSettings]
) -> METEORScore:
    """Return the METEOR score of a corpus: the mean of its segments' scores, as in NLTK. 0..1, higher is better.

    Takes what `METEOR.corpus` takes, and the settings of `METEOR`, or `preset` and overrides of it.

    Example:
        >>> import refscore
        >>> hypotheses = ["the cats sat on the mat", "it rains"]
        >>> references = [["the cat sat on a mat", "there is a cat on the mat"], "it is raining"]
        >>> round(refscore.meteor(hypotheses, references).value, 4)
        0.5441
    """
    return METEOR.with_settings(settings).corpus(hypotheses, references, threads=threads)
