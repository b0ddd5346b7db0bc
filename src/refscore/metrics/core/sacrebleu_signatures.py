"""What sacrebleu's signatures have in common: long and short keys, and warnings about settings they leave out."""

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

# The keys by which a signature without a name is recognized.
CHRF_KEYS = {"nc", "nw"}
SHORT_TER_KEYS = {"nr": "norm", "pn": "punct", "as": "asian"}
TER_KEYS = {"norm", "punct", "asian", *SHORT_TER_KEYS}


def check_pairs(
    text: str, pairs: Mapping[str, str], name: str, keys: set[str], short_keys: Mapping[str, str]
) -> dict[str, str]:
    """Return the pairs with their long keys, if they have all keys of the metric and no others.

    >>> check_pairs("#:1|nc:6", {"#": "1", "nc": "6"}, "chrF", {"nc"}, {})
    {'nrefs': '1', 'nc': '6'}
    """
    long_keys = {**_SHORT_KEYS, **short_keys}
    long_pairs = {long_keys.get(key, key): value for key, value in pairs.items()}
    if len(long_pairs) < len(pairs):
        raise SignatureError(f"{text!r} is not a signature: it gives a key twice, in its long and its short form")
    unknown = long_pairs.keys() - keys - _CORPUS_KEYS
    missing = keys - long_pairs.keys()
    if unknown or missing:
        problem = f"it has {', '.join(sorted(unknown))}" if unknown else f"it lacks {', '.join(sorted(missing))}"
        raise SignatureError(f"{text!r} is not a signature of {name} by sacrebleu: {problem}")
    return long_pairs


def check_values(text: str, pairs: Mapping[str, str], name: str, flags: set[str]) -> None:
    """Raise a SignatureError unless the case and the flags have values that sacrebleu writes."""
    if pairs["case"] not in ("mixed", "lc") or not {pairs[key] for key in flags} <= {"yes", "no"}:
        verb = "is" if len(flags) == 1 else "are"
        raise SignatureError(
            f"{text!r} is not a signature of {name} by sacrebleu: case is mixed or lc, "
            f"{' and '.join(sorted(flags))} {verb} yes or no"
        )


def warn_assumed(what: str) -> None:
    """Warn about a setting that sacrebleu's signatures leave out."""
    # The caller is the user of from_signature.
    warnings.warn(f"sacrebleu's signature does not say {what}", SignatureWarning, stacklevel=5)
