"""Files of per-segment scores: one line for each segment of each system."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from refscore.cli.output import write, write_file
from refscore.cli.scoring import Results
from refscore.errors import InputError
from refscore.metrics import Metric
from refscore.text_display import visible

_FORMATS = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}


def format_of(path: str) -> str:
    """The format of a file of segment scores, by its name; standard output has tabs.

    Args:
        path: The file's name, or -.

    Example:
        >>> format_of("scores.jsonl"), format_of("-")
        ('jsonl', 'tsv')
    """
    if path == "-":
        return "tsv"
    ending = Path(path).suffix.lower()
    if ending not in _FORMATS:
        raise InputError(None, f"{path}: the format of segment scores is told by the ending: .tsv, .csv or .jsonl")
    return _FORMATS[ending]


def write_segments(path: str, results: Results, metrics: Mapping[str, Metric[Any]], threads: int | None = None) -> None:
    """Writes the score of each segment, as it is printed: times 100 for most metrics.

    Args:
        path: The file, or - for standard output.
        results: What was scored, with rows.
        metrics: The metrics for single segments, of the same rows.
        threads: How many to use; all cores by default.
    """
    pieces = _lines(results, metrics, format_of(path), threads)
    if path == "-":
        write("".join(pieces).removesuffix("\n"))
    else:
        write_file(Path(path), pieces)


def _lines(results: Results, metrics: Mapping[str, Metric[Any]], form: str, threads: int | None) -> Iterator[str]:
    if form != "jsonl":
        yield _joined(["system", "segment", *metrics], form)
    for result in results.systems:
        columns = [
            metric.printed_scale * metric.values(result.rows[label], threads=threads)
            for label, metric in metrics.items()
        ]
        for number, values in enumerate(np.stack(columns, axis=1).tolist(), 1):
            if form == "jsonl":
                named = dict(zip(metrics, values, strict=True))
                yield json.dumps({"system": result.system.name, "segment": number, **named}) + "\n"
            else:
                yield _joined([result.system.name, str(number), *map(repr, values)], form)


def _joined(cells: list[str], form: str) -> str:
    if form == "tsv":
        return "\t".join(map(visible, cells)) + "\n"
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
