"""Rows of segments as an Arrow file: one column for each statistic, for other programs to read as well.

The columns are called METRIC.STATISTIC, as in `bleu.hyp_len`; they are int64 or float64, without nulls. The metadata of
the schema has, under `refscore.stats`, a JSON object like the header of a .refstats file; that of each batch has the
fewest and the most references of its segments under `references`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from refscore._version import __version__
from refscore.accumulation.accumulator import Accumulator, Keep
from refscore.accumulation.described import described, read_described
from refscore.errors import InputError, NotInstalledError
from refscore.metrics import Metric
from refscore.metrics.core.score import Rows
from refscore.writing import written_whole

_KEY = b"refscore.stats"
_VERSION = 1


class RowWriter:
    """Writes rows batch by batch.

    Args:
        file: Where to.
        metrics: The metrics under their labels; they have to be all in their signatures.
        note: What is written with them.
    """

    def __init__(self, file: IO[bytes], metrics: Mapping[str, Metric[Any]], note: Mapping[str, Any]) -> None:
        pyarrow = _pyarrow()
        listed, weights = described(metrics)
        if weights:
            raise InputError(None, "the weights of a fitted metric do not fit into an Arrow file: save it as .refstats")
        header = {"version": _VERSION, "refscore": [__version__], "note": note, "metrics": listed}
        fields = [
            pyarrow.field(f"{label}.{column}", str(metric.row_type), nullable=False)
            for label, metric in metrics.items()
            for column in metric.columns
        ]
        self._pyarrow = pyarrow
        self._schema = pyarrow.schema(fields, metadata={_KEY: json.dumps(header, ensure_ascii=False).encode("utf-8")})
        self._writer = pyarrow.ipc.new_file(file, self._schema)

    def write(self, rows: Mapping[str, Rows], references: tuple[int, int]) -> None:
        """Write a batch.

        Args:
            rows: The rows of each metric, under its label.
            references: The fewest and the most references that a segment has.
        """
        arrays = [self._pyarrow.array(np.ascontiguousarray(column)) for own in rows.values() for column in own.T]
        batch = self._pyarrow.record_batch(arrays, schema=self._schema)
        self._writer.write_batch(batch, custom_metadata={"references": json.dumps(references)})

    def close(self) -> None:
        """Write what comes at the end of such a file."""
        self._writer.close()


@contextmanager
def row_writer(path: Path, metrics: Mapping[str, Metric[Any]], note: Mapping[str, Any]) -> Iterator[RowWriter]:
    """A writer of a file that is written whole or not at all.

    Args:
        path: The file.
        metrics: The metrics under their labels.
        note: What is written with them.
    """
    _pyarrow()
    with written_whole(path) as file:
        writer = RowWriter(file, metrics, note)
        yield writer
        writer.close()


def read_rows(path: str | os.PathLike[str], *, keep: Keep = "sums") -> Accumulator:
    """An accumulator of the rows of a file, which is read batch by batch.

    Args:
        path: The file.
        keep: What the accumulator keeps.
    """
    pyarrow = _pyarrow()
    try:
        with pyarrow.OSFile(os.fspath(path)) as source:
            reader = pyarrow.ipc.open_file(source)
            header = _header(reader.schema, path)
            metrics = read_described(header.get("metrics"), {}, None, str(path))
            names = [f"{label}.{column}" for label, metric in metrics.items() for column in metric.columns]
            if reader.schema.names != names:
                raise InputError(None, f"{path} has other columns than its metrics' statistics")
            made = Accumulator(metrics, keep=keep)
            made.note = header["note"]
            made._versions = {*header["refscore"]}
            for index in range(reader.num_record_batches):
                batch, metadata = reader.get_batch_with_custom_metadata(index)
                batch.validate(full=True)
                made.update_rows(_rows(batch, metrics, path), references=_counts(metadata))
            return made
    except (OSError, pyarrow.ArrowException, RecursionError) as error:
        said = getattr(error, "strerror", None) or str(error).strip().partition("\n")[0]
        raise InputError(None, f"{path} cannot be read as an Arrow file of statistics: {said}") from None


def _header(schema: Any, path: Any) -> dict[str, Any]:
    text = (schema.metadata or {}).get(_KEY)
    try:
        header = json.loads(text) if text is not None else None
    except ValueError:
        header = None
    if not isinstance(header, dict):
        raise InputError(None, f"{path} is no file of statistics: `refscore stats -o part.arrow` writes one")
    if header.get("version") != _VERSION:
        raise InputError(
            None, f"{path} has version {header.get('version')} of the format, this refscore reads {_VERSION}"
        )
    versions = header.get("refscore")
    fits = isinstance(header.get("note"), dict) and isinstance(versions, list)
    if not fits or not all(isinstance(version, str) for version in versions or ()):
        raise InputError(None, f"{path} has a header that it cannot have")
    return header


def _rows(batch: Any, metrics: Mapping[str, Metric[Any]], path: Any) -> dict[str, Rows]:
    rows, begin = {}, 0
    for label, metric in metrics.items():
        columns = batch.columns[begin : begin + len(metric.columns)]
        begin += len(columns)
        if any(str(column.type) != _arrow_name(metric) or column.null_count for column in columns):
            raise InputError(None, f"{path} has a column of {label} with nulls, or not of type {_arrow_name(metric)}")
        rows[label] = np.stack([column.to_numpy() for column in columns], axis=1)
    return rows


def _arrow_name(metric: Metric[Any]) -> str:
    return "int64" if metric.row_type.kind == "i" else "double"


def _counts(metadata: Any) -> tuple[int, int] | None:
    text = (dict(metadata) if metadata is not None else {}).get(b"references")
    try:
        counts = json.loads(text) if text is not None else None
    except ValueError:
        counts = None
    if not isinstance(counts, list) or len(counts) != 2 or not all(type(count) is int for count in counts):
        return None
    fewest, most = counts
    return (fewest, most) if 1 <= fewest <= most else None


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.ipc
    except ModuleNotFoundError:
        raise NotInstalledError("Arrow files need a package: pip install 'refscore[arrow]'") from None
    return pyarrow
