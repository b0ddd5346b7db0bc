from __future__ import annotations

import csv
import io
import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

import click
import numpy as np

from refscore.cli.output import check_output, quotes_formulas, write_file
from refscore.errors import InputError, Location
from refscore.evaluation import Evaluation
from refscore.evaluation.scoring import Key
from refscore.metrics import Rows
from refscore.tables.model import encode_json
from refscore.text_display import quote_formula, visible

segments_option = click.option(
    "--segments",
    "segment_file",
    metavar="FILE",
    help="Write numbers of each segment to FILE (.tsv, .csv, .jsonl). - prints them.",
)

_PIECE = 1 << 16
_FORMATS = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}


def check_segment_file(path: str, form: str) -> str:
    """Return the format of a file of segment scores, and check that it can be written.

    The format follows from the file's name or, on standard output (-), from the format of the command's output.
    """
    if path == "-":
        return {"csv": "csv", "json": "jsonl"}.get(form, "tsv")
    ending = Path(path).suffix.lower()
    if ending not in _FORMATS:
        raise InputError(Location(file=path), "has an unknown ending", "end its name in .tsv, .csv or .jsonl")
    check_output(Path(path))
    return _FORMATS[ending]


class SegmentWriter:
    """Write the score of each segment on the scale of the table: times 100 for most metrics.

    Rows arrive block by block, for all systems, but the file lists one system after the other. Temporary files
    therefore buffer the lines of each system.

    Args:
        path: The file, or - for standard output.
        form: The format of the command's output.
        systems: The names of the systems.
        threads: The number of threads, by default all cores.
    """

    def __init__(self, path: str, form: str, systems: Sequence[str], threads: int | None) -> None:
        self._path = path
        self._threads = threads
        self._format = check_segment_file(path, form)
        self._quotes = quotes_formulas()
        self._systems = systems
        self._stack = ExitStack()
        self._files = [self._stack.enter_context(_temporary_file()) for _ in systems]
        self._count = 0
        self._labels: list[str] = []

    def __enter__(self) -> SegmentWriter:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # `take` has already reported lines that cannot be written
            self._stack.close()

    def take(self, evaluation: Evaluation, rows: Mapping[Key, Rows]) -> None:
        self._labels = [*evaluation.metrics]
        for run, name in enumerate(self._systems):
            columns = [
                metric.printed_scale * metric.values(rows[run, label], threads=self._threads)
                for label, metric in evaluation.segment_metrics.items()
            ]
            values = np.stack(columns, axis=1).tolist()
            lines = (self._line(name, number, row) for number, row in enumerate(values, self._count + 1))
            try:
                self._files[run].writelines(lines)
            except OSError as error:
                raise InputError(Location(file=self._path), f"cannot be written ({error.strerror or error})") from None
        self._count += len(values)

    def _line(self, system: str, number: int, values: list[float]) -> str:
        if self._format == "jsonl":
            scores = dict(zip(self._labels, values, strict=True))
            return encode_json({"system": system, "segment": number, **scores}) + "\n"
        return _join(
            [system, str(number), *("" if math.isnan(value) else repr(value) for value in values)],
            self._format,
            self._quotes,
        )

    def finish(self) -> None:
        write_file(self._path, self._pieces())

    def _pieces(self) -> Iterator[str]:
        if self._format != "jsonl":
            yield _join(["system", "segment", *self._labels], self._format, self._quotes)
        for file in self._files:
            file.seek(0)
            yield from iter(lambda file=file: file.read(_PIECE), "")  # type: ignore[misc]


def _temporary_file() -> IO[str]:
    return tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogateescape", newline="\n")


def _join(cells: list[str], form: str, quote: bool) -> str:
    cells = [*map(quote_formula, cells)] if quote else cells
    if form == "tsv":
        return "\t".join(map(visible, cells)) + "\n"
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
