from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import SettingError
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import COUNTS, FLOATS
from refscore.metrics.core.score import KernelPart, Score
from refscore.metrics.core.text_settings import TextMetric
from refscore.settings import choice, order_setting
from refscore.tokenizers.pipeline import Lowercase
from refscore.tokenizers.settings import lowercase_setting

OPERATIONS = ("keep", "delete", "add")

# sacrebleu's tokenizer, called without stripping the text's end first.
_UNSTRIPPED = "13a-evaluate"
_EASSE = partial(Preset, tool="EASSE", version="0.2.4", scale=100)


class SARIScore(Score):
    """A SARI score with its three operation scores.

    Example:
        >>> import refscore
        >>> sources, references = ["about 95 species are currently accepted"], ["about 95 species are now known"]
        >>> score = refscore.sari(["about 95 species are known"], references, sources=sources)
        >>> print(score)
        SARI = 72.22 (keep = 1.000 delete = 1.000 add = 0.167)
        >>> score.signature
        'sari|nrefs:1|case:lc|norm:none|tok:13a|order:4|count:counts|keeprec:counts|undef:zero|del:f1|means:scores|avg:corpus|blank:nothing|version:0.1.0'
    """

    __slots__ = ()

    metric: SARI

    def _kernel_parts(self) -> tuple[float, ...]:
        return tuple(self.metric.kernel.operation_scores(self.row.astype(np.float64)))

    @property
    def value(self) -> float:
        keep, delete, add = self._kernel_parts()
        return (keep + delete + add) / len(OPERATIONS)  # sum() of Python 3.12 rounds differently

    keep = KernelPart[float](0, "The score of the n-grams that the hypotheses keep from the sources.")
    delete = KernelPart[float](1, "The score of the n-grams of the sources that the hypotheses do not have.")
    add = KernelPart[float](2, "The score of the n-grams of the hypotheses that the sources do not have.")
    parts = OPERATIONS
    parts_text = "keep = {0.keep:.3f} delete = {0.delete:.3f} add = {0.add:.3f}"


@dataclass(frozen=True, kw_only=True)
class SARI(TextMetric[SARIScore]):
    """SARI, for simplification: the n-grams that a text keeps from its source, deletes and adds.

    SARI compares the hypothesis with its source and its references. For each n-gram order, it computes F-scores of
    the n-grams kept from the source, deleted from it, and added to it, and averages them over orders and operations.
    The default settings are EASSE's, except that a text's end is stripped before it is tokenized.

    Example:
        >>> import refscore
        >>> metric = refscore.SARI()
        >>> sources = ["about 95 species are currently accepted", "the cat perched upon the mat"]
        >>> references = [["about 95 species are now known", "95 species are accepted"], "the cat sat on the mat"]
        >>> hypotheses = ["about 95 species are known", "the cat sat on the mat"]
        >>> round(metric.corpus(hypotheses, references, sources=sources).value, 4)
        0.8116
        >>> metric.segments(hypotheses, references, sources=sources).round(4)
        array([0.6159, 0.8333])
    """

    lowercase: Lowercase = lowercase_setting(True)
    max_order: int = order_setting(4, "The largest order of n-grams.")
    counting: Literal["counts", "ratios", "sets"] = choice(
        "counts",
        "How to count kept and deleted n-grams.",
        {
            "counts": "kept and deleted n-grams are counted as often as they occur",
            "ratios": "the ratio of each kept or deleted n-gram counts equally",
            "sets": "each n-gram counts once, weighted by the share of references that have it",
        },
        key="count",
        title="counting",
    )
    keep_recall: Literal["counts", "ratios"] = choice(
        "counts",
        "The recall of kept n-grams for `counting='ratios'`.",
        {
            "counts": "the recall of kept n-grams is a ratio of counts",
            "ratios": "the recall of kept n-grams is a mean of ratios",
        },
        key="keeprec",
        title="recall of kept n-grams",
    )
    undefined: Literal["zero", "one"] = choice(
        "zero",
        "The precision or recall of an operation that concerns no n-grams, 0/0.",
        {"zero": "0/0 is 0", "one": "0/0 is 1"},
        key="undef",
        title="0/0",
        stage="formula",
    )
    deletion: Literal["f1", "precision"] = choice(
        "f1",
        "The score of deleted n-grams. The paper has only the precision.",
        {"f1": "deletions have an F-score", "precision": "only the precision of deletions counts"},
        key="del",
        title="deletions",
        stage="formula",
    )
    order_average: Literal["scores", "precisions"] = choice(
        "scores",
        "How orders are averaged.",
        {
            "scores": "the F-scores of the orders are averaged",
            "precisions": "the precisions and recalls of the orders are averaged before the F-score",
        },
        key="means",
        title="average over orders",
        stage="formula",
    )
    average: Literal["corpus", "segments"] = choice(
        "corpus",
        "How segments are averaged for a corpus.",
        {"corpus": "counts are summed over segments", "segments": "the scores of segments are averaged"},
        key="avg",
        title="average over segments",
        stage="formula",
    )
    empty_text: Literal["nothing", "token"] = choice(
        "nothing",
        "How to treat a text without tokens.",
        {"nothing": "an empty text has no tokens", "token": "an empty text has one (empty) token"},
        key="blank",
        title="empty texts",
    )

    name = "sari"
    kernel_type = _native.Sari
    needs_sources = True
    papers = (
        "Xu, Napoles, Pavlick, Chen and Callison-Burch (2016): Optimizing Statistical Machine Translation for Text "
        "Simplification. TACL.",
        "Alva-Manchego, Martin, Scarton and Specia (2019): EASSE: Easier Automatic Sentence Simplification Evaluation. "
        "EMNLP.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "easse": _EASSE({"tokenizer": _UNSTRIPPED}, part="corpus_sari"),
        "easse-paper": _EASSE({"tokenizer": _UNSTRIPPED, "order_average": "precisions"}, part="use_paper_version"),
        "evaluate": Preset(
            {
                "tokenizer": _UNSTRIPPED,
                "counting": "ratios",
                "undefined": "one",
                "deletion": "precision",
                "average": "segments",
                "empty_text": "token",
            },
            tool="Hugging Face's evaluate",
            part="sari",
            scale=100,
        ),
        "tensor2tensor": Preset(
            {
                "tokenizer": "none",
                "lowercase": False,
                "counting": "sets",
                "undefined": "one",
                "deletion": "precision",
                "average": "segments",
            },
            tool="tensor2tensor",
            version="1.15.7",
            part="get_sari_score",
            scale=1,
            note="it takes token ids, so refscore splits text at whitespace",
        ),
        "xu": Preset(
            {
                "tokenizer": "none",
                "counting": "ratios",
                "keep_recall": "ratios",
                "deletion": "precision",
                "average": "segments",
                "empty_text": "token",
            },
            tool="SARI.py of the paper's authors",
            part="SARIsent",
            scale=1,
            note="it splits text at every space, so texts must have single spaces",
        ),
    }

    def _check(self) -> None:
        if self.counting == "ratios" and self.average == "corpus":
            raise SettingError(
                'counting="ratios" needs average="segments", because ratios of segments cannot be summed'
            )

    @cached_property
    def row_type(self) -> np.dtype[Any]:
        """The number type: int64 for counts, else float64."""
        return COUNTS if self.average == "corpus" and self.counting == "counts" else FLOATS

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The column names: scores and the segment count, or counts by order and operation."""
        if self.average == "segments":
            return (*OPERATIONS, "segments")
        orders = range(1, self.max_order + 1)
        counts = ("correct", "selected", "relevant")
        return tuple(f"{name}_{count}_{n}" for n in orders for name in OPERATIONS for count in counts)


sari = corpus_function(SARI)
