"""Ray: scores of segments as columns of a dataset, and scores of corpora by groups.

    refscore.engines.ray.with_scores(dataset, "hyp", "ref", ["bleu", "chrf"]).write_parquet(…)
    refscore.engines.ray.corpus(dataset, "hyp", "ref", ["bleu", "chrf"], score_by=["lang", "domain"])

Tasks are functions of the dataset's blocks, as Arrow tables. What comes back to the driver are sums of rows, one for
each block or group. What a task was doing when its node went down, Ray does again elsewhere. Workers need refscore in
the environment of their Python.
"""

from __future__ import annotations

import logging
import pickle
import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from refscore.accumulation import Accumulator
from refscore.engines.tasks import Task, corpus_table, in_order
from refscore.errors import InputError, NotInstalledError, RefscoreError
from refscore.frames import arrow
from refscore.frames.metrics import Metrics
from refscore.frames.sums import STEP, check_some
from refscore.metrics.core.runner import kernel_threads

try:
    import pyarrow as pa
    import ray
    import ray.data
    from ray.exceptions import RayError, UserCodeException
except ImportError:
    raise NotInstalledError("refscore.engines.ray needs packages: pip install 'refscore[ray]'") from None

# What a task sends: its part of the result, or the error that kept it from making one. Bytes, since Ray may change the
# types of columns and drop their metadata.
_SENT = pa.schema([("part", pa.large_binary()), ("error", pa.large_binary())])

# So many parts are merged at a time, so that they never fill the memory of the driver.
_PARTS = 64


class BlockError(UserCodeException, InputError):  # type: ignore[misc, unused-ignore]
    """An `InputError` in a block of a dataset, of a kind that Ray takes for a mistake in the data, and not its own.

    Example:
        >>> issubclass(BlockError, InputError)
        True
    """


def with_scores(
    dataset: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    threads: int | None = 1,
) -> ray.data.Dataset:
    """The dataset with a column of segment scores for each metric. As usual in Ray, they are made when asked for.

    Args:
        dataset: A dataset of Ray.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your
            own. By its name alone, BLEU is sacrebleu's `sentence_bleu`.
        threads: How many each task uses; Ray gives it so many CPUs, so that no node may have fewer. With None it is
            all cores of the node, for the price of one CPU.

    Returns:
        The dataset with columns of float64 at its end. What its blocks have that cannot be scored is an `InputError`
        when they are.

    Example:
        >>> import ray
        >>> from refscore import engines
        >>> dataset = ray.data.from_items([{"hyp": "a cat", "ref": "the cat"}, {"hyp": "a dog", "ref": "a dog"}])
        >>> made = engines.ray.with_scores(dataset, "hyp", "ref", "wer")
        >>> sorted(row["wer"] for row in made.iter_rows())
        [0.0, 0.5]
    """
    task = Task.of_segments(hypotheses, references, metrics, threads)
    _checked_schema(dataset, task, new=True)
    return _mapped(dataset, task, lambda block: _with_scores(task, block))


def corpus(
    dataset: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    score_by: str | Iterable[str] | None = None,
    threads: int | None = 1,
) -> pa.Table:
    """The scores of all segments together, or of each group of them.

    Args:
        dataset: A dataset of Ray.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: As for `totals`.
        score_by: The names of the columns that make up groups; by default, all is one group.
        threads: As for `with_scores`.

    Returns:
        A table with a row for each group, sorted, null last: the columns of `score_by`, the number of segments, and a
        column for each metric. Values are as scores' are, from 0 to 1 for most metrics.

    Example:
        >>> import ray
        >>> from refscore import engines
        >>> dataset = ray.data.from_items([{"hyp": "a cat", "ref": "the cat"}, {"hyp": "a dog", "ref": "a dog"}])
        >>> engines.ray.corpus(dataset, "hyp", "ref", "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
        >>> engines.ray.corpus(dataset, "hyp", "ref", "wer", score_by="ref").to_pydict()
        {'ref': ['a dog', 'the cat'], 'segments': [1, 1], 'wer': [0.0, 0.5]}
    """
    task = Task.of_corpus(hypotheses, references, metrics, score_by, threads)
    if task.score_by:
        return arrow.score(_totals_of(dataset, task), task.metrics)
    return corpus_table(_accumulated(dataset, task))


def totals(
    dataset: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    score_by: str | Iterable[str] | None = None,
    threads: int | None = 1,
) -> pa.Table:
    """The sums of the segments' rows, by groups, as `refscore.frames.arrow.totals` gives them.

    Args:
        dataset: A dataset of Ray.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your own.
            NIST is fitted first, on the driver: `NIST.fit(references)`.
        score_by: The names of the columns that make up groups; by default, all is one group.
        threads: As for `with_scores`.

    Returns:
        A table for `arrow.merge` and `arrow.score`, with a row for each group, sorted, null last.

    Example:
        >>> import ray
        >>> from refscore import engines
        >>> dataset = ray.data.from_items([{"hyp": "a cat", "ref": "the cat"}, {"hyp": "a dog", "ref": "a dog"}])
        >>> engines.ray.totals(dataset, "hyp", "ref", "wer").to_pydict()
        {'segments': [2], 'wer': [[3, 1, 0, 0]]}
    """
    return _totals_of(dataset, Task.of_corpus(hypotheses, references, metrics, score_by, threads))


def accumulate(
    dataset: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    threads: int | None = 1,
) -> Accumulator:
    """All segments in a `refscore.Accumulator`: scores with all their parts, to be saved, or merged with others.

    Args:
        dataset: A dataset of Ray.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: As for `totals`.
        threads: As for `with_scores`.

    Example:
        >>> import ray
        >>> from refscore import engines
        >>> dataset = ray.data.from_items([{"hyp": "a cat", "ref": "the cat"}, {"hyp": "a dog", "ref": "a dog"}])
        >>> engines.ray.accumulate(dataset, "hyp", "ref", "wer").score().percent
        25.0
    """
    return _accumulated(dataset, Task.of_corpus(hypotheses, references, metrics, None, threads))


def read(path: str, *, master: str | None = None) -> ray.data.Dataset:
    """Parquet files, on the cluster that there is or a new one: what `refscore score --engine ray` reads.

    Args:
        path: A file or a folder, wherever Ray can read: on a disk that all nodes have, in S3.
        master: The address of a cluster that runs, as in host:6379 or auto; by default, where Ray's own settings say,
            which is on this machine if they say nothing. If Ray is in use already, it is where it is.

    Example:
        >>> import pyarrow, pyarrow.parquet, tempfile
        >>> from refscore import engines
        >>> table = pyarrow.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     pyarrow.parquet.write_table(table, f"{folder}/segments.parquet")
        ...     engines.ray.corpus(engines.ray.read(folder), "hyp", "ref", "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
    """
    if not ray.is_initialized():
        _check_reachable(master)
        ray.init(master, log_to_driver=False, logging_level=logging.WARNING)
        # Who has not started Ray has not asked for its progress either.
        logging.getLogger("ray.data").setLevel(logging.WARNING)
    try:
        return ray.data.read_parquet(path)
    except (OSError, ValueError) as error:
        raise InputError(None, f"{path} cannot be read as Parquet: {error}") from None


def _check_reachable(master: str | None) -> None:
    """An error for an address where nothing answers: Ray itself would try for many minutes."""
    host, _, port = (master or "").rpartition(":")
    if host and "/" not in host and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
        except (OSError, OverflowError) as error:
            raise InputError(None, f"there is no Ray at {master}: {error}") from None


def _totals_of(dataset: Any, task: Task) -> pa.Table:
    schema = _checked_schema(dataset, task)
    parts = [] if schema is None else [schema.empty_table()]
    for part in _parts(dataset, task, schema, lambda block: _written(task.totals(_with_lists(block, task)))):
        parts.append(pa.ipc.open_stream(part).read_all())
        if len(parts) == _PARTS:
            parts = [_merged(parts, task)]
    check_some(len(parts))
    return in_order(_merged(parts, task), task.score_by)


def _accumulated(dataset: Any, task: Task) -> Accumulator:
    def part_of(block: Any) -> bytes:
        return task.accumulator(_with_lists(block, task).to_batches(max_chunksize=STEP)).to_bytes()

    sums = Accumulator(task.metrics)
    for part in _parts(dataset, task, _checked_schema(dataset, task), part_of):
        sums.merge(Accumulator.from_bytes(part, metrics=task.metrics))
    return sums


def _checked_schema(dataset: Any, task: Task, *, new: bool = False) -> pa.Schema | None:
    """The schema of totals; an error for what can be known before anything is scored.

    There is none for a dataset whose columns would have to be computed first; mistakes are then found by the tasks.
    """
    kernel_threads(task.threads)
    if not isinstance(dataset, ray.data.Dataset):
        raise InputError(None, f"dataset must be a dataset of Ray, not {type(dataset).__name__}")
    known = dataset.schema(fetch_if_missing=False)
    if known is None or not isinstance(known.base_schema, pa.Schema):
        return None
    task.check_names(known.base_schema.names, new=new)
    return task.check_types(_with_lists(known.base_schema.empty_table().select(task.columns), task))


def _parts(dataset: Any, task: Task, schema: Any, make: Callable[[Any], bytes]) -> Iterator[bytes]:
    """What `make` makes of each block, in the order in which tasks end; what it raises is raised here."""

    def sent(block: Any) -> pa.Table:
        part, error = None, None
        try:
            task.check_names(block.schema.names)
            part = make(block)
        except RefscoreError as raised:
            error = pickle.dumps(_placed(raised, block))
        return pa.table([[part], [error]], schema=_SENT)

    needed = dataset if schema is None else dataset.select_columns(task.columns)
    try:
        for batch in _mapped(needed, task, sent).iter_batches(batch_size=None, batch_format="pyarrow"):
            for row in batch.to_pylist():
                if row["error"] is not None:
                    raise pickle.loads(row["error"])
                yield row["part"]
    except RayError as error:
        if "No module named 'refscore" not in str(error):
            raise
        raise NotInstalledError(
            "the workers' Python has no refscore: install refscore[ray] on every node, or name it in "
            "ray.init(runtime_env={'pip': [...]})"
        ) from None


def _mapped(dataset: Any, task: Task, function: Callable[[Any], Any]) -> Any:
    return dataset.map_batches(function, batch_size=None, batch_format="pyarrow", num_cpus=task.threads or 1)


def _with_scores(task: Task, block: Any) -> Any:
    try:
        task.check_names(block.schema.names, new=True)
        made = arrow.with_scores(
            _with_lists(block, task).select(task.columns),
            task.hypotheses,
            task.references,
            task.metrics,
            threads=task.threads,
        )
    except RefscoreError as error:
        # Else Ray puts an error of its own in the place of this one. It holds for this task alone.
        ray.data.DataContext.get_current().raise_original_map_exception = True
        raise BlockError(str(_placed(error, block))) from None
    for label in task.metrics:
        block = block.append_column(label, made[label])
    return block


def _with_lists(block: Any, task: Task) -> Any:
    """The block with lists where Ray has made tensors: it keeps arrays of numbers so, and token ids with them."""
    for place, field in enumerate(block.schema):
        stored = getattr(field.type, "storage_type", None)
        if field.name in task.columns and stored is not None and pa.types.is_struct(stored):
            chunks = [chunk.storage.field("data") for chunk in block.column(place).chunks]
            block = block.set_column(place, field.name, pa.chunked_array(chunks, stored.field("data").type))
    return block


def _placed(error: RefscoreError, block: Any) -> RefscoreError:
    """The error, which says what its numbers count from."""
    if not isinstance(error, InputError):
        return error
    return InputError(None, f"in a block of {block.num_rows} rows, counted from its first: {error}")


def _written(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def _merged(parts: list[Any], task: Task) -> pa.Table:
    """Totals together. A column of groups is of no certain type in a block where all of it is null."""
    by = list(task.score_by)
    try:
        keys = pa.unify_schemas([part.select(by).schema for part in parts], promote_options="permissive")
    except pa.ArrowTypeError as error:
        raise InputError(None, f"score_by names a column whose type is not the same in all blocks: {error}") from None
    for place, field in enumerate(keys):
        parts = [part.set_column(place, field, part[field.name].cast(field.type)) for part in parts]
    return arrow.merge(parts)
