from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import InputError, Location
from refscore.inputs import Hypotheses, References, Sources
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import TAKES_TOKENS, Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import RowNumber, Score, Values
from refscore.metrics.core.text_settings import TextMetric
from refscore.settings import choice, order_setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting


class GECGLEUScore(Score):
    """A GLEU score of corrections, with the numbers of n-grams and words.

    Example:
        >>> import refscore
        >>> sources, references = ["he go to a school every days"], ["he goes to school every day"]
        >>> score = refscore.gec_gleu(["he goes to a school every day"], references, sources=sources, max_order=2)
        >>> print(score)
        GECGLEU = 48.80 (matches = 10.0 penalty = 3.0 total = 13.0 hyp_len = 7.0 ref_len = 6.0)
        >>> score.signature
        'gec_gleu|nrefs:1|case:mixed|norm:none|tok:none|order:2|penalty:absent|short:zero|smooth:none|version:0.1.0'
    """

    __slots__ = ()

    metric: GECGLEU

    @property
    def value(self) -> float:
        """The score, from 0 to 1."""
        return float(self.metric.kernel.values(self.row.astype(np.float64)[None], 1)[0])

    @property
    def matches(self) -> float:
        """The number of n-grams that hypotheses and references share, over all orders."""
        return float(self.row[:-2:3].sum())

    @property
    def penalty(self) -> float:
        """The number of n-grams that hypotheses keep from sources, unlike the references."""
        return float(self.row[1:-2:3].sum())

    @property
    def total(self) -> float:
        """The number of n-grams of the hypotheses."""
        return float(self.row[2:-2:3].sum())

    hyp_len = RowNumber(-2, "The number of tokens of the hypotheses.")
    ref_len = RowNumber(-1, "The number of tokens of the references, the mean over several of a segment.")
    parts = ("matches", "penalty", "total", "hyp_len", "ref_len")
    parts_text = (
        "matches = {0.matches:.1f} penalty = {0.penalty:.1f} total = {0.total:.1f} hyp_len = {0.hyp_len:.1f} "
        "ref_len = {0.ref_len:.1f}"
    )


@dataclass(frozen=True, kw_only=True)
class GECGLEU(TextMetric[GECGLEUScore]):
    """GECGLEU, the GLEU for grammatical error correction, which compares corrections with sources and references.

    It is a BLEU in which n-grams that a correction keeps from the source, unlike the reference, count against it. It is
    not the GLEU of Google (`refscore.GLEU`), which has no sources. With several references, their counts are averaged.
    `sampled` draws one of them per segment and time, as the official script does.

    Example:
        >>> import refscore
        >>> metric = refscore.GECGLEU(max_order=2)
        >>> source, reference = "he go to a school every days", "he goes to school every day"
        >>> for text in (reference, "he goes to a school every day", source):
        ...     print(f"{metric.segment(text, reference, source=source).value:.4f}")
        1.0000
        0.4880
        0.0000
    """

    tokenizer: AnyTokenizer = tokenizer_setting("none", "none", "13a", "char")
    max_order: int = order_setting(4, "The largest order of n-grams.")
    penalty: Literal["absent", "excess"] = choice(
        "absent",
        "Which n-grams that the hypothesis keeps from the source count against it.",
        {
            "absent": "n-grams kept from the source count against the hypothesis if the reference has none of them",
            "excess": "n-grams kept from the source count against the hypothesis as often as the reference lacks them",
        },
        key="penalty",
        title="penalized n-grams",
    )
    short_order: Literal["zero", "perfect"] = choice(
        "zero",
        "The precision of an order that is longer than all hypotheses.",
        {
            "zero": "an order without n-grams has the precision 0",
            "perfect": "an order without n-grams has the precision 1",
        },
        key="short",
        title="orders without n-grams",
        stage="formula",
    )
    smoothing: Literal["none", "one"] = choice(
        "none",
        "How to treat counts of 0.",
        {"none": "a count of 0 makes the score 0", "one": "counts of 0 are replaced by 1"},
        key="smooth",
        title="smoothing",
        stage="formula",
    )

    name = "gec_gleu"
    common_name = "GLEU"
    common_name_meaning = (
        "for corrections: a BLEU with sources, in which n-grams kept from the source unlike the reference count "
        "against it"
    )
    kernel_type = _native.GecGleu
    needs_sources = True
    display_name = "GECGLEU"
    row_type = FLOATS
    segment_settings: ClassVar[Mapping[str, str]] = {"smoothing": "one"}
    papers = (
        "Napoles, Sakaguchi, Post, Tetreault (2015): Ground Truth for Grammatical Error Correction Metrics. ACL.",
        "Napoles, Sakaguchi, Post, Tetreault (2016): GLEU Without Tuning. arXiv.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "official": Preset({}, tool="gec-ranking", part="compute_gleu", scale=1, note=TAKES_TOKENS),
        "official-sentence": Preset(
            {"smoothing": "one"}, tool="gec-ranking", part="compute_gleu -d", scale=1, note=TAKES_TOKENS
        ),
        "gec-metrics": Preset(
            {"penalty": "excess", "short_order": "perfect"}, tool="gec-metrics", version="0.1.1", part="GLEU", scale=1
        ),
        "gec-metrics-official": Preset(
            {"short_order": "perfect"}, tool="gec-metrics", version="0.1.1", part="GLEUOfficial", scale=1
        ),
    }

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The column names: counts by order, and the lengths."""
        orders = range(1, self.max_order + 1)
        counts = tuple(f"{name}_{n}" for n in orders for name in ("matches", "penalty", "total"))
        return (*counts, "hyp_len", "ref_len")

    def sampled(self, hypotheses: Hypotheses, references: References, *, sources: Sources, draws: int = 500) -> Values:
        """Return the score of each draw of one reference per segment; the official script prints their mean.

        Args:
            hypotheses: One text or token sequence per segment, or a padded batch of token ids.
            references: One entry per hypothesis: a text or a list of texts, or a list of token sequences. All segments
                need the same number of references.
            sources: The text or token sequence that each hypothesis was made from.
            draws: How often to draw references. With one reference, all draws are the same.

        Example:
            >>> import refscore
            >>> texts, sources = ["he goes to school", "it rains"], ["he go to school", "it rain"]
            >>> references = [["he goes to school", "he went to school"], ["it rains", "it is raining"]]
            >>> values = refscore.GECGLEU(max_order=2).sampled(texts, references, sources=sources)
            >>> len(values), round(float(values.mean()), 4)
            (500, 0.6438)
        """
        listed: Any = references
        entries = [[entry] if isinstance(entry, str) else [*entry] for entry in listed]
        count = len(entries[0]) if entries else 0
        for segment, entry in enumerate(entries):
            if len(entry) != count:
                problem = f"has {len(entry)} references, but the first segment has {count}"
                raise InputError(Location("references", segment), problem, "pass the same number for each segment")
        texts: Any = hypotheses
        origins: Any = sources
        sides = [*texts], None if origins is None else [*origins]
        rows = np.array(
            [self.stats(sides[0], [[entry[r]] for entry in entries], sources=sides[1]) for r in range(count)]
        )
        sums = []
        for draw in range(draws):
            generator = random.Random(draw * 101)  # the official script's seeds
            chosen = [generator.randint(0, count - 1) for _ in entries]
            sums.append(rows[chosen, np.arange(len(entries))].sum(axis=0))
        return self.values(np.array(sums).reshape(-1, len(self.columns)))


gec_gleu = corpus_function(GECGLEU)
