"""The text form of settings: a metric's name and `key:value` pairs between bars.

refscore's own signatures begin with the metric's name and contain every setting that changes the number:
`bleu|case:mixed|norm:none|tok:13a|order:4|…|version:0.1.0`. sacrebleu's, long and short, are read too.
"""

from __future__ import annotations

from refscore.errors import SignatureError


def join(name: str, pairs: dict[str, str]) -> str:
    """Return the signature with this name and these pairs."""
    return "|".join([name, *(f"{key}:{value}" for key, value in pairs.items())])


def split(text: str) -> tuple[str | None, dict[str, str]]:
    """Return the parts of a signature: refscore's name for the metric (None if there is none) and the pairs."""
    name: str | None = None
    pairs: dict[str, str] = {}
    for i, part in enumerate(text.strip().split("|")):
        key, colon, value = part.partition(":")
        if not colon:
            if i == 0 and part.isidentifier():
                name = part
                continue
            raise SignatureError(f"{text!r} is not a signature: {part!r} does not have the form key:value")
        if key in pairs:
            raise SignatureError(f"{text!r} is not a signature: it has {key!r} twice")
        pairs[key] = value
    return name, pairs


def with_value(name: str, value: float | None) -> str:
    """Return a name with its number in brackets, if it has one."""
    return name if value is None else f"{name}[{value!r}]"


def split_value(text: str) -> tuple[str, float | None]:
    """Return a name and its number in brackets; None if it has none."""
    name, bracket, rest = text.partition("[")
    if not bracket:
        return name, None
    try:
        if not rest.endswith("]"):
            raise ValueError
        return name, float(rest[:-1])
    except ValueError:
        raise SignatureError(f"{text!r} must end with a number in brackets, like floor[0.1]") from None
