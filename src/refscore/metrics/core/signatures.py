"""Metrics from signatures: refscore's own, and those of other tools that a metric can read."""

from __future__ import annotations

from typing import Any

from refscore.errors import SignatureError
from refscore.metrics.core.registry import METRICS, loaded_metrics, signature_class
from refscore.metrics.core.row_metric import RowMetric
from refscore.settings import read_signature, split


def from_signature(text: str) -> RowMetric[Any]:
    """Return the metric of a signature, written by refscore or by sacrebleu.

    sacrebleu's signatures can be long or short, the line that its command prints, or BLEU signatures of its version 1
    (`BLEU+case.mixed+…`). They omit the n-gram order of BLEU, and the beta of chrF unless the name has it (`chrF2|…`).
    A `SignatureWarning` names the assumed values.

    Args:
        text: The signature of a metric or of a score.

    Returns:
        The metric with the same settings.

    Example:
        >>> import refscore
        >>> metric = refscore.BLEU(max_order=2, smoothing="floor")
        >>> refscore.from_signature(metric.signature) == metric
        True
    """
    if not isinstance(text, str):
        raise SignatureError(f"a signature must be a string, not {text!r}")
    name = text.partition("|")[0].strip()
    metric_class = signature_class(name)
    if metric_class is not None:
        return read_signature(metric_class, split(text.partition(" = ")[0])[1])
    for kind in loaded_metrics():
        metric = kind._from_other_signature(text)
        if metric is not None:
            return metric
    name_or_none, _ = split(text.partition(" = ")[0])
    raise SignatureError(
        f"{text!r} is a signature of an unknown metric, {name_or_none!r} (there are: {', '.join(METRICS)})"
    )
