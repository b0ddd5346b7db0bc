from __future__ import annotations

import re

from refscore.errors import SignatureError
from refscore.metrics.chrf.metric import CHRF
from refscore.metrics.core.sacrebleu_signatures import CHRF_KEYS, check_pairs, warn_assumed
from refscore.settings import split

_NAME = re.compile(r"\s*chrF([^|]*?)(\+*)\|(.*)", re.DOTALL)


def read_signature(text: str) -> CHRF | None:
    """Return the metric, or None for other texts."""
    head = text.partition(" = ")[0]
    named = _NAME.fullmatch(head)
    try:
        name, pairs = split(head if named is None else named[3])
    except SignatureError:
        if named is None:
            return None
        raise
    if named is None and (name is not None or not pairs.keys() & CHRF_KEYS):
        return None
    pairs = check_pairs(text, pairs, "chrF", {"nc", "nw"}, {"eff", "space"}, {"s": "space"})
    try:
        metric = CHRF(
            char_order=int(pairs["nc"]),
            word_order=int(pairs["nw"]),
            beta=2.0 if named is None else float(named[1]),
            lowercase=pairs["case"] == "lc",
            whitespace=pairs["space"] == "yes",
            smoothing="epsilon" if pairs["eff"] == "no" else "none",
        )
    except ValueError as error:
        raise SignatureError(f"{text!r} cannot be used: {error}") from None
    if named is None:
        warn_assumed("beta: assumed beta=2")
    elif len(named[2]) != metric.word_order:
        raise SignatureError(
            f"{text!r} is not a signature: its name has {len(named[2])} pluses, but nw is {metric.word_order}"
        )
    return metric
