"""Files of segment scores: one line per segment of each system."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from refscore.cli.output import write, write_file
from refscore.cli.system_scores import Results
from refscore.errors import InputError, Location
from refscore.metrics import Metric
from refscore.text_display import visible

_FORMATS = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}


def check_segment_file(path: str) -> str:
    """Return the format of a file of segment scores by its name."""
    if path == "-":
        return "tsv"
    ending = Path(path).suffix.lower()
    if ending not in _FORMATS:
        raise InputError(Location(file=path), "has no format of segment scores", "end its name in .tsv, .csv or .jsonl")
    return _FORMATS[ending]


def write_segments(path: str, results: Results, metrics: Mapping[str, Metric[Any]], threads: int | None = None) -> None:
    """Write the score of each segment on the scale of the table: times 100 for most metrics.

    `metrics` are those for single segments, of the rows in `results`.
    """
    pieces = _lines(results, metrics, check_segment_file(path), threads)
    if path == "-":
        write("".join(pieces).removesuffix("\n"))
    else:
        write_file(Path(path), pieces)


def _lines(results: Results, metrics: Mapping[str, Metric[Any]], form: str, threads: int | None) -> Iterator[str]:
    if form != "jsonl":
        yield _join(["system", "segment", *metrics], form)
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
                yield _join([result.system.name, str(number), *map(repr, values)], form)


def _join(cells: list[str], form: str) -> str:
    if form == "tsv":
        return "\t".join(map(visible, cells)) + "\n"
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
