from __future__ import annotations

from refscore.errors import SignatureError
from refscore.metrics.core.sacrebleu_signatures import SHORT_TER_KEYS, TER_KEYS, check_pairs
from refscore.metrics.ter.metric import TER, tercom_tokenizer
from refscore.settings import split


def read_signature(text: str) -> TER | None:
    """Return the metric, or None for other texts."""
    # In short signatures of TER, `t` is both the tokenizer and the test set.
    try:
        name, pairs = split(text.partition(" = ")[0].replace("|t:tercom", "|tok:tercom"))
    except SignatureError:
        return None
    if name != "TER" and (name is not None or not pairs.keys() & TER_KEYS):
        return None
    pairs = check_pairs(text, pairs, "TER", {"tok"}, {"norm", "punct", "asian"}, SHORT_TER_KEYS)
    if pairs["tok"] != "tercom":
        raise SignatureError(f"{text!r} is not a signature of TER by sacrebleu: tok must be tercom")
    tokenizer = tercom_tokenizer(
        normalized=pairs["norm"] == "yes", no_punct=pairs["punct"] == "no", asian_support=pairs["asian"] == "yes"
    )
    return TER(tokenizer=tokenizer, lowercase=pairs["case"] == "lc")
