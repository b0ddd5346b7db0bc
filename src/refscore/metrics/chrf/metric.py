"""chrF: the F-score of character n-grams; chrF++ counts word n-grams too.

Popović (2015): chrF: character n-gram F-score for automatic MT evaluation. WMT.
Popović (2017): chrF++: words helping character n-grams. WMT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from refscore import _native
from refscore._version import __version__
from refscore.errors import SettingError
from refscore.metrics.core.aggregation import aggregate
from refscore.metrics.core.metric import Metric, Score
from refscore.metrics.core.prepared import Reading
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.settings import (
    CASES,
    FLAGS,
    MOST_ORDERS,
    check_flag,
    check_name,
    from_signature_pairs,
    number_from_zero,
    one_of,
    whole_number,
    yes,
)
from refscore.signature import join
from refscore.tokenizers.pipeline import Lowercase, Normalize, Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps

UNITS = ("codepoints", "graphemes")
AVERAGES = ("micro", "macro")
SMOOTHINGS: Mapping[bool | str, str] = {False: "effective", True: "epsilon", "nltk": "nltk"}


class CHRFScore(Score):
    """A chrF score: its value and what it is made of.

    Example:
        >>> import refscore
        >>> score = refscore.chrf(["the cat sat on a mat"], ["the cat sat on the mat"])
        >>> print(score)
        chrF2 = 65.98 (P = 0.744 R = 0.642)
        >>> score.matches
        (14, 12, 10, 8, 7, 6)
        >>> score.signature
        'chrf|nrefs:1|case:mixed|norm:none|units:codepoints|nc:6|nw:0|beta:2.0|space:no|eps:no|avg:micro|version:0.1.0'
    """

    __slots__ = ()

    metric: CHRF

    def _parts(self) -> tuple[float, float, float]:
        kernel = self.metric.kernel
        assert isinstance(kernel, _native.Chrf)
        return kernel.parts(self.row.astype(np.float64))

    @property
    def value(self) -> float:
        """The score, from 0 to 1."""
        if self.metric.average == "macro":
            total, count = self.row.tolist()
            return float(total / count) if count else 0.0
        return self._parts()[0]

    @property
    def precision(self) -> float | None:
        """The mean precision of the orders that both sides have; None for a mean of segments' scores."""
        return None if self.metric.average == "macro" else self._parts()[1]

    @property
    def recall(self) -> float | None:
        """The mean recall of the orders that both sides have; None for a mean of segments' scores."""
        return None if self.metric.average == "macro" else self._parts()[2]

    def _counts(self, column: int) -> tuple[int, ...]:
        return () if self.metric.average == "macro" else tuple(int(count) for count in self.row[column::3])

    @property
    def hyp_ngrams(self) -> tuple[int, ...]:
        """The hypotheses' n-grams of each order, characters first, then words; none where the reference has none."""
        return self._counts(0)

    @property
    def ref_ngrams(self) -> tuple[int, ...]:
        """The references' n-grams of each order."""
        return self._counts(1)

    @property
    def matches(self) -> tuple[int, ...]:
        """The n-grams of each order that both have."""
        return self._counts(2)

    def details(self) -> dict[str, Any]:
        """What the score is made of, ready for JSON."""
        if self.metric.average == "macro":
            return {"segments": int(self.row[1])}
        return {
            "precision": self.precision,
            "recall": self.recall,
            "hyp_ngrams": list(self.hyp_ngrams),
            "ref_ngrams": list(self.ref_ngrams),
            "matches": list(self.matches),
        }

    def __str__(self) -> str:
        text = f"{self.metric.title} = {round(self.percent, 10):.2f}"
        if self.metric.average == "macro":
            return f"{text} (mean of {int(self.row[1])})"
        _, precision, recall = self._parts()
        return f"{text} (P = {precision:.3f} R = {recall:.3f})"


@dataclass(frozen=True, kw_only=True)
class CHRF(Metric[CHRFScore]):
    """chrF and chrF++ with all settings that the known implementations differ in. 0..1, higher is better.

    Characters are code points unless set otherwise. Tokens are taken for characters as they are, and have no words. An
    empty hypothesis scores 0 (with epsilon smoothing next to 0); an empty corpus has no score.

    Args:
        char_order: The longest character n-grams that count; 0 for none.
        word_order: The longest word n-grams that count; 2 makes it chrF++.
        beta: How many times as much recall counts as precision.
        lowercase: True for `str.lower`, "ascii" for only A to Z.
        normalize: The Unicode normalization of text: "none", "NFC" or "NFKC".
        whitespace: White space is among the characters.
        eps_smoothing: The mean of all orders' F-scores, a tiny number standing in for 0/0, instead of one F-score of
            the mean precision and recall of the orders that both sides have; "nltk" for NLTK's way of it.
        units: What a character is: "codepoints", or "graphemes" for extended grapheme clusters.
        average: "micro" sums the counts of all segments, "macro" is the mean of their scores.

    Example:
        >>> import refscore
        >>> metric = refscore.CHRF(word_order=2)
        >>> metric.segments(["the cat sat on a mat", "a dog"], ["the cat sat on the mat", "cats"]).round(4)
        array([0.6744, 0.05  ])
    """

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    lowercase: Lowercase = False
    normalize: Normalize = "none"
    whitespace: bool = False
    eps_smoothing: bool | Literal["nltk"] = False
    units: Literal["codepoints", "graphemes"] = "codepoints"
    average: Literal["micro", "macro"] = "micro"

    name: ClassVar[str] = "chrf"
    score_type: ClassVar[type[CHRFScore]] = CHRFScore
    presets: ClassVar[Mapping[str, Preset]] = {
        "sacrebleu": Preset({}, tool="sacrebleu", version="2.6.0", part="chrF", scale=100),
        "chrf++": Preset({"word_order": 2}, tool="sacrebleu", version="2.6.0", part="chrF++", scale=100),
        "nltk": Preset(
            {"beta": 3.0, "eps_smoothing": "nltk", "average": "macro"},
            tool="NLTK",
            version="3.10.4",
            part="corpus_chrf",
            scale=1,
        ),
    }

    def __post_init__(self) -> None:
        self._set("char_order", whole_number("char_order", self.char_order, 0, MOST_ORDERS))
        self._set("word_order", whole_number("word_order", self.word_order, 0, MOST_ORDERS))
        if self.char_order + self.word_order == 0:
            raise SettingError("char_order and word_order cannot both be 0")
        self._set("beta", number_from_zero("beta", self.beta))
        check_flag("whitespace", self.whitespace)
        if not isinstance(self.eps_smoothing, (bool, str)) or self.eps_smoothing not in SMOOTHINGS:
            raise SettingError(f"eps_smoothing must be True, False or 'nltk', not {self.eps_smoothing!r}")
        check_name("unit", self.units, UNITS)
        check_name("average", self.average, AVERAGES)
        tokenizer = "char" if self.units == "codepoints" else "graphemes"
        self._set("pipeline", Pipeline(tokenizer, self.lowercase, self.normalize))
        self._set("kernel", self._native())

    def _native(self) -> _native.Chrf:
        rules = self.pipeline.native
        if self.whitespace and self.units == "graphemes":
            rules = _native.TextRules(_native.Tokenizer.all_graphemes, rules.lowercase)
        return _native.Chrf(
            rules=rules,
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            whitespace=self.whitespace,
            smoothing=_native.ChrfSmoothing[SMOOTHINGS[self.eps_smoothing]],
            macro=self.average == "macro",
        )

    @classmethod
    def preset(cls, name: str, **settings: Any) -> CHRF:
        """ChrF as another implementation computes it, with some settings overridden by keyword.

        Args:
            name: "sacrebleu" (the default settings), "chrf++" (the same with word n-grams up to 2) or "nltk" (3.10.4).
            **settings: Any of the metric's settings.

        Example:
            >>> import refscore
            >>> for name in ("sacrebleu", "chrf++", "nltk"):
            ...     print(f"{name:9} {refscore.CHRF.preset(name).segment('a test', 'a fest').percent:.2f}")
            sacrebleu 32.67
            chrf++    30.48
            nltk      27.22
        """
        return super().preset(name, **settings)

    @property
    def title(self) -> str:
        """The name that sacrebleu prints: chrF2, chrF2++."""
        return f"chrF{self.beta:g}{'+' * min(self.word_order, 9)}"

    @property
    def reading(self) -> Reading:
        """How text is read; metrics that read alike can share prepared references."""
        form = ["units", "with spaces" if self.whitespace else "", "with words" if self.word_order else ""]
        return Reading(self.pipeline, " ".join(filter(None, form)))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns."""
        if self.average == "macro":
            return ("score", "segments")
        orders = [f"char_{n}" for n in range(1, self.char_order + 1)]
        orders += [f"word_{n}" for n in range(1, self.word_order + 1)]
        return tuple(f"{kind}_{order}" for order in orders for kind in ("hyp", "ref", "match"))

    @property
    def row_type(self) -> np.dtype[Any]:
        """int64, or float64 for means of segments' scores."""
        return np.dtype(np.float64 if self.average == "macro" else np.int64)

    @property
    def signature(self) -> str:
        """All settings that change the number, as text; `refscore.from_signature` reads it back."""
        text = self.pipeline.signature()
        return join(
            self.name,
            {
                "case": text["case"],
                "norm": text["norm"],
                "units": self.units,
                "nc": str(self.char_order),
                "nw": str(self.word_order),
                "beta": repr(self.beta),
                "space": yes(self.whitespace),
                "eps": "nltk" if self.eps_smoothing == "nltk" else yes(self.eps_smoothing),
                "avg": self.average,
                "version": __version__,
            },
        )

    @classmethod
    def from_pairs(cls, pairs: Mapping[str, str]) -> CHRF:
        """The metric of one of refscore's own signatures."""
        keys = ["case", "norm", "units", "nc", "nw", "beta", "space", "eps", "avg"]
        return from_signature_pairs(
            "chrF",
            pairs,
            keys,
            lambda: cls(
                lowercase=one_of(pairs, "case", CASES),
                normalize=pairs["norm"],  # type: ignore[arg-type]
                units=pairs["units"],  # type: ignore[arg-type]
                char_order=int(pairs["nc"]),
                word_order=int(pairs["nw"]),
                beta=float(pairs["beta"]),
                whitespace=one_of(pairs, "space", FLAGS),
                eps_smoothing=one_of(pairs, "eps", {**FLAGS, "nltk": "nltk"}),
                average=pairs["avg"],  # type: ignore[arg-type]
            ),
        )

    def aggregate(self, hypotheses: Any, references: Any, *, weights: Any = None, tokens: bool = False) -> Any:
        """The score of each hypothesis with all references at once: with the mean of their n-gram counts.

        A quick stand-in for the mean of `pairwise` scores, as in minimum-Bayes-risk decoding; the two differ.

        Args:
            hypotheses: H texts or token sequences; or a batch of B such groups, of any sizes.
            references: Texts or token sequences, any number from 1, or references prepared from such; for a batch, B
                groups.
            weights: How much each reference counts in the mean; for a batch, one such list for each group. All count
                the same by default.
            tokens: Lists of strings are token sequences, not groups of texts.

        Returns:
            An array of H values; for a batch, a list of such arrays.

        Example:
            >>> import refscore
            >>> samples = ["the cat sat on a mat", "the cat sat on the mat", "a dog ran"]
            >>> refscore.CHRF().aggregate(samples, samples).round(4)
            array([0.7108, 0.7247, 0.1937])
        """
        return aggregate(self, hypotheses, references, weights, tokens)

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
            >>> print(refscore.CHRF(char_order=2).explain("a cat", "a bat").result)
            chrF2 = 0.5417 (54.17 %)
        """
        from refscore.metrics.chrf.steps import explain_chrf

        return explain_chrf(self, hypothesis, references)


def chrf(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> CHRFScore:
    """The chrF score of a corpus, by default as sacrebleu computes it. 0..1, higher is better.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
            sequences.
        threads: How many to use; all cores by default. The result does not depend on it.
        **settings: Those of `CHRF`, or `preset` and overrides of it.

    Returns:
        The score; `score.percent` is the number that papers print.

    Example:
        >>> import refscore
        >>> score = refscore.chrf(["the cat sat on a mat"], [["the cat sat on the mat", "a cat was on the mat"]])
        >>> f"{score.percent:.2f}", f"{refscore.chrf(['a cat'], ['a bat'], preset='chrf++').percent:.2f}"
        ('65.98', '26.39')
    """
    return CHRF.of(settings).corpus(hypotheses, references, threads=threads)
