"""An evaluation: rows by system and metric. Every way in makes one, and everything shown is a view of one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refscore._version import __version__
from refscore.cached import cached_property
from refscore.data_warnings import DataWarning, is_checked, issue
from refscore.errors import InputError, Location, SettingError, UnknownNameError, relocated
from refscore.evaluation.choosing import choose, join_systems
from refscore.evaluation.digests import Digest, Digests
from refscore.evaluation.retained_rows import Retain, retain_rows
from refscore.evaluation.saved_state import check_counts
from refscore.evaluation.scoring import Block, Counts, Key, Locate, score_block, text_metrics
from refscore.evaluation.systems import check_labels, check_names, check_rows_of_runs, read_batch
from refscore.evaluation.views import Views
from refscore.inputs import Groups, Hypotheses, Labels, References, Side, Sources, Systems
from refscore.metrics import (
    DEFAULT_METRICS,
    Metric,
    RowMetric,
    Rows,
    RowSum,
    Score,
    check_data,
    metric_titles,
    parse_row_metrics,
    text_metric,
    with_scores,
)
from refscore.progress import Progress
from refscore.settings import whole_number

if TYPE_CHECKING:
    from refscore.metrics import MetricChoices

_MOST_SEED = (1 << 128) - 1
# The name of a system that has none.
UNNAMED = "system"


class ScoresByLabel(dict[str, Score]):
    """Scores by the labels of metrics."""

    def __missing__(self, label: str) -> Score:
        raise UnknownNameError.suggest("metric", label, self)


class Evaluation(Views):
    """The rows of systems by several metrics, or only their sums, and everything that can be shown of them.

    `refscore.evaluate` scores texts that are in memory. For a stream, create an evaluation and `add` its batches: the
    scores are the same to the last bit for every split into batches, processes and machines.

    An evaluation is not thread-safe. Use one per thread, and merge them.

    Args:
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        systems: The names of the systems. A name that occurs several times has several runs, such as training runs.
        retain: "sums" retains only one sum per system and metric. For intervals and tests, "rows" retains the rows of
            all segments, and a number the rows of a random sample of this size.
        seed: The seed of the random numbers. Evaluations to be merged need different seeds for their samples.
        choices: The metrics as the user named them, if `metrics` are fitted. Bare names have different settings for
            single segments.

    Attributes:
        metrics: The metrics by label.
        runs: The name of the system of each run.
        segments: The number of segments so far.
        reference_counts: The smallest and largest number of references of a segment, or None if unknown.
        units: The label of each segment's unit, such as its document, for resampling, or None if units are segments.
        groups: The label of each segment by the name of a grouping, such as its domain.
        texts: The texts, if they are in memory: hypotheses of each run, references and sources.
        notes: A dictionary of JSON values that is saved with the rows. "files" has the file of each run, and
            "resegmentation" the settings of a re-segmentation.
        ignored_warnings: The kinds of warnings about the data that are not shown.

    Example:
        >>> import refscore
        >>> evaluation = refscore.Evaluation(["bleu", "chrf++"])
        >>> for batch in (["the cat sat on a mat"], ["it rained all the day", "nobody came"]):
        ...     evaluation.add(batch, batch)
        >>> {label: round(score.percent, 2) for label, score in evaluation.scores().items()}
        {'bleu': 100.0, 'chrf++': 100.0}
        >>> evaluation.segments
        3
    """

    def __init__(
        self,
        metrics: MetricChoices = DEFAULT_METRICS,
        systems: Iterable[str] = (UNNAMED,),
        *,
        retain: Retain = "sums",
        seed: int = 12345,
        choices: MetricChoices | None = None,
    ) -> None:
        chosen = parse_row_metrics(metrics)
        self.metrics: Mapping[str, RowMetric[Any]] = chosen
        self._text_metrics = text_metrics(chosen)
        for metric in self._text_metrics.values():
            metric.check_fitted()
        self._choices = metrics if choices is None else choices
        self.runs = check_names(systems)
        self.segments = 0
        self.reference_counts: Counts | None = None  # None if unknown for some segments
        self.units: list[Hashable] | None = None
        self.groups: dict[str, list[Hashable]] = {}
        self.texts: Block | None = None
        self.notes: dict[str, Any] = {}
        self.ignored_warnings: Iterable[str] = ()
        self._versions = {__version__}
        # None if not computed yet
        self._digests: Digests | None = Digests((Digest(),) * len(self.runs), Digest(), Digest())
        self._found: list[DataWarning] = []
        keyed = {(run, label): metric for run in range(len(self.runs)) for label, metric in self.metrics.items()}
        self._keyed = keyed
        self._sums = {name: RowSum(len(metric.columns), metric.row_type) for name, metric in keyed.items()}
        self._totals = {name: np.zeros(len(metric.columns), metric.row_type) for name, metric in keyed.items()}
        self._scores: dict[tuple[int, str], Score] = {}
        self._retained = retain_rows(keyed, retain, whole_number("seed", seed, 0, _MOST_SEED))

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The names of the metrics in tables, by label."""
        is_labelled = isinstance(self._choices, Mapping)
        return {label: label for label in self.metrics} if is_labelled else metric_titles(self.metrics)

    @cached_property
    def segment_metrics(self) -> Mapping[str, RowMetric[Any]]:
        """The metrics with the settings for single segments, by label. They have the same rows."""
        single = parse_row_metrics(self._choices, for_segments=True)
        unfitted = [label for label, metric in text_metrics(single).items() if metric.needs_fit]
        return {label: self.metrics[label] if label in unfitted else metric for label, metric in single.items()}

    @property
    def systems(self) -> list[str]:
        """The names of the systems."""
        return [*dict.fromkeys(self.runs)]

    @property
    def retain(self) -> Retain:
        """What the evaluation retains: "sums", "rows" or the size of the sample."""
        return "sums" if self._retained is None else self._retained.retain

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of refscore that computed the rows, also in loaded and merged evaluations."""
        return tuple(sorted(self._versions))

    @property
    def files(self) -> list[tuple[str, str]]:
        """The name of the system and the file of each run, empty if they did not come from files."""
        return [*zip(self.runs, self.notes.get("files", ()), strict=False)]

    @property
    def digests(self) -> Digests:
        """The digests of the texts. Those of batches are unknown."""
        if self._digests is None:
            texts = self.texts
            if texts is None:
                return Digests((None,) * len(self.runs))
            self._digests = Digests.compute(texts.hypotheses, texts.references, texts.sources)
        return self._digests

    @property
    def references_digest(self) -> Digest | None:
        """The digest of the references, or None if it is unknown, because they came in batches."""
        return self.digests.references

    @property
    def warnings(self) -> list[DataWarning]:
        """The warnings about the data."""
        if not self.segments:
            return self._shown(self._found)
        by_run = self.scores_of_runs(range(len(self.runs)))
        totals = [scores[label] for label in self._text_metrics for scores in by_run]
        return self._shown(with_scores(self._found, totals, self.segments))

    @property
    def data_warnings(self) -> list[DataWarning]:
        """The warnings about the data without those about scores, which may be only of a part of a corpus."""
        return self._shown(self._found)

    def add_warning(self, warning: DataWarning) -> None:
        """Add a warning that a way in has found in its data."""
        self._found.append(warning)

    def _shown(self, found: Iterable[DataWarning]) -> list[DataWarning]:
        return [warning for warning in found if warning.kind not in self.ignored_warnings]

    def notes_in_words(self) -> list[str]:
        """Return lines for below a table: the re-segmentation, and the versions that computed the rows."""
        lines = [self.notes["resegmentation"]] if "resegmentation" in self.notes else []
        if self.versions != (__version__,):
            lines.append(f"statistics computed by refscore {', '.join(self.versions)}")
        return lines

    def notes_as_json(self) -> dict[str, Any]:
        """Return the re-segmentation and the warnings about the data, if there are any, for JSON output."""
        content = {name: self.notes[name] for name in ("resegmentation",) if name in self.notes}
        found = [warning.to_dict() for warning in self.warnings]
        return {**content, **({"warnings": found} if found else {})}

    def add(
        self,
        hypotheses: Hypotheses | Systems,
        references: References | None = None,
        *,
        sources: Sources = None,
        rows: Mapping[str, ArrayLike | Mapping[str, ArrayLike]] | None = None,
        units: Labels | None = None,
        groups: Groups | None = None,
        threads: int | None = None,
    ) -> None:
        """Score a batch of segments and add it. An error leaves the evaluation unchanged.

        Args:
            hypotheses: One text or token sequence per segment, or a padded batch of token ids. May be empty. With
                several systems, a dictionary with the hypotheses of each system.
            references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
            sources: The source of each segment, for metrics that need it.
            rows: One row of statistics per segment, as an array of shape (segments, columns). A dictionary from labels
                of metrics to their rows, by system if there are several. These metrics do not score the batch.
            units: A label per segment, such as its document. Segments with the same label are resampled together.
            groups: Lists with a label per segment, by the name of the grouping.
            threads: The number of threads, by default all cores.

        Example:
            >>> import refscore
            >>> comet = refscore.Given("comet")
            >>> evaluation = refscore.Evaluation(["wer", comet])
            >>> evaluation.add(["a cat", "a dog"], ["the cat", "a dog"], rows={"comet": comet.stats([0.7, 0.9])})
            >>> {label: round(score.value, 4) for label, score in evaluation.scores().items()}
            {'wer': 0.25, 'comet': 0.8}
        """
        block = read_batch(self.runs, hypotheses, references, sources, threads=threads, units=units, groups=groups)
        self.add_block(block, block.locate, rows=rows, threads=threads)
        if self.segments == block.segments and is_checked():
            issue(self._found)

    def add_block(
        self,
        block: Block,
        locate: Locate,
        *,
        rows: Mapping[str, Any] | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
        take: Callable[[Mapping[Key, Rows]], object] | None = None,
    ) -> None:
        """Score a block and add it.

        Args:
            block: The segments.
            locate: A function from the location of an error and a run to the location for the caller.
            rows: One row of statistics per segment, as an array of shape (segments, columns). By label, as for `add`.
            threads: The number of threads, by default all cores.
            progress: A function called with the name of the current step, the amount of work done and the total.
            take: A function called with the rows by key, for ways in that also write them.
        """
        count = block.segments
        given = check_rows_of_runs(rows, self.metrics, self.runs, count) if rows else {}
        scoring = {label: metric for label, metric in self._text_metrics.items() if (0, label) not in given}
        missing = [label for label in self.metrics if label not in scoring and (0, label) not in given]
        for label in missing:
            text_metric(self.metrics[label])  # raises an error
        found = self._check_data(block, scoring) if self.segments == 0 and count else []
        if self._retained is not None or take is not None:
            scored, counts = score_block(block, scoring, locate, threads, progress=progress)
            all_rows = {name: given[name] if name in given else scored[name] for name in self._keyed}
            self._add_rows(all_rows, count, counts)
            if take is not None:
                take(all_rows)
        else:
            sums = {name: total.copy() for name, total in self._sums.items()}
            for name, array in given.items():
                sums[name].add(array)
            _, counts = score_block(block, scoring, locate, threads, sums, progress)
            self._sums, self._totals = sums, _rounded(sums)
            self._count_segments(count, counts)
        self._found += found
        self._extend_labels(block, count)

    def _check_data(self, block: Block, metrics: Mapping[str, Metric[Any]]) -> list[DataWarning]:
        has_names = len({*self.runs}) > 1
        outputs: dict[str, Side] = {}
        for name, given in zip(self.runs, block.inputs, strict=True):
            outputs.setdefault(name if has_names else "", given.hypotheses)
        return check_data([*metrics.values()], outputs, block.inputs[0].references)

    def add_rows(
        self, rows: ArrayLike | Mapping[str, ArrayLike | Mapping[str, ArrayLike]], *, references: Counts | None = None
    ) -> None:
        """Add rows of `Metric.stats`, for example from a different process.

        Args:
            rows: One row of statistics per segment, as an array of shape (segments, columns). For several metrics, a
                dictionary with one array per label. For several systems, each entry is a dictionary by system.
            references: The smallest and largest number of references per segment, if known. Signatures name them.
        """
        by_label = rows if isinstance(rows, Mapping) else {self._label(None): rows}
        if by_label.keys() != self.metrics.keys():
            raise InputError(
                None, f"rows must have one array each for {', '.join(self.metrics)}, not for {', '.join(by_label)}"
            )
        checked = check_rows_of_runs(by_label, self.metrics, self.runs, None)
        lengths = {len(array) for array in checked.values()}
        if len(lengths) > 1:
            raise InputError(None, f"the arrays in rows have different lengths, {sorted(lengths)}")
        (count,) = lengths
        self._add_rows(checked, count, check_counts(references))
        if count:  # the labels and the texts of these segments are unknown
            self._digests = self.units = self.texts = None
            self.groups = {}

    @classmethod
    def from_rows(
        cls,
        metrics: MetricChoices,
        rows: Mapping[str, Mapping[str, ArrayLike]],
        *,
        references: Counts | None = None,
        units: Labels | None = None,
        groups: Groups | None = None,
        digest: Digest | None = None,
    ) -> Evaluation:
        """Return the evaluation of rows that were computed elsewhere, such as scores of a different program.

        Args:
            metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
            rows: One row of statistics per segment, as an array of shape (segments, columns). By the labels of metrics
                and by system. Several runs have a list of arrays.
            references: The smallest and largest number of references per segment, if known. Signatures name them.
            units: A label per segment, such as its document. Segments with the same label are resampled together.
            groups: Lists with a label per segment, by the name of the grouping.
            digest: The digest of the references, if known. `|` needs it.

        Example:
            >>> import refscore
            >>> comet = refscore.Given("comet")
            >>> rows = {"old": comet.stats([0.5, 0.6]), "new": comet.stats([0.9, 0.8])}
            >>> evaluation = refscore.Evaluation.from_rows(comet, {"comet": rows})
            >>> evaluation["new"]["comet"].value
            0.8500000000000001
        """
        first: Any = next(iter(rows.values()), None)
        if not isinstance(first, Mapping) or not first:
            problem = "must have the rows of each system by the labels of metrics"
            raise InputError(Location("rows"), problem, 'pass {"comet": {"old": array, "new": array}}')
        runs = [name for name, each in first.items() for _ in (each if isinstance(each, list) else [each])]
        evaluation = cls(metrics, runs, retain="rows")
        evaluation.add_rows(rows, references=references)
        labels = check_labels(units, groups, evaluation.segments)
        evaluation.units, evaluation.groups = labels
        evaluation._digests = Digests((None,) * len(runs), digest)
        return evaluation

    def merge(self, other: Evaluation) -> None:
        """Add the segments of a different evaluation of the same systems and metrics. `other` stays unchanged."""
        if not isinstance(other, Evaluation):
            raise InputError(None, f"other must be an evaluation, not {type(other).__name__}")
        if other is self:
            raise InputError(None, "an evaluation cannot be merged with itself", "its segments would count twice")
        self._check_same(other, ("metrics", "runs", "retain"))
        if bool(self.segments) and bool(other.segments) and self.groups.keys() != other.groups.keys():
            raise InputError(None, f"evaluations must have the same groups: {_difference(self.groups, other.groups)}")
        sums = {name: total.copy() for name, total in self._sums.items()}
        for name, total in sums.items():
            total.merge(other._sums[name])
        totals = _rounded(sums)
        if self._retained is not None:
            self._retained.merge(other._retained)  # raises an error for samples that cannot be merged
        known = [each for each in (self, other) if each.segments]
        with_units = all(each.units is not None for each in known) and known
        self.units = [label for each in known for label in each.units or ()] if with_units else None
        names = known[0].groups if known else {}
        self.groups = {name: [label for each in known for label in each.groups[name]] for name in names}
        self._digests = self.digests + other.digests
        self.texts = None
        self._sums, self._totals = sums, totals
        self._count_segments(other.segments, other.reference_counts)
        self._versions |= other._versions
        self._found += [warning for warning in other._found if str(warning) not in map(str, self._found)]

    def __add__(self, other: Evaluation) -> Evaluation:
        """Return the evaluation of these segments, followed by another one's."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        if other is self:
            raise InputError(None, "an evaluation cannot be added to itself", "its segments would count twice")
        joined = self._copy_for(self.runs)
        joined.merge(self)
        joined.merge(other)
        return joined

    def __or__(self, other: Evaluation) -> Evaluation:
        """Return the evaluation of both evaluations' systems, which must have scored the same references."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        self._check_references(other)
        return self.beside(other)

    def beside(self, other: Evaluation) -> Evaluation:
        """Return the evaluation of both evaluations' systems, for callers that know that the references are equal."""
        return join_systems(self, other)

    def _check_references(self, other: Evaluation) -> None:
        """Raise an error unless both evaluations scored the same references, or need none."""
        if not any(metric.needs_references for metric in self.metrics.values()):
            return
        mine, others = self.references_digest, other.references_digest
        if mine is None or others is None:
            fix = "evaluate all systems in one call, or load evaluations that were saved from texts"
            raise InputError(None, "the references of an evaluation are unknown, so they cannot be compared", fix)
        if mine != others:
            problem = f"has different references than the other one: the digests are {others} and {mine}"
            raise InputError(Location("evaluation"), problem, "score both against the same references")

    def _check_same(self, other: Evaluation, names: Sequence[str]) -> None:
        for name in names:
            mine, others = getattr(self, name), getattr(other, name)
            if name == "metrics" and mine != others:
                raise InputError(None, f"evaluations must have the same metrics: {_metric_difference(mine, others)}")
            if mine != others:
                shown = [", ".join(value) if isinstance(value, tuple) else repr(value) for value in (mine, others)]
                word = {"runs": "systems"}.get(name, name)
                problem = f"evaluations must have the same {word}: this one has {shown[0]}, the other {shown[1]}"
                raise InputError(None, problem)

    def _copy_for(self, runs: Sequence[str]) -> Evaluation:
        """Return an evaluation with the same metrics and no segments."""
        copied = type(self)(dict(self.metrics), runs, retain=self.retain, seed=0)
        copied.segment_metrics, copied.titles, copied.notes = self.segment_metrics, self.titles, dict(self.notes)
        copied.ignored_warnings = self.ignored_warnings
        if copied._retained is not None:
            copied._retained.seeds = ()
        return copied

    def consume(
        self,
        batches: Iterable[tuple[Any, ...] | Block],
        *,
        skip: int = 0,
        save_to: str | os.PathLike[str] | None = None,
        every: float = 60.0,
        threads: int | None = None,
    ) -> None:
        """Score all batches of a stream. Unless `threads` is 1, the next batch is prefetched.

        Errors count segments from the beginning of the stream.

        Args:
            batches: Pairs of hypotheses and references, as for `add`. Or triples with the sources last. Or blocks.
            skip: The number of segments to skip, to continue a stream that was scored partly.
            save_to: A file to save to regularly and at the end.
            every: The seconds between saves.
            threads: The number of threads, by default all cores.
        """
        from refscore.evaluation.prefetch import prefetch

        skip = whole_number("skip", skip, 0, None)
        begin, last = self.segments - skip, time.monotonic()
        blocks = (
            batch if isinstance(batch, Block) else read_batch(self.runs, *batch, threads=threads) for batch in batches
        )
        stream = _without_first(skip, blocks)
        with closing(stream if threads == 1 else prefetch(stream)) as stream_left:
            for block in stream_left:
                with relocated(lambda location: location.after(self.segments - begin)):
                    self.add_block(block, block.locate, threads=threads)
                if save_to is not None and time.monotonic() - last >= every:
                    self.save(save_to)
                    last = time.monotonic()
        if save_to is not None:
            self.save(save_to)

    def __getitem__(self, system: str) -> dict[str, Score]:
        """Return the scores of a system by the labels of the metrics."""
        if system not in self.runs and system in self.metrics:
            fix = f"name the system first, as in evaluation[system][{system!r}]"
            raise UnknownNameError(f"{system!r} is a metric: {fix} (there are: {', '.join(self.systems)})")
        return self.scores(system)

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the systems."""
        return iter(self.systems)

    def __contains__(self, system: object) -> bool:
        return system in self.runs

    def score(self, label: str | None = None, system: str | None = None) -> Score:
        """Return the score of a system by a metric. With several metrics or systems, choose one of each."""
        chosen = self._label(label)
        return self.scores_of_runs([self.only_run(system)], chosen)[0][chosen]

    def scores(self, system: str | None = None) -> dict[str, Score]:
        """Return the scores of a system, by label. With several systems, `system` chooses one."""
        return self.scores_of_runs([self.only_run(system)])[0]

    def run_scores(self, label: str | None = None, system: str | None = None) -> list[Score]:
        """Return the score of each run of a system by a metric."""
        chosen = self._label(label)
        return [scores[chosen] for scores in self.scores_of_runs(self.run_indexes(system), chosen)]

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of each metric by label, with the number of references."""
        (scores,) = self.scores_of_runs([0])
        return {label: score.signature for label, score in scores.items()}

    def rows(self, label: str | None = None, system: str | None = None, *, run: int = 0) -> Rows:
        """Return a copy of the retained rows: of all segments in order, or of the sample.

        Args:
            label: The label of a metric. Needed if there are several.
            system: The name of a system. Needed if there are several.
            run: The index of the run of the system.
        """
        indexes = self.run_indexes(system)
        index = indexes[whole_number("run", run, 0, len(indexes) - 1)]
        rows: Rows = self.rows_of_run(self._label(label), index).copy()
        return rows

    def rows_of_run(self, label: str, run: int) -> Rows:
        """Return the retained rows of a run by a metric, without a copy."""
        if self._retained is None:
            fix = "create the evaluation with retain='rows', or retain=100_000 for a sample"
            raise InputError(None, "rows are not retained, only their sums", fix)
        rows: Rows = self._retained.rows((run, label))
        return rows

    def run_indexes(self, system: str | None = None) -> list[int]:
        """Return the indexes of a system's runs among all runs. With several systems, `system` chooses one."""
        if system is None:
            if len(self.systems) > 1:
                raise SettingError(f"there are several systems: choose one of {', '.join(self.systems)}")
            return [*range(len(self.runs))]
        if system not in self.runs:
            raise UnknownNameError.suggest("system", system, self.systems)
        return [run for run, name in enumerate(self.runs) if name == system]

    def only_run(self, system: str | None = None) -> int:
        """Return the index of the run of a system that has only one."""
        indexes = self.run_indexes(system)
        if len(indexes) > 1:
            fix = "use run_scores() for the scores of each run, rows(run=1) for the rows of one, or compare()"
            raise InputError(None, f"{self.runs[indexes[0]]!r} has several runs", fix)
        return indexes[0]

    def select(self, segments: Sequence[int] | NDArray[np.int64]) -> Evaluation:
        """Return the evaluation of only some segments, whose rows must be retained.

        Args:
            segments: The indexes of the segments.
        """
        if self.retain != "rows":
            raise InputError(
                None, "the rows of all segments are needed, but they are not retained", "evaluate with retain='rows'"
            )
        numbers = np.asarray(segments, dtype=np.int64)
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < self.segments:
            raise InputError(Location("segments"), f"has indexes outside of 0 to {self.segments - 1}")
        chosen = self._copy_for(self.runs)
        rows = {name: self._retained.rows(name)[numbers] for name in self._keyed}  # type: ignore[union-attr]
        chosen._add_rows(rows, len(numbers), self.reference_counts)
        indexes = numbers.tolist()
        chosen.units = None if self.units is None else [self.units[k] for k in indexes]
        chosen.groups = {name: [labels[k] for k in indexes] for name, labels in self.groups.items()}
        chosen._digests = None
        return chosen

    def choose(
        self,
        systems: Sequence[str] | Mapping[str, str] | None = None,
        metrics: Sequence[str] | None = None,
        *,
        retain: Literal["sums"] | None = None,
    ) -> Evaluation:
        """Return the evaluation of some systems by some metrics, in the given order.

        Args:
            systems: The names of the systems. A dictionary maps new names to them. All systems by default.
            metrics: The labels of the metrics; all by default.
            retain: "sums" drops the rows.

        Example:
            >>> import refscore
            >>> systems = {"old": ["a cat"], "new": ["the cat"]}
            >>> evaluation = refscore.evaluate(systems, ["the cat"], ["wer", "chrf"])
            >>> evaluation.choose({"night 1": "new"}, ["wer"])
            <evaluation of night 1: 1 segments by wer>
        """
        return choose(self, systems, metrics, retain)

    def save(self, path: str | os.PathLike[str], *, texts: bool = False) -> None:
        """Save the evaluation as a record, usually with the ending .refscore. `refscore.load` reads it.

        An existing file is replaced once the new one is complete. docs/reference/records.md describes the format.

        Args:
            path: The file.
            texts: Save the texts too, which reports need. They must be in memory.
        """
        from refscore.evaluation import saving  # slow to import

        saving.save(self, path, texts=texts)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, metrics: MetricChoices | None = None) -> Evaluation:
        """Load an evaluation from a file.

        Args:
            path: The file.
            metrics: The metrics of the saved evaluation. Needed if a signature cannot describe a metric completely,
                for example if its tokenizer is a function.
        """
        from refscore.evaluation import saving  # slow to import

        location = Location(file=str(path))
        try:
            data = Path(path).read_bytes()
        except (OSError, MemoryError) as error:
            raise InputError(location, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
        return saving.load(cls, data, location, metrics)

    @classmethod
    def resume(
        cls,
        path: str | os.PathLike[str],
        metrics: MetricChoices,
        systems: Iterable[str] = (UNNAMED,),
        *,
        retain: Retain = "sums",
        seed: int = 12345,
    ) -> Evaluation:
        """Load the evaluation from a file, or return a new one if the file does not exist.

        Takes the same options as a new evaluation. The file must have the same metrics, systems and `retain`.
        """
        new = cls(metrics, systems, retain=retain, seed=seed)
        if not os.path.lexists(path):
            return new
        saved = cls.load(path, metrics=new.metrics)
        for name in ("retain", "runs"):
            mine, wanted = getattr(saved, name), getattr(new, name)
            if mine != wanted:
                problem = f"has {'systems' if name == 'runs' else name}={mine!r}, not {wanted!r}"
                raise InputError(Location(file=str(path)), problem, "use the same value, or remove the file")
        return saved

    def to_bytes(self) -> bytes:
        """Return the bytes that `save` writes."""
        from refscore.evaluation import saving  # slow to import

        return saving.to_bytes(self)

    @classmethod
    def from_bytes(cls, data: bytes, *, metrics: MetricChoices | None = None) -> Evaluation:
        """Load an evaluation from the bytes of `to_bytes`. `metrics` is as for `load`."""
        from refscore.evaluation import saving  # slow to import

        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise InputError(None, f"data must be bytes, not {type(data).__name__}")
        return saving.load(cls, bytes(data), Location("data"), metrics)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self).from_bytes, metrics=dict(self.metrics)), (self.to_bytes(),)

    def __repr__(self) -> str:
        sample = f", a sample of {self.retain:,}" if isinstance(self.retain, int) else ""
        systems = "" if self.runs == (UNNAMED,) else f" of {', '.join(self.systems)}"
        return f"<evaluation{systems}: {self.segments:,} segments by {', '.join(self.metrics)}{sample}>"

    def _repr_html_(self) -> str | None:
        return self.summary(intervals=False).render("html") if self.segments else None

    def _label(self, label: str | None) -> str:
        if label is None:
            if len(self.metrics) > 1:
                raise SettingError(f"there are several metrics: choose one of {', '.join(self.metrics)}")
            return next(iter(self.metrics))
        if label not in self.metrics:
            raise UnknownNameError.suggest("metric", label, self.metrics)
        return label

    def scores_of_runs(self, runs: Sequence[int], label: str | None = None) -> list[dict[str, Score]]:
        """Return the scores of runs by label, or those by one metric."""
        if self.segments == 0:
            raise InputError(None, "there are no segments yet", "an empty corpus has no score")
        labels = self.metrics if label is None else (label,)
        for run, each in ((run, each) for run in runs for each in labels):
            if (run, each) not in self._scores:
                total = self._totals[run, each]
                self._scores[run, each] = self.metrics[each].score(total, references=self.reference_counts)
        return [ScoresByLabel((each, self._scores[run, each]) for each in labels) for run in runs]

    def _add_rows(self, rows: Mapping[Key, Rows], count: int, references: Counts | None) -> None:
        sums = {name: total.copy() for name, total in self._sums.items()}
        for name, total in sums.items():
            total.add(rows[name])
        totals = _rounded(sums)
        if self._retained is not None:
            self._retained.add(rows, self.segments)
        self._sums, self._totals = sums, totals
        self._count_segments(count, references)

    def _count_segments(self, count: int, references: Counts | None) -> None:
        if count == 0:
            return
        self._scores = {}
        if self.segments == 0:
            self.reference_counts = references
        elif self.reference_counts is not None and references is not None:
            (fewest, most), (other_fewest, other_most) = self.reference_counts, references
            self.reference_counts = min(fewest, other_fewest), max(most, other_most)
        else:
            self.reference_counts = None
        self.segments += count

    def _extend_labels(self, block: Block, count: int) -> None:
        """Add the labels of a block whose segments are already counted."""
        before = self.segments - count
        if count:
            self.texts = None
            known = self._digests is not None and block.digests is not None
            self._digests = self._digests + block.digests if known else None  # type: ignore[operator]
        if block.units is not None and (self.units is not None or before == 0):
            self.units = [*(self.units or ()), *block.units]
        elif count:
            self.units = None
        if before == 0:
            self.groups = {name: [*labels] for name, labels in block.groups.items()}
        else:
            self.groups = {
                name: [*labels, *block.groups[name]] for name, labels in self.groups.items() if name in block.groups
            }


def _rounded(sums: Mapping[Key, RowSum]) -> dict[Key, Rows]:
    """Return the rounded sums, or raise an error if counts exceed 64 bits."""
    return {key: total.row for key, total in sums.items()}


def _without_first(count: int, blocks: Iterable[Block]) -> Generator[Block, None, None]:
    """Yield the blocks without the first `count` segments."""
    left = count
    for block in blocks:
        skipped = min(left, block.segments)
        left -= skipped
        if skipped < block.segments or not skipped:
            yield block.after(skipped) if skipped else block
    if left:
        raise InputError(
            None, f"cannot skip {count} segments: there are only {count - left}", "pass the same stream again"
        )


def _difference(mine: Iterable[str], others: Iterable[str]) -> str:
    return f"this one has {', '.join(mine) or 'none'}, the other {', '.join(others) or 'none'}"


def _metric_difference(metrics: Mapping[str, RowMetric[Any]], others: Mapping[str, RowMetric[Any]]) -> str:
    if metrics.keys() != others.keys():
        return _difference(metrics, others)
    label = next((label for label in metrics if metrics[label] != others[label]), next(iter(metrics)))
    return f"this one has {metrics[label].signature}, the other {others[label].signature}"
