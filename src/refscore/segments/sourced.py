"""References together with the source of each segment, for metrics that also read what was translated or simplified."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refscore.errors import InputError, Location
from refscore.segments.arrays import Padded, unpadded
from refscore.segments.checks import check_hypotheses, check_references


class Sourced:
    """References with the source of each segment. Metrics that need no sources read only the references."""

    __slots__ = ("references", "sources")

    def __init__(self, references: Any, sources: Any) -> None:
        self.references = references
        self.sources = sources

    def __len__(self) -> int:
        return len(self.references)


def with_sources(references: Any, sources: Any) -> Any:
    """Return references with their sources, or the references if there are no sources."""
    if sources is None:
        return references
    # Several metrics may read them.
    return Sourced(*(list(side) if isinstance(side, Iterator) else side for side in (references, sources)))


def without_sources(references: Any) -> Any:
    """Return references without their sources."""
    return references.references if isinstance(references, Sourced) else references


def source_first(references: Any, sources: Any) -> list[list[Any]]:
    """Check both sides, and return the list of each segment's source and references."""
    singles, kind = check_hypotheses(sources, "sources")
    entries, reference_kind = check_references(references)
    if len(singles) != len(entries):
        problem = f"has {len(singles)} segments, but references has {len(entries)}"
        raise InputError(Location("sources"), problem, "pass one source per segment")
    if len(singles) and (kind == "text") != (reference_kind == "text"):
        problem = f"is {_noun(kind)}, but the references are {_noun(reference_kind)}"
        raise InputError(Location("sources"), problem, "pass all as text or all as tokens")
    if isinstance(singles, Padded):
        singles = [rows[0] for rows in unpadded(singles)]
    if isinstance(entries, Padded):
        entries = unpadded(entries)
    return [[source, *entry] for source, entry in zip(singles, entries, strict=True)]


def _noun(kind: str) -> str:
    return "text" if kind == "text" else "tokens"
