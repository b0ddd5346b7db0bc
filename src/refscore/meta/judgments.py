from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refscore.errors import InputError, Location, check_instance, look_up
from refscore.evaluation import Evaluation
from refscore.metrics import RowMetric, sum_rows
from refscore.tables import Column, Result, Table
from refscore.text_display import counted

Matrix: TypeAlias = NDArray[np.float64]
"""Scores of systems × segments."""

Vector: TypeAlias = NDArray[np.float64]

Scores: TypeAlias = (
    "NDArray[Any] | Sequence[Sequence[float | None]] | Mapping[str, Sequence[float | None] | NDArray[Any]]"
)
"""Scores of systems × segments: an array, or a dictionary from systems to their scores. None and NaN are missing."""

# Means are equal if they differ by at most this many times the rounding error of the largest score.
_ROUNDINGS = 4

_SAME_SEGMENTS = "give one score per segment, None where people gave none"


@dataclass(frozen=True, eq=False, repr=False)
class MetricScores:
    """A metric's scores. Higher ones are better.

    Attributes:
        segments: The scores by system and segment. None if there are only system scores.
        systems: One score per system.
    """

    segments: Matrix | None
    systems: Vector

    def __repr__(self) -> str:
        segments = "" if self.segments is None else f" on {counted(self.segments.shape[1], 'segment')}"
        return f"<scores of {counted(len(self.systems), 'system')}{segments}>"


@dataclass(frozen=True, eq=False, repr=False)
class Judgments(Result):
    """Human scores for systems and segments, and metric scores to compare with them.

    Attributes:
        systems: The systems' names.
        human: The human scores by system and segment, NaN for a missing one.
        human_systems: One human score per system: the mean over its rated segments, unless given.
        metrics: Each metric's scores, by name.
        annotators: Other people's scores by system and segment, by name, NaN for a missing one. Their agreement with
            `human` is a ceiling for metrics.
        subsets: Parts on which some leaderboards compute tasks as well, by name, such as one for each domain.

    Example:
        >>> from refscore.meta import Judgments, agreement
        >>> people = {"a": [4, 2, 5], "b": [3, None, 1]}
        >>> judgments = Judgments.from_scores(people, {"length": {"a": [9, 4, 7], "b": [8, 3, 5]}})
        >>> round(agreement(judgments, "pearson", by="none")["length"], 4)
        0.6862
        >>> print(judgments)
        system   human  ratings  length
        ------  ------  -------  ------
        a       3.6667        3  6.6667
        b       2.0000        2  5.3333
    """

    systems: tuple[str, ...]
    human: Matrix
    human_systems: Vector
    metrics: Mapping[str, MetricScores] = field(default_factory=dict)
    annotators: Mapping[str, Matrix] = field(default_factory=dict)
    subsets: Mapping[str, Judgments] = field(default_factory=dict)

    @classmethod
    def from_scores(
        cls, human: Scores, metrics: Mapping[str, Scores] | None = None, *, lower_is_better: Iterable[str] = ()
    ) -> Judgments:
        """Return judgments from scores by system and segment.

        Args:
            human: The human scores. None and NaN are missing scores.
            metrics: Each metric's scores.
            lower_is_better: The metrics whose lower scores are better. Their scores change sign.
        """
        names = [*_by_name(human, "human")] if isinstance(human, Mapping) else None
        matrix = _matrix(human, names, "human")
        if not np.isfinite(matrix).any():
            raise InputError(Location("human"), "has no scores", "give at least two human scores")
        judgments = cls(tuple(names or map(str, range(1, len(matrix) + 1))), matrix, system_means(matrix))
        check_instance("metrics", metrics or {}, Mapping, "pass a dictionary from names to scores")
        lower, given = set(_names(lower_is_better, "lower_is_better")), metrics or {}
        if unknown := lower - set(given):
            problem, fix = f"has an unknown metric, {min(unknown)!r}", f"the metrics are {', '.join(given)}"
            raise InputError(Location("lower_is_better"), problem, fix)
        for name, scores in given.items():
            judgments = judgments.with_scores(name, scores, higher_is_better=name not in lower)
        return judgments

    @classmethod
    def from_table(
        cls,
        table: Any,
        *,
        human: str = "human",
        system: str = "system",
        segment: str = "segment",
        metrics: Sequence[str] | None = None,
        lower_is_better: Iterable[str] = (),
    ) -> Judgments:
        """Return judgments from a table with one row per system and segment.

        Args:
            table: A pandas or Polars DataFrame, an Arrow table, or a dictionary with columns.
            human: The column with human scores. None and NaN are missing scores.
            system: The column with systems.
            segment: The column with segments: numbers or names.
            metrics: The columns with metrics, by default all others.
            lower_is_better: The metrics whose lower scores are better.

        Example:
            >>> table = {"system": ["a", "a", "b", "b"], "segment": [1, 2, 1, 2], "human": [3, None, 1, 2]}
            >>> judgments = Judgments.from_table({**table, "bleu": [0.4, 0.2, 0.3, 0.1]})
            >>> judgments.systems, judgments.ratings, judgments.metrics["bleu"].segments.tolist()
            (('a', 'b'), 3, [[0.4, 0.2], [0.3, 0.1]])
        """
        # Arrow tables have the columns themselves as `columns`.
        listed = getattr(table, "column_names", getattr(table, "columns", table))
        check_instance("table", listed, Iterable, "pass a DataFrame, an Arrow table or a dictionary of columns")
        names = [str(name) for name in listed]
        chosen = [name for name in names if name not in (human, system, segment)] if metrics is None else list(metrics)
        columns: dict[str, list[Any]] = {}
        for name in (system, segment, human, *chosen):
            if name not in names:
                raise InputError(Location("table"), f"has no column {name!r}", f"it has {', '.join(names)}")
            column = table[name]
            check_instance(f"table[{name!r}]", column, Iterable, "pass a list or a column of a table")
            columns[name] = _listed(column)
            if len(columns[name]) != len(columns[system]):
                problem = f"has {counted(len(columns[name]), 'row')} in the column {name!r}"
                raise InputError(Location("table"), problem, f"the column {system!r} has {len(columns[system]):,}")
        for name in (system, segment):
            wrong = next((value for value in columns[name] if not isinstance(value, Hashable)), None)
            if wrong is not None:
                problem = f"has the {type(wrong).__name__} {wrong!r} in the column {name!r}"
                raise InputError(Location("table"), problem, "name each system and segment with text or a number")
        segments = dict.fromkeys(columns[segment])
        places = [*zip(columns[system], columns[segment], strict=True)]
        if len(set(places)) < len(places):
            twice = next(place for k, place in enumerate(places) if place in places[:k])
            problem = f"has the segment {twice[1]!r} of the system {twice[0]!r} twice"
            raise InputError(Location("table"), problem, "give each output one row")

        def by_system(name: str) -> dict[Any, list[Any]]:
            values = dict(zip(places, columns[name], strict=True))
            return {each: [values.get((each, number)) for number in segments] for each in columns[system]}

        return cls.from_scores(
            by_system(human), {name: by_system(name) for name in chosen}, lower_is_better=lower_is_better
        )

    def with_scores(
        self,
        name: str,
        segments: Scores | None,
        systems: ArrayLike | Mapping[str, float | Sequence[float]] | None = None,
        *,
        higher_is_better: bool = True,
    ) -> Judgments:
        """Return these judgments with one more metric, or with a metric's scores replaced.

        Args:
            name: The metric's name.
            segments: Its scores by system and segment. None if there are only system scores.
            systems: Its system scores, by default means over segments. A dictionary or an array.
            higher_is_better: Whether higher scores are better. Otherwise scores change sign.
        """
        sign = 1.0 if higher_is_better else -1.0
        where = f"metrics[{name!r}]"
        if systems is None and segments is None:
            raise InputError(Location(where), "has no scores", "give scores of segments, of systems, or both")
        matrix = None
        if segments is not None:
            matrix = sign * _matrix(segments, self.systems, where)
            if matrix.shape[1] != self.human.shape[1]:
                problem = f"has {matrix.shape[1]:,} segments, but there are {self.human.shape[1]:,} human scores"
                raise InputError(Location(where), problem, _SAME_SEGMENTS)
            missing = np.argwhere(~np.isfinite(matrix))
            if len(missing):
                system, segment = missing[0].tolist()
                problem = f"has no score for segment {segment} of the system {self.systems[system]!r}"
                raise InputError(Location(where), problem, "metrics must score all segments; only people may not")
        vector = system_means(matrix) if systems is None else sign * _vector(systems, self.systems, where)
        return replace(self, metrics={**self.metrics, name: MetricScores(matrix, vector)})

    def with_annotator(self, name: str, scores: Scores) -> Judgments:
        """Return these judgments with the scores of one more annotator.

        Args:
            name: The annotator's name.
            scores: Scores by system and segment. None and NaN are missing scores.

        Example:
            >>> from refscore.meta import Judgments, rank_metrics
            >>> judgments = Judgments.from_scores([[4, 2, 5], [3, None, 1]], {"m": [[9, 4, 7], [8, 3, 5]]})
            >>> judgments = judgments.with_annotator("second", [[5, 2, 4], [3, 1, None]])
            >>> ranking = rank_metrics(judgments, "pearson", trials=0)
            >>> ranking.ceilings[0].name, round(ranking.ceilings[0].value, 4), ranking.ceilings[0].ratings
            ('second', 0.8, 4)
        """
        where = f"annotators[{name!r}]"
        matrix = _matrix(scores, self.systems, where)
        if matrix.shape != self.human.shape:
            problem = f"has {matrix.shape[1]:,} segments, but there are {self.human.shape[1]:,} human scores"
            raise InputError(Location(where), problem, _SAME_SEGMENTS)
        return replace(self, annotators={**self.annotators, name: matrix})

    def by_annotator(self, name: str) -> Judgments:
        """Return the outputs that both people scored, with an annotator's scores as those of a metric."""
        scores = look_up("annotator", name, self.annotators)
        human = np.where(np.isfinite(scores), self.human, np.nan)
        places = np.flatnonzero(np.isfinite(human).any(axis=1))
        if not len(places):
            raise InputError(None, f"the annotator {name!r} and others have no output in common", "give more scores")
        human, both = human[places], np.where(np.isfinite(human), scores, np.nan)[places]
        # No statistic uses the scores of outputs that only one of them scored.
        scored = {name: MetricScores(np.nan_to_num(both), system_means(both))}
        return Judgments(tuple(self.systems[k] for k in places), human, system_means(human), scored)

    def with_evaluation(
        self,
        evaluation: Evaluation,
        *,
        segment_metrics: Mapping[str, RowMetric[Any]] | None = None,
        threads: int | None = None,
    ) -> Judgments:
        """Return these judgments with scores from an evaluation on the same systems and segments.

        Scores of refscore's metrics are printed ones, from 0 to 100 for most metrics.

        Args:
            evaluation: The evaluation, whose rows must be retained.
            segment_metrics: The metrics for single segments, by label. By default each metric's `for_segments`.
            threads: The number of threads, by default all cores.

        Example:
            >>> import refscore
            >>> from refscore.meta import Judgments, agreement
            >>> outputs = {"a": ["the cat sat", "it rained"], "b": ["cats", "rain"]}
            >>> evaluation = refscore.evaluate(outputs, ["the cat sat", "it rains"], ["chrf"])
            >>> judgments = Judgments.from_scores({"a": [5, 3], "b": [2, 1]}).with_evaluation(evaluation)
            >>> agreement(judgments, "pairwise-accuracy")["chrf"]
            1.0
        """
        check_instance("evaluation", evaluation, Evaluation, "pass what refscore.evaluate returns")
        known = evaluation.systems
        absent = [name for name in self.systems if name not in known]
        if absent:
            raise InputError(None, f"the evaluation has no system {absent[0]!r}", "evaluate every system")
        if evaluation.segments != self.human.shape[1]:
            problem = f"the evaluation has {evaluation.segments:,} segments for {self.human.shape[1]:,} human scores"
            raise InputError(None, problem, _SAME_SEGMENTS)
        judgments = self
        runs = {name: evaluation.only_run(name) for name in self.systems}
        scores = dict(zip(runs, evaluation.scores_of_runs([*runs.values()]), strict=True))
        for label, metric in evaluation.metrics.items():
            single = metric.for_segments() if segment_metrics is None else segment_metrics[label]
            # On the printed scale, scores of text have the bits and so the ties of the programs that they reproduce.
            of_rows = single.printed_values if single.scores_text else single.values
            of_sums = metric.printed_values if metric.scores_text else metric.values
            segments = {
                name: of_rows(evaluation.rows_of_run(label, run), threads=threads) for name, run in runs.items()
            }
            rows = np.stack([by_label[label].row for by_label in scores.values()])
            whole = dict(zip(scores, of_sums(rows)[:, np.newaxis].tolist(), strict=True))
            judgments = judgments.with_scores(label, segments, whole, higher_is_better=metric.higher_is_better)
        return judgments

    def without_systems(self, names: Iterable[str]) -> Judgments:
        """Return these judgments without some systems, such as human translations or outliers."""
        dropped = set(_names(names, "names"))
        self._check_systems(dropped)
        return self.select([name for name in self.systems if name not in dropped])

    def select(self, systems: Sequence[str]) -> Judgments:
        """Return these judgments with only some systems, in this order. Subsets are left out."""
        self._check_systems(_names(systems, "systems"))
        places = [self.systems.index(name) for name in systems]
        metrics = {
            name: MetricScores(None if each.segments is None else each.segments[places], each.systems[places])
            for name, each in self.metrics.items()
        }
        annotators = {name: scores[places] for name, scores in self.annotators.items()}
        return Judgments(tuple(systems), self.human[places], self.human_systems[places], metrics, annotators)

    def select_segments(self, segments: Sequence[int] | NDArray[np.integer[Any]]) -> Judgments:
        """Return these judgments with only some segments, in this order. System scores stay as they are.

        Subsets are left out.
        """
        places = np.asarray(segments)
        metrics = {
            name: replace(each, segments=None if each.segments is None else each.segments[:, places])
            for name, each in self.metrics.items()
        }
        annotators = {name: scores[:, places] for name, scores in self.annotators.items()}
        return replace(self, human=self.human[:, places], metrics=metrics, annotators=annotators, subsets={})

    def _check_systems(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.systems:
                raise InputError(None, f"there is no system {name!r}", f"the systems are {', '.join(self.systems)}")

    @property
    def ratings(self) -> int:
        """How many human scores there are."""
        return int(np.isfinite(self.human).sum())

    def table(self, *, digits: int | None = None) -> Table:
        """Return each system's human score, ratings and metric scores, with 4 decimals by default."""
        digits = 4 if digits is None else digits
        scores = [self.human_systems, *(each.systems for each in self.metrics.values())]
        ratings = np.isfinite(self.human).sum(axis=1).tolist()
        rows = []
        for name, count, values in zip(self.systems, ratings, np.transpose(scores).tolist(), strict=True):
            human, *others = ["–" if np.isnan(value) else f"{value:.{digits}f}" for value in values]
            rows.append([name, human, f"{count:,}", *others])
        titles = ("human", "ratings", *self.metrics)
        return Table("", [Column("system"), *(Column(title, "right") for title in titles)], rows)

    def __repr__(self) -> str:
        shape = f"{counted(len(self.systems), 'system')} on {counted(self.human.shape[1], 'segment')}"
        return f"<judgments of {shape}: {counted(self.ratings, 'rating')}, {counted(len(self.metrics), 'metric')}>"


def judge_evaluation(evaluation: Evaluation, human: Scores, *, threads: int | None = None) -> Judgments:
    """Return human scores for an evaluation's systems, with its metrics' scores.

    Args:
        evaluation: The evaluation, whose rows must be retained.
        human: The human scores. None and NaN are missing scores.
        threads: The number of threads, by default all cores.
    """
    check_instance("evaluation", evaluation, Evaluation, "pass what refscore.evaluate returns")
    judgments = Judgments.from_scores(human)
    return judgments.with_evaluation(evaluation, segment_metrics=evaluation.segment_metrics, threads=threads)


def _names(names: Iterable[str], where: str) -> list[str]:
    """Return the names as a list. One name as text is most likely a mistake: its characters would be the names."""
    fix = "pass a list of names"
    check_instance(where, names, Iterable, fix)
    if isinstance(names, str):
        raise InputError(Location(where), f"is the text {names!r}", fix)
    return list(names)


def _by_name(scores: Mapping[Any, Any], where: str) -> dict[str, Any]:
    by_name: dict[str, Any] = {}
    for key, values in scores.items():
        if str(key) in by_name:
            raise InputError(Location(where), f"has two systems with the name {str(key)!r}", "rename one of them")
        by_name[str(key)] = values
    return by_name


def _matrix(scores: Any, systems: Sequence[str] | None, where: str) -> Matrix:
    """Return scores as an array, a dictionary's in system order. A number is a row with one score."""
    if isinstance(scores, str) or not hasattr(scores, "__iter__"):
        raise InputError(Location(where), "must have scores of systems", "pass a dictionary or an array")
    if isinstance(scores, Mapping):
        by_name = _by_name(scores, where)
        absent = [name for name in systems or () if name not in by_name]
        if absent:
            raise InputError(
                Location(where), f"has no system {absent[0]!r}", "give every system the same name everywhere"
            )
        scores = [by_name[name] for name in systems or ()]
    rows = [list(row) if hasattr(row, "__iter__") and not isinstance(row, str) else [row] for row in scores]
    if systems is not None and len(rows) != len(systems):
        problem = f"has {len(rows)} systems, but there are human scores of {len(systems)}"
        raise InputError(Location(where), problem, "give scores of the same systems, in the same order")
    lengths = {len(row) for row in rows}
    if len(lengths) != 1 or 0 in lengths:
        problem = "is empty" if lengths <= {0} else f"has systems with {min(lengths)} and {max(lengths)} segments"
        raise InputError(Location(where), problem, "give one score per system and segment")
    try:
        matrix = np.array([[np.nan if score is None else score for score in row] for row in rows], dtype=np.float64)
    except OverflowError:
        raise InputError(Location(where), "has a number that is too large", "use None for a missing score") from None
    except (TypeError, ValueError):
        raise InputError(Location(where), "must have numbers", "use None for a missing score") from None
    if matrix.ndim != 2:
        raise InputError(Location(where), "has lists as scores", "give one number per system and segment")
    if np.isinf(matrix).any():
        raise InputError(Location(where), "has an infinite score", "use None for a missing score")
    return matrix


def _vector(scores: Any, systems: Sequence[str], where: str) -> Vector:
    matrix = _matrix(scores, systems, where)
    if matrix.shape[1] != 1:
        problem = f"has {matrix.shape[1]:,} scores of the system {systems[0]!r}"
        raise InputError(Location(where), problem, "give one score per system, or pass scores of segments")
    missing = np.flatnonzero(np.isnan(matrix[:, 0]))
    if len(missing):
        problem = f"has no score of the system {systems[missing[0]]!r}"
        raise InputError(Location(where), problem, "metrics must score all systems")
    return matrix[:, 0]


def _listed(column: Any) -> list[Any]:
    for method in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, method):
            values: list[Any] = getattr(column, method)()
            return values
    return list(column)


def system_means(scores: Any) -> Vector:
    """Return each system's mean, or NaN without scores. The order of segments does not change a bit."""
    is_given = np.isfinite(scores)
    counts = is_given.sum(axis=1)
    numbers = np.where(is_given, scores, 0.0).T
    means = sum_rows(numbers) / np.maximum(counts, 1)
    if np.isinf(means).any():  # only the sum is too large: add numbers with smaller exponents
        smaller = sum_rows(numbers * 2.0**-60) / np.maximum(counts, 1) * 2.0**60
        means = np.where(np.isinf(means), smaller, means)
    # The mean of equal scores must not depend on their number, but a quotient is rounded.
    lowest = np.min(scores, axis=1, where=is_given, initial=np.inf)
    highest = np.max(scores, axis=1, where=is_given, initial=-np.inf)
    means = np.where(lowest == highest, lowest, means)
    return _merge_equal(np.where(counts > 0, means, np.nan), np.abs(scores).max(initial=0, where=is_given))


def _merge_equal(means: Vector, largest: float) -> Vector:
    """Return means in which those that differ only by the rounding of scores are equal, so ties survive scaling."""
    order = np.argsort(means, kind="stable")
    merged = means[order]
    for k in range(1, len(merged)):
        if merged[k] - means[order[k - 1]] <= _ROUNDINGS * np.spacing(largest):
            merged[k] = merged[k - 1]
    result = np.empty_like(means)
    result[order] = merged
    return result
