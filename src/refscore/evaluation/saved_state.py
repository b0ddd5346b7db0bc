"""The saved state of an evaluation and its metrics. Every value is checked, because files may be untrusted."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.data_warnings import KINDS, DataWarning
from refscore.errors import InputError, Location, RefscoreError
from refscore.evaluation.digests import Digest, Digests
from refscore.evaluation.scoring import Block, Key
from refscore.inputs import check_hypotheses, check_references, read_side
from refscore.metrics import METRICS, Metric, RowMetric, Rows, RowSum, from_signature
from refscore.settings import split

Counts: TypeAlias = "tuple[int, int]"

MOST_SAMPLED = 1 << 32  # the largest size of a sample
_WEIGHTS = "weights/"  # the prefix of the arrays of fitted metrics


def check_counts(references: Any) -> Counts | None:
    """Return the smallest and largest number of references per segment, or None if unknown."""
    if references is None:
        return None
    is_pair = isinstance(references, (list, tuple)) and len(references) == 2
    if not is_pair or not all(type(count) is int for count in references) or not 1 <= references[0] <= references[1]:
        problem = f"references must be the smallest and largest number per segment, not {references!r}"
        raise InputError(None, problem, "pass a pair such as (1, 1)")
    return references[0], references[1]


def check_rows(label: str, metric: RowMetric[Any], rows: Any, segments: int | None = None) -> Rows:
    location = Location(f"rows[{label!r}]")
    table = metric.check_rows(rows, location, segments=segments)
    if metric.row_type.kind == "i" and table.dtype.kind == "f":
        raise InputError(location, f"must have whole numbers for {metric.title}", f"pass {metric.rows_from}")
    return table.astype(metric.row_type, copy=False)


def check_header(header: Any) -> None:
    """Raise an error for a header without notes or without the versions of refscore."""
    if not isinstance(header.get("notes"), dict):
        fail("its notes are not an object")
    versions = header.get("refscore")
    if not isinstance(versions, list) or not all(isinstance(version, str) for version in versions):
        fail("it lists no versions of refscore")


class SavedState:
    """The header and arrays of a file. Methods return checked values."""

    def __init__(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        check_header(header)
        self.header = header
        self.arrays = arrays

    def count(self, field: str) -> int:
        """Return the value of a field, which must be a whole number."""
        value = self.header.get(field)
        if type(value) is not int or not 0 <= value < 2**63:
            fail(f"{field} is not a whole number")
        return value

    def retain(self) -> Any:
        retain = self.header.get("retain")
        if retain not in ("sums", "rows") and not 2 <= self.count("retain") <= MOST_SAMPLED:
            fail("the size of its sample is out of range")
        return retain

    def runs(self) -> list[str]:
        runs = self.header.get("runs")
        if not isinstance(runs, list) or not runs or not all(isinstance(name, str) for name in runs):
            fail("it lists no systems")
        return runs

    def labels(self, segments: int) -> tuple[list[Hashable] | None, dict[str, list[Hashable]]]:
        units, groups = self.header.get("units"), self.header.get("groups")
        if not isinstance(groups, dict):
            fail("its groups are not an object")
        for labels in (*([] if units is None else [units]), *groups.values()):
            if not isinstance(labels, list) or len(labels) != segments or not all(map(_is_label, labels)):
                fail("its labels are not one text or number per segment")
        return units, groups

    def digests(self, segments: int) -> Digests:
        saved = self.header.get("digests")
        if not isinstance(saved, dict) or not isinstance(saved.get("hypotheses"), list):
            fail("it lists no digests")
        hypotheses = saved["hypotheses"]
        if len(hypotheses) != len(self.runs()):
            fail("it has a different number of digests than of systems")
        texts = (*hypotheses, saved.get("references"), saved.get("sources"))
        *runs, references, sources = (None if text is None else _digest(text, segments) for text in texts)
        return Digests(tuple(runs), references, sources)

    def texts(self, segments: int) -> Block | None:
        """Return the texts if they were saved."""
        saved = self.header.get("texts")
        if saved is None:
            return None
        sides = saved.get("hypotheses") if isinstance(saved, dict) else None
        if not isinstance(sides, list) or len(sides) != len(self.runs()):
            fail("it has no texts for each system")
        sources, references = saved.get("sources"), saved.get("references")
        plain = [*sides, *([] if sources is None else [sources])]
        if not all(_has_texts(side, segments) and all(map(_is_text, side)) for side in plain):
            fail("its texts are not one per segment")
        if references is not None and not (_has_texts(references, segments) and all(map(_is_reference, references))):
            fail("its references are not texts for each segment")
        return Block(sides, references, sources)

    def warnings(self) -> list[DataWarning]:
        """Return the warnings about the data, without kinds that this version does not know."""
        listed = self.header.get("warnings")
        if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
            fail("its warnings are not a list of objects")
        return [KINDS[entry["kind"]](str(entry.get("message"))) for entry in listed if entry.get("kind") in KINDS]

    def titles(self, metrics: Iterable[str]) -> dict[str, str]:
        """Return the names of the metrics in tables, by label."""
        titles = {entry["label"]: entry.get("title") for entry in self.header["metrics"]}
        if not all(isinstance(title, str) for title in titles.values()):
            fail("a metric has no title")
        return {label: titles[label] for label in metrics}

    def segment_metrics(self, metrics: Mapping[str, RowMetric[Any]]) -> dict[str, RowMetric[Any]]:
        signatures = {entry["label"]: entry.get("segment_signature") for entry in self.header["metrics"]}
        chosen: dict[str, RowMetric[Any]] = {}
        for label, metric in metrics.items():
            single = metric.for_segments()
            is_saved = isinstance(signatures[label], str) and _settings(single.signature) == _settings(
                signatures[label]
            )
            chosen[label] = single if is_saved else metric
        return chosen

    def seeds(self) -> tuple[int, ...]:
        """Return the seeds of the samples that were merged."""
        seeds = self.header.get("seeds")
        if not isinstance(seeds, list) or not seeds:
            fail("it has no seed")
        if not all(isinstance(seed, str) and seed.isascii() and seed.isdecimal() and len(seed) < 40 for seed in seeds):
            fail("a seed is not a number")
        return tuple(map(int, seeds))

    def total(self, key: Key, metric: RowMetric[Any]) -> RowSum:
        data = self.array(saved_name("sum", key), np.dtype(np.uint8), 1).tobytes()
        total = RowSum.from_bytes(data, len(metric.columns), metric.row_type)
        metric.score(total.row)  # raises an error for numbers that are out of range
        return total

    def rows(self, metrics: Mapping[Key, RowMetric[Any]], count: int) -> dict[Key, Rows]:
        rows = {}
        for key, metric in metrics.items():
            name = saved_name("rows", key)
            rows[key] = metric.check_rows(self.array(name, metric.row_type, 2), Location(name))
        if any(len(array) != count for array in rows.values()):
            fail("its numbers of rows and segments differ")
        return rows

    def array(self, name: str, kind: np.dtype[Any], dimensions: int) -> Rows:
        """Return an array, which must have this type and number of dimensions."""
        array = self.arrays.get(name)
        if array is None or array.dtype != kind or array.ndim != dimensions:
            fail(f"its array {name!r} is missing or has the wrong type")
        return array


def saved_name(kind: str, key: Key) -> str:
    run, label = key
    return f"{kind}/{run}/{label}"


def fail(problem: str) -> NoReturn:
    """Raise the error for a file that refscore cannot have written."""
    raise InputError(None, f"cannot be read as statistics: {problem}")


def describe_metrics(metrics: Mapping[str, RowMetric[Any]]) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Return the metrics as JSON values, and the weights of fitted metrics as arrays."""
    listed = [
        {"label": label, "signature": metric.signature, "columns": list(metric.columns)}
        for label, metric in metrics.items()
    ]
    states = {label: metric.fitted_state() for label, metric in metrics.items() if isinstance(metric, Metric)}
    return listed, {
        _WEIGHTS + label: np.frombuffer(state, dtype=np.uint8) for label, state in states.items() if state is not None
    }


def saved_texts(texts: Block | None) -> dict[str, Any]:
    """Return texts as JSON values."""
    if texts is None:
        problem = "the texts cannot be saved, because this evaluation does not have them"
        raise InputError(None, problem, "evaluate all texts in one call of refscore.evaluate, or save without texts")
    sides, sources = [*map(_texts, texts.hypotheses)], None if texts.sources is None else _texts(texts.sources)
    if texts.references is None:
        return {"hypotheses": sides, "references": None, "sources": sources}
    side = read_side(texts.references)
    entries, kind = ([], "tokens") if side.is_prepared else check_references(side)
    if kind != "text":
        raise InputError(Location("references"), "has no texts to save", "pass texts, or save without texts")
    return {"hypotheses": sides, "references": [*entries], "sources": sources}


def _texts(side: Any) -> list[str]:
    items, kind = check_hypotheses(side)
    if kind != "text":
        raise InputError(Location("hypotheses"), "has tokens, which are not saved", "pass texts, or save without texts")
    return [*items]


def load_metrics(
    listed: Any, arrays: Mapping[str, NDArray[Any]], given: Mapping[str, RowMetric[Any]] | None
) -> dict[str, RowMetric[Any]]:
    """Return the metrics that `describe_metrics` described: the given ones, or new ones from their signatures."""
    entries = listed if isinstance(listed, list) else []
    if not entries or not all(map(_is_described, entries)):
        fail("its header lists no metrics")
    labels = [entry["label"] for entry in entries]
    if len({*labels}) != len(labels):
        fail("two metrics have the same label")
    if given is not None and list(given) != labels:
        raise InputError(None, f"has the metrics {', '.join(labels)}, not {', '.join(given)}")
    metrics = {}
    for entry in entries:
        label, signature = entry["label"], entry["signature"]
        metric = _load_metric(label, signature, arrays.get(_WEIGHTS + label)) if given is None else given[label]
        if _settings(metric.signature) != _settings(signature):
            raise InputError(None, f"has different settings for {label!r}: {signature}")
        if list(metric.columns) != entry["columns"]:
            raise InputError(None, f"has different columns for {label!r} than this version of refscore")
        metrics[label] = metric
    return metrics


def _digest(text: Any, segments: int) -> Digest:
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{32}", text):
        fail("a digest is not 32 hexadecimal digits")
    return Digest(int(text, 16), segments)


def _has_texts(side: Any, segments: int) -> bool:
    return isinstance(side, list) and len(side) == segments


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_reference(entry: Any) -> bool:
    is_list = isinstance(entry, list) and any(map(_is_text, entry))
    return _is_text(entry) or (is_list and all(each is None or _is_text(each) for each in entry))


def _is_label(label: Any) -> bool:
    return isinstance(label, (str, int, float))


def _is_described(entry: Any) -> bool:
    kinds = {"label": str, "signature": str, "columns": list}
    return isinstance(entry, dict) and all(isinstance(entry.get(key), kind) for key, kind in kinds.items())


def _settings(signature: str) -> str:
    return signature.partition("|version:")[0]


def _load_metric(label: str, signature: str, weights: NDArray[Any] | None) -> RowMetric[Any]:
    try:
        if weights is None:
            metric = from_signature(signature)
        else:
            name, pairs = split(signature)
            metric = METRICS[name or ""].from_fitted_state(pairs, weights.tobytes())
        if isinstance(metric, Metric):
            metric.check_fitted()
            return metric.as_untrusted()
        return metric
    except (RefscoreError, KeyError) as error:
        raise InputError(
            None,
            f"has the metric {label!r}, which cannot be restored ({error})",
            "pass the original metrics as metrics=, and import or register custom metrics first",
        ) from None
