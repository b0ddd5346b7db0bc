"""ROUGE: how much of a summary's wording is shared with a reference, as google's rouge-score computes it.

Lin (2004): ROUGE: A Package for Automatic Evaluation of Summaries. Text Summarization Branches Out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from refscore import _native
from refscore._version import __version__
from refscore.errors import UnknownNameError
from refscore.metrics.core.mean_score import MeanScore
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.settings import CASES, FLAGS, check_flag, from_signature_pairs, one_of, yes
from refscore.signature import join
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Normalize, Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps

_LONGEST_ORDER = 9  # in digits


class ROUGEScore(MeanScore):
    """A ROUGE score: the means of its segments' F, precision and recall.

    Example:
        >>> import refscore
        >>> score = refscore.rouge(["the cat sat on a mat"], ["the cat is on the mat today"])
        >>> print(score)
        ROUGE-L = 61.54 (P = 0.667 R = 0.571 segments = 1)
        >>> score.signature
        'rouge|nrefs:1|case:lc|norm:none|tok:rouge|variant:L|stem:no|version:0.1.0'
    """

    __slots__ = ()

    metric: ROUGE

    @property
    def value(self) -> float:
        """The mean F, from 0 to 1; of one segment, the harmonic mean of its precision and recall."""
        return self._mean(2)

    @property
    def precision(self) -> float:
        """The mean share of the hypothesis that the reference has."""
        return self._mean(0)

    @property
    def recall(self) -> float:
        """The mean share of the reference that the hypothesis has."""
        return self._mean(1)

    def details(self) -> dict[str, Any]:
        """What the score is made of, ready for JSON."""
        return {"precision": self.precision, "recall": self.recall, "segments": self.segments}

    def __str__(self) -> str:
        return (
            f"{self.metric.title} = {round(self.percent, 10):.2f} (P = {self.precision:.3f} "
            f"R = {self.recall:.3f} segments = {self.segments})"
        )


@dataclass(frozen=True, kw_only=True)
class ROUGE(Metric[ROUGEScore]):
    """ROUGE as rouge-score 0.1.2 computes it: precision, recall and F. 0..1, higher is better.

    Of several references the one with the best F counts, the first one of equals. A corpus' score is the mean of its
    segments'. A segment without matches scores 0, and so does one whose hypothesis or reference has no words; an empty
    corpus has no score.

    Args:
        variant: "1", "2" or any other order for n-grams; "L" for the longest common subsequence; "Lsum" for that of
            summaries whose sentences stand on lines of their own. Of tokens, a string of a line break ends a sentence.
        stem: Whether words of more than three characters are stemmed, by Porter's rules for English as NLTK has them.
        tokenizer: How text is split: "rouge" for runs of A to Z and digits, which leaves nothing of most languages;
            "unicode" for words of any script; any other name, function or object that BLEU takes.
        lowercase: True for `str.lower`, "ascii" for only A to Z.
        normalize: The Unicode normalization of text: "none", "NFC" or "NFKC".

    Example:
        >>> import refscore
        >>> metric = refscore.ROUGE(variant="2", stem=True)
        >>> score = metric.segment("the cats sat down", "the cat sat")
        >>> round(score.precision, 4), round(score.recall, 4), round(score.value, 4)
        (0.6667, 1.0, 0.8)
        >>> refscore.ROUGE().segment("今天天气好", "今天天气很好").value
        0.0
        >>> round(refscore.ROUGE(tokenizer="unicode").segment("今天天气好", "今天天气很好").value, 4)
        0.9091
    """

    variant: str = "L"
    stem: bool = False
    tokenizer: AnyTokenizer = "rouge"
    lowercase: Lowercase = True
    normalize: Normalize = "none"

    name: ClassVar[str] = "rouge"
    score_type: ClassVar[type[ROUGEScore]] = ROUGEScore
    presets: ClassVar[Mapping[str, Preset]] = {
        name: Preset({"variant": name.removeprefix("rouge")}, tool="rouge-score", version="0.1.2", part=name, scale=1)
        for name in ("rouge1", "rouge2", "rougeL", "rougeLsum")
    }

    def __post_init__(self) -> None:
        variant: Any = self.variant
        if isinstance(variant, (int, np.integer)) and not isinstance(variant, bool):
            variant = str(variant)
        if not isinstance(variant, str) or not (variant in ("L", "Lsum") or _is_order(variant)):
            raise UnknownNameError.of("variant of ROUGE", self.variant, ("1", "2", "L", "Lsum"))
        self._set("variant", variant)
        check_flag("stem", self.stem)
        self._set(
            "pipeline",
            Pipeline(self.tokenizer, self.lowercase, self.normalize, stem=self.stem, lines=variant == "Lsum"),
        )
        self._set("tokenizer", self.pipeline.tokenizer)
        kernel = _native.Rouge(
            rules=self.pipeline.native,
            variant=_native.RougeVariant[variant] if self.order is None else _native.RougeVariant.N,
            order=self.order or 1,
        )
        self._set("kernel", kernel)

    @property
    def order(self) -> int | None:
        """The length of the n-grams; None where a common subsequence counts."""
        return None if self.variant in ("L", "Lsum") else int(self.variant)

    @classmethod
    def preset(cls, name: str, **settings: Any) -> ROUGE:
        """ROUGE by the names that rouge-score has for its variants, with some settings overridden by keyword.

        Args:
            name: "rouge1", "rouge2", "rougeL" or "rougeLsum".
            **settings: Any of the metric's settings.

        Example:
            >>> import refscore
            >>> for name in refscore.ROUGE.presets:
            ...     print(f"{name:9} {refscore.ROUGE.preset(name).segment('b a c', 'a b c').value:.4f}")
            rouge1    1.0000
            rouge2    0.0000
            rougeL    0.6667
            rougeLsum 0.6667
        """
        return super().preset(name, **settings)

    @property
    def title(self) -> str:
        """The name that papers print: ROUGE-1, ROUGE-L."""
        return f"ROUGE-{self.variant}"

    @property
    def strings_are_words(self) -> bool:
        """True where a token may end a line."""
        return self.variant == "Lsum"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns."""
        return ("precision", "recall", "f", "segments")

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
                "variant": self.variant,
                "stem": yes(self.stem),
                "version": __version__,
            },
        )

    @classmethod
    def from_pairs(cls, pairs: Mapping[str, str]) -> ROUGE:
        """The metric of one of refscore's own signatures."""
        return from_signature_pairs(
            "ROUGE",
            pairs,
            ["case", "norm", "tok", "variant", "stem"],
            lambda: cls(
                variant=pairs["variant"],
                stem=one_of(pairs, "stem", FLAGS),
                tokenizer=pairs["tok"],
                lowercase=one_of(pairs, "case", CASES),
                normalize=pairs["norm"],  # type: ignore[arg-type]
            ),
        )

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
            >>> steps = refscore.ROUGE().explain("the cat sat on a mat", "the cat is on the mat today")
            >>> print(steps.result)
            ROUGE-L = 0.6154 (61.54 %)
        """
        from refscore.metrics.rouge.steps import explain_rouge

        return explain_rouge(self, hypothesis, references)


def _is_order(variant: str) -> bool:
    return variant.isascii() and variant.isdigit() and variant[0] != "0" and len(variant) <= _LONGEST_ORDER


def rouge(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> ROUGEScore:
    """The ROUGE score of a corpus, by default ROUGE-L as rouge-score computes it. 0..1, higher is better.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
            sequences.
        threads: How many to use; all cores by default. The result does not depend on it.
        **settings: Those of `ROUGE`, or `preset` and overrides of it.

    Returns:
        The score: the mean of the segments' scores.

    Example:
        >>> import refscore
        >>> hypotheses = ["the cat sat on a mat", "it rains"]
        >>> references = [["the cat is on the mat", "a cat sat on a mat"], "it is raining"]
        >>> round(refscore.rouge(hypotheses, references, variant="1", stem=True).value, 4)
        0.8167
    """
    return ROUGE.of(settings).corpus(hypotheses, references, threads=threads)
