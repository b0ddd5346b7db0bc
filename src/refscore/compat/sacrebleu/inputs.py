"""Check sacrebleu's input, and convert streams of references to references per segment."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

from refscore.compat.sacrebleu.errors import EmptyError, WrongTypeError
from refscore.errors import InputError, Location
from refscore.inputs import describe, from_streams

_strict = True


def set_strict(strict: bool) -> None:
    """Reject streams and hypotheses of different lengths or, if not `strict`, truncate them with a warning."""
    global _strict  # noqa: PLW0603
    _strict = strict


class Segments(NamedTuple):
    """The references of each segment and their number, -1 if it varies."""

    references: list[Any]
    number: int

    def lists(self) -> list[list[str]]:
        """Return a list of texts per segment."""
        entries = ([entry] if isinstance(entry, str) else entry for entry in self.references)
        return [[text for text in entry if text is not None] for entry in entries]


def segments(streams: Sequence[Sequence[str | None]]) -> Segments:
    """Convert streams to references per segment."""
    check_streams(streams)
    if not _strict:
        streams = _equally_long(streams)
    if len(streams) == 1 and None not in streams[0]:
        return Segments(list(streams[0]), 1)
    references = from_streams(streams)
    if any(None in stream for stream in streams):
        counts = {len(entry) - entry.count(None) for entry in references}
        return Segments(references, counts.pop() if len(counts) == 1 else -1)
    return Segments(references, len(streams))


def check_hypotheses(hypotheses: Any) -> None:
    """Raise an error unless hypotheses is a list of texts."""
    if not _is_list(hypotheses):
        raise WrongTypeError(Location("hypotheses"), f"must be a list of strings, not {describe(hypotheses)}")
    if not hypotheses:
        raise EmptyError(Location("hypotheses"), "is empty", "an empty corpus has no score")
    for i, hypothesis in enumerate(hypotheses):
        if not isinstance(hypothesis, str):
            raise WrongTypeError(Location("hypotheses", i), f"must be a string, not {describe(hypothesis)}")


def check_sentence(hypothesis: Any, references: Any) -> None:
    """Raise an error unless the arguments are a text and a list of references."""
    if type(references) is list and len(references) == 1 and type(references[0]) is str and type(hypothesis) is str:
        return  # the usual case
    if not isinstance(hypothesis, str):
        raise WrongTypeError(Location("hypothesis"), f"must be a string, not {describe(hypothesis)}")
    if not _is_list(references):
        raise WrongTypeError(Location("references"), f"must be a list of strings, not {describe(references)}")
    if not references:
        raise EmptyError(Location("references"), "is empty", "pass at least one reference")
    for r, reference in enumerate(references):
        if not isinstance(reference, str) and reference is not None:
            raise WrongTypeError(Location("references", reference=r), f"must be a string, not {describe(reference)}")


def paired_count(hypotheses: int, references: int) -> int:
    """Return the number of segments to score, given the numbers of hypotheses and of segments with references."""
    if hypotheses != references:
        counts = f"{hypotheses} hypotheses but references for {references} segments"
        if _strict:
            raise InputError(
                None,
                counts,
                "every stream of references must have one text per hypothesis "
                '(refscore.compat.install("sacrebleu", strict=False) truncates the longer side like sacrebleu)',
            )
        _warn(f"{counts}: as in sacrebleu, only the first {min(hypotheses, references)} are scored")
    return min(hypotheses, references)


def _equally_long(streams: Sequence[Sequence[str | None]]) -> Sequence[Sequence[str | None]]:
    """Truncate streams to the length of the shortest."""
    lengths = [len(stream) for stream in streams]
    shortest = min(lengths)
    if shortest == max(lengths):
        return streams
    _warn(
        f"{len(streams)} streams of references have {shortest} to {max(lengths)} texts: as in sacrebleu, only the "
        f"first {shortest} of each are used"
    )
    return [stream[:shortest] for stream in streams]


def _warn(cut: str) -> None:
    warnings.warn(
        f"{cut}. A stream must have one text per hypothesis. If yours have the references of one segment, pass "
        "list(zip(*references)).",
        stacklevel=_stack_level(),
    )


def _stack_level() -> int:
    """Return the stack level of the first caller outside this package, so Python warns once per call site."""
    level = 1
    frame: Any = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__")).startswith("refscore."):
        frame, level = frame.f_back, level + 1
    return level


def check_streams(streams: Any) -> None:
    """Raise an error unless the value is a list of streams of texts."""
    if not _is_list(streams):
        raise WrongTypeError(Location("references"), f"must be a list of streams, not {describe(streams)}")
    if not streams:
        fix = "pass at least one stream, a list with one text per segment"
        raise EmptyError(Location("references"), "is empty", fix)
    for s, stream in enumerate(streams):
        location = Location("references", reference=s)
        if not _is_list(stream):
            fix = "put a single stream into a list, [references]" if isinstance(stream, str) else ""
            raise WrongTypeError(location, f"must be a list with one text per segment, not {describe(stream)}", fix)
        if not stream:
            raise EmptyError(location, "is empty", "pass one text per segment")
        if not isinstance(stream[0], str) and stream[0] is not None:
            raise WrongTypeError(Location(str(location), 0), f"must be a string, not {describe(stream[0])}")


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))
