"""Check sacrebleu's input, and convert reference streams to references per segment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from refscore.compat.error_types import InputIndexError, InputTypeError
from refscore.compat.strictness import tolerate
from refscore.errors import Location
from refscore.inputs import describe, from_streams

Streams = Sequence[Sequence[str | None]]
"""Texts of all segments, one list per reference."""

_ONE_PER_HYPOTHESIS = (
    "a stream must have one text per hypothesis. If yours have the references of one segment, pass "
    "list(zip(*references))"
)

_CHARACTERS = "its characters are texts"
_tolerate = partial(tolerate, "sacrebleu")


class Segments(NamedTuple):
    """References by segment and their number, -1 if it varies."""

    references: list[Any]
    number: int

    def lists(self) -> list[list[str]]:
        entries = ([entry] if isinstance(entry, str) else entry for entry in self.references)
        return [[text for text in entry if text is not None] for entry in entries]


def segments(streams: Streams) -> Segments:
    streams = _equally_long(_checked_streams(streams))
    if len(streams) == 1 and None not in streams[0]:
        return Segments(list(streams[0]), 1)
    references = from_streams(streams)
    if any(None in stream for stream in streams):
        counts = {len(entry) - entry.count(None) for entry in references}
        return Segments(references, counts.pop() if len(counts) == 1 else -1)
    return Segments(references, len(streams))


def checked_hypotheses(hypotheses: Any) -> Sequence[str]:
    """Return listed texts. A string is a list of characters."""
    if not isinstance(hypotheses, Sequence):
        raise InputTypeError(Location("hypotheses"), f"must be a list of strings, not {describe(hypotheses)}")
    if not hypotheses:
        raise InputIndexError(Location("hypotheses"), "is empty", "an empty corpus has no score")
    for i, hypothesis in enumerate(hypotheses):
        if not isinstance(hypothesis, str):
            raise InputTypeError(Location("hypotheses", i), f"must be a string, not {describe(hypothesis)}")
    if isinstance(hypotheses, str):
        _tolerate(Location("hypotheses"), "is a string", "put a single text into a list, [text]", _CHARACTERS)
        return list(hypotheses)
    return hypotheses


def check_sentence(hypothesis: Any, references: Any) -> None:
    """Raise an error unless the arguments are a text and listed references."""
    if type(references) is list and len(references) == 1 and type(references[0]) is str and type(hypothesis) is str:
        return  # the usual case
    if not isinstance(hypothesis, str):
        raise InputTypeError(Location("hypothesis"), f"must be a string, not {describe(hypothesis)}")
    if isinstance(references, (str, bytes)) or not isinstance(references, Sequence):
        raise InputTypeError(Location("references"), f"must be a list of strings, not {describe(references)}")
    if not references:
        raise InputIndexError(Location("references"), "is empty", "pass at least one reference")
    for r, reference in enumerate(references):
        if not isinstance(reference, str) and reference is not None:
            raise InputTypeError(Location("references", reference=r), f"must be a string, not {describe(reference)}")


def paired(hypotheses: Sequence[str], references: Any) -> tuple[Sequence[str], Any]:
    """Return hypotheses and references, truncated to the same length."""
    if len(hypotheses) == len(references):
        return hypotheses, references
    count = min(len(hypotheses), len(references))
    counts = f"{len(hypotheses)} hypotheses but references for {len(references)} segments"
    _tolerate(None, counts, _ONE_PER_HYPOTHESIS, f"only the first {count} are scored")
    return hypotheses[:count], references[:count]


def _equally_long(streams: Streams) -> Streams:
    lengths = [len(stream) for stream in streams]
    shortest = min(lengths)
    if shortest == max(lengths):
        return streams
    counts = f"{len(streams)} streams of references have {shortest} to {max(lengths)} texts"
    _tolerate(None, counts, _ONE_PER_HYPOTHESIS, f"only the first {shortest} of each are used")
    return [stream[:shortest] for stream in streams]


def _checked_streams(streams: Any) -> Streams:
    """Return streams as lists. A string is a list of characters."""
    if not isinstance(streams, Sequence):
        raise InputTypeError(Location("references"), f"must be a list of streams, not {describe(streams)}")
    if not streams:
        fix = "pass at least one stream, a list with one text per segment"
        raise InputIndexError(Location("references"), "is empty", fix)
    strings = [s for s, stream in enumerate(streams) if isinstance(stream, str) and stream]
    if strings:  # one warning for all
        location = Location("references", reference=strings[0])
        _tolerate(location, "is a string", "put a single stream into a list, [references]", _CHARACTERS)
    return [_checked_stream(stream, s) for s, stream in enumerate(streams)]


def _checked_stream(stream: Any, index: int) -> Sequence[str | None]:
    location = Location("references", reference=index)
    if not isinstance(stream, Sequence):
        raise InputTypeError(location, f"must be a list with one text per segment, not {describe(stream)}")
    if not stream:
        raise InputIndexError(location, "is empty", "pass one text per segment")
    if isinstance(stream, str):
        return list(stream)
    if not isinstance(stream[0], str) and stream[0] is not None:
        raise InputTypeError(Location(str(location), 0), f"must be a string, not {describe(stream[0])}")
    return stream
