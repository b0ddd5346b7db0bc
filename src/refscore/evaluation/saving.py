"""The file of an evaluation: its header and arrays, and the way back."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location
from refscore.evaluation.file_format import read_statistics, write_statistics
from refscore.evaluation.saved_state import (
    SavedState,
    check_counts,
    describe_metrics,
    load_metrics,
    saved_name,
    saved_texts,
)
from refscore.metrics import MetricChoices, parse_row_metrics
from refscore.writing import written_whole

if TYPE_CHECKING:
    from refscore.evaluation.evaluation import Evaluation


def save(evaluation: Evaluation, path: str | os.PathLike[str], *, texts: bool) -> None:
    parts = _contents(evaluation, texts=texts)
    with written_whole(Path(path)) as file:
        write_statistics(file, *parts)


def to_bytes(evaluation: Evaluation) -> bytes:
    file = io.BytesIO()
    write_statistics(file, *_contents(evaluation))
    return file.getvalue()


def _contents(evaluation: Evaluation, *, texts: bool = False) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    listed, weights = describe_metrics(evaluation.metrics)
    retained, runs = evaluation._retained, range(len(evaluation.runs))
    seeds, rows = ((), {}) if retained is None else (retained.seeds, retained.arrays())
    header = {
        "refscore": list(evaluation.versions),
        "segments": evaluation.segments,
        "references": evaluation.reference_counts,
        "digests": evaluation.digests.to_dict(),
        "texts": saved_texts(evaluation.texts) if texts else None,
        "retain": evaluation.retain,
        "seeds": [str(seed) for seed in seeds],  # as strings: they may exceed the precision of JSON's numbers
        "runs": evaluation.runs,
        "units": evaluation.units,
        "groups": evaluation.groups,
        "warnings": [warning.to_dict() for warning in evaluation._found],
        "notes": evaluation.notes,
        "metrics": [
            {
                **entry,
                "title": evaluation.titles[label],
                "segment_signature": evaluation.segment_metrics[label].signature,
                "sums": [evaluation._totals[run, label].tolist() for run in runs],
            }
            for label, entry in zip(evaluation.metrics, listed, strict=True)
        ],
    }
    sums = {
        saved_name("sum", key): np.frombuffer(total.to_bytes(), np.uint8) for key, total in evaluation._sums.items()
    }
    return header, {**sums, **rows, **weights}


def load(kind: type[Evaluation], data: bytes, location: Location, metrics: MetricChoices | None) -> Evaluation:
    """Return the evaluation from the bytes of a file, which has this location in errors."""
    try:
        header, arrays = read_statistics(data)
        state = SavedState(header, arrays)
        given = None if metrics is None else parse_row_metrics(metrics)
        loaded = kind(load_metrics(header.get("metrics"), arrays, given), state.runs(), retain=state.retain())
        loaded._sums = {name: state.total(name, metric) for name, metric in loaded._keyed.items()}
        loaded._totals = {name: total.row for name, total in loaded._sums.items()}
        if loaded._retained is not None:
            loaded._retained.load(state)
        loaded.reference_counts = check_counts(header.get("references"))
        loaded.segments = state.count("segments")
        loaded.units, loaded.groups = state.labels(loaded.segments)
        loaded._digests = state.digests(loaded.segments)
        loaded.texts = state.texts(loaded.segments)
        loaded._found = state.warnings()
        loaded.titles = state.titles(loaded.metrics)
        loaded.segment_metrics = state.segment_metrics(loaded.metrics)
    except InputError as error:
        raise error.at(location) from None
    loaded.notes = header["notes"]
    loaded._versions = {*header["refscore"]}
    return loaded
