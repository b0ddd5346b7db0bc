"""Checks of hypotheses and references, and their conversion to plain types.

A segment is text (a string) or tokens (a sequence of hashables, or a 1-D integer array). References have one entry per
hypothesis: a text or a list of texts, or a list of token sequences. None in a list is a missing reference. Other shapes
are converted to these. Input that cannot be converted raises an error with its location and a fix.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

import numpy as np

from refscore.errors import InputError, Location
from refscore.inputs.arrays import as_array, describe, is_beyond, plain_ids
from refscore.inputs.padding import Padded, listed_hypotheses, listed_references
from refscore.inputs.sides import Input, Side, as_items, read_side
from refscore.inputs.tokens import MixedTokens, plain_tokens

InputKind = Literal["text", "tokens", "matrix"]


class Segments(NamedTuple):
    """Checked input of plain types: lists of strings, lists of token lists of one kind, or padded batches."""

    hypotheses: list[Any] | Padded
    references: list[Any] | Padded
    kind: InputKind


def from_streams(streams: Iterable[Iterable[str | None]]) -> list[list[str | None]]:
    """Convert sacrebleu's reference streams (one list per reference) to references by segment.

    Args:
        streams: One list of texts per reference set, in the order of the segments. None is a missing reference.

    Returns:
        One list of references per segment.

    Example:
        >>> import refscore
        >>> refscore.from_streams([["a cat", "a dog"], ["one cat", None]])
        [['a cat', 'one cat'], ['a dog', None]]
    """
    side = Location("streams")
    if isinstance(streams, str):
        raise InputError(side, "is a string", "pass a list of streams, each a list with one reference per segment")
    columns: list[list[str | None]] = []
    for s, stream in enumerate(as_items(streams, side)):
        location = Location(f"streams[{s}]")
        if isinstance(stream, str):
            raise InputError(location, "is a string", "pass a list with one reference per segment")
        columns.append(as_items(stream, location))
        if len(columns[s]) != len(columns[0]):
            problem = f"has {len(columns[s])} references but streams[0] has {len(columns[0])}"
            raise InputError(location, problem, "pass one reference per segment in every stream")
    return [list(references) for references in zip(*columns, strict=True)]


def check(hypotheses: Any, references: Any, mixed: MixedTokens = "number") -> Segments:
    """Check hypotheses and references, and convert them to plain types."""
    given = Input(hypotheses, references)
    given.read(0)
    plain_hypotheses, kind = check_hypotheses(given.hypotheses)
    plain_references, reference_kind = _check_references(given.references, len(plain_hypotheses), kind)
    return _joined(plain_hypotheses, kind, plain_references, reference_kind, mixed)


def check_sizes(given: Input) -> int:
    """Return the number of segments, or raise an error unless both sides have the same. Segments are not checked."""
    for name, side in (("hypotheses", given.hypotheses), ("references", given.references)):
        if side.size is None:
            check_hypotheses(side, name)
    size = given.hypotheses.size or 0
    _check_size(given.references.value, given.references.size, size)
    return size


def check_pairs(hypotheses: Any, references: Any, mixed: MixedTokens = "number") -> Segments:
    """Check hypotheses and single references for all pairs; their numbers may differ."""
    plain_hypotheses, kind = check_hypotheses(hypotheses)
    singles, reference_kind = check_hypotheses(references, "references")
    plain_references = singles if reference_kind == "matrix" else [[single] for single in singles]
    return _joined(plain_hypotheses, kind, plain_references, reference_kind, mixed)


def _joined(
    hypotheses: Any, kind: InputKind, references: Any, reference_kind: InputKind, mixed: MixedTokens
) -> Segments:
    """Return both sides with tokens that can be compared."""
    if len(hypotheses) == 0 or len(references) == 0:
        return Segments(hypotheses, references, "text")
    if (kind == "text") != (reference_kind == "text"):
        raise InputError(
            None, "text and tokens cannot be scored together", "tokenize the text, or pass text on both sides"
        )
    if kind == "text":
        return Segments(hypotheses, references, kind)
    if mixed != "keep" and "matrix" in (kind, reference_kind):
        both_padded = kind == reference_kind
        if both_padded or _hold_ids(chain.from_iterable(references) if kind == "matrix" else hypotheses):
            return Segments(hypotheses, references, "matrix")
    lists = listed_hypotheses(hypotheses), listed_references(references)
    return Segments(*plain_tokens(*lists, mixed=mixed), "tokens")


def _hold_ids(items: Iterable[Any]) -> bool:
    """Return whether all sequences hold integers that can be compared with the ids of a batch."""
    return all(
        isinstance(item, np.ndarray) or all(type(token) is int and -(2**63) <= token < 2**63 for token in item)
        for item in items
    )


def check_hypotheses(hypotheses: Any, side: str = "hypotheses") -> tuple[Any, InputKind]:
    """Check a side with one item per segment, and return it with its kind."""
    location = Location(side)
    given = read_side(hypotheses).read(side, 0)
    if isinstance(given.value, str):
        fix = "pass a list of segments, or score a single one, as in refscore.BLEU().segment(hypothesis, references)"
        raise InputError(location, "is a string", fix)
    matrix = given.matrix(location, dimensions=(2,))
    if matrix is not None:
        return matrix, "matrix"
    items = given.items(location)
    if not items:
        return [], "text"
    kind: InputKind = "text" if isinstance(items[0], str) else "tokens"
    return [_check_item(item, kind, "the first one is", side, i) for i, item in enumerate(items)], kind


def check_references(references: Any) -> tuple[Any, InputKind]:
    """Check references without hypotheses, to prepare them."""
    side, given = Location("references"), read_side(references).read("references", 0, read_side(()))
    if isinstance(given.value, str) or given.matrix(side, dimensions=(2, 3)) is not None:
        return _check_references(given, None, "text")
    entries = [_listed_entry(entry, i) for i, entry in enumerate(given.items(side))]
    single = (
        item for entry in entries if entry is not None for item in (entry if isinstance(entry, list) else [entry])
    )
    first = next((item for item in single if item is not None), "")
    return _check_references(read_side(entries), None, "text" if isinstance(first, str) else "tokens")


def _listed_entry(entry: Any, segment: int) -> Any:
    """Return an entry of references in a form that can be iterated twice."""
    if entry is None or isinstance(entry, str):
        return entry
    location = Location("references", segment)
    array = as_array(entry, location)
    return array if array is not None and array.dtype.kind in "iu" else as_items(entry, location)


def _check_references(references: Side, size: int | None, kind: InputKind) -> tuple[Any, InputKind]:
    side = Location("references")
    if isinstance(references.value, str):
        raise InputError(side, "is a string", "pass one entry per hypothesis, each a reference or a list of references")
    matrix = references.matrix(side, dimensions=(2, 3))
    if matrix is not None:
        if matrix.array.ndim == 3 and matrix.array.shape[1] == 0 and len(matrix):
            raise _without_references(0, "is empty")
        _check_size(matrix, len(matrix), size)
        return matrix, "matrix"
    entries = references.items(side)
    _check_size(entries, len(entries), size)
    token_kind: InputKind = "tokens" if kind == "matrix" else kind
    others = "the first reference is" if size is None else "the hypothesis is"
    return [_check_entry(entry, i, token_kind, others) for i, entry in enumerate(entries)], token_kind


def _without_references(segment: int, problem: str) -> InputError:
    return InputError(Location("references", segment), problem, "every segment needs at least one reference")


def _check_size(references: Any, size: int | None, expected: int | None) -> None:
    if expected is None or size == expected:
        return
    fix = f"pass one entry per hypothesis{streams_hint(references, expected)}"
    raise InputError(None, f"{expected} hypotheses but {size} {'entry' if size == 1 else 'entries'} of references", fix)


def streams_hint(references: Any, hypotheses: int) -> str:
    """Return the end of a fix if the references seem to be sacrebleu's streams, else an empty string."""
    listed = references if isinstance(references, (list, tuple)) else []
    if not listed or any(not isinstance(entry, (list, tuple)) or len(entry) != hypotheses for entry in listed):
        return ""
    return "; for sacrebleu's reference streams, use refscore.from_streams(references)"


def _check_entry(entry: Any, segment: int, kind: InputKind, others: str) -> list[Any]:
    """Return the list of a segment's references without missing ones; `others` names what fixed the kind."""
    if entry is None:
        raise _without_references(segment, "is None")
    if _is_nan(entry):
        raise _without_references(segment, f"is missing ({entry})")
    if isinstance(entry, str) and kind == "text":
        return [entry]
    location = Location("references", segment)
    if isinstance(entry, str):
        raise InputError(location, f"is text but {others} tokens", "tokenize it, or pass text on both sides")
    array = as_array(entry, location)
    wrap = "wrap it in a list, [tokens], since a segment can have several references"
    if array is not None and array.ndim == 2:
        entry = list(array)
    elif array is not None and array.ndim == 1 and array.dtype.kind in "iu":
        raise InputError(location, "is a single token sequence", wrap)
    if kind == "text" and not isinstance(entry, Iterable):
        raise InputError(location, f"is {describe(entry)}", "pass a string or a list of strings")
    items = as_items(entry, location)
    if kind == "tokens" and items and not any(is_sequence(item) or item is None for item in items):
        if all(isinstance(item, str) for item in items):
            raise InputError(
                location,
                f"is a list of strings but {others} tokens",
                "wrap a token sequence in a list, [tokens], or tokenize the texts",
            )
        raise InputError(location, "is a single token sequence", wrap)
    present = [
        _check_item(item, kind, others, "references", segment, r) for r, item in enumerate(items) if item is not None
    ]
    if not present:
        raise _without_references(segment, "has only missing references" if items else "is empty")
    return present


def _check_item(item: Any, kind: InputKind, others: str, side: str, segment: int, reference: int | None = None) -> Any:
    """Return one hypothesis or reference: a string, a list of tokens or a 1-D integer array."""
    if isinstance(item, str) and kind == "text":
        return item
    location = Location(side, segment, reference)
    if isinstance(item, str):
        raise InputError(location, f"is text but {others} tokens", "pass all as text or all as tokens")
    if item is None:
        what = "source" if side == "sources" else "output"
        raise InputError(location, "is None", f"pass an empty string for an empty {what}")
    if _is_nan(item):
        fix = "pass an empty string for an empty output" if reference is None else "pass None for a missing reference"
        raise InputError(location, f"is missing ({item})", f"{fix}, or leave the segment out")
    if isinstance(item, (bytes, bytearray, memoryview)):
        raise InputError(location, "is bytes", "decode it first, e.g. with .decode('utf-8')")
    array = as_array(item, location)
    if array is None and not is_sequence(item):
        raise InputError(location, f"is {describe(item)}", "pass a string or a sequence of tokens")
    if kind == "text":
        raise InputError(location, f"is a token sequence but {others} text", "pass all as text or all as tokens")
    if array is None:
        return list(item)
    if array.ndim != 1 or array.dtype.kind not in "iuUOb":
        raise InputError(location, f"is {describe(item)}", "pass a 1-D array of integers")
    return plain_ids(array, location) if array.dtype.kind in "iu" and not is_beyond(array) else array.tolist()


def _is_nan(item: Any) -> bool:
    """Return whether an item is a missing value of a data frame: NaN, or pandas' NA or NaT."""
    if type(item).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(item, (float, np.floating)) and bool(np.isnan(item))


def is_sequence(value: Any) -> bool:
    """Return whether a value is a sequence of tokens or segments, and not a string or bytes."""
    return bool(getattr(value, "ndim", 1)) and (
        isinstance(value, (list, tuple, np.ndarray))
        or (isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray, memoryview)))
        or hasattr(value, "__dlpack__")
    )


def nesting(value: Any, location: Location) -> tuple[int, bool] | None:
    """Return the nesting depth of the first text or token, and whether it is a string, or None if there is none."""
    if isinstance(value, str):
        return 0, True
    array = value.array if isinstance(value, Padded) else as_array(value, location)
    if array is not None:
        return array.ndim, array.dtype.kind == "U"
    if not is_sequence(value):
        return 0, False
    for item in value:
        inside = nesting(item, location)
        if inside is not None:
            return inside[0] + 1, inside[1]
    return None
