"""GLEU, Google's BLEU for single sentences: matching n-grams over the larger number of n-grams of the two texts.

Wu, Schuster, Chen, Le, Norouzi et al. (2016): Google's Neural Machine Translation System: Bridging the Gap between
Human and Machine Translation. arXiv:1609.08144.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from refscore import _native
from refscore._version import __version__
from refscore.errors import SettingError
from refscore.metrics.core.metric import Metric, Score
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.settings import CASES, MOST_ORDERS, from_signature_pairs, one_of, whole_number
from refscore.signature import join
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Normalize, Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps


class GLEUScore(Score):
    """A GLEU score: its value and the two counts it is made of.

    Example:
        >>> import refscore
        >>> score = refscore.gleu(["the cat sat on a mat"], ["the cat sat on the mat"])
        >>> print(score)
        GLEU = 61.11 (matches = 11 total = 18)
        >>> score.signature
        'gleu|nrefs:1|case:mixed|norm:none|tok:13a|min:1|max:4|version:0.1.0'
    """

    __slots__ = ()

    metric: GLEU

    @property
    def value(self) -> float:
        """The score, from 0 to 1."""
        matches, total = self.row.tolist()
        return float(matches / total) if total else 0.0

    @property
    def matches(self) -> int:
        """The n-grams that hypotheses and references have in common."""
        return int(self.row[0])

    @property
    def total(self) -> int:
        """The n-grams of each hypothesis or of its reference, whichever has more."""
        return int(self.row[1])

    def details(self) -> dict[str, Any]:
        """What the score is made of, ready for JSON."""
        return {"matches": self.matches, "total": self.total}

    def __str__(self) -> str:
        return f"GLEU = {round(self.percent, 10):.2f} (matches = {self.matches} total = {self.total})"


@dataclass(frozen=True, kw_only=True)
class GLEU(Metric[GLEUScore]):
    """GLEU, the smaller of n-gram precision and n-gram recall. 0..1, higher is better.

    The n-grams of all orders are put together. The score of a segment is the number of those that hypothesis and
    reference share over the larger of the two texts' numbers; of several references the best counts, the first of
    equally good ones. The score of a corpus has the sums of both numbers. Texts without n-grams score 0.

    Args:
        tokenizer: How text is split: a name (`refscore.tokenizers.available()`), a function from text to tokens, or
            an object of the packages tokenizers, tiktoken or sentencepiece.
        lowercase: True for `str.lower`, "ascii" for only A to Z.
        normalize: The Unicode normalization of text: "none", "NFC" or "NFKC".
        min_order: The shortest n-grams that count, 1 or more.
        max_order: The longest, at least `min_order`.

    Example:
        >>> import refscore
        >>> metric = refscore.GLEU()
        >>> metric.segment(["a", "b", "c"], [["a", "b", "d"]]).value
        0.5
        >>> metric.segments(["a b c d", "x y"], ["a b x d", "a b"])
        array([0.4, 0. ])
    """

    tokenizer: AnyTokenizer = "13a"
    lowercase: Lowercase = False
    normalize: Normalize = "none"
    min_order: int = 1
    max_order: int = 4

    name: ClassVar[str] = "gleu"
    score_type: ClassVar[type[GLEUScore]] = GLEUScore
    presets: ClassVar[Mapping[str, Preset]] = {
        "evaluate": Preset({"tokenizer": "13a-evaluate"}, tool="Hugging Face's evaluate", part="google_bleu", scale=1),
        "nltk": Preset(
            {"tokenizer": "none"},
            tool="NLTK",
            version="3.10.4",
            part="corpus_gleu",
            scale=1,
            note="it takes tokens: text is split at white space here",
        ),
    }

    def __post_init__(self) -> None:
        for setting in ("min_order", "max_order"):
            self._set(setting, whole_number(setting, getattr(self, setting), 1, MOST_ORDERS))
        if self.min_order > self.max_order:
            raise SettingError(f"min_order is {self.min_order}, more than max_order, {self.max_order}")
        self._set("pipeline", Pipeline(self.tokenizer, self.lowercase, self.normalize))
        self._set("tokenizer", self.pipeline.tokenizer)
        kernel = _native.Gleu(rules=self.pipeline.native, min_order=self.min_order, max_order=self.max_order)
        self._set("kernel", kernel)

    @classmethod
    def preset(cls, name: str, **settings: Any) -> GLEU:
        """GLEU as another implementation computes it, with some settings overridden by keyword.

        Args:
            name: "evaluate" (google_bleu of Hugging Face's evaluate) or "nltk" (3.10.4, which
                takes tokens: text is split at white space).
            **settings: Any of the metric's settings.

        Example:
            >>> import refscore
            >>> for name in ("evaluate", "nltk"):
            ...     print(f"{name:8} {refscore.GLEU.preset(name).segment('a test.', 'a test').value:.4f}")
            evaluate 0.5000
            nltk     0.3333
        """
        return super().preset(name, **settings)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns."""
        return ("matches", "total")

    @property
    def signature(self) -> str:
        """All settings that change the number, as text; `refscore.from_signature` reads it back."""
        return join(
            self.name,
            {
                **self.pipeline.signature(),
                "min": str(self.min_order),
                "max": str(self.max_order),
                "version": __version__,
            },
        )

    @classmethod
    def from_pairs(cls, pairs: Mapping[str, str]) -> GLEU:
        """The metric of one of refscore's own signatures."""
        return from_signature_pairs(
            "GLEU",
            pairs,
            ["case", "norm", "tok", "min", "max"],
            lambda: cls(
                tokenizer=pairs["tok"],
                lowercase=one_of(pairs, "case", CASES),
                normalize=pairs["norm"],  # type: ignore[arg-type]
                min_order=int(pairs["min"]),
                max_order=int(pairs["max"]),
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
            >>> print(refscore.GLEU().explain("a b c", "a b d").result)
            GLEU = 0.5000 (50.00 %)
        """
        from refscore.metrics.gleu.steps import explain_gleu

        return explain_gleu(self, hypothesis, references)


def gleu(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> GLEUScore:
    """The GLEU score of a corpus. 0..1, higher is better.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
            sequences.
        threads: How many to use; all cores by default. The result does not depend on it.
        **settings: Those of `GLEU`, or `preset` and overrides of it.

    Returns:
        The score: all matches over all n-grams, not the mean of the segments' scores.

    Example:
        >>> import refscore
        >>> score = refscore.gleu(["the cat sat on a mat"], [["the cat sat on the mat", "a cat was on the mat"]])
        >>> f"{score.percent:.2f}"
        '61.11'
    """
    return GLEU.of(settings).corpus(hypotheses, references, threads=threads)
