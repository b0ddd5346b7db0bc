"""sacrebleu's signatures, long and short, read as settings of ours.

What they leave out is assumed to be sacrebleu's default, and said in a `SignatureWarning`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import Any

from refscore.errors import SettingError, SignatureError, SignatureWarning
from refscore.metrics.bleu.metric import BLEU
from refscore.metrics.chrf.metric import CHRF
from refscore.metrics.core.metric import Metric
from refscore.metrics.ter.metric import TER
from refscore.signature import split, split_value

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
_BLEU_KEYS = {"case", "eff", "tok", "smooth"}
_CHRF_KEYS = {"case", "eff", "nc", "nw", "space"}
_TER_KEYS = {"case", "tok", "norm", "punct", "asian"}
_SHORT_TER_KEYS = {"nr": "norm", "pn": "punct", "as": "asian"}
_CHRF_NAME = re.compile(r"\s*chrF([^|]*?)(\+*)\|(.*)", re.DOTALL)


def read_sacrebleu(text: str) -> Metric[Any] | None:
    """The metric of one of sacrebleu's signatures; None if the text is of another kind.

    >>> read_sacrebleu("chrF2++|nrefs:1|case:lc|eff:yes|nc:6|nw:2|space:no|version:2.6.0").title
    'chrF2++'
    """
    if text.startswith("BLEU+"):
        return _bleu(text, _pairs_of_version_1(text))
    head = text.partition(" = ")[0]
    chrf = _CHRF_NAME.fullmatch(head)
    if chrf is not None:
        return _chrf(text, split(chrf[3])[1], (chrf[1], len(chrf[2])))
    # In short signatures of TER, `t` is the tokenizer as well as the test set.
    name, pairs = split(head.replace("|t:tercom", "|tok:tercom"))
    if name not in (None, "BLEU", "TER"):
        return None
    if name == "TER" or (name is None and pairs.keys() & {"norm", "punct", "asian", *_SHORT_TER_KEYS}):
        return _ter(text, pairs)
    if name is None and pairs.keys() & {"nc", "nw"}:
        return _chrf(text, pairs, None)
    return _bleu(text, pairs)


def _checked(
    text: str, given: Mapping[str, str], name: str, keys: set[str], short_keys: Mapping[str, str]
) -> dict[str, str]:
    """The pairs with their long keys, if they have all keys of the metric and no others."""
    long_keys = {**_SHORT_KEYS, **short_keys}
    pairs = {long_keys.get(key, key): value for key, value in given.items()}
    if len(pairs) < len(given):
        raise SignatureError(f"{text!r} is no signature: it gives a key twice, in its long and its short form")
    unknown = pairs.keys() - keys - _CORPUS_KEYS
    if unknown:
        raise SignatureError(f"{text!r} is no signature of {name} by sacrebleu: it has {', '.join(sorted(unknown))}")
    missing = keys - pairs.keys()
    if missing:
        raise SignatureError(f"{text!r} is no signature of {name} by sacrebleu: it lacks {', '.join(sorted(missing))}")
    return pairs


def _assume(what: str) -> None:
    # The caller is the user of from_signature.
    warnings.warn(f"sacrebleu's signature does not say {what}", SignatureWarning, stacklevel=5)


def _pairs_of_version_1(text: str) -> dict[str, str]:
    """The pairs of `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.2.10`, which had no effective order."""
    pairs = {"eff": "no"}
    for part in text.partition(" = ")[0].split("+")[1:]:
        key, dot, value = part.partition(".")
        if not dot or key in pairs:
            raise SignatureError(f"{text!r} is no signature: {part!r} is not of the form key.value, or there twice")
        pairs["nrefs" if key == "numrefs" else key] = value
    return pairs


def _ter(text: str, given: Mapping[str, str]) -> TER:
    pairs = _checked(text, given, "TER", _TER_KEYS, _SHORT_TER_KEYS)
    return TER.from_pairs({**{key: pairs[key] for key in _TER_KEYS}, "refs": "twice"})


def _bleu(text: str, given: Mapping[str, str]) -> BLEU:
    pairs = _checked(text, given, "BLEU", _BLEU_KEYS, {"s": "smooth"})
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
    _assume(assumed)
    return metric


def _chrf(text: str, given: Mapping[str, str], name: tuple[str, int] | None) -> CHRF:
    """`name` is what stands between `chrF` and the pluses, and how many these are."""
    pairs = _checked(text, given, "chrF", _CHRF_KEYS, {"s": "space"})
    if pairs["case"] not in ("mixed", "lc") or not {pairs["eff"], pairs["space"]} <= {"yes", "no"}:
        raise SignatureError(
            f"{text!r} is no signature of chrF by sacrebleu: case is mixed or lc, eff and space are yes or no"
        )
    try:
        metric = CHRF(
            char_order=int(pairs["nc"]),
            word_order=int(pairs["nw"]),
            beta=2.0 if name is None else float(name[0]),
            lowercase=pairs["case"] == "lc",
            whitespace=pairs["space"] == "yes",
            eps_smoothing=pairs["eff"] == "no",
        )
    except ValueError as error:
        raise SignatureError(f"{text!r} cannot be repeated here: {error}") from None
    if name is None:
        _assume("beta: assumed beta=2")
    elif name[1] != metric.word_order:
        raise SignatureError(f"{text!r} is no signature: its name has {name[1]} pluses, but nw is {metric.word_order}")
    return metric
