"""Metrics in the header of saved statistics: their signatures, and the weights of those that were fitted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, SettingError, SignatureError, UnknownNameError
from refscore.metrics import METRICS, NIST, Information, Metric, from_signature
from refscore.metrics.core.selection import read_name
from refscore.signature import split

_WEIGHTS = "weights/"


def labelled(metrics: Any) -> dict[str, Metric[Any]]:
    """The metrics that are asked for, under their labels.

    Args:
        metrics: One or several names (also chrf++ or bleu:nltk) or metrics; in a dictionary, under labels of your own.

    Example:
        >>> import refscore
        >>> list(labelled(["bleu", "chrf++", refscore.TER()]))
        ['bleu', 'chrf++', 'ter']
    """
    if isinstance(metrics, (str, Metric)):
        metrics = (metrics,)
    if not isinstance(metrics, Iterable):
        raise SettingError(f"metrics must be names of metrics, or metrics, not {metrics!r}")
    made: dict[str, Metric[Any]] = {}
    for entry in metrics.items() if isinstance(metrics, Mapping) else metrics:
        own, asked = entry if isinstance(metrics, Mapping) else (None, entry)
        label, metric = _read(asked)
        label = label if own is None else own
        if not isinstance(label, str) or not label:
            raise SettingError(f"a metric's label must be a text, not {label!r}")
        if label in made:
            raise SettingError(f"there are two metrics of the name {label!r}: pass a dictionary with names of your own")
        metric.stats([], [])  # a metric that has to be fitted first says so
        made[label] = metric
    if not made:
        raise SettingError(f"there is no metric: name one (there are: {', '.join(METRICS)})")
    return made


def _read(asked: Any) -> tuple[str, Metric[Any]]:
    if isinstance(asked, Metric):
        return asked.name, asked
    if not isinstance(asked, str):
        raise UnknownNameError.suggest("metric", asked, METRICS)
    label, kind, preset = read_name(asked)
    return label, kind.with_settings({"preset": preset})


def described(metrics: Mapping[str, Metric[Any]]) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """The metrics as JSON and arrays hold them."""
    listed = [
        {"label": label, "signature": metric.signature, "columns": list(metric.columns)}
        for label, metric in metrics.items()
    ]
    weights = {
        _WEIGHTS + label: np.frombuffer(metric.information.to_bytes(), dtype=np.uint8)
        for label, metric in metrics.items()
        if isinstance(metric, NIST) and metric.information is not None
    }
    return listed, weights


def read_described(
    listed: Any, arrays: Mapping[str, NDArray[Any]], given: Mapping[str, Metric[Any]] | None, name: str
) -> dict[str, Metric[Any]]:
    """The metrics that `described` described.

    Args:
        listed: The part of the header.
        arrays: The arrays of the file.
        given: The metrics as the caller has them; None to make them from their signatures.
        name: What messages call the file.
    """
    if not isinstance(listed, list) or not listed or not all(map(_is_described, listed)):
        raise InputError(None, f"{name} cannot be read as statistics: its header lists no metrics")
    signatures = {entry["label"]: entry["signature"] for entry in listed}
    if len(signatures) != len(listed):
        raise InputError(None, f"{name} cannot be read as statistics: two metrics have one label")
    if given is not None and list(given) != list(signatures):
        raise InputError(None, f"{name} has the metrics {', '.join(signatures)}, not {', '.join(given)}")
    made = {}
    for entry in listed:
        label = entry["label"]
        if given is None:
            metric = _made(entry["signature"], arrays.get(_WEIGHTS + label), name, label)
        else:
            metric = given[label]
            if _settings(metric.signature) != _settings(entry["signature"]):
                raise InputError(None, f"{name} has {label!r} with other settings: {entry['signature']}")
        if list(metric.columns) != entry["columns"]:
            raise InputError(None, f"{name} has other columns for {label!r} than this version of refscore")
        made[label] = metric
    return made


def _is_described(entry: Any) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("label"), str)
        and isinstance(entry.get("signature"), str)
        and isinstance(entry.get("columns"), list)
    )


def _settings(signature: str) -> tuple[str | None, dict[str, str]]:
    name, pairs = split(signature)
    return name, {key: value for key, value in pairs.items() if key != "version"}


def _made(signature: str, weights: NDArray[Any] | None, name: str, label: str) -> Metric[Any]:
    try:
        if weights is None:
            return from_signature(signature)
        _, pairs = split(signature)
        information = Information.from_bytes(weights.tobytes())
        made = NIST.from_pairs({**pairs, "info": "none"})
        return replace(made, information=information)
    except (SignatureError, SettingError, InputError) as error:
        raise InputError(
            None,
            f"{name}: the metric {label!r} cannot be made from what is saved ({error}): load it with metrics=, the "
            "metrics that it was made with",
        ) from None
