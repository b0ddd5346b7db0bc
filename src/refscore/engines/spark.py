"""Spark: scores of segments as columns of a DataFrame, and scores of corpora by groups.

    refscore.engines.spark.with_scores(frame, "hyp", "ref", ["bleu", "chrf"]).write.parquet(…)
    refscore.engines.spark.corpus(frame, "hyp", "ref", ["bleu", "chrf"], score_by=["lang", "domain"])

Tasks are functions of Arrow batches (`mapInArrow`). What comes back to the driver are sums of rows, one for each
partition or group. Workers need refscore in the environment of their Python.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from refscore import errors
from refscore.accumulation import Accumulator
from refscore.engines.tasks import Task, corpus_table, in_order
from refscore.errors import InputError, NotInstalledError, RefscoreError
from refscore.frames import arrow
from refscore.frames.metrics import Metrics

try:
    import pyarrow as pa
    import pyspark
    from py4j.protocol import Py4JError
    from pyspark import sql
    from pyspark.errors import PySparkException
    from pyspark.sql import functions, types
except ModuleNotFoundError:
    raise NotInstalledError("refscore.engines.spark needs packages: pip install 'refscore[spark]'") from None

_INSTALL = "install refscore[spark] there, or name another Python by spark.pyspark.python"


def with_scores(
    frame: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    threads: int | None = 1,
) -> sql.DataFrame:
    """The frame with a column of segment scores for each metric. As usual in Spark, they are made when asked for.

    Args:
        frame: A DataFrame of Spark, also a stream.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or arrays of strings; or several names.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your
            own. By its name alone, BLEU is sacrebleu's `sentence_bleu`.
        threads: How many each task uses; as a rule, Spark has a task for each core.

    Returns:
        The frame with columns of doubles at its end.

    Example:
        >>> from refscore.engines import spark
        >>> frame = session.createDataFrame([("a cat", "the cat"), ("a dog", "a dog")], "hyp string, ref string")
        >>> spark.with_scores(frame, "hyp", "ref", "wer").toArrow()["wer"].to_pylist()
        [0.5, 0.0]
    """
    task = Task.of_segments(hypotheses, references, metrics, threads)
    _checked_schema(frame, task, new=True)
    added = [types.StructField(label, types.DoubleType(), nullable=False) for label in task.metrics]
    return _mapped(frame, partial(_with_scores, task), types.StructType([*frame.schema.fields, *added]))


def corpus(
    frame: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    score_by: str | Iterable[str] | None = None,
    threads: int | None = 1,
) -> pa.Table:
    """The scores of all segments together, or of each group of them.

    Args:
        frame: A DataFrame of Spark.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or arrays of strings; or several names.
        metrics: As for `totals`.
        score_by: The names of the columns that make up groups; by default, all is one group.
        threads: How many each task uses; as a rule, Spark has a task for each core.

    Returns:
        A table with a row for each group, sorted, null last: the columns of `score_by`, the number of segments, and a
        column for each metric. Values are as scores' are, from 0 to 1 for most metrics.

    Example:
        >>> from refscore.engines import spark
        >>> frame = session.createDataFrame([("a cat", "the cat"), ("a dog", "a dog")], "hyp string, ref string")
        >>> spark.corpus(frame, "hyp", "ref", "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
        >>> spark.corpus(frame, "hyp", "ref", "wer", score_by="ref").to_pydict()
        {'ref': ['a dog', 'the cat'], 'segments': [1, 1], 'wer': [0.0, 0.5]}
    """
    task = Task.of_corpus(hypotheses, references, metrics, score_by, threads)
    if task.score_by:
        return arrow.score(_totals_of(frame, task), task.metrics)
    return corpus_table(_accumulated(frame, task))


def totals(
    frame: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    score_by: str | Iterable[str] | None = None,
    threads: int | None = 1,
) -> pa.Table:
    """The sums of the segments' rows, by groups, as `refscore.frames.arrow.totals` gives them.

    Args:
        frame: A DataFrame of Spark.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or arrays of strings; or several names.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your own.
            NIST is fitted first, on the driver: `NIST.fit(references)`.
        score_by: The names of the columns that make up groups; by default, all is one group.
        threads: How many each task uses; as a rule, Spark has a task for each core.

    Returns:
        A table for `arrow.merge` and `arrow.score`, with a row for each group, sorted, null last.

    Example:
        >>> from refscore.engines import spark
        >>> frame = session.createDataFrame([("a cat", "the cat"), ("a dog", "a dog")], "hyp string, ref string")
        >>> spark.totals(frame, "hyp", "ref", "wer").to_pydict()
        {'segments': [2], 'wer': [[3, 1, 0, 0]]}
    """
    return _totals_of(frame, Task.of_corpus(hypotheses, references, metrics, score_by, threads))


def accumulate(
    frame: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    threads: int | None = 1,
) -> Accumulator:
    """All segments in a `refscore.Accumulator`: scores with all their parts, to be saved, or merged with others.

    Args:
        frame: A DataFrame of Spark.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or arrays of strings; or several names.
        metrics: As for `totals`.
        threads: How many each task uses; as a rule, Spark has a task for each core.

    Example:
        >>> from refscore.engines import spark
        >>> frame = session.createDataFrame([("a cat", "the cat"), ("a dog", "a dog")], "hyp string, ref string")
        >>> spark.accumulate(frame, "hyp", "ref", "wer").score()
        <WER = 25.00 (hits = 3 substitutions = 1 deletions = 0 insertions = 0 ref_len = 4)>
    """
    return _accumulated(frame, Task.of_corpus(hypotheses, references, metrics, None, threads))


def read(path: str, *, master: str | None = None) -> sql.DataFrame:
    """Parquet files, of the session that there is or of a new one: what `refscore score --engine spark` reads.

    Args:
        path: A file or a folder, wherever Spark can read: on a disk that all workers have, on HDFS, in S3.
        master: Where a new session runs, as in local[4] or spark://host:7077; by default, where Spark's own settings
            say, which is on this machine if they say nothing.

    Example:
        >>> import pyarrow, pyarrow.parquet, tempfile
        >>> from refscore.engines import spark
        >>> folder = tempfile.TemporaryDirectory()
        >>> table = pyarrow.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> pyarrow.parquet.write_table(table, f"{folder.name}/segments.parquet")
        >>> frame = spark.read(f"{folder.name}/segments.parquet")
        >>> spark.corpus(frame, "hyp", "ref", "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
        >>> folder.cleanup()
    """
    session = sql.SparkSession.getActiveSession() or _new_session(master)
    try:
        return session.read.parquet(path)
    except PySparkException as error:
        said = re.sub(r" SQLSTATE: \w+$|^\[[A-Z_.]+\] ", "", str(error).partition("\n")[0])
        raise InputError(None, f"{path} cannot be read as Parquet: {said}") from None


def _new_session(master: str | None) -> Any:
    if master is None or master.startswith("local"):
        # By itself Spark takes the first python3 of the path, which need not have refscore.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.appName("refscore")
    builder = builder.config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    try:
        session = (builder if master is None else builder.master(master)).getOrCreate()
    except (Py4JError, PySparkException) as error:
        if "JAVA_GATEWAY_EXITED" in str(error):
            raise NotInstalledError(
                "Spark does not start: it needs Java 17 or newer; install it, or set JAVA_HOME"
            ) from None
        said = next((line for line in str(error).splitlines() if "Exception: " in line), str(error)).strip(": ")
        if "stopped SparkContext" in said:  # which it is when it has tried for a minute
            said = "there is no answer"
        raise InputError(None, f"Spark at {master or 'its default place'} does not start: {said}") from None
    # What a task raises is raised here as well, after Java's traces of it.
    configurator = session._jvm.org.apache.logging.log4j.core.config.Configurator
    for name in ("executor.Executor", "scheduler.TaskSetManager"):
        configurator.setLevel(f"org.apache.spark.{name}", session._jvm.org.apache.logging.log4j.Level.OFF)
    return session


def _totals_of(frame: Any, task: Task) -> pa.Table:
    schema = _checked_schema(frame, task)
    numbers = {True: types.LongType(), False: types.DoubleType()}
    made = types.StructType(
        [
            *(frame.schema[name] for name in task.score_by),
            types.StructField("segments", types.LongType(), nullable=False),
            *(
                types.StructField(
                    label, types.ArrayType(numbers[metric.row_type.kind == "i"], containsNull=False), nullable=False
                )
                for label, metric in task.metrics.items()
            ),
        ]
    )
    parts = _mapped(_needed(frame, task), partial(_totals, task), made)
    if task.score_by:
        # So that the driver gets each group once, and not from every partition.
        parts = _mapped(parts.repartition(*map(_column, task.score_by)), partial(_merged, schema), made)
    with _plain_errors():
        found = parts.toArrow()
    return in_order(arrow.merge([_restored(found, schema)]), task.score_by)


def _accumulated(frame: Any, task: Task) -> Accumulator:
    _checked_schema(frame, task)
    with _plain_errors():
        parts = _mapped(_needed(frame, task), partial(_sums, task), "part binary").toArrow()
    whole = Accumulator(task.metrics)
    for part in parts["part"]:
        whole.merge(Accumulator.from_bytes(part.as_py(), metrics=task.metrics))
    return whole


def _checked_schema(frame: Any, task: Task, *, new: bool = False) -> pa.Schema:
    """The schema of totals; an error for what can be known before anything is scored."""
    if not isinstance(frame, sql.DataFrame):
        raise InputError(None, f"frame must be a DataFrame of Spark, not {type(frame).__name__}")
    task.check_names(frame.columns, new=new)
    if frame.isStreaming:
        if not new:
            raise InputError(None, "a stream has no end, and so no score: use foreachBatch, and merge the totals")
        return None
    with _plain_errors():  # of no row: Spark reads nothing for it
        return task.check_types(_needed(frame, task).limit(0).toArrow())


def _mapped(frame: Any, work: Callable[[Iterator[Any]], Iterator[Any]], made: Any) -> Any:
    """What `work` makes of the batches of each partition."""
    # mapInArrow takes dots in names for fields of structs, so it gets names without.
    names = frame.columns
    plain = frame.toDF(*(f"c{place}" for place in range(len(names))))
    return plain.mapInArrow(partial(_named, work, names), made)


def _named(work: Callable[[Iterator[Any]], Iterator[Any]], names: list[str], batches: Iterator[Any]) -> Iterator[Any]:
    return work(pa.RecordBatch.from_arrays(batch.columns, names=names) for batch in batches)


def _needed(frame: Any, task: Task) -> Any:
    return frame.select(*map(_column, task.columns))


def _column(name: str) -> Any:
    quoted = name.replace("`", "``")
    return functions.col(f"`{quoted}`")


def _with_scores(task: Task, batches: Iterator[Any]) -> Iterator[Any]:
    with _place():
        for batch in batches:
            made = task.scores(batch)
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, *made.columns], names=[*batch.schema.names, *made.schema.names]
            )


def _totals(task: Task, batches: Iterator[Any]) -> Iterator[Any]:
    first = next(batches, None)
    if first is not None:
        with _place():
            yield from _sent(task.totals(chain([first], batches)))


def _merged(schema: pa.Schema, batches: Iterator[Any]) -> Iterator[Any]:
    merged = schema.empty_table()
    for batch in batches:
        merged = arrow.merge([merged, _restored(pa.Table.from_batches([batch]), schema)])
    yield from _sent(merged)


def _sums(task: Task, batches: Iterator[Any]) -> Iterator[Any]:
    with _place():
        sums = task.accumulator(batches)
    if sums.segments:
        yield pa.record_batch({"part": [sums.to_bytes()]})


def _sent(table: pa.Table) -> Iterator[Any]:
    """Totals as Spark takes them: lists of fixed size become lists."""
    for batch in table.combine_chunks().to_batches():
        columns = [
            pa.ListArray.from_arrays(
                np.arange(0, (len(column) + 1) * column.type.list_size, column.type.list_size, dtype=np.int32),
                column.flatten(),
            )
            if pa.types.is_fixed_size_list(column.type)
            else column
            for column in batch.columns
        ]
        yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _restored(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """What `_sent` sent, as totals again."""
    columns = []
    for field in schema:
        column = table[field.name].combine_chunks()
        if isinstance(column, pa.ChunkedArray):  # in some versions, and of no row
            column = pa.concat_arrays(column.chunks) if column.chunks else pa.array([], column.type)
        if pa.types.is_fixed_size_list(field.type):
            column = pa.FixedSizeListArray.from_arrays(column.flatten(), type=field.type)
        columns.append(column.cast(field.type))
    return pa.Table.from_arrays(columns, schema=schema)


@contextmanager
def _place() -> Iterator[None]:
    """Within it, errors about segments say which partition they are of."""
    try:
        yield
    except InputError as error:
        context = pyspark.TaskContext.get()
        if context is None:
            raise
        raise InputError(None, f"in partition {context.partitionId()}: {error}") from None


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Within it, what a worker raised is raised here, without the way that it took through Java."""
    try:
        yield
    except PySparkException as error:
        found = _original(str(error))
        if found is None:
            raise
        raise found from None


def _original(text: str) -> RefscoreError | None:
    r"""The error of refscore that a worker's traceback ends in.

    >>> _original("Traceback (most recent call last):\n …\nrefscore.errors.InputError: hypotheses[1] is null")
    InputError(None, 'hypotheses[1] is null')
    """
    for name, message in re.findall(r"^refscore\.errors\.(\w+): (.*)$", text, re.MULTILINE)[-1:]:
        kind = getattr(errors, name)
        return InputError(None, message) if issubclass(kind, InputError) else kind(message)
    for package in re.findall(r"^ModuleNotFoundError: No module named '(refscore|numpy|pyarrow)\b", text, re.MULTILINE):
        return NotInstalledError(f"the workers' Python has no {package}: {_INSTALL}")
    return None
