from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from refscore import _native
from refscore.errors import relocated
from refscore.inputs import MixedTokens, Segment, plain_tokens
from refscore.metrics.core.alignments import in_pair, read_pair
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import MeanScore, RowMean
from refscore.metrics.core.text_settings import TextMetric, formula_setting
from refscore.metrics.meteor.word_matches import MatchedWord, Stem, Synonyms, WordKernel
from refscore.settings import Choice, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase
from refscore.tokenizers.settings import lowercase_setting, tokenizer_setting


class METEORScore(MeanScore):
    """A METEOR score: mean scores, precisions, recalls and penalties over segments.

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

    precision = RowMean(1, "The mean share of matched hypothesis words.")
    recall = RowMean(2, "The mean share of matched reference words.")
    f_mean = RowMean(3, "The mean of the weighted harmonic means of precision and recall.")
    penalty = RowMean(4, "The mean penalty for matches in many chunks; 0 for none.")
    parts = ("precision", "recall", "f_mean", "penalty", "segments")
    parts_text = (
        "P = {0.precision:.3f} R = {0.recall:.3f} F = {0.f_mean:.3f} penalty = {0.penalty:.3f} segments = {0.segments}"
    )


@dataclass(frozen=True, kw_only=True)
class METEOR(TextMetric[METEORScore]):
    """METEOR: words matched exactly, by stem and as synonyms, with a penalty for their order.

    It is computed as in NLTK. Words are matched in stages: equal words, then words with the same Porter stem, then
    synonyms if they are enabled. The score is a weighted harmonic mean of precision and recall, reduced by a penalty.
    The penalty grows with the number of chunks that the matched words form. With several references, the best score
    counts. A corpus score averages the segment scores. A segment without a match scores 0. An empty corpus has no
    score.

    Example:
        >>> import refscore
        >>> metric = refscore.METEOR()
        >>> round(metric.segment("the dogs ran home", "the dog runs home").value, 4)
        0.6389
        >>> metric.segments(["a b c", "x y"], ["a b c d", "a b"]).round(4)
        array([0.755, 0.   ])
    """

    tokenizer: AnyTokenizer = tokenizer_setting("none")
    lowercase: Lowercase = lowercase_setting(True, note="Stems always ignore case.")
    alpha: float = formula_setting(
        0.9,
        "The weight of recall in the mean, from 0 (only precision) to 1 (only recall).",
        "the weight of recall is {alpha}, precision has the rest",
        "alpha",
        most=1,
    )
    beta: float = formula_setting(
        3.0,
        "The exponent of chunks / matches in the penalty; at least 0.",
        "the exponent of the penalty is {beta}",
        "beta",
    )
    gamma: float = formula_setting(
        0.5, "The largest penalty, from 0 to 1.", "the largest penalty is {gamma}", "gamma", most=1
    )
    synonyms: Literal["wordnet"] | None = setting(
        None,
        'Match synonyms: None, or "wordnet" for WordNet 3.0, which needs NLTK and its data.',
        Choice({None: "none", "wordnet": "wordnet"}),
        key="syn",
        title="synonyms",
        words={None: "words match if they or their stems are equal", "wordnet": "synonyms of WordNet match too"},
    )

    name = "meteor"
    columns = ("score", "precision", "recall", "f_mean", "penalty", "segments")
    row_type = FLOATS
    papers = (
        "Lavie, Agarwal (2007): METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation with "
        "Human Judgments. Workshop on Statistical Machine Translation.",
    )
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
        return WordKernel(_native.Meteor(rules, self), rules, synonyms_of)

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens: strings are stemmed, so they cannot be mixed with others."""
        return "no strings"

    def matcher(self, synonyms: Synonyms | None, stem: Stem) -> WordKernel:
        """Return a kernel that matches words with different synonyms and stems, and scores by the same formula.

        Args:
            synonyms: A function from a word to its synonyms, or None for no synonyms.
            stem: A function from a word to its stem.

        Example:
            >>> import refscore
            >>> matcher = refscore.METEOR().matcher(None, lambda word: word[:3])
            >>> [word.stage for word in matcher.match(["walking", "home"], ["walked", "home"])[0]]
            ['stem', 'exact']
        """
        matcher: WordKernel = self.kernel.matching(synonyms, stem)
        return matcher

    def alignment(self, hypothesis: Segment, reference: Segment) -> tuple[MatchedWord, ...]:
        """Return each hypothesis word's match in a reference, and its stage.

        Both are texts or token sequences.

        Returns:
            One entry per hypothesis word. Unmatched words have the rank None.

        Example:
            >>> import refscore
            >>> words = refscore.METEOR().alignment("he was walking the dog", "the dog walked")
            >>> [(word.word, word.rank, word.stage) for word in words if word.stage]
            [('walking', 2, 'stem'), ('the', 0, 'exact'), ('dog', 1, 'exact')]
        """
        words, targets = read_pair(self.pipeline, hypothesis, reference)
        with relocated(in_pair):
            plain_tokens([words], [[targets]], mixed=self.mixed_tokens)
        return tuple(self.kernel.match(words, targets)[0])


meteor = corpus_function(METEOR)
