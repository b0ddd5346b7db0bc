"""Segment scores as columns in Spark DataFrames, and corpus scores by group.

    refscore.engines.spark.with_scores(frame, "hyp", "ref", ["bleu", "chrf"]).write.parquet(…)
    refscore.engines.spark.corpus(frame, "hyp", "ref", ["bleu", "chrf"], by=["lang", "domain"])

Tasks get Arrow batches (`mapInArrow`) and return sums to the driver, one per partition or group. refscore must
be installed in the workers' Python environment. `with_scores` also accepts streaming DataFrames.
"""

from __future__ import annotations

import os
import pickle
import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, TypeVar

from refscore.engines.engine import Engine, in_part, in_this_version
from refscore.errors import InputError, Location, NotInstalledError, RefscoreError, requires
from refscore.frames.job import EXACT, SEGMENTS, Job, check_type

with requires("refscore.engines.spark", "spark"):
    import pyarrow as pa
    import pyspark
    from py4j.protocol import Py4JError
    from pyspark import sql
    from pyspark.errors import PySparkException
    from pyspark.sql import functions, types

from refscore.frames.scoring import add_scores
from refscore.frames.sums import merge, sum_table

__all__ = ["corpus", "evaluate", "read", "totals", "with_scores"]

T = TypeVar("T")
Batches = Iterator[Any]

# Marks the pickled error in the message of a task's exception.
_MARK = "refscore-error:"


class _Spark(Engine[sql.DataFrame]):
    def column_names(self, frame: Any) -> list[str] | None:
        check_type("frame", frame, sql.DataFrame, "a Spark DataFrame")
        return list(frame.columns)

    def empty_table(self, frame: Any, job: Job) -> pa.Table | None:
        with _original_errors():  # cheap: Spark reads no data for zero rows
            return None if frame.isStreaming else _needed(frame, job).limit(0).toArrow()

    def add_scores(self, frame: Any, job: Job) -> sql.DataFrame:
        added = [types.StructField(label, types.DoubleType(), nullable=job.missing == "skip") for label in job.metrics]
        return _map(frame, partial(_extend, job), types.StructType([*frame.schema.fields, *added]))

    def map_parts(self, frame: Any, job: Job, work: Callable[[Batches], T]) -> Iterator[T]:
        if frame.isStreaming:
            raise InputError(None, "a stream has no corpus score", "use foreachBatch, and merge the totals")
        parts = _map(_needed(frame, job), partial(_send_result, work), "part binary")
        yield from map(pickle.loads, _collect(parts)["part"].to_pylist())

    def map_totals(self, frame: Any, job: Job, start: pa.Table | None) -> Iterator[pa.Table]:
        if not job.by or start is None:
            yield from super().map_totals(frame, job, start)
            return
        exact = [types.StructField(label + EXACT, types.BinaryType()) for label in job.metrics]
        keys = [frame.schema[name] for name in job.by]
        kind = types.StructType([*keys, types.StructField(SEGMENTS, types.LongType()), *exact])
        parts = _map(_needed(frame, job), partial(_send_totals, job), kind)
        # Merge each group on one worker, so the driver gets it once and not from every partition.
        start = start.drop_columns(list(job.metrics))
        merged = _map(parts.repartition(*map(_column, job.by)), partial(_merge_totals, job, start), kind)
        yield _collect(merged).cast(start.schema)


_ENGINE = _Spark()

corpus = _ENGINE.corpus
evaluate = _ENGINE.evaluate
totals = _ENGINE.totals
with_scores = _ENGINE.with_scores


def read(path: str, *, master: str | None = None) -> sql.DataFrame:
    """Read Parquet files, as `refscore score --engine spark` does, in the active session or a new one.

    Args:
        path: A file or folder that Spark can read, on a disk that all workers share, on HDFS or in S3.
        master: A new session's master, such as local[4] or spark://host:7077. By default, it comes from Spark's
            settings, or Spark runs on this machine.

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
        reason = re.sub(r" SQLSTATE: \w+$|^\[[A-Z_.]+\] ", "", str(error).partition("\n")[0])
        raise InputError(Location(file=path), f"cannot be read as Parquet: {reason}") from None


def _new_session(master: str | None) -> Any:
    if master is None or master.startswith("local"):
        # By default Spark uses the first python3 in PATH, which may lack refscore.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.appName("refscore")
    builder = builder.config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    try:
        session = (builder if master is None else builder.master(master)).getOrCreate()
    except (Py4JError, PySparkException) as error:
        if "JAVA_GATEWAY_EXITED" in str(error):
            raise NotInstalledError(
                "Spark does not start without Java 17 or newer: install it, or set JAVA_HOME"
            ) from None
        reason = next((line for line in str(error).splitlines() if "Exception: " in line), str(error)).strip(": ")
        if "stopped SparkContext" in reason:  # after a minute of retries
            reason = "there is no answer"
        raise InputError(None, f"Spark at {master or 'its default master'} does not start: {reason}") from None
    # Errors of tasks are raised on the driver, so Java's traces of them are noise.
    configurator = session._jvm.org.apache.logging.log4j.core.config.Configurator
    for name in ("executor.Executor", "scheduler.TaskSetManager"):
        configurator.setLevel(f"org.apache.spark.{name}", session._jvm.org.apache.logging.log4j.Level.OFF)
    return session


def _needed(frame: Any, job: Job) -> Any:
    return frame.select(*map(_column, job.columns))


def _column(name: str) -> Any:
    quoted = name.replace("`", "``")
    return functions.col(f"`{quoted}`")


def _map(frame: Any, work: Callable[[Batches], Batches], kind: Any) -> Any:
    """Return a frame with the batches that a function returns for each partition."""
    # mapInArrow reads dots in names as fields of structs, so give it names without dots.
    names = frame.columns
    plain = frame.toDF(*(f"c{index}" for index in range(len(names))))
    return plain.mapInArrow(partial(_rename, work, names), kind)


def _rename(work: Callable[[Batches], Batches], names: list[str], batches: Batches) -> Batches:
    return work(pa.RecordBatch.from_arrays(batch.columns, names=names) for batch in batches)


def _collect(frame: Any) -> pa.Table:
    with _original_errors():
        return frame.toArrow()


def _extend(job: Job, batches: Batches) -> Batches:
    begin = 0
    for batch in batches:
        with _in_partition():
            scored = in_this_version(partial(add_scores, begin=begin), job)(batch)
        yield scored
        begin += batch.num_rows


def _work(work: Callable[[Batches], T], batches: Batches) -> Iterator[T]:
    """Yield the result for a partition's batches, if there are any."""
    first = next(batches, None)
    if first is not None:
        with _encoded_errors(), _in_partition():
            yield work(chain([first], batches))


def _send_result(work: Callable[[Batches], Any], batches: Batches) -> Batches:
    for result in _work(work, batches):
        yield pa.record_batch({"part": [pickle.dumps(result)]})


def _send_totals(job: Job, batches: Batches) -> Batches:
    for table in _work(in_this_version(sum_table, job), batches):
        yield from table.drop_columns(list(job.metrics)).to_batches()


def _merge_totals(job: Job, start: pa.Table, batches: Batches) -> Batches:
    tables = (pa.Table.from_batches([batch]).cast(start.schema) for batch in batches)
    yield from merge(chain([start], tables)).drop_columns(list(job.metrics)).to_batches()


def _in_partition() -> Any:
    context = pyspark.TaskContext.get()
    return in_part(f"partition {context.partitionId()}" if context is not None else "the frame")


@contextmanager
def _encoded_errors() -> Iterator[None]:
    """Put pickled errors into their message in a `with` block, because Spark transfers only messages."""
    try:
        yield
    except RefscoreError as error:
        raise RuntimeError(f"{error} {_MARK}{b64encode(pickle.dumps(error)).decode()}") from None


@contextmanager
def _original_errors() -> Iterator[None]:
    """Re-raise workers' original errors, not the Java errors that wrap them."""
    try:
        yield
    except PySparkException as error:
        original = _original(str(error))
        if original is None:
            raise
        raise original from None


def _original(text: str) -> RefscoreError | None:
    encoded = re.search(re.escape(_MARK) + r"([\w+/=]+)", text)
    if encoded:
        error: RefscoreError = pickle.loads(b64decode(encoded[1]))
        return error
    missing = re.search(r"^ModuleNotFoundError: No module named '(refscore|numpy|pyarrow)\b", text, re.MULTILINE)
    if missing:
        return NotInstalledError(
            f"the workers' Python has no {missing[1]}: install refscore[spark] there, or set a different Python in "
            "spark.pyspark.python"
        )
    return None
