from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from refscore import _native
from refscore.errors import SettingError
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.core.text_settings import TextMetric
from refscore.settings import Number, choice, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting

# The settings of ANLS: without case, and with one space between words.
_ANLS = {"tokenizer": "char-words", "lowercase": True, "threshold": 0.5}


class EditSimilarityScore(Score):
    """An edit similarity with its edits, lengths and segments.

    Example:
        >>> import refscore
        >>> score = refscore.edit_similarity(["a cart", "dog"], ["the cat", "dog"])
        >>> print(score)
        EditSim = 71.43 (edits = 4 longer = 10 segments = 2)
        >>> round(score.distance, 4)
        0.2857
        >>> score.signature
        'edit_similarity|nrefs:1|case:mixed|norm:none|tok:char-all|threshold:0.0|at:zero|avg:segments|both:one|version:0.1.0'
    """

    __slots__ = ()

    metric: EditSimilarity

    @property
    def value(self) -> float:
        """The similarity, from 0 to 1: the mean over segments, or 1 minus all edits divided by the lengths."""
        similarity, edits, longer, segments = self.row.tolist()
        if self.metric.average == "segments":
            return float(similarity / segments) if segments else 1.0
        return float(1 - edits / longer) if longer else 1.0

    @property
    def distance(self) -> float:
        """1 minus the similarity, which is the normalized edit distance unless there is a threshold."""
        return 1 - self.value

    edits = RowCount(1, "The number of edits.")
    longer = RowCount(2, "The length of the longer text, summed over segments.")
    segments = RowCount(3, "The number of segments that count.")
    parts = ("distance", "edits", "longer", "segments")
    parts_text = "edits = {0.edits} longer = {0.longer} segments = {0.segments}"


@dataclass(frozen=True, kw_only=True)
class EditSimilarity(TextMetric[EditSimilarityScore]):
    """EditSim, the edit similarity, and ANLS: 1 minus the edits per character of the longer text.

    An edit is a substitution, a deletion or an insertion of a character. With several references, the most similar one
    counts. With a threshold, a segment below it scores 0: `preset="anls"` is ANLS, which scores answers about
    documents. Two empty texts are equal.

    Example:
        >>> import refscore
        >>> metric = refscore.EditSimilarity.preset("anls")
        >>> metric.segments(["Room  B1", "no idea"], [["room b12", "b12"], "yes"])
        array([0.875, 0.   ])
        >>> for preset in ("anls", "anls-star"):  # 2 of 4 characters differ
        ...     print(preset, refscore.EditSimilarity.preset(preset).segment("abcd", "abxy").value)
        anls 0.0
        anls-star 0.5
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "char-all",
        "char-all",
        "char-spaces",
        "char-words",
        "char",
        "none",
        note='"char-all" compares all characters; "char-words" has one space between words.',
    )
    threshold: float = setting(
        0.0,
        "The lowest similarity of a segment that counts. Less counts as 0.",
        Number(0, 1),
        key="threshold",
        title="threshold",
        stage="formula",
        words={0.0: "every similarity counts"},
        otherwise="a segment with a similarity below {threshold} scores 0",
        alternatives=(0.0, 0.5),
    )
    at_threshold: Literal["zero", "count"] = choice(
        "zero",
        "The score of a segment whose similarity is equal to the threshold.",
        {"zero": "a similarity equal to the threshold scores 0", "count": "a similarity equal to the threshold counts"},
        key="at",
        title="at the threshold",
        stage="formula",
    )
    average: Literal["segments", "characters"] = choice(
        "segments",
        "How segments are combined.",
        {
            "segments": "the similarities of segments are averaged",
            "characters": "all edits are divided by the lengths of all longer texts",
        },
        key="avg",
        title="average over segments",
        stage="formula",
    )
    both_empty: Literal["one", "skip"] = choice(
        "one",
        "How to treat a segment with two empty texts.",
        {"one": "two empty texts score 1", "skip": "a segment with two empty texts does not count"},
        key="both",
        title="two empty texts",
        stage="formula",
    )

    name = "edit_similarity"
    kernel_type = _native.EditSimilarity
    compares_answers = True
    display_name = "EditSim"
    needs_words = False
    columns = ("similarity", "edits", "longer", "segments")
    row_type = FLOATS
    papers = (
        "Biten, Tito, Mafla, Gomez, Rusiñol, Valveny, Jawahar, Karatzas (2019): Scene Text Visual Question Answering. "
        "ICCV.",
        "Ouyang et al. (2025): OmniDocBench: Benchmarking Diverse PDF Document Parsing with Comprehensive Annotations. "
        "CVPR.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "anls": Preset(_ANLS, tool="anls", version="0.0.2", part="anls_score", scale=1),
        "anls-star": Preset(
            {**_ANLS, "at_threshold": "count"}, tool="anls-star", version="1.0.1", part="of two strings", scale=1
        ),
        "omnidocbench": Preset(
            {"average": "characters", "both_empty": "skip"},
            tool="OmniDocBench",
            part="edit_whole",
            scale=1,
            note="its distance is 1 minus the similarity",
        ),
        "omnidocbench-sample": Preset(
            {"both_empty": "skip"},
            tool="OmniDocBench",
            part="edit_sample_avg",
            scale=1,
            note="its distance is 1 minus the similarity",
        ),
    }

    def _check(self) -> None:
        if self.threshold and self.average == "characters":
            raise SettingError('threshold needs average="segments": it decides about the score of each segment')

    @property
    def title(self) -> str:
        """The name in papers: ANLS if there is a threshold."""
        return "ANLS" if self.threshold else self.display_name

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        """Return the settings for the title ANLS, or for the metric's name without underscores."""
        return _ANLS if title.lower() == "anls" else super().parse_title(title)


edit_similarity = corpus_function(EditSimilarity)
