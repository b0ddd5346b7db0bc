"""Signatures: all settings that change a result, as text, and their parser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from refscore._version import __version__
from refscore.errors import SignatureError
from refscore.settings.declaration import Setting, declared_settings
from refscore.settings.kinds import alternatives
from refscore.settings.signature_text import join, split_value, with_value

T = TypeVar("T")


def _in_signature(kind: type[Any]) -> list[Setting]:
    """Return the settings in signatures: first those of the text, in the same order for all classes."""
    first = {"case": 0, "norm": 1, "tok": 2}
    named = [declared for declared in declared_settings(kind).values() if declared.key]
    return sorted(named, key=lambda declared: first.get(declared.key, len(first)))


def write_signature(instance: Any) -> str:
    """Return all settings that change the result, as text."""
    pairs = {}
    for declared in _in_signature(type(instance)):
        if declared.is_rare and getattr(instance, declared.name) == declared.default:
            continue
        text = declared.kind.write(getattr(instance, declared.name))
        pairs[declared.key] = (
            text if declared.companion is None else with_value(text, getattr(instance, declared.companion))
        )
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
