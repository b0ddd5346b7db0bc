"""The adapter for kernels that read the source of a segment as its first reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from refscore.errors import InputError, Location, relocated
from refscore.inputs import (
    Input,
    Side,
    check_hypotheses,
    check_references,
    listed_hypotheses,
    listed_references,
    read_side,
)
from refscore.metrics.core.prepared import noun

if TYPE_CHECKING:
    from refscore.metrics.core.metric import Metric

T = TypeVar("T")


def call_joined(call: Callable[[Side], T], metric: Metric[Any], given: Input, threads: int) -> T:
    """Call a function with references that begin with the source. Errors name the caller's sources and references."""
    references = _joined(metric, given, threads)
    with relocated(_beside_source):
        return call(references)


def without_source(counts: tuple[Any, ...]) -> Any:
    """Return the result of a kernel, which ends with the range of reference counts, without counting the source."""
    *result, fewest, most = counts
    return *result, max(0, fewest - 1), max(0, most - 1)


def missing_source(metric: Metric[Any]) -> InputError:
    """Return the error for the missing source of a single segment."""
    return InputError(None, f"{metric.title} needs the source of the segment", "pass source=")


def _beside_source(location: Location) -> Location:
    """Return the location from the one in entries of a source and the references that follow it."""
    if location.side != "references" or location.reference is None:
        return location
    if location.reference == 0:
        return replace(location, side="sources", reference=None)
    return replace(location, reference=location.reference - 1)


def _joined(metric: Metric[Any], given: Input, threads: int) -> Side:
    """Check sources and references, and return the list of each segment's source and references."""
    if given.sources is None:
        if given.references.is_prepared:
            return given.references
        raise InputError(None, f"{metric.title} needs the source of each segment", "pass sources=, one per segment")
    if given.references.is_prepared:
        raise InputError(None, "the references were prepared without sources", "pass sources= to prepare() instead")
    given.read_sources(threads)
    singles, kind = check_hypotheses(given.sources, "sources")
    entries, reference_kind = check_references(given.references)
    if len(singles) != len(entries):
        problem = f"has {len(singles)} segments, but references has {len(entries)}"
        raise InputError(Location("sources"), problem, "pass one source per segment")
    if len(singles) and (kind == "text") != (reference_kind == "text"):
        problem = f"is {noun(kind)}, but the references are {noun(reference_kind)}"
        raise InputError(Location("sources"), problem, "pass all as text or all as tokens")
    sides = zip(listed_hypotheses(singles), listed_references(entries), strict=True)
    return read_side([[source, *entry] for source, entry in sides])
