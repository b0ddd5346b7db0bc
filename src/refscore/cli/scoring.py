"""Systems scored by several metrics: files in, rows and scores out."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from refscore.accumulation.kept import GrowingRows
from refscore.cli.inputs import Block, Inputs
from refscore.cli.progress import Work
from refscore.cli.systems import System
from refscore.errors import EmptyReferenceError, InputError, LimitError
from refscore.metrics import NIST, Metric, Score
from refscore.metrics.core.prepared import PreparedReferences, Reading
from refscore.metrics.core.score import Rows
from refscore.readers import ahead


@dataclass(frozen=True)
class SystemResult:
    """The scores of a system under the metrics' labels, and its rows where they were to be kept."""

    system: System
    scores: Mapping[str, Score]
    rows: Mapping[str, Rows]


@dataclass(frozen=True)
class Results:
    """What was scored: how many segments, by which metrics (fitted where they have to be), and how."""

    segments: int
    metrics: Mapping[str, Metric[Any]]
    systems: list[SystemResult]
    units: list[Any] | None


def score_systems(
    inputs: Inputs,
    metrics: Mapping[str, Metric[Any]],
    work: Work,
    *,
    keep_rows: bool,
    threads: int | None,
    skip_option: str | None = None,
) -> Results:
    """Reads all files once and scores them block by block; memory is that of a block, and of the rows if kept.

    A metric that has to see all references first (NIST) makes it read all files before it scores.

    Args:
        inputs: The files.
        metrics: The metrics under their labels.
        work: Is told how far it is.
        keep_rows: Whether the rows of all segments are kept, not only their sums.
        threads: How many to use; all cores by default.
        skip_option: The command's own option that leaves empty references out.
    """
    blocks = inputs.blocks()
    if any(isinstance(metric, NIST) and metric.information is None for metric in metrics.values()):
        held = list(blocks)
        references = [entry for block in held for entry in block.references]
        metrics = {
            label: metric.fit(references) if isinstance(metric, NIST) and metric.information is None else metric
            for label, metric in metrics.items()
        }
        blocks = iter(held)
    places = [(index, label) for index in range(len(inputs.systems)) for label in metrics]
    kept = {
        place: GrowingRows(len(metrics[place[1]].columns), metrics[place[1]].row_type) for place in places if keep_rows
    }
    sums: dict[tuple[int, str], Rows] = {}
    units: list[Any] = []
    with closing(read_ahead(blocks, threads)) as left:
        for block in left:
            for index, label, rows in rows_of(block, metrics, inputs, threads, skip_option):
                place = index, label
                total = rows.sum(0)
                sums[place] = sums[place] + total if place in sums else total
                if keep_rows:
                    kept[place].add(rows)
            units += block.units or []
            work.show(block.begin + len(block.hypotheses[0]), block.fraction)
    return Results(
        inputs.segments,
        metrics,
        [
            SystemResult(
                system,
                {
                    label: metric.score(sums[index, label], references=inputs.reference_counts)
                    for label, metric in metrics.items()
                },
                {label: kept[index, label].joined() for label in metrics} if keep_rows else {},
            )
            for index, system in enumerate(inputs.systems)
        ],
        units or None,
    )


def read_ahead(blocks: Iterable[Block], threads: int | None) -> Generator[Block, None, None]:
    """The blocks, read while others are scored unless all is to be done in one thread."""
    if threads == 1:
        yield from blocks
    else:
        yield from ahead(blocks)


def rows_of(
    block: Block, metrics: Mapping[str, Metric[Any]], inputs: Inputs, threads: int | None, skip_option: str | None
) -> Iterator[tuple[int, str, Rows]]:
    """The rows of a block: of each system by each metric; references are read once for all systems."""
    prepared: dict[Reading, PreparedReferences] = {}
    index = 0
    for label, metric in metrics.items():
        try:
            references: Any = block.references
            if len(block.hypotheses) > 1:
                if metric.reading not in prepared:
                    prepared[metric.reading] = metric.prepare(references)
                references = prepared[metric.reading]
            for index, hypotheses in enumerate(block.hypotheses):
                yield index, label, metric.stats(hypotheses, references, threads=threads)
        except EmptyReferenceError as error:
            place = inputs.place_of_reference(block.begin + error.segment, error.reference)
            option = skip_option or f"--set {metric.name}.empty_reference=skip"
            raise InputError(
                None,
                f"{place} is empty, and {metric.title} needs words in references: "
                f"leave empty ones out with {option}, or fill it in",
            ) from None
        except LimitError as error:
            segment, is_reference = block.begin + error.segment, error.place.startswith("references")
            place = (
                inputs.place_of_reference(segment, error.reference or 0)
                if is_reference
                else inputs.place_of_hypothesis(index, segment)
            )
            raise InputError(None, f"{place} {error.problem.replace('max_', '--max-')}") from None
