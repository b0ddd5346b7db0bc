"""Score the files of several systems with several metrics."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from refscore.accumulation.retained_rows import GrowingRows
from refscore.cli.given_options import GivenScores
from refscore.cli.inputs import Block, Inputs
from refscore.cli.progress import ProgressBar
from refscore.cli.systems import System
from refscore.data_warnings import DataWarning
from refscore.metrics import (
    Metric,
    PreparedReferences,
    Reading,
    Rows,
    RowSum,
    Score,
    check_data,
    check_scores,
    with_zeros,
)
from refscore.readers import prefetch


@dataclass(frozen=True)
class SystemResult:
    """The scores of a system by the metrics' labels, and its rows if `keep_rows` is set."""

    system: System
    scores: Mapping[str, Score]
    rows: Mapping[str, Rows]


@dataclass(frozen=True)
class Results:
    """The results of all systems, the number of segments, the (fitted) metrics, and the warnings about the data."""

    segments: int
    metrics: Mapping[str, Metric[Any]]
    systems: list[SystemResult]
    units: list[Any] | None
    warnings: list[DataWarning] = field(default_factory=list)
    resegmentation: str | None = None
    """The settings of the re-segmentation, if there is one."""


def score_systems(
    inputs: Inputs,
    metrics: Mapping[str, Metric[Any]],
    progress: ProgressBar,
    *,
    keep_rows: bool,
    threads: int | None,
    skip_option: str | None = None,
    take_rows: Callable[[Mapping[str, Metric[Any]], int, Mapping[str, Rows]], None] | None = None,
    given: GivenScores | None = None,
) -> Results:
    """Read all files once and score them block by block.

    Only one block is in memory, and all rows with `keep_rows`. All segments are in memory if a metric must see all
    references first, or if there are `given` scores, which are checked before any scoring. `skip_option` is the
    command's option for skipping empty references. `take_rows` is called for each block and system with the metrics,
    the index of the system and its rows by label.
    """
    blocks = inputs.blocks()
    if given is not None or any(metric.needs_fit for metric in metrics.values()):
        blocks_in_memory = list(blocks)
        references = [entry for block in blocks_in_memory for entry in block.references]
        with inputs.errors_located(metrics.values(), skip_option=skip_option):
            metrics = {
                label: metric.fit(references) if metric.needs_fit else metric for label, metric in metrics.items()
            }
        blocks = iter(blocks_in_memory)
    text_metrics, given_rows = metrics, {}
    if given is not None:
        given_rows = given.rows(inputs.segments)
        metrics = {**metrics, **given.metrics}
    keys = [(index, label) for index in range(len(inputs.systems)) for label in metrics]
    sums = {(index, label): RowSum(len(metrics[label].columns), metrics[label].row_type) for index, label in keys}
    all_rows = {
        (index, label): GrowingRows(len(metrics[label].columns), metrics[label].row_type)
        for index, label in keys
        if keep_rows
    }
    units: list[Any] = []
    found: list[DataWarning] = []
    with closing(prefetch_blocks(blocks, threads)) as unread:
        for block in unread:
            if block.begin == 0:
                found = check_block(block, text_metrics.values(), inputs.systems)
            block_rows: dict[int, dict[str, Rows]] = {index: {} for index in range(len(inputs.systems))}
            part = slice(block.begin, block.begin + len(block.hypotheses[0]))
            of_given = ((index, label, rows[part]) for (index, label), rows in given_rows.items())
            of_texts = score_block(block, text_metrics, inputs, threads, skip_option)
            for index, label, rows in chain(of_texts, of_given):
                sums[index, label].add(rows)
                block_rows[index][label] = rows
                if keep_rows:
                    all_rows[index, label].add(rows)
            if take_rows is not None:
                for index, rows_by_label in block_rows.items():
                    take_rows(metrics, index, rows_by_label)
            units += block.units or []
            progress.show(block.begin + len(block.hypotheses[0]), block.fraction)
    results = [
        SystemResult(
            system,
            {
                label: metric.score(sums[index, label].row, references=inputs.reference_counts)
                for label, metric in metrics.items()
            },
            {label: all_rows[index, label].joined() for label in metrics} if keep_rows else {},
        )
        for index, system in enumerate(inputs.systems)
    ]
    checked = (result.scores[label] for result in results for label in text_metrics)
    zeros = check_scores(checked, inputs.segments)
    found = with_zeros(found, zeros)
    return Results(inputs.segments, metrics, results, units or None, found, inputs.resegmentation)


def check_block(block: Block, metrics: Iterable[Metric[Any]], systems: Sequence[System]) -> list[DataWarning]:
    """Return the warnings about the first block, which is a megabyte of each file or the whole."""
    outputs: dict[str, Any] = {}
    for system, hypotheses in zip(systems, block.hypotheses, strict=True):
        outputs.setdefault(system.name if len(systems) > 1 else "", hypotheses)
    return check_data([*metrics], outputs, block.references)


def prefetch_blocks(blocks: Iterable[Block], threads: int | None) -> Generator[Block, None, None]:
    """Yield the blocks. With more than one thread, read the next block while the caller scores one."""
    yield from blocks if threads == 1 else prefetch(blocks)


def score_block(
    block: Block,
    metrics: Mapping[str, Metric[Any]],
    inputs: Inputs,
    threads: int | None,
    skip_option: str | None = None,
) -> Iterator[tuple[int, str, Rows]]:
    """Yield the rows of a block for each system and metric. References are tokenized once for all systems."""
    prepared: dict[Reading, PreparedReferences] = {}
    for label, metric in metrics.items():
        targets: Any = block.references
        sources: Any = block.source
        for index, hypotheses in enumerate(block.hypotheses):
            with inputs.errors_located([metric], begin=block.begin, system=index, skip_option=skip_option):
                if len(block.hypotheses) > 1:
                    if metric.reading not in prepared:
                        prepared[metric.reading] = metric.prepare(targets, sources=sources)
                    targets, sources = prepared[metric.reading], None
                rows = metric.stats(hypotheses, targets, sources=sources, threads=threads)
            yield index, label, rows
