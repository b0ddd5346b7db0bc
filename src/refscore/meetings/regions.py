"""The regions of a UEM file (un-partitioned evaluation map), which say what time is scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeAlias

from refscore.errors import InputError, Location
from refscore.meetings.utterances import as_paths, parse_times
from refscore.readers.source import Source

Regions: TypeAlias = Mapping[str, list[tuple[float, float]]]
UEM: TypeAlias = str | Path | Iterable[str | Path] | Mapping[str, Iterable[tuple[float, float]]]
"""The name of a file or of several files, or the regions of each session."""


def read_uem(*paths: str | Path) -> dict[str, list[tuple[float, float]]]:
    r"""Return the regions in UEM files by session, each with its begin and end in seconds.

    Lines have the session, the channel, the begin and the end. Those that begin with `;` or `#` are ignored.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore import meetings
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "all.uem")
        ...     _ = file.write_text("monday 1 0.5 60\nmonday 1 70 80\n")
        ...     meetings.read_uem(file)
        {'monday': [(0.5, 60.0), (70.0, 80.0)]}
    """
    regions: dict[str, list[tuple[float, float]]] = {}
    for path in paths:
        for session, begin, end, location in _read(path):
            regions.setdefault(session, []).append(_region(begin, end, location))
    return regions


def _read(path: str | Path) -> Iterator[tuple[str, Any, Any, Location]]:
    with Source(None if str(path) == "-" else path) as source:
        for number, line in source.numbered_lines():
            fields = line.split()
            if not fields or fields[0][0] in ";#":
                continue
            location = source.location(number)
            if len(fields) != 4:
                raise InputError(location, f"has {len(fields)} fields", "UEM needs session, channel, begin and end")
            try:
                yield fields[0], Decimal(fields[2]), Decimal(fields[3]), location
            except InvalidOperation:
                raise InputError(location, "has no number where a time is expected") from None


def _region(begin: Any, end: Any, location: Location) -> tuple[float, float]:
    first, last = parse_times(begin, end, location)
    if first is None or last is None or not first < last:
        raise InputError(location, f"has a region from {begin} to {end}", "its end must be after its begin")
    return float(first), float(last)


def parse_uem(given: Any) -> Regions | None:
    if given is None:
        return None
    paths = as_paths(given)
    if paths is not None:
        return read_uem(*paths)
    if not isinstance(given, Mapping):
        problem = f"must be the name of a UEM file or a dictionary with regions, not {type(given).__name__}"
        raise InputError(Location("uem"), problem)
    regions: dict[str, list[tuple[float, float]]] = {}
    for session, listed in given.items():
        location = Location(f"uem[{session!r}]")
        try:
            pairs = [(begin, end) for begin, end in listed]
        except (TypeError, ValueError):
            raise InputError(location, "is not a list of begins and ends", "pass [(begin, end), …]") from None
        regions[str(session)] = [_region(*pair, location) for pair in pairs]
    return regions
