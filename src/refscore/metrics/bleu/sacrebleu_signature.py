from __future__ import annotations

from refscore.errors import SettingError, SignatureError
from refscore.metrics.bleu.metric import BLEU
from refscore.metrics.core.sacrebleu_signatures import CHRF_KEYS, TER_KEYS, check_pairs, warn_assumed
from refscore.settings import split, split_value


def read_signature(text: str) -> BLEU | None:
    """Return the metric, or None for other texts."""
    head = text.partition(" = ")[0]
    if text.startswith("BLEU+"):
        pairs = _pairs_of_version_1(text)
    else:
        try:
            name, pairs = split(head)
        except SignatureError:
            return None
        if name not in (None, "BLEU") or (name is None and pairs.keys() & {*CHRF_KEYS, *TER_KEYS}):
            return None
    pairs = check_pairs(text, pairs, "BLEU", {"tok", "smooth"}, {"eff"}, {"s": "smooth"})
    smoothing, value = split_value(pairs["smooth"])
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
        raise SignatureError(f"{text!r} cannot be used: {error}") from None
    assumed = "the n-gram order: assumed max_order=4"
    if value is not None:
        assumed += f", and rounds the smoothing value: assumed {value:g}"
    warn_assumed(assumed)
    return metric


def _pairs_of_version_1(text: str) -> dict[str, str]:
    """Return the pairs of `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.2.10`, without an effective order."""
    pairs = {"eff": "no"}
    for part in text.partition(" = ")[0].split("+")[1:]:
        key, dot, value = part.partition(".")
        if not dot or key in pairs:
            raise SignatureError(
                f"{text!r} is not a signature: {part!r} does not have the form key.value, or occurs twice"
            )
        pairs["nrefs" if key == "numrefs" else key] = value
    return pairs
