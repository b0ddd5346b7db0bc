"""Segment scores as columns in Ray datasets, and corpus scores by group.

    refscore.engines.ray.with_scores(dataset, "hyp", "ref", ["bleu", "chrf"]).write_parquet(…)
    refscore.engines.ray.corpus(dataset, "hyp", "ref", ["bleu", "chrf"], by=["lang", "domain"])

Tasks get the dataset's blocks as Arrow tables and return sums to the driver, one per block or group. If a node
fails, Ray repeats its tasks elsewhere. refscore must be installed in the workers' Python environment.
"""

from __future__ import annotations

import logging
import pickle
import socket
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from refscore.engines.engine import Engine, in_part, in_this_version
from refscore.errors import InputError, Location, NotInstalledError, RefscoreError, requires
from refscore.frames.job import Job, check_type
from refscore.frames.parts import STEP
from refscore.frames.scoring import add_scores

with requires("refscore.engines.ray", "ray"):
    import pyarrow as pa
    import ray
    import ray.data
    from ray.exceptions import RayError, UserCodeException

__all__ = ["corpus", "evaluate", "read", "totals", "with_scores"]

T = TypeVar("T")


class _Ray(Engine[ray.data.Dataset]):
    def column_names(self, frame: Any) -> list[str] | None:
        check_type("dataset", frame, ray.data.Dataset, "a Ray dataset")
        schema = _known_schema(frame)
        return None if schema is None else list(schema.names)

    def empty_table(self, frame: Any, job: Job) -> pa.Table | None:
        schema = _known_schema(frame)
        return None if schema is None else _with_lists(schema.empty_table().select(job.columns), job)

    def add_scores(self, frame: Any, job: Job) -> ray.data.Dataset:
        work = in_this_version(add_scores, job)

        def extend(block: Any) -> Any:
            try:
                with in_part(f"a block of {block.num_rows} rows"):
                    job.check_columns(block.schema.names, adds_scores=True)
                    scored = work(_with_lists(block, job).select(job.columns))
            except RefscoreError as error:
                # By default Ray wraps errors in its own class. The setting applies only to this task.
                ray.data.DataContext.get_current().raise_original_map_exception = True
                raise _as_user_error(error) from None
            for label in job.metrics:
                block = block.append_column(label, scored[label])
            return block

        return _map_blocks(frame, job, extend)

    def map_parts(self, frame: Any, job: Job, work: Callable[[Iterator[Any]], T]) -> Iterator[T]:
        def send(block: Any) -> Any:
            result: Any
            try:
                with in_part(f"a block of {block.num_rows} rows"):
                    job.check_columns(block.schema.names)
                    batches = _with_lists(block, job).to_batches(max_chunksize=STEP)
                    result = work(iter(batches or [pa.RecordBatch.from_pylist([], block.schema)]))
            except RefscoreError as error:
                result = error
            # As bytes, because Ray may change the types of other columns.
            return pa.table({"part": pa.array([pickle.dumps(result)], pa.large_binary())})

        needed = frame if _known_schema(frame) is None else frame.select_columns(job.columns)
        try:
            for batch in _map_blocks(needed, job, send).iter_batches(batch_size=None, batch_format="pyarrow"):
                for result in map(pickle.loads, batch["part"].to_pylist()):
                    if isinstance(result, RefscoreError):
                        raise result
                    yield result
        except RayError as error:
            if "No module named 'refscore" not in str(error):
                raise
            raise NotInstalledError(
                "the workers' Python has no refscore: install refscore[ray] on every node, or add it to "
                "ray.init(runtime_env={'pip': [...]})"
            ) from None


_ENGINE = _Ray()

corpus = _ENGINE.corpus
evaluate = _ENGINE.evaluate
totals = _ENGINE.totals
with_scores = _ENGINE.with_scores


def read(path: str, *, master: str | None = None) -> ray.data.Dataset:
    """Read Parquet files, as `refscore score --engine ray` does, on the cluster in use or a new one.

    Args:
        path: A file or folder that Ray can read, on a disk that all nodes share or in S3.
        master: A running cluster's address, such as host:6379 or auto. By default, it comes from Ray's settings,
            or a new cluster starts on this machine. Ignored if Ray is already initialized.

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
        # The user has not started Ray, so its progress bars would be unexpected.
        logging.getLogger("ray.data").setLevel(logging.WARNING)
    try:
        return ray.data.read_parquet(path)
    except (OSError, ValueError) as error:
        raise InputError(Location(file=path), f"cannot be read as Parquet: {error}") from None


def _check_reachable(master: str | None) -> None:
    """Raise an error if nothing answers at an address. Ray itself would retry for many minutes."""
    host, _, port = (master or "").rpartition(":")
    if host and "/" not in host and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
        except (OSError, OverflowError) as error:
            raise InputError(None, f"no Ray cluster answers at {master} ({error})", "check the address") from None


def _known_schema(dataset: Any) -> pa.Schema | None:
    known = dataset.schema(fetch_if_missing=False)
    return known.base_schema if known is not None and isinstance(known.base_schema, pa.Schema) else None


def _map_blocks(dataset: Any, job: Job, function: Callable[[Any], Any]) -> Any:
    return dataset.map_batches(function, batch_size=None, batch_format="pyarrow", num_cpus=job.threads or 1)


def _with_lists(block: Any, job: Job) -> Any:
    """Convert tensors to lists. Ray stores numeric arrays, such as token ids, as tensors."""
    for index, field in enumerate(block.schema):
        stored = getattr(field.type, "storage_type", None)
        if field.name in job.columns and stored is not None and pa.types.is_struct(stored):
            chunks = [chunk.storage.field("data") for chunk in block.column(index).chunks]
            block = block.set_column(index, field.name, pa.chunked_array(chunks, stored.field("data").type))
    return block


def _as_user_error(error: RefscoreError) -> RefscoreError:
    """Return the same error in a class that Ray reports as the user's error, not its own."""
    kind = type(error)
    members = {"__reduce__": lambda _: (_as_user_error, (error,))}
    user_error: RefscoreError = type(kind.__name__, (UserCodeException, kind), members)(*error.args)
    return user_error
