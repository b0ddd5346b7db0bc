"""Metrics by name, and the metric of a signature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refscore.errors import SignatureError
from refscore.metrics.bleu.metric import BLEU
from refscore.metrics.chrf.metric import CHRF
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.sacrebleu_signatures import read_sacrebleu
from refscore.metrics.error_rate.cer import CER
from refscore.metrics.error_rate.wer import WER
from refscore.metrics.gleu.metric import GLEU
from refscore.metrics.meteor.metric import METEOR
from refscore.metrics.nist.metric import NIST
from refscore.metrics.ribes.metric import RIBES
from refscore.metrics.rouge.metric import ROUGE
from refscore.metrics.ter.metric import TER
from refscore.signature import split

METRICS: Mapping[str, type[Metric[Any]]] = {
    metric.name: metric for metric in (BLEU, CER, CHRF, GLEU, METEOR, NIST, RIBES, ROUGE, TER, WER)
}


def from_signature(text: str) -> Metric[Any]:
    """The metric that a signature describes: refscore's own, or sacrebleu's.

    Of sacrebleu, the long and the short form are read, the line that its command prints, and the form of BLEU in its
    versions 1 (`BLEU+case.mixed+…`). They leave out the n-gram order of BLEU, and the beta of chrF unless its name is
    there (`chrF2|…`); what is assumed is said in a `SignatureWarning`.

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
    theirs = read_sacrebleu(text)
    if theirs is not None:
        return theirs
    name, pairs = split(text.partition(" = ")[0])
    if name is None or name not in METRICS:
        raise SignatureError(
            f"{text!r} is of the metric {name!r}, which this version does not have (it has: {', '.join(METRICS)})"
        )
    return METRICS[name].from_pairs(pairs)
