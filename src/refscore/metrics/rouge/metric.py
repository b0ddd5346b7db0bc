from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from refscore import _native
from refscore.errors import UnknownNameError
from refscore.inputs import MixedTokens
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import MeanScore, RowMean
from refscore.metrics.core.text_settings import TextMetric, formula_setting
from refscore.settings import MOST_ORDERS, Flag, Kind, choice, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Pipeline
from refscore.tokenizers.settings import lowercase_setting, tokenizer_setting

# ROUGE-1.5.5 applies the power twice to the length of a reference. Up to 5, the result is finite.
MOST_POWER = 5

# The power of "W" without a number, as in the paper and in most publications.
DEFAULT_POWER = 1.2


class Variant(NamedTuple):
    """A variant: its name, such as "SU4", its kind ("N", "L", "Lsum", "W", "S" or "SU"), and its number."""

    text: str
    kind: str
    order: int | None = None
    skip: int | None = None
    power: float | None = None


def parse_variant(text: str) -> Variant | None:
    """Return the variant with this name, or None if there is none. "W" means "W-1.2", "S" means "S*"."""
    if text in ("L", "Lsum"):
        return Variant(text, text)
    if order := _whole_number(text):
        return Variant(text, "N", order=order)
    match = re.fullmatch(r"(SU?)(\*|[0-9]+)?", text)
    if match is not None:
        kind, number = match[1], match[2] or "*"
        skip = None if number == "*" else _whole_number(number)
        return None if skip is None and number != "*" else Variant(kind + number, kind, skip=skip)
    match = re.fullmatch(r"W(?:-?([0-9]{1,2}(?:\.[0-9]{1,17})?))?", text)
    power = float(match[1] or DEFAULT_POWER) if match is not None else 0.0
    if not 1 <= power <= MOST_POWER:
        return None
    return Variant(f"W-{repr(power).removesuffix('.0')}", "W", power=power)


def _whole_number(text: str) -> int | None:
    if not re.fullmatch("0|[1-9][0-9]{0,6}", text) or int(text) > MOST_ORDERS:
        return None
    return int(text)


class VariantKind(Kind):
    def check(self, name: str, value: Any) -> str:
        variant = str(value) if isinstance(value, (int, np.integer)) and not isinstance(value, bool) else value
        parsed = parse_variant(variant) if isinstance(variant, str) else None
        if parsed is None:
            raise UnknownNameError.suggest("variant of ROUGE", value, ("1", "2", "L", "Lsum", "W-1.2", "S4", "SU4"))
        return parsed.text


class ROUGEScore(MeanScore):
    """A ROUGE score: mean F-scores, precisions and recalls over segments.

    Example:
        >>> import refscore
        >>> score = refscore.rouge(["the cat sat on a mat"], ["the cat is on the mat today"])
        >>> print(score)
        ROUGE-L = 61.54 (P = 0.667 R = 0.571 segments = 1)
        >>> score.signature
        'rouge|nrefs:1|case:lc|norm:none|tok:rouge|variant:L|beta:1.0|combine:best|stem:no|version:0.1.0'
    """

    __slots__ = ()

    metric: ROUGE

    value = RowMean(2, "The mean F-score, from 0 to 1. For one segment, the harmonic mean of precision and recall.")
    precision = RowMean(0, "The mean precision: the share of the hypothesis that the reference has.")
    recall = RowMean(1, "The mean recall: the share of the reference that the hypothesis has.")
    parts = ("precision", "recall", "segments")
    parts_text = "P = {0.precision:.3f} R = {0.recall:.3f} segments = {0.segments}"


@dataclass(frozen=True, kw_only=True)
class ROUGE(TextMetric[ROUGEScore]):
    """ROUGE: the overlap of a summary with a reference, as rouge-score or ROUGE-1.5.5 compute it.

    n-grams, L and Lsum follow rouge-score 0.1.2. W, S and SU follow ROUGE-1.5.5.
    A corpus score averages the segment scores. A segment without matches scores 0. An empty
    corpus has no score.

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

    tokenizer: AnyTokenizer = tokenizer_setting(
        "rouge",
        "rouge",
        "unicode",
        "none",
        note='"rouge" drops all characters except A to Z and digits, so most languages need "unicode", which splits '
        "words of any script.",
    )
    lowercase: Lowercase = lowercase_setting(True)
    variant: str = setting(
        "L",
        'The variant: "1", "2" or any other order of n-grams; "L" for the longest common subsequence; "Lsum" for '
        'the longest common subsequences of sentences, one per line; "W-1.2" for subsequences in which a run of k '
        'words counts k^1.2; "S4" for pairs of words with at most 4 words between them; "SU4" for these pairs and '
        'single words; "S*" and "SU*" for pairs at any distance. In token sequences, "\\n" ends a sentence.',
        VariantKind(),
        key="variant",
        title="variant",
        words={
            "1": "common words",
            "L": "the longest common subsequence of words",
            "Lsum": "the longest common subsequences of words, by sentence, with one sentence per line",
        },
        otherwise="common units of ROUGE-{variant}: n-grams, skip-bigrams or weighted subsequences of words",
        other_names=("rouge_types", "rouge_keys"),
    )
    beta: float = formula_setting(
        1.0,
        "The weight of recall in the F-score: it counts beta times as much as precision.",
        "recall counts {beta} times as much as precision",
        "beta",
    )
    combine: Literal["best", "recall", "pool"] = choice(
        "best",
        "How several references count. Of equal ones, the first counts.",
        {
            "best": "the reference with the highest F-score counts",
            "recall": "the reference with the highest recall counts",
            "pool": "matches and lengths are summed over all references",
        },
        key="combine",
        title="several references",
        other_names=("multi_ref_mode", "accumulate"),
    )
    stem: bool = setting(
        False,
        "Stem words of more than three characters with NLTK's Porter stemmer, which is for English.",
        Flag(),
        key="stem",
        title="stems",
        other_names=("use_stemmer",),
        stage="text",
        words={False: "words are not stemmed", True: "words are stemmed"},
        alternatives=(True, False),
    )

    name = "rouge"
    kernel_type = _native.Rouge
    columns = ("precision", "recall", "f", "segments")
    row_type = FLOATS
    papers = ("Lin (2004): ROUGE: A Package for Automatic Evaluation of Summaries. Text Summarization Branches Out.",)
    presets: ClassVar[Mapping[str, Preset]] = {
        name: Preset({"variant": name.removeprefix("rouge")}, tool="rouge-score", version="0.1.2", part=name, scale=1)
        for name in ("rouge1", "rouge2", "rougeL", "rougeLsum")
    } | {
        "rouge-1.5.5": Preset(
            {"variant": "Lsum", "lowercase": "ascii", "combine": "pool"},
            tool="ROUGE-1.5.5.pl",
            version="1.5.5",
            part="-z SPL",
            scale=1,
            note='pass the variant, and combine="recall" for its option -f B',
        )
    }

    def _make_pipeline(self) -> Pipeline:
        return Pipeline(self.tokenizer, self.lowercase, self.normalize, stem=self.stem, lines=self.has_lines)

    @property
    def parsed_variant(self) -> Variant:
        """The variant's kind and number."""
        parsed = parse_variant(self.variant)
        assert parsed is not None
        return parsed

    @property
    def order(self) -> int | None:
        """The n-gram order, or None for other variants."""
        return self.parsed_variant.order

    @property
    def has_lines(self) -> bool:
        """Whether lines are separate sentences."""
        return self.parsed_variant.kind in ("Lsum", "W")

    @property
    def title(self) -> str:
        """The name in papers: ROUGE-1, ROUGE-L."""
        return f"ROUGE-{self.variant}"

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        """Return the variant for a title such as ROUGE-3, rouge3, ROUGE-Lsum or ROUGE-SU4, or None if it is not one."""
        match = re.fullmatch("rouge-?(lsum|[a-z]*)(.*)", title.lower())
        parsed = parse_variant(match[1].capitalize().replace("Su", "SU") + match[2]) if match else None
        return None if parsed is None else {"variant": parsed.text}

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens. If a string may end a line, strings cannot be mixed with others."""
        return "no strings" if self.has_lines else "number"


rouge = corpus_function(ROUGE)
