"""Which segments should people rate? Those that tell systems apart best (Zouhar, Cui and Sachan, 2025)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from refscore import _native
from refscore.errors import InputError, Location, NotInstalledError, SettingError, check_instance
from refscore.meta.judgments import Judgments, Matrix, Scores, Vector
from refscore.metrics import MetricChoice, parse_metric
from refscore.settings import WholeNumber
from refscore.tables import Column, Result, Table
from refscore.text_display import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Selection(Result):
    """Segments for people to rate, the most useful first.

    Attributes:
        method: What was preferred: "variance", "consistency" or "diversity".
        metric: The metric's name.
        segments: The segments' numbers, from 0.
        utilities: The utility of each of them.
        texts: The texts of all segments, by column: the source and each system's output. Empty if unknown.

    Example:
        >>> from refscore.meta import select_segments
        >>> scores = {"a": [0.9, 0.2, 0.5], "b": [0.8, 0.9, 0.5]}
        >>> print(select_segments(scores, 2))
        segment  utility
        -------  -------
              2   0.1225
              1   0.0025
    """

    method: str
    metric: str
    segments: tuple[int, ...]
    utilities: tuple[float, ...]
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)

    schema: ClassVar[str] = "select"

    def __len__(self) -> int:
        return len(self.segments)

    def table(self, *, digits: int | None = None) -> Table:
        """Return one row per segment. Segments have numbers from 1, as lines of files.

        Args:
            digits: The decimals, 4 by default.
        """
        places = 4 if digits is None else digits
        rows = [
            [str(segment + 1), f"{utility:.{places}f}"]
            for segment, utility in zip(self.segments, self.utilities, strict=True)
        ]
        return Table("", [Column("segment", "right"), Column("utility", "right")], rows)

    def flat_table(self) -> Table:
        """Return one row per segment with full precision and its texts, for people to rate."""
        rows = [
            [str(segment + 1), repr(utility), *(texts[segment] for texts in self.texts.values())]
            for segment, utility in zip(self.segments, self.utilities, strict=True)
        ]
        return Table("", map(Column, ("segment", "utility", *self.texts)), rows)

    def to_pandas(self) -> pd.DataFrame:
        """Return one row per segment as a pandas data frame, with its texts. Segments have numbers from 0."""
        try:
            import pandas as pd
        except ModuleNotFoundError:
            raise NotInstalledError("to_pandas needs pandas: pip install 'refscore[pandas]'") from None
        columns: dict[str, Sequence[Any]] = {"segment": self.segments, "utility": self.utilities}
        return pd.DataFrame(columns | {name: [texts[k] for k in self.segments] for name, texts in self.texts.items()})

    def to_dict(self) -> dict[str, Any]:
        """Return the selection as a dictionary, ready for JSON. Segments have numbers from 1."""
        return {
            "method": self.method,
            "metric": self.metric,
            "segments": [
                {
                    "segment": segment + 1,
                    "utility": utility,
                    "texts": {name: texts[segment] for name, texts in self.texts.items()},
                }
                for segment, utility in zip(self.segments, self.utilities, strict=True)
            ],
        }

    def __repr__(self) -> str:
        return f"<selection of {counted(len(self), 'segment')} by {self.method} of {self.metric}>"


def select_segments(
    scores: Scores,
    count: int,
    by: Literal["variance", "consistency"] = "variance",
    *,
    name: str = "scores",
    texts: Mapping[str, Sequence[str]] | None = None,
) -> Selection:
    """Return the segments that people should rate, by a metric's scores. The definitions are subset2evaluate's.

    Args:
        scores: The metric's scores of systems × segments: an array, or a dictionary from systems to their scores.
        count: The number of segments. All of them are ordered if there are fewer.
        by: "variance", the variance over systems, or "consistency", how well a segment's scores order systems as the
            means over all segments do.
        name: The metric's name.
        texts: The texts of all segments, by column, to show with the selection.

    Example:
        >>> from refscore.meta import select_segments
        >>> scores = {"a": [0.9, 0.2, 0.5], "b": [0.8, 0.9, 0.5], "c": [0.4, 0.6, 0.5]}
        >>> select_segments(scores, 2, "consistency").segments
        (0, 1)
    """
    matrix = Judgments.from_scores(scores).human
    if np.isnan(matrix).any():
        raise InputError(Location("scores"), "has missing scores", "score all outputs")
    if by not in ("variance", "consistency"):
        raise SettingError(f"by must be variance or consistency, not {by!r}")
    utilities = matrix.var(axis=0) if by == "variance" else _consistency(matrix)
    return _selection(by, name, utilities, count, texts)


def select_diverse_segments(
    outputs: Mapping[str, Sequence[str]],
    count: int,
    metric: MetricChoice = "bleu",
    *,
    texts: Mapping[str, Sequence[str]] | None = None,
    threads: int | None = None,
) -> Selection:
    """Return the segments whose outputs differ most: the ones with the smallest mean score of each output with each.

    Args:
        outputs: The texts of each system, by name.
        count: The number of segments. All of them are ordered if there are fewer.
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk". BLEU is sacrebleu's sentence BLEU.
        texts: The texts of all segments, by column, to show with the selection. The outputs by default.
        threads: The number of threads, by default all cores.

    Example:
        >>> from refscore.meta import select_diverse_segments
        >>> outputs = {"a": ["it rained a lot", "the cat sat"], "b": ["it rained a lot", "cats were sitting"]}
        >>> select_diverse_segments(outputs, 1, "chrf").segments
        (1,)
    """
    check_instance("outputs", outputs, Mapping, "pass a dictionary from systems to their texts")
    for name, own in outputs.items():
        check_instance(f"outputs[{name!r}]", own, Sequence, "pass a list of texts")
    sizes = {len(own) for own in outputs.values()}
    if len(outputs) < 2 or len(sizes) != 1:
        problem = "has fewer than two systems" if len(outputs) < 2 else "has systems with different numbers of segments"
        raise InputError(Location("outputs"), problem, "pass one text per system and segment")
    label, chosen = parse_metric(metric, for_segments=True)
    (size,) = sizes
    similarity = np.zeros(size)
    for one, other in product(outputs.values(), repeat=2):
        similarity += chosen.printed_values(chosen.stats(one, other, threads=threads), threads=threads)
    shown = outputs if texts is None else texts
    return _selection("diversity", label, -similarity / len(outputs) ** 2, count, shown)


def _consistency(scores: Matrix) -> Vector:
    """Return τ-c of each segment's scores with the systems' means. 0 if all scores of a segment are equal."""
    systems, segments = scores.shape
    means = np.array([math.fsum(row) / segments for row in scores])
    rule = _native.AgreementRule("tau_c", 0.0, True, False)
    starts = np.arange(0, systems * segments + 1, systems, dtype=np.int64)
    flat = np.ascontiguousarray(scores.T).reshape(-1)
    return np.nan_to_num(_native.agreement_by_group(rule, np.tile(means, segments), flat, starts))


def _selection(
    method: str, metric: str, utilities: Vector, count: int, texts: Mapping[str, Sequence[str]] | None
) -> Selection:
    WholeNumber(1, 10**9).check("count", count)
    # Equal ones in the order of segments.
    order = np.argsort(-utilities, kind="stable")[:count]
    return Selection(method, metric, tuple(order.tolist()), tuple(utilities[order].tolist()), texts or {})
