"""Utterances: one speaker's words, with their times. Every input becomes a list with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from refscore.errors import InputError, Location

Time: TypeAlias = float | Decimal

_TIME_FIX = "pass a number of seconds, or leave out both times"
_LARGEST_TIME = 1e12


@dataclass(frozen=True)
class Utterance:
    """Words that one speaker says without a break.

    Args:
        session_id: The session, usually a recording. Each session is scored on its own.
        speaker: The speaker or, for a hypothesis, the stream.
        words: A text, which is split at whitespace, or a sequence of words.
        start_time: When the words begin, in seconds. None if unknown.
        end_time: When they end. None if unknown.

    Example:
        >>> from refscore.meetings import Utterance
        >>> Utterance("monday", "Ann", "good morning", 0.5, 1.5).speaker
        'Ann'
    """

    session_id: str
    speaker: Hashable
    words: str | Sequence[Hashable]
    start_time: Time | None = None
    end_time: Time | None = None


@dataclass(frozen=True)
class Side:
    """The reference's or hypothesis' utterances, and their locations for errors."""

    name: str
    utterances: Sequence[Utterance]
    locate: Callable[[int], Location]

    @property
    def title(self) -> str:
        return f"the {self.name}" if self.name.isidentifier() else self.name


Utterances: TypeAlias = str | Path | Iterable[Any] | Side
"""The name of a file or of several files, or a list of utterances or dictionaries."""


def parse_side(name: str, given: Any, file_format: str | None = None, *, needs_words: bool = True) -> Side:
    if isinstance(given, Side):
        return given
    paths = as_paths(given)
    if paths is not None:
        from refscore.meetings.readers import read_side

        return read_side(name, paths, file_format, needs_words=needs_words)
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping)):
        problem = f"must be the name of a file or a list of utterances, not {type(given).__name__}"
        raise InputError(Location(name), problem)
    locate = partial(Location, name)
    parsed = [
        _usual_utterance(item) or parse_utterance(item, locate(index), needs_words=needs_words)
        for index, item in enumerate(given)
    ]
    return Side(name, parsed, locate)


def _usual_utterance(item: Any) -> Utterance | None:
    """Return an utterance with the usual types without slow checks, or None for other input."""
    values = item if type(item) is dict else vars(item) if type(item) is Utterance else None
    if values is None:
        return None
    session, speaker, words = values.get("session_id"), values.get("speaker"), values.get("words")
    start: Any = values.get("start_time")
    end: Any = values.get("end_time")
    if type(session) is not str or type(speaker) not in (str, int) or type(words) is not str:
        return None
    if start is None and end is None:
        return Utterance(session, speaker, words)
    # NaN fails the comparisons.
    if type(start) not in (float, int) or type(end) not in (float, int) or not 0 <= start <= end <= _LARGEST_TIME:
        return None
    utterance = object.__new__(Utterance)
    # A frozen dataclass sets each attribute by a call, which takes longer than everything else.
    vars(utterance).update(session_id=session, speaker=speaker, words=words, start_time=start, end_time=end)
    return utterance


def as_paths(given: Any) -> list[str | Path] | None:
    if isinstance(given, (str, Path)):
        return [given]
    if isinstance(given, (list, tuple)) and given and all(isinstance(item, (str, Path)) for item in given):
        return [*given]
    return None


def parse_utterance(item: Any, location: Location, *, needs_words: bool = True) -> Utterance:
    if isinstance(item, Utterance):
        values: Mapping[str, Any] = vars(item)
    elif isinstance(item, Mapping):
        values = item
    else:
        raise InputError(location, f"is of type {type(item).__name__}", "pass an Utterance or a dictionary")
    if not needs_words and values.get("words") is None:
        values = {**values, "words": ""}
    for name in ("session_id", "speaker", "words"):
        if values.get(name) is None:
            raise InputError(location, f"has no {name!r}")
    session, speaker = values["session_id"], values["speaker"]
    if not isinstance(speaker, Hashable):
        raise InputError(location, f"has a speaker of type {type(speaker).__name__}", "pass a name or a number")
    start, end = parse_times(values.get("start_time"), values.get("end_time"), location)
    words = values["words"]
    if not isinstance(words, str):
        words = _check_words(words, location)
    return Utterance(str(session), speaker, words, start, end)


def _check_words(words: Any, location: Location) -> tuple[Hashable, ...]:
    if isinstance(words, (bytes, Mapping)) or not isinstance(words, Iterable):
        raise InputError(location, f"has words of type {type(words).__name__}", "pass a text or a list of words")
    checked = tuple(words)
    for word in checked:
        if word is None or word == "" or not isinstance(word, Hashable):
            raise InputError(location, f"has {word!r} among its words", "leave it out, or pass a text")
    return checked


def parse_times(start: Any, end: Any, location: Location) -> tuple[Time | None, Time | None]:
    """Return an utterance's times. Both or none must be given, and the end must not be before the start."""
    first, last = _parse_time(start, "start_time", location), _parse_time(end, "end_time", location)
    if (first is None) != (last is None):
        name = "start_time" if first is None else "end_time"
        raise InputError(location, f"has no {name!r} but the other time", "pass both times or none")
    if first is not None and last is not None and last < first:
        raise InputError(location, f"ends before it begins (from {first} to {last})", "swap the times")
    return first, last


def _parse_time(value: Any, name: str, location: Location) -> Time | None:
    """Return a time as a float, an integer or, from text, a decimal number, which is exact."""
    if value is None:
        return None
    number: Any = value
    if isinstance(value, str):
        try:
            number = Decimal(value)
        except InvalidOperation:
            raise InputError(location, f"has {value!r} as {name}", _TIME_FIX) from None
    elif isinstance(value, bool):
        raise InputError(location, f"has {value!r} as {name}", _TIME_FIX)
    elif not isinstance(value, (int, float, Decimal)):
        try:
            number = value.item()  # a number of NumPy
        except (AttributeError, ValueError):
            raise InputError(location, f"has {value!r} as {name}", _TIME_FIX) from None
    # Integers may be too large for floats, and a decimal NaN must not be compared.
    if (isinstance(number, float | Decimal) and not math.isfinite(number)) or not abs(number) <= _LARGEST_TIME:
        raise InputError(location, f"has {_shortened(value)} as {name}", "times must be finite numbers of seconds")
    return number  # type: ignore[no-any-return]


def _shortened(value: Any) -> str:
    return f"{value!r:.40}" if not isinstance(value, int) or abs(value) < 10**30 else "a huge number"
