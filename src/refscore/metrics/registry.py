"""Metrics by name, and the metric of a signature."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from refscore.errors import SettingError, SignatureError, SignatureWarning
from refscore.metrics.base import Metric
from refscore.metrics.bleu import BLEU
from refscore.metrics.cer import CER
from refscore.metrics.gleu import GLEU
from refscore.metrics.meteor import METEOR
from refscore.metrics.nist import NIST
from refscore.metrics.ribes import RIBES
from refscore.metrics.rouge import ROUGE
from refscore.metrics.ter import TER
from refscore.metrics.wer import WER
from refscore.signature import split, split_value

METRICS: Mapping[str, type[Metric[Any]]] = {
    metric.name: metric for metric in (BLEU, CER, GLEU, METEOR, NIST, RIBES, ROUGE, TER, WER)
}

# sacrebleu's short keys. In short signatures of chrF, `s` means space instead of smoothing; those are not read.
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
    "nr": "norm",
    "pn": "punct",
    "as": "asian",
}
_BLEU_KEYS = {"case", "eff", "tok", "smooth"}
_TER_KEYS = {"case", "tok", "norm", "punct", "asian"}
_CORPUS_KEYS = {"nrefs", "version", "bs", "ar", "seed", "test", "lang", "origlang", "subset"}
_OTHER_METRICS = {"nc": "chrF", "nw": "chrF"}


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
    # In short signatures of TER, `t` is the tokenizer as well as the test set.
    name, pairs = split(text.partition(" = ")[0].replace("|t:tercom", "|tok:tercom"))
    if name == "TER" or (name is None and _long(text, pairs).keys() & (_TER_KEYS - _BLEU_KEYS)):
        return _ter_from_sacrebleu(text, pairs)
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


def _long(text: str, given: Mapping[str, str]) -> dict[str, str]:
    """The pairs of sacrebleu's signature with its long keys."""
    pairs = {_LONG_KEYS.get(key, key): value for key, value in given.items()}
    if len(pairs) < len(given):
        raise SignatureError(f"{text!r} is no signature: it gives a key twice, in its long and its short form")
    return pairs


def _checked(text: str, given: Mapping[str, str], name: str, keys: set[str]) -> dict[str, str]:
    """The same, if it has all keys of the metric and no others."""
    pairs = _long(text, given)
    unknown = pairs.keys() - keys - _CORPUS_KEYS
    if unknown:
        raise SignatureError(f"{text!r} is no signature of {name} by sacrebleu: it has {', '.join(sorted(unknown))}")
    missing = keys - pairs.keys()
    if missing:
        raise SignatureError(f"{text!r} is no signature of {name} by sacrebleu: it lacks {', '.join(sorted(missing))}")
    return pairs


def _ter_from_sacrebleu(text: str, given: Mapping[str, str]) -> TER:
    pairs = _checked(text, given, "TER", _TER_KEYS)
    return TER.from_pairs({**{key: pairs[key] for key in _TER_KEYS}, "refs": "twice"})


def _from_sacrebleu(text: str, given: Mapping[str, str]) -> BLEU:
    for key, other in _OTHER_METRICS.items():
        if key in given:
            raise SignatureError(f"{text!r} is sacrebleu's signature of {other}, which this version does not have")
    pairs = _checked(text, given, "BLEU", _BLEU_KEYS)
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
