"""Signatures: all settings that change a result, as text, and their parser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from refscore._version import __version__
from refscore.errors import SignatureError
from refscore.settings.declaration import Setting, declared_settings, settings_by_name
from refscore.settings.kinds import alternatives
from refscore.settings.signature_text import join, split_value, with_value

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
