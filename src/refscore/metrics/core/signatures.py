"""From a signature to its metric: refscore's own signatures, and those of other tools that a metric can read."""

from __future__ import annotations

from typing import Any

from refscore.errors import SignatureError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.registry import METRICS, loaded_metrics
from refscore.metrics.core.settings import read_signature
from refscore.signature import split


def from_signature(text: str) -> Metric[Any]:
    """Return the metric that a signature describes: refscore's own, or sacrebleu's.

    sacrebleu's long and short forms are read, the line that its command prints, and the form of BLEU in its version 1
    (`BLEU+case.mixed+…`). They leave out the n-gram order of BLEU, and the beta of chrF unless its name is there
    (`chrF2|…`); a `SignatureWarning` names what is assumed.

    Args:
        text: The signature, of a metric or of a score.

    Returns:
        The metric with the same settings.

    Example:
        >>> import refscore
        >>> metric = refscore.BLEU(max_order=2, smoothing="floor")
        >>> refscore.from_signature(metric.signature) == metric
        True
    """
    if not isinstance(text, str):
        raise SignatureError(f"a signature is a string, not {text!r}")
    name = text.partition("|")[0].strip()
    if name in METRICS:
        return read_signature(METRICS[name], split(text.partition(" = ")[0])[1])
    for kind in loaded_metrics():
        metric = kind._from_other_signature(text)
        if metric is not None:
            return metric
    name_or_none, _ = split(text.partition(" = ")[0])
    raise SignatureError(
        f"{text!r} is of the metric {name_or_none!r}, which is not known here (there are: {', '.join(METRICS)})"
    )
