"""Save the rows of segments as an Arrow file, which other programs can read too. Each statistic is a column.

Columns are named METRIC.STATISTIC, such as `bleu.hyp_len`. They are int64 or float64, without nulls. The metadata of
the schema has a JSON object like the header of a .refstats file under `refscore.stats`. The metadata of each batch has
the smallest and largest number of references per segment under `references`. Readers check the checksum first.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from refscore._version import __version__
from refscore.accumulation.accumulator import Accumulator
from refscore.accumulation.arrow_checksum import ChecksumWriter, check_sum
from refscore.accumulation.retained_rows import Keep
from refscore.accumulation.saved_state import Counts, check_counts, check_header, describe_metrics, load_metrics
from refscore.errors import InputError, Location
from refscore.metrics import RowMetric, Rows
from refscore.tokenizers.base import requires
from refscore.writing import written_whole

_KEY = b"refscore.stats"
_VERSION = 2


@contextmanager
def row_writer(
    path: Path, metrics: Mapping[str, RowMetric[Any]], note: Mapping[str, Any]
) -> Iterator[Callable[[Mapping[str, Rows], Counts], None]]:
    """Yield a function that writes a batch: rows by label, and the smallest and largest number of references.

    The file is written completely or not at all. The signatures of the metrics must have all of their settings.
    """
    pyarrow = _import_pyarrow()
    listed, weights = describe_metrics(metrics)
    if weights:
        raise InputError(None, "an Arrow file cannot hold the weights of a fitted metric", "save it as .refstats")
    header = {"version": _VERSION, "refscore": [__version__], "note": note, "metrics": listed}
    fields = [
        pyarrow.field(name, str(metric.row_type), nullable=False)
        for label, metric in metrics.items()
        for name in _columns(label, metric)
    ]
    schema = pyarrow.schema(fields, metadata={_KEY: json.dumps(header, ensure_ascii=False).encode("utf-8")})

    def write(rows: Mapping[str, Rows], references: Counts) -> None:
        columns = [pyarrow.array(np.ascontiguousarray(column)) for array in rows.values() for column in array.T]
        batch = pyarrow.record_batch(columns, schema=schema)
        writer.write_batch(batch, custom_metadata={"references": json.dumps(references)})

    with written_whole(path) as file, ChecksumWriter(file) as target:
        writer = pyarrow.ipc.new_file(target, schema)
        yield write
        target.finish()
        writer.close()


def read_rows(path: str | os.PathLike[str], *, keep: Keep = "sums") -> Accumulator:
    """Return an accumulator with the rows of a file. The file is read batch by batch."""
    pyarrow = _import_pyarrow()
    try:
        with open(path, "rb") as file:
            check_sum(file)
            return _read(pyarrow.ipc.open_file(file), keep)
    except InputError as error:
        raise error.at(Location(file=str(path))) from None
    except (OSError, pyarrow.ArrowException, json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or str(error).strip().partition("\n")[0]
        raise InputError(Location(file=str(path)), f"cannot be read as Arrow statistics: {reason}") from None


def _read(reader: Any, keep: Keep) -> Accumulator:
    text = (reader.schema.metadata or {}).get(_KEY)
    header = None if text is None else json.loads(text)
    if not isinstance(header, dict):
        raise InputError(None, "is not a statistics file", "write one with `refscore stats -o part.arrow`")
    if header.get("version") != _VERSION:
        problem = f"has version {header.get('version')} of the format, but this refscore reads {_VERSION}"
        raise InputError(None, problem, "read it with the version of refscore that wrote it")
    check_header(header)
    accumulator = Accumulator(load_metrics(header.get("metrics"), {}, None), keep=keep)
    accumulator.note = header["note"]
    accumulator._versions = {*header["refscore"]}
    columns = {label: _columns(label, metric) for label, metric in accumulator.metrics.items()}
    expected = [
        (name, str(metric.row_type).replace("float64", "double"))  # Arrow's name
        for label, metric in accumulator.metrics.items()
        for name in columns[label]
    ]
    if [(field.name, str(field.type)) for field in reader.schema] != expected:
        raise InputError(None, "has different columns than its metrics", "write it again with `refscore stats`")
    for index in range(reader.num_record_batches):
        batch, metadata = reader.get_batch_with_custom_metadata(index)
        batch.validate(full=True)
        if any(column.null_count for column in batch.columns):
            raise InputError(None, "has nulls in its statistics", "write it again with `refscore stats`")
        rows = {label: np.stack([batch[name].to_numpy() for name in names], axis=1) for label, names in columns.items()}
        counts = None if metadata is None else dict(metadata).get(b"references")
        accumulator.update_rows(rows, references=None if counts is None else check_counts(json.loads(counts)))
    return accumulator


def _columns(label: str, metric: RowMetric[Any]) -> list[str]:
    return [f"{label}.{column}" for column in metric.columns]


def _import_pyarrow() -> Any:
    with requires("an Arrow file", "arrow"):
        import pyarrow
        import pyarrow.ipc
    return pyarrow
