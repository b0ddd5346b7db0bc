"""The loop that scores segments: every way in produces blocks, and every block becomes rows here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from refscore.errors import InputError, Location
from refscore.evaluation.digests import Digests
from refscore.inputs import Input, read_side
from refscore.metrics import (
    Metric,
    ParsedMetrics,
    PreparedReferences,
    Reading,
    RowMetric,
    Rows,
    RowSum,
    add_rows,
    rows_and_counts,
)
from refscore.progress import Progress

Counts: TypeAlias = "tuple[int, int]"
Key: TypeAlias = "tuple[int, str]"  # of rows: the run and the label of the metric
Labels: TypeAlias = "Sequence[Hashable]"


@dataclass(frozen=True)
class Block:
    """Consecutive segments: the hypotheses of each run, and the references of each segment.

    Attributes:
        hypotheses: The texts or token sequences of each run.
        references: One entry per segment, or prepared references.
        sources: The source of each segment, if there are any.
        units: The label of each segment's unit, if there are any.
        groups: The labels of each segment, by the name of the grouping.
        sides: The names of the hypotheses of each run in errors.
        begin: The index of the first segment.
        fraction: The part of the input that was read so far, or None if unknown.
        digests: The digests of the texts, if the way in computes them.
        segments: The number of segments.
        inputs: The hypotheses of each run with the references and sources.
    """

    hypotheses: Sequence[Any]
    references: Any = None
    sources: Any = None
    units: Labels | None = None
    groups: Mapping[str, Labels] = field(default_factory=dict)
    sides: Sequence[str] = ()
    begin: int = 0
    fraction: float | None = None
    digests: Digests | None = None
    segments: int = field(init=False)
    inputs: Sequence[Input] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        inputs = [Input(hypotheses, self.references, self.sources) for hypotheses in self.hypotheses]
        side = inputs[0].hypotheses if inputs else read_side(self.references)  # no hypotheses: all systems are records
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "segments", side.size or 0)

    def after(self, skipped: int) -> Block:
        """Return the block without its first segments."""
        labels = {name: each[skipped:] for name, each in self.groups.items()}
        sides = [given.after(skipped) for given in self.inputs]
        return replace(
            self,
            hypotheses=[hypotheses for hypotheses, _, _ in sides],
            references=sides[0][1],
            sources=sides[0][2],
            units=None if self.units is None else self.units[skipped:],
            groups=labels,
            begin=self.begin + skipped,
        )

    def with_digests(self) -> Block:
        """Return the block with the digests of its texts."""
        return replace(self, digests=Digests.compute(self.hypotheses, self.references, self.sources))

    def locate(self, location: Location, run: int) -> Location:
        """Return the location with the name of a run's hypotheses."""
        return location.on_sides(hypotheses=self.sides[run] if self.sides else "hypotheses")


Locate: TypeAlias = "Callable[[Location, int], Location]"


def score_block(
    block: Block,
    metrics: Mapping[str, Metric[Any]],
    locate: Locate,
    threads: int | None,
    sums: Mapping[Key, RowSum] | None = None,
    progress: Progress | None = None,
) -> tuple[dict[Key, Rows], Counts | None]:
    """Return the rows of a block by key, and the smallest and largest number of references of a segment if known.

    With `sums`, add the rows to the sum with their key instead, without storing them. References are prepared once for
    all runs, and shared by metrics that read text in the same way.
    """
    prepared: dict[Reading, PreparedReferences] = {}
    rows: dict[Key, Rows] = {}
    counts: list[Counts] = []
    done = 0
    share = len(block.inputs) > 1 and not block.inputs[0].references.is_prepared
    for label, metric in metrics.items():
        shares = share and metric.needs_references
        for run, read in enumerate(block.inputs):
            given = read
            name = run, label
            try:
                if shares:
                    if metric.reading not in prepared:
                        prepared[metric.reading] = metric.prepare(block.references, sources=block.sources)
                    given = Input(read.hypotheses, prepared[metric.reading])
                elif not metric.needs_references:
                    given = Input(read.hypotheses, None, read.sources)
                if sums is None:
                    rows[name], count = rows_and_counts(metric, given, threads)
                else:
                    count = add_rows(metric, given, threads, sums[name])
            except InputError as error:
                if error.location is None:
                    raise
                raise error.at(locate(error.location, run)) from None
            counts += [count] * metric.needs_references
            if progress is not None:
                done += 1
                progress("scoring", done, len(metrics) * len(block.inputs))
    return rows, counts[0] if counts else None


def text_metrics(metrics: Mapping[str, RowMetric[Any]]) -> dict[str, Metric[Any]]:
    return {label: metric for label, metric in metrics.items() if isinstance(metric, Metric)}


def fitted_metrics(metrics: Mapping[str, RowMetric[Any]], references: Any) -> ParsedMetrics:
    """Return the metrics, with weights from the references for those that need them."""
    if not any(metric.needs_fit for metric in metrics.values()):
        return ParsedMetrics(metrics)
    side = read_side(references)
    values = references if side.is_prepared else side.value
    return ParsedMetrics(
        (label, metric.fit(values) if isinstance(metric, Metric) and metric.needs_fit else metric)
        for label, metric in metrics.items()
    )
