"""Metrics by name, and the metric of a signature."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from refscore.errors import SettingError, SignatureError, SignatureWarning
from refscore.metrics.base import Metric
from refscore.metrics.bleu import BLEU
from refscore.metrics.chrf import CHRF
from refscore.metrics.ribes import RIBES
from refscore.signature import split, split_value

METRICS: Mapping[str, type[Metric[Any]]] = {"bleu": BLEU, "chrf": CHRF, "ribes": RIBES}

# sacrebleu's short keys. In short signatures of chrF, `s` means space instead of smoothing; only BLEU's are read.
_LONG_KEYS = {
    "#": "nrefs",
    "c": "case",
    "e": "eff",
    "s": "smooth",
    "v": "version",
    "rs": "seed",
    "t": "test",
    "l": "lang",
    "o": "origlang",
    "S": "subset",
}
_BLEU_KEYS = {"case", "eff", "tok", "smooth"}
_CORPUS_KEYS = {"nrefs", "version", "bs", "ar", "seed", "test", "lang", "origlang", "subset"}
_OTHER_METRICS = {
    "nc": "chrF",
    "nw": "chrF",
    "norm": "TER",
    "nr": "TER",
    "punct": "TER",
    "pn": "TER",
    "asian": "TER",
    "as": "TER",
}


def from_signature(text: str) -> Metric[Any]:
    """The metric that a signature describes: refscore's own, or sacrebleu's.

    Of sacrebleu, the long and the short form are read, the line that its command prints, and the form of its versions 1
    (`BLEU+case.mixed+…`). They leave the n-gram order out; what is assumed is said in a `SignatureWarning`.

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
    if text.startswith("BLEU+"):
        return _from_sacrebleu(text, _pairs_of_version_1(text))
    name, pairs = split(text.partition(" = ")[0])
    if name is None or name == "BLEU":
        return _from_sacrebleu(text, pairs)
    if name not in METRICS:
        raise SignatureError(
            f"{text!r} is of the metric {name!r}, which this version does not have (it has: {', '.join(METRICS)})"
        )
    return METRICS[name].from_pairs(pairs)


def _pairs_of_version_1(text: str) -> dict[str, str]:
    """The pairs of `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.2.10`, which had no effective order."""
    pairs = {"eff": "no"}
    for part in text.partition(" = ")[0].split("+")[1:]:
        key, dot, value = part.partition(".")
        if not dot or key in pairs:
            raise SignatureError(f"{text!r} is no signature: {part!r} is not of the form key.value, or there twice")
        pairs["nrefs" if key == "numrefs" else key] = value
    return pairs


def _from_sacrebleu(text: str, given: Mapping[str, str]) -> BLEU:
    for key, other in _OTHER_METRICS.items():
        if key in given:
            raise SignatureError(f"{text!r} is sacrebleu's signature of {other}, which this version does not have")
    pairs = {_LONG_KEYS.get(key, key): value for key, value in given.items()}
    if len(pairs) < len(given):
        raise SignatureError(f"{text!r} is no signature: it gives a key twice, in its long and its short form")
    unknown = pairs.keys() - _BLEU_KEYS - _CORPUS_KEYS
    if unknown:
        raise SignatureError(f"{text!r} is no signature of BLEU by sacrebleu: it has {', '.join(sorted(unknown))}")
    missing = _BLEU_KEYS - pairs.keys()
    if missing:
        raise SignatureError(f"{text!r} is no signature of BLEU by sacrebleu: it lacks {', '.join(sorted(missing))}")
    smoothing, value = split_value(pairs["smooth"])
    if pairs["case"] not in ("mixed", "lc") or pairs["eff"] not in ("yes", "no"):
        raise SignatureError(f"{text!r} is no signature of BLEU by sacrebleu: case is mixed or lc, eff is yes or no")
    try:
        metric = BLEU.preset(
            "sacrebleu",
            tokenizer=pairs["tok"],
            lowercase=pairs["case"] == "lc",
            smoothing=smoothing,
            smoothing_value=value,
            effective_order=pairs["eff"] == "yes",
        )
    except SettingError as error:
        raise SignatureError(f"{text!r} cannot be repeated here: {error}") from None
    assumed = "the n-gram order: assumed max_order=4"
    if value is not None:
        assumed += f", and rounds the smoothing value: assumed {value:g}"
    warnings.warn(f"sacrebleu's signature does not say {assumed}", SignatureWarning, stacklevel=3)
    return metric
