"""Evaluate the files of systems, block by block."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager, closing
from functools import partial
from typing import Any

from refscore.cli.given_options import GivenScores
from refscore.cli.inputs import Inputs
from refscore.cli.progress import ProgressBar
from refscore.evaluation import Evaluation
from refscore.evaluation.prefetch import prefetch
from refscore.evaluation.retained_rows import Retain
from refscore.evaluation.scoring import Block, fitted_metrics
from refscore.metrics import Metric, RowMetric, Rows, metric_titles

Take = Callable[[Evaluation, Mapping[str, Rows]], object]
GivenRows = Mapping[str, Mapping[str, "list[Rows]"]]


def evaluate_files(
    inputs: Inputs,
    metrics: Mapping[str, Metric[Any]],
    segment_metrics: Mapping[str, RowMetric[Any]],
    progress: ProgressBar,
    *,
    retain: Retain,
    threads: int | None,
    take: Take | None = None,
    given: GivenScores | None = None,
) -> Evaluation:
    """Read all files once and evaluate them block by block.

    Only one block is in memory, and all rows if they are retained. All segments are in memory if a metric must see all
    references first, or if there are `given` scores, which are checked before any scoring. `take` is called for each
    block with the evaluation and the rows by key.
    """
    blocks: Iterable[Block] = inputs.blocks()
    if given is not None or any(metric.needs_fit for metric in metrics.values()):
        blocks = [*blocks]
    evaluation, given_rows = _start(inputs, metrics, segment_metrics, blocks, retain, given)
    with closing(prefetch_blocks(blocks, threads)) as unread:
        for block in unread:
            taking = None if take is None else partial(take, evaluation)
            _add(evaluation, inputs, block, given_rows, threads, taking)
            progress.show(block.begin + len(block), block.fraction)
    return evaluation


def evaluate_texts(
    inputs: Inputs,
    metrics: Mapping[str, Metric[Any]],
    segment_metrics: Mapping[str, RowMetric[Any]],
    *,
    quiet: bool,
    threads: int | None,
    given: GivenScores | None = None,
) -> Evaluation:
    """Read all files into memory and evaluate them, for views that show texts."""
    block = inputs.read_all(quiet=quiet)
    evaluation, given_rows = _start(inputs, metrics, segment_metrics, [block], "rows", given)
    _add(evaluation, inputs, block, given_rows, threads)
    evaluation.texts = block
    return evaluation


def _start(
    inputs: Inputs,
    metrics: Mapping[str, Metric[Any]],
    segment_metrics: Mapping[str, RowMetric[Any]],
    blocks: Iterable[Block],
    retain: Retain,
    given: GivenScores | None,
) -> tuple[Evaluation, GivenRows]:
    """Return an evaluation without segments, and the rows of given scores. Blocks are in memory if one needs them."""
    fitted: dict[str, RowMetric[Any]] = {**metrics}
    if any(metric.needs_fit for metric in metrics.values()):
        with inputs.errors_located():
            fitted = fitted_metrics(metrics, [entry for block in blocks for entry in block.references])
    given_rows = {} if given is None else given.rows(inputs.segments)
    all_metrics = {**fitted, **({} if given is None else given.metrics)}
    evaluation = Evaluation(all_metrics, [system.name for system in inputs.systems], retain=retain)
    evaluation.segment_metrics = {
        label: metric if fitted.get(label) != metrics.get(label) else segment_metrics.get(label, metric)
        for label, metric in all_metrics.items()
    }
    evaluation.titles = metric_titles(all_metrics)
    evaluation.notes["files"] = [system.file for system in inputs.systems]
    if inputs.resegmentation is not None:
        evaluation.notes["resegmentation"] = inputs.resegmentation
    return evaluation, given_rows


def _add(
    evaluation: Evaluation,
    inputs: Inputs,
    block: Block,
    given_rows: GivenRows,
    threads: int | None,
    take: Callable[[Mapping[str, Rows]], object] | None = None,
) -> None:
    part = slice(block.begin, block.begin + len(block))
    rows = {
        label: {name: [table[part] for table in tables] for name, tables in by_system.items()}
        for label, by_system in given_rows.items()
    }

    def located(metric: Metric[Any], run: int) -> AbstractContextManager[None]:
        return inputs.errors_located(begin=block.begin, system=run)

    evaluation.add_block(block, located, rows=rows, threads=threads, take=take)


def prefetch_blocks(blocks: Iterable[Block], threads: int | None) -> Generator[Block, None, None]:
    """Yield the blocks. With more than one thread, read the next block while the caller scores one."""
    yield from blocks if threads == 1 else prefetch(blocks)
