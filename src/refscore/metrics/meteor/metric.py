"""METEOR: words matched exactly, by their stems and as synonyms, with recall above precision and a price for disorder.

Lavie, Agarwal (2007): METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation with Human
Judgments. Workshop on Statistical Machine Translation.

The numbers are those of NLTK's `meteor_score`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np

from refscore import _native
from refscore._version import __version__
from refscore.metrics.core.mean_score import MeanScore
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.settings import (
    CASES,
    check_name,
    from_signature_pairs,
    number_from_zero,
    number_up_to_one,
    one_of,
)
from refscore.metrics.core.word_pairs import read_pair
from refscore.metrics.meteor.word_matches import MatchedWord, WordKernel
from refscore.segments import AsOneSegment, StringsAreWords, plain_tokens
from refscore.signature import join
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Normalize, Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps

T = TypeVar("T")

SYNONYMS: Mapping[str, Literal["wordnet"] | None] = {"none": None, "wordnet": "wordnet"}


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

    @property
    def precision(self) -> float:
        """The mean share of hypothesis words that are matched."""
        return self._mean(1)

    @property
    def recall(self) -> float:
        """The mean share of reference words that are matched."""
        return self._mean(2)

    @property
    def f_mean(self) -> float:
        """The mean of the weighted harmonic means of precision and recall."""
        return self._mean(3)

    @property
    def penalty(self) -> float:
        """The mean penalty for matches that lie in many pieces: 0 for none."""
        return self._mean(4)

    def details(self) -> dict[str, Any]:
        """What the score is made of, ready for JSON."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f_mean": self.f_mean,
            "penalty": self.penalty,
            "segments": self.segments,
        }

    def __str__(self) -> str:
        return (
            f"METEOR = {round(self.percent, 10):.2f} (P = {self.precision:.3f} R = {self.recall:.3f} "
            f"F = {self.f_mean:.3f} penalty = {self.penalty:.3f} segments = {self.segments})"
        )


@dataclass(frozen=True, kw_only=True)
class METEOR(Metric[METEORScore]):
    """METEOR as NLTK computes it. 0..1, higher is better.

    Words are matched in stages: equal ones, then those with the same Porter stem, then synonyms if they are asked for.
    The score is a mean of precision and recall, less a penalty that grows with the number of pieces in which the
    matched words lie. Of several references, the one with the best score counts; a corpus' score is the mean of its
    segments'. No match, an empty hypothesis or an empty reference score 0; an empty corpus has no score.

    Args:
        tokenizer: How text is split: a name (`refscore.tokenizers.available()`), a function from text to tokens, or
            an object of the packages tokenizers, tiktoken or sentencepiece.
        lowercase: True for `str.lower`, "ascii" for only A to Z. Stems ignore case whatever is set here.
        normalize: The Unicode normalization of text: "none", "NFC" or "NFKC".
        alpha: How much recall counts against precision, from 0 (not at all) to 1 (alone).
        beta: The power of the share of pieces among matches in the penalty; at least 0.
        gamma: The largest penalty, from 0 to 1.
        synonyms: None, or "wordnet" for those of WordNet 3.0, which needs NLTK and its data.

    Example:
        >>> import refscore
        >>> metric = refscore.METEOR()
        >>> round(metric.segment("the dogs ran home", "the dog runs home").value, 4)
        0.6389
        >>> metric.segments(["a b c", "x y"], ["a b c d", "a b"]).round(4)
        array([0.755, 0.   ])
    """

    tokenizer: AnyTokenizer = "none"
    lowercase: Lowercase = True
    normalize: Normalize = "none"
    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5
    synonyms: Literal["wordnet"] | None = None

    name: ClassVar[str] = "meteor"
    score_type: ClassVar[type[METEORScore]] = METEORScore
    presets: ClassVar[Mapping[str, Preset]] = {
        "nltk": Preset({"synonyms": "wordnet"}, tool="NLTK", version="3.10.4", part="meteor_score", scale=1)
    }

    def __post_init__(self) -> None:
        self._set("alpha", number_up_to_one("alpha", self.alpha))
        self._set("beta", number_from_zero("beta", self.beta))
        self._set("gamma", number_up_to_one("gamma", self.gamma))
        synonyms_of = None
        if self.synonyms is not None:
            check_name("source of synonyms", self.synonyms, ("wordnet",))
            from refscore.metrics.meteor import wordnet

            wordnet.reader()
            synonyms_of = wordnet.synonyms_of
        self._set("pipeline", Pipeline(self.tokenizer, self.lowercase, self.normalize))
        self._set("tokenizer", self.pipeline.tokenizer)
        rules = self.pipeline.native
        native = _native.Meteor(rules=rules, alpha=self.alpha, beta=self.beta, gamma=self.gamma)
        self._set("kernel", WordKernel(native, rules, synonyms_of))

    @classmethod
    def preset(cls, name: str, **settings: Any) -> METEOR:
        """METEOR as another implementation computes it, with some settings overridden by keyword.

        Args:
            name: "nltk" (3.10.4): with the synonyms of WordNet, which needs NLTK and its data.
            **settings: Any of the metric's settings.

        Example:
            >>> import refscore
            >>> refscore.METEOR.preset("nltk", synonyms=None) == refscore.METEOR()
            True
        """
        return super().preset(name, **settings)

    @property
    def strings_are_words(self) -> bool:
        """True: tokens that are strings are stemmed."""
        return True

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns."""
        return ("score", "precision", "recall", "f_mean", "penalty", "segments")

    @property
    def row_type(self) -> np.dtype[Any]:
        """float64."""
        return np.dtype(np.float64)

    @property
    def signature(self) -> str:
        """All settings that change the number, as text; `refscore.from_signature` reads it back."""
        return join(
            self.name,
            {
                **self.pipeline.signature(),
                "alpha": repr(self.alpha),
                "beta": repr(self.beta),
                "gamma": repr(self.gamma),
                "syn": self.synonyms or "none",
                "version": __version__,
            },
        )

    @classmethod
    def from_pairs(cls, pairs: Mapping[str, str]) -> METEOR:
        """The metric of one of refscore's own signatures."""
        return from_signature_pairs(
            "METEOR",
            pairs,
            ["case", "norm", "tok", "alpha", "beta", "gamma", "syn"],
            lambda: cls(
                tokenizer=pairs["tok"],
                lowercase=one_of(pairs, "case", CASES),
                normalize=pairs["norm"],  # type: ignore[arg-type]
                alpha=float(pairs["alpha"]),
                beta=float(pairs["beta"]),
                gamma=float(pairs["gamma"]),
                synonyms=one_of(pairs, "syn", SYNONYMS),
            ),
        )

    def alignment(self, hypothesis: Any, reference: Any) -> tuple[MatchedWord, ...]:
        """Which reference word each hypothesis word is matched with, and in which stage.

        Args:
            hypothesis: Text or tokens.
            reference: One reference, text or tokens like the hypothesis.

        Returns:
            An entry for each hypothesis word; those without a rank are not matched.

        Example:
            >>> import refscore
            >>> words = refscore.METEOR().alignment("he was walking the dog", "the dog walked")
            >>> [(word.word, word.rank, word.stage) for word in words if word.stage]
            [('walking', 2, 'stem'), ('the', 0, 'exact'), ('dog', 1, 'exact')]
        """
        words, targets = read_pair(self.pipeline, hypothesis, reference)
        with AsOneSegment(), StringsAreWords():
            plain_tokens([words], [[targets]])
        kernel = self.kernel
        assert isinstance(kernel, WordKernel)
        return tuple(kernel.match(words, targets)[0])

    def explain(self, hypothesis: Any, references: Any) -> Steps:
        """The worked steps from one segment to its score.

        Args:
            hypothesis: Text or tokens.
            references: What one entry of a corpus' references is.

        Returns:
            Headings, tables and formulas, which print as text, show as HTML in a notebook and come as data by
            `to_dict()`.

        Example:
            >>> import refscore
            >>> steps = refscore.METEOR().explain("the dogs ran home", "the dog runs home")
            >>> print(steps.result)
            METEOR = 0.6389 (63.89 %)
        """
        from refscore.metrics.meteor.steps import explain_meteor

        return explain_meteor(self, hypothesis, references)


def meteor(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> METEORScore:
    """The METEOR score of a corpus: the mean of its segments' scores, as NLTK computes them. 0..1, higher is better.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
            sequences.
        threads: How many to use; all cores by default. The result does not depend on it.
        **settings: Those of `METEOR`, or `preset` and overrides of it.

    Returns:
        The score: the mean of the segments' scores.

    Example:
        >>> import refscore
        >>> hypotheses = ["the cats sat on the mat", "it rains"]
        >>> references = [["the cat sat on a mat", "there is a cat on the mat"], "it is raining"]
        >>> round(refscore.meteor(hypotheses, references).value, 4)
        0.5441
    """
    return METEOR.of(settings).corpus(hypotheses, references, threads=threads)
