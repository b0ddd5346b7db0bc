from __future__ import annotations

import warnings
from collections.abc import Mapping

from refscore.errors import SignatureError, SignatureWarning

_SHORT_KEYS = {
    "#": "nrefs",
    "c": "case",
    "e": "eff",
    "v": "version",
    "rs": "seed",
    "t": "test",
    "l": "lang",
    "o": "origlang",
    "S": "subset",
}
_CORPUS_KEYS = {"nrefs", "version", "bs", "ar", "seed", "test", "lang", "origlang", "subset"}

# Keys that identify the metric if a signature has no name.
CHRF_KEYS = {"nc", "nw"}
SHORT_TER_KEYS = {"nr": "norm", "pn": "punct", "as": "asian"}
TER_KEYS = {"norm", "punct", "asian", *SHORT_TER_KEYS}


def check_pairs(
    text: str, pairs: Mapping[str, str], name: str, keys: set[str], flags: set[str], short_keys: Mapping[str, str]
) -> dict[str, str]:
    """Return the pairs with long keys. Raise a SignatureError for missing and unknown keys, and for wrong values."""
    keys = {"case", *keys, *flags}
    long_keys = {**_SHORT_KEYS, **short_keys}
    long_pairs = {long_keys.get(key, key): value for key, value in pairs.items()}
    if len(long_pairs) < len(pairs):
        raise SignatureError(f"{text!r} is not a signature: it has a key twice, in its long and its short form")
    unknown = long_pairs.keys() - keys - _CORPUS_KEYS
    missing = keys - long_pairs.keys()
    if unknown or missing:
        problem = f"it has {', '.join(sorted(unknown))}" if unknown else f"it lacks {', '.join(sorted(missing))}"
        raise SignatureError(f"{text!r} is not a signature of {name} by sacrebleu: {problem}")
    if long_pairs["case"] not in ("mixed", "lc") or not {long_pairs[key] for key in flags} <= {"yes", "no"}:
        raise SignatureError(
            f"{text!r} is not a signature of {name} by sacrebleu: case must be mixed or lc, and "
            f"{' and '.join(sorted(flags))} must be yes or no"
        )
    return long_pairs


def warn_assumed(what: str) -> None:
    # Level 5 is the caller of from_signature.
    warnings.warn(f"sacrebleu's signature omits {what}", SignatureWarning, stacklevel=5)
