"""sacrebleu's input: hypotheses, and references as streams, checked and turned into references of each segment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from refscore.compat.sacrebleu.mistakes import EmptyError, NoReferencesError, WrongTypeError
from refscore.errors import InputError
from refscore.segments import from_streams


class Segments(NamedTuple):
    """References of each segment, and their number; -1 if it varies."""

    references: list[Any]
    number: int

    def lists(self) -> list[list[str]]:
        """For each segment a list of its texts."""
        entries = ([entry] if isinstance(entry, str) else entry for entry in self.references)
        return [[text for text in entry if text is not None] for entry in entries]


def segments(streams: Sequence[Sequence[str | None]], caller: str) -> Segments:
    """Streams turned into references of each segment."""
    _check_streams(streams, caller)
    if len(streams) == 1 and None not in streams[0]:
        return Segments(list(streams[0]), 1)
    references = from_streams(streams)
    if any(None in stream for stream in streams):
        counts = {len(entry) - entry.count(None) for entry in references}
        return Segments(references, counts.pop() if len(counts) == 1 else -1)
    return Segments(references, len(streams))


def check_corpus(hypotheses: Any, references: Any, caller: str) -> None:
    """Raises an error for what is no list of hypotheses and no list of streams."""
    if isinstance(hypotheses, (str, bytes)) or not isinstance(hypotheses, Sequence):
        raise WrongTypeError(f"{caller}: hypotheses must be a list of strings, not {_named(hypotheses)}")
    if not hypotheses:
        raise EmptyError(f"{caller}: hypotheses is empty: an empty corpus has no score")
    for i, hypothesis in enumerate(hypotheses):
        if not isinstance(hypothesis, str):
            raise WrongTypeError(f"{caller}: hypotheses[{i}] must be a string, not {_named(hypothesis)}")
    if references is not None:
        _check_streams(references, caller)


def check_sentence(hypothesis: Any, references: Any, caller: str) -> None:
    """Raises an error for what is no hypothesis and no list of references."""
    if type(references) is list and len(references) == 1 and type(references[0]) is str and type(hypothesis) is str:
        return  # most calls
    if not isinstance(hypothesis, str):
        raise WrongTypeError(f"{caller}: the hypothesis must be a string, not {_named(hypothesis)}")
    if isinstance(references, (str, bytes)) or not isinstance(references, Sequence):
        raise WrongTypeError(f"{caller}: references must be a list of strings, not {_named(references)}")
    if not references:
        raise EmptyError(f"{caller}: references is empty: every segment needs at least one reference")
    for r, reference in enumerate(references):
        if not isinstance(reference, str) and reference is not None:
            raise WrongTypeError(f"{caller}: references[{r}] must be a string, not {_named(reference)}")


def check_counts(hypotheses: int, references: int) -> None:
    """Raises an error unless there is one entry of references for each hypothesis."""
    if hypotheses != references:
        raise InputError(
            None,
            f"{hypotheses} hypotheses but references for {references} segments: every stream of references has one "
            "text for each hypothesis",
        )


def no_references(caller: str) -> NoReferencesError:
    """The error for references that are neither given nor cached."""
    return NoReferencesError(f"{caller}: no references are given, and none were cached with references=")


def _check_streams(streams: Any, caller: str) -> None:
    if isinstance(streams, (str, bytes)) or not isinstance(streams, Sequence):
        raise WrongTypeError(f"{caller}: references must be a list of streams, not {_named(streams)}")
    if not streams:
        raise EmptyError(f"{caller}: references is empty: expected at least one stream, a list with one text a segment")
    for s, stream in enumerate(streams):
        if isinstance(stream, (str, bytes)) or not isinstance(stream, Sequence):
            hint = ": a single stream stands in a list, [references]" if isinstance(stream, str) else ""
            raise WrongTypeError(
                f"{caller}: references[{s}] must be a list with one text a segment, not {_named(stream)}{hint}"
            )
        if not stream:
            raise EmptyError(f"{caller}: references[{s}] is empty: expected one text for each segment")
        if not isinstance(stream[0], str) and stream[0] is not None:
            raise WrongTypeError(f"{caller}: references[{s}][0] must be a string, not {_named(stream[0])}")


def _named(value: object) -> str:
    if value is None:
        return "None"
    text = repr(value)
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"
