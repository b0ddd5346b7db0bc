"""Signatures: a name and `key:value` pairs between bars. They contain all settings that change a result.

refscore's own signatures look like `bleu|case:mixed|norm:none|tok:13a|order:4|…|version:0.1.0`. sacrebleu's, long and
short, are read too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from refscore._version import __version__
from refscore.errors import SignatureError
from refscore.settings.declaration import Setting, declared_settings, settings_by_name
from refscore.settings.kinds import alternatives


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


T = TypeVar("T")


def _in_signature(kind: type[Any]) -> list[Setting]:
    """Return the settings in signatures: those of `first_keys`, then the others in the order of the fields."""
    first = {key: place for place, key in enumerate(kind.first_keys)}
    named = [declared for declared in declared_settings(kind).values() if declared.key]
    return sorted(named, key=lambda declared: first.get(declared.key, len(first)))


def signature_pairs(settings: Iterable[Setting], values: Mapping[str, Any]) -> dict[str, str]:
    """Return the keys and values of settings in signatures, without rare settings that have their default."""
    pairs = {}
    for declared in settings:
        value = values[declared.name]
        if not declared.is_rare or value != declared.default:
            text = declared.kind.write(value)
            pairs[declared.key] = text if declared.companion is None else with_value(text, values[declared.companion])
    return pairs


def write_signature(instance: Any) -> str:
    """Return all settings that change the result, as text."""
    pairs = signature_pairs(_in_signature(type(instance)), settings_by_name(instance))
    return join(type(instance).name, {**pairs, "version": __version__})


def read_signature(kind: type[T], pairs: Mapping[str, str]) -> T:
    """Return the instance from the pairs of one of refscore's own signatures."""
    title = getattr(kind, "display_name", kind.__name__)
    declared = {entry.key: entry for entry in _in_signature(kind)}
    unknown = pairs.keys() - declared.keys() - {"nrefs", "version"}
    if unknown:
        raise SignatureError(f"signatures of {title} have no key {sorted(unknown)[0]!r}")
    settings: dict[str, Any] = {}
    for key, entry in declared.items():
        if key not in pairs and entry.is_rare:
            continue
        if key not in pairs:
            raise SignatureError(f"the signature of {title} lacks the key {key!r}")
        text = pairs[key]
        if entry.companion is not None:
            text, settings[entry.companion] = split_value(text)
        try:
            settings[entry.name] = entry.kind.read(text)
        except SignatureError:
            raise
        except ValueError:
            allowed = alternatives(entry.kind.signature_values)
            raise SignatureError(f"{key} in a signature must be {allowed}, not {text!r}") from None
    try:
        return kind(**settings)
    except ValueError as error:
        raise SignatureError(f"the signature cannot be used: {error}") from None
