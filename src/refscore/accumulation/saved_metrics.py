"""Metrics in the header of saved statistics: their signatures, and the weights of those that were fitted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, RefscoreError
from refscore.metrics import METRICS, Metric, from_signature
from refscore.signature import split

_WEIGHTS = "weights/"


def describe_metrics(metrics: Mapping[str, Metric[Any]]) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Return the metrics as values for JSON, and the weights of fitted ones as arrays."""
    listed = [
        {"label": label, "signature": metric.signature, "columns": list(metric.columns)}
        for label, metric in metrics.items()
    ]
    states = {label: metric.fitted_state() for label, metric in metrics.items()}
    return listed, {
        _WEIGHTS + label: np.frombuffer(state, dtype=np.uint8) for label, state in states.items() if state is not None
    }


def load_metrics(
    listed: Any, arrays: Mapping[str, NDArray[Any]], given: Mapping[str, Metric[Any]] | None
) -> dict[str, Metric[Any]]:
    """Return the metrics that a header lists: those that are given, or else made from their signatures and weights."""
    entries = listed if isinstance(listed, list) else []
    if not entries or not all(map(_is_described, entries)):
        raise InputError(None, "cannot be read as statistics: its header lists no metrics")
    labels = [entry["label"] for entry in entries]
    if len({*labels}) != len(labels):
        raise InputError(None, "cannot be read as statistics: two metrics have one label")
    if given is not None and list(given) != labels:
        raise InputError(None, f"has the metrics {', '.join(labels)}, not {', '.join(given)}")
    metrics = {}
    for entry in entries:
        label, signature = entry["label"], entry["signature"]
        metric = _load_metric(label, signature, arrays.get(_WEIGHTS + label)) if given is None else given[label]
        if _settings(metric.signature) != _settings(signature):
            raise InputError(None, f"has {label!r} with other settings: {signature}")
        if list(metric.columns) != entry["columns"]:
            raise InputError(None, f"has other columns for {label!r} than this version of refscore")
        metrics[label] = metric
    return metrics


def _is_described(entry: Any) -> bool:
    kinds = {"label": str, "signature": str, "columns": list}
    return isinstance(entry, dict) and all(isinstance(entry.get(key), kind) for key, kind in kinds.items())


def _settings(signature: str) -> str:
    return signature.partition("|version:")[0]


def _load_metric(label: str, signature: str, weights: NDArray[Any] | None) -> Metric[Any]:
    try:
        if weights is None:
            metric = from_signature(signature)
        else:
            name, pairs = split(signature)
            metric = METRICS[name or ""].from_fitted_state(pairs, weights.tobytes())
        metric.check_fitted()
        return metric
    except (RefscoreError, KeyError) as error:
        raise InputError(
            None,
            f"has the metric {label!r}, which cannot be made from what is saved ({error})",
            "load it with metrics=, the metrics that it was made with; import or register a metric from outside first",
        ) from None
