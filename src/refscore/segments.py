"""Hypotheses and references, checked and brought into plain types once.

A segment is text (a string) or tokens (a sequence of hashables, or a 1-D integer array). References hold one entry per
hypothesis: for text a string or a list of strings, for tokens a list of token sequences; None among them is a missing
one. What comes in other shapes is turned into these, and what cannot be is refused with its place and the fix.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, LimitError

Kind = Literal["text", "tokens", "matrix"]


@dataclass(frozen=True, eq=False)
class Padded:
    """A rectangular batch of token ids; made by `padded`."""

    array: NDArray[np.integer[Any]]
    lengths: NDArray[np.int64] | None
    pad_id: int | None

    def __len__(self) -> int:
        return len(self.array)


@dataclass(frozen=True)
class Segments:
    """Checked input of plain types: lists of strings, or of lists of one kind of tokens, or padded batches."""

    hypotheses: list[Any] | Padded
    references: list[Any] | Padded
    kind: Kind


def padded(array: Any, *, pad_id: int | None = None, lengths: Any = None) -> Padded:
    """A rectangular batch of token ids, to be passed as hypotheses or as references.

    Args:
        array: Integers of shape (segments, tokens), or (segments, references, tokens) for several references each;
            a NumPy array or anything with DLPack in CPU memory, such as a torch tensor.
        pad_id: The id that fills rows up. It is dropped wherever it stands.
        lengths: The number of tokens of each row, instead of a padding id.

    Returns:
        The batch. Without `pad_id` and `lengths` every row is taken whole.

    Example:
        >>> import numpy as np, refscore
        >>> ids = refscore.padded(np.array([[5, 6, 7, 8, 9], [5, 6, 0, 0, 0]]), pad_id=0)
        >>> refscore.BLEU(max_order=2).segments(ids, [[[5, 6, 7, 8, 9]], [[5, 7]]]).round(3)
        array([1. , 0.5])
    """
    ids = as_array(array, "array")
    if ids is None or ids.dtype.kind not in "iu" or ids.ndim not in (2, 3):
        raise InputError(f"padded needs an integer array of 2 or 3 dimensions, not {_describe(array)}")
    if pad_id is not None and lengths is not None:
        raise InputError("padded takes pad_id or lengths, not both")
    if pad_id is not None and (isinstance(pad_id, bool) or not isinstance(pad_id, (int, np.integer))):
        raise InputError(f"pad_id must be an integer, not {_describe(pad_id)}")
    row_lengths = None
    if lengths is not None:
        given = as_array(lengths, "lengths")
        try:
            row_lengths = np.asarray(lengths if given is None else given)
        except ValueError:
            row_lengths = np.asarray(None)
        if (row_lengths.size and row_lengths.dtype.kind not in "iu") or row_lengths.shape != ids.shape[:-1]:
            raise InputError(f"lengths must be integers of shape {ids.shape[:-1]}, one for each row of the array")
        row_lengths = np.array(row_lengths, dtype=np.int64, order="C")  # a copy, which nobody else can change
        if row_lengths.size and (row_lengths.min() < 0 or row_lengths.max() > ids.shape[-1]):
            raise InputError(f"lengths must lie between 0 and the width of the array, {ids.shape[-1]}")
    if pad_id is not None and not -(2**63) <= pad_id < 2**63:
        pad_id = None  # no id is that one
    return Padded(_plain_ids(ids, "array"), row_lengths, None if pad_id is None else int(pad_id))


def from_streams(streams: Iterable[Iterable[str | None]]) -> list[list[str | None]]:
    """Turns sacrebleu's reference streams (one list per reference) into refscore's references (one list per segment).

    Args:
        streams: For each reference set, its texts in the order of the segments; None where a segment has none.

    Returns:
        For each segment, its references.

    Example:
        >>> import refscore
        >>> refscore.from_streams([["a cat", "a dog"], ["one cat", None]])
        [['a cat', 'one cat'], ['a dog', None]]
    """
    if isinstance(streams, str):
        raise InputError("streams is a string: pass a list of streams, each a list with one reference per segment")
    columns: list[list[str | None]] = []
    for s, stream in enumerate(_as_list(streams, "streams")):
        if isinstance(stream, str):
            raise InputError(f"streams[{s}] is a string: each stream is a list with one reference per segment")
        columns.append(_as_list(stream, f"streams[{s}]"))
        if len(columns[s]) != len(columns[0]):
            raise InputError(
                f"streams[{s}] has {len(columns[s])} references but streams[0] has {len(columns[0])}: "
                "each stream has one for every segment"
            )
    return [list(references) for references in zip(*columns, strict=True)]


class AsOneSegment:
    """Within it, errors about hypotheses[0] and references[0] speak of the hypothesis and its references."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputError):
            message = str(error).replace("hypotheses[0]", "hypothesis").replace("references[0]", "references")
            message = message.replace("the hypotheses are", "the hypothesis is")
            if isinstance(error, LimitError):
                place = message.removesuffix(f" {error.problem}")
                raise LimitError(place, error.problem, error.segment, error.reference) from None
            if "list of strings" in message:
                message += "; several texts go to segments() or corpus()"
            raise InputError(message) from None


class StringsAreWords:
    """Within it, strings among tokens of other types are an error: numbered, they would be words no more."""

    def __init__(self, apply: bool = True) -> None:
        self._apply = apply

    def __enter__(self) -> None:
        self._before = _strings_are_words.set(self._apply)

    def __exit__(self, *_: object) -> None:
        _strings_are_words.reset(self._before)


_strings_are_words: ContextVar[bool] = ContextVar("strings_are_words", default=False)


def check(hypotheses: Any, references: Any) -> Segments:
    """Checks both sides and brings them into plain types."""
    plain_hypotheses, kind = check_hypotheses(hypotheses)
    plain_references, reference_kind = _check_references(references, len(plain_hypotheses), kind)
    return _joined(plain_hypotheses, kind, plain_references, reference_kind)


def check_pairs(hypotheses: Any, references: Any) -> Segments:
    """Checks both sides of all pairs: any number of hypotheses, any number of single references."""
    plain_hypotheses, kind = check_hypotheses(hypotheses)
    singles, reference_kind = check_hypotheses(references, "references")
    plain_references = singles if isinstance(singles, Padded) else [[single] for single in singles]
    return _joined(plain_hypotheses, kind, plain_references, reference_kind)


def _joined(hypotheses: Any, kind: Kind, references: Any, reference_kind: Kind) -> Segments:
    """Both sides with tokens that can be compared."""
    if len(hypotheses) == 0 or len(references) == 0:
        return Segments(hypotheses, references, "text")
    if (kind == "text") != (reference_kind == "text"):
        raise InputError("text and tokens cannot be scored together: tokenize the text, or pass text on both sides")
    if kind == "text" or kind == reference_kind == "matrix":
        return Segments(hypotheses, references, kind)
    if isinstance(hypotheses, Padded):
        if _hold_ids(chain.from_iterable(references)):
            return Segments(hypotheses, references, "matrix")
        hypotheses = [rows[0] for rows in sequences_of(hypotheses)]
    elif isinstance(references, Padded):
        if _hold_ids(hypotheses):
            return Segments(hypotheses, references, "matrix")
        references = sequences_of(references)
    hypotheses, references = plain_tokens(hypotheses, references)
    return Segments(hypotheses, references, "tokens")


def _hold_ids(items: Iterable[Any]) -> bool:
    """Whether all sequences are of integers that stand beside those of a batch."""
    return all(
        isinstance(item, np.ndarray) or all(type(token) is int and -(2**63) <= token < 2**63 for token in item)
        for item in items
    )


def sequences_of(batch: Padded) -> list[list[list[int]]]:
    """For each segment of a batch, its sequences without the padding."""
    rows = batch.array if batch.array.ndim == 3 else batch.array[:, np.newaxis]
    whole = np.full(rows.shape[:2], rows.shape[2])
    lengths = whole if batch.lengths is None else batch.lengths.reshape(rows.shape[:2])
    return [
        [[token for token in row[:length].tolist() if token != batch.pad_id] for row, length in zip(*both, strict=True)]
        for both in zip(rows, lengths, strict=True)
    ]


def check_hypotheses(hypotheses: Any, where: str = "hypotheses") -> tuple[Any, Kind]:
    """Checks one side alone, with one item per segment."""
    if isinstance(hypotheses, str):
        raise InputError(
            f"{where} is a string: pass a list of segments; for a single one there is a metric's segment()"
        )
    matrix = _as_matrix(hypotheses, where, dimensions=(2,))
    if matrix is not None:
        return matrix, "matrix"
    items = _as_list(hypotheses, where)
    if not items:
        return [], "text"
    kind: Kind = "text" if isinstance(items[0], str) else "tokens"
    return [_check_item(item, f"{where}[{i}]", kind, f"{where}[0]") for i, item in enumerate(items)], kind


def check_references(references: Any) -> tuple[Any, Kind]:
    """Checks references alone: to prepare them."""
    if isinstance(references, str) or _as_matrix(references, "references", dimensions=(2, 3)) is not None:
        return _check_references(references, None, "text")
    entries = [_listed_entry(entry, f"references[{i}]") for i, entry in enumerate(_as_list(references, "references"))]
    single = (
        item for entry in entries if entry is not None for item in (entry if isinstance(entry, list) else [entry])
    )
    first = next((item for item in single if item is not None), "")
    return _check_references(entries, None, "text" if isinstance(first, str) else "tokens")


def _listed_entry(entry: Any, where: str) -> Any:
    """An entry of references that can be looked at twice."""
    if entry is None or isinstance(entry, str):
        return entry
    array = as_array(entry, where)
    return array if array is not None and array.dtype.kind in "iu" else _as_list(entry, where)


def number_tokens(
    sequences: Iterable[Sequence[Hashable]], numbers: dict[Hashable, int], where: str, first: int = 0
) -> list[list[int]]:
    """Numbers tokens by a dictionary, which grows: Python's own equality decides which tokens are the same."""
    numbered = []
    for i, sequence in enumerate(sequences, first):
        if any(hasattr(kind, "__dlpack__") for kind in set(map(type, sequence))):
            tensor = next(k for k, token in enumerate(sequence) if hasattr(token, "__dlpack__"))
            raise InputError(
                f"{where}[{i}][{tensor}] is a tensor, no token: pass the sequence as one tensor, or as its .tolist()"
            )
        if _strings_are_words.get() and any(isinstance(token, str) for token in sequence):
            word = next(k for k, token in enumerate(sequence) if isinstance(token, str))
            raise InputError(
                f"{where}[{i}][{word}] is a string, and not all tokens are plain strings: this metric looks into "
                "words, so that tokens have to be strings everywhere or nowhere"
            )
        try:
            numbered.append([numbers.setdefault(token, len(numbers)) for token in sequence])
        except TypeError:
            bad = next((k for k, token in enumerate(sequence) if not _is_hashable(token)), None)
            if bad is None:  # hashing went well, so that it was a comparison
                raise
            raise InputError(f"{where}[{i}][{bad}] is {_describe(sequence[bad])}: tokens must be hashable") from None
    return numbered


def _is_hashable(token: object) -> bool:
    try:
        hash(token)
    except TypeError:
        return False
    return True


def _compares_as_string(kind: Any) -> bool:
    """Whether tokens of a type are strings to everyone, its own notion of equality included."""
    own_equality = kind.__eq__ is not str.__eq__ or kind.__hash__ is not str.__hash__
    return kind is np.str_ or (issubclass(kind, str) and not own_equality)


def uniform_tokens(sequences: list[list[Any]]) -> list[list[Any]] | None:
    """The sequences with all tokens strings, or all integers, if they are that already but for NumPy's types."""
    types = set(map(type, chain.from_iterable(sequences)))
    if types <= {str}:
        return sequences
    if all(map(_compares_as_string, types)):
        return [[str.__str__(token) for token in sequence] for sequence in sequences]
    if all(kind in (int, bool) or issubclass(kind, np.integer) for kind in types):
        numbers = [[int(token) for token in sequence] for sequence in sequences]
        if all(-(2**63) <= token < 2**63 for token in chain.from_iterable(numbers)):
            return numbers
    return None


def plain_tokens(
    hypotheses: list[Any], references: list[list[Any]], first: int = 0
) -> tuple[list[Any], list[list[Any]]]:
    """Leaves arrays, strings and integers to the kernels; other tokens get numbers. `first`: the index of the first."""
    flat = [*hypotheses, *chain.from_iterable(references)]
    if any(isinstance(item, np.ndarray) for item in flat):
        if all(isinstance(item, np.ndarray) for item in flat):
            return hypotheses, references
        flat = [item.tolist() if isinstance(item, np.ndarray) else item for item in flat]
    uniform = uniform_tokens(flat)
    if uniform is None:
        numbers: dict[Hashable, int] = {}
        listed = flat[: len(hypotheses)]
        uniform = number_tokens(listed, numbers, "hypotheses", first)
        rest_of_flat = iter(flat[len(hypotheses) :])
        for i, entry in enumerate(references, first):
            uniform += number_tokens([next(rest_of_flat) for _ in entry], numbers, f"references[{i}]")
    rest = iter(uniform[len(hypotheses) :])
    return uniform[: len(hypotheses)], [[next(rest) for _ in entry] for entry in references]


def _check_references(references: Any, size: int | None, kind: Kind) -> tuple[Any, Kind]:
    if isinstance(references, str):
        raise InputError("references is a string: pass one entry per hypothesis, each a reference or a list of them")
    matrix = _as_matrix(references, "references", dimensions=(2, 3))
    if matrix is not None:
        if matrix.array.ndim == 3 and matrix.array.shape[1] == 0 and len(matrix):
            raise InputError("references[0] is empty: every segment needs at least one reference")
        _check_size(matrix, len(matrix), size)
        return matrix, "matrix"
    entries = _as_list(references, "references")
    _check_size(entries, len(entries), size)
    token_kind: Kind = "tokens" if kind == "matrix" else kind
    return [_check_entry(entry, f"references[{i}]", token_kind) for i, entry in enumerate(entries)], token_kind


def _check_size(entries: Any, found: int, expected: int | None) -> None:
    if expected is None or found == expected:
        return
    entries_found = f"{found} {'entry' if found == 1 else 'entries'}"
    message = f"{expected} hypotheses but {entries_found} of references: give one entry per hypothesis"
    if (
        isinstance(entries, list)
        and entries
        and all(isinstance(entry, (list, tuple)) and len(entry) == expected for entry in entries)
    ):
        message += "; these look like sacrebleu's reference streams: use refscore.from_streams(references)"
    raise InputError(message)


def _check_entry(entry: Any, where: str, kind: Kind) -> list[Any]:
    """The references of one segment, as a list without the missing ones."""
    if entry is None:
        raise InputError(f"{where} is None: every segment needs at least one reference")
    if isinstance(entry, str):
        if kind == "tokens":
            raise InputError(f"{where} is text but the hypotheses are tokens: tokenize it, or pass text on both sides")
        return [entry]
    array = as_array(entry, where)
    if array is not None and array.ndim == 2:
        entry = list(array)
    elif array is not None and array.ndim == 1 and array.dtype.kind in "iu":
        raise InputError(
            f"{where} is a single token sequence: references of tokens are lists of sequences, wrap it in a list"
        )
    if kind == "text" and not isinstance(entry, Iterable):
        raise InputError(f"{where} is {_describe(entry)}: expected a string or a list of strings")
    given = _as_list(entry, where)
    if kind == "tokens" and given and not any(is_sequence(item) or item is None for item in given):
        if all(isinstance(item, str) for item in given):
            raise InputError(
                f"{where} is a list of strings but the hypotheses are tokens: a token sequence has to be wrapped, "
                "[tokens], and texts have to be tokenized"
            )
        raise InputError(
            f"{where} is a single token sequence: references of tokens are lists of sequences, wrap it in a list"
        )
    kept = [
        _check_item(item, f"{where}[{r}]", kind, "the hypotheses") for r, item in enumerate(given) if item is not None
    ]
    if not kept:
        state = "has only missing references" if given else "is empty"
        raise InputError(f"{where} {state}: every segment needs at least one reference")
    return kept


def _check_item(item: Any, where: str, kind: Kind, model: str) -> Any:
    """One hypothesis or reference: a string, a list of tokens or a 1-D integer array."""
    if isinstance(item, str):
        if kind == "text":
            return item
        verb = "are" if model.startswith("the") else "is"
        raise InputError(f"{where} is text but {model} {verb} tokens: pass all as text or all as tokens")
    if item is None:
        raise InputError(f"{where} is None: pass an empty string for an empty output")
    if isinstance(item, (bytes, bytearray, memoryview)):
        raise InputError(f"{where} is bytes: decode it first, e.g. with .decode('utf-8')")
    array = as_array(item, where)
    if array is None and not is_sequence(item):
        raise InputError(f"{where} is {_describe(item)}: a segment is a string or a sequence of tokens")
    if kind == "text":
        verb = "are" if model.startswith("the") else "is"
        raise InputError(f"{where} is a token sequence but {model} {verb} text: pass all as text or all as tokens")
    if array is None:
        return list(item)
    if array.ndim != 1 or array.dtype.kind not in "iuUOb":
        raise InputError(f"{where} is {_describe(item)}: an array of tokens has one dimension and integers")
    return _plain_ids(array, where) if array.dtype.kind in "iu" and not _is_beyond(array) else array.tolist()


def _plain_ids(array: NDArray[Any], where: str) -> NDArray[Any]:
    """Contiguous ids of a type that the kernels read."""
    if _is_beyond(array):
        raise InputError(f"{where} has an id of 2**63 or more: ids are 64-bit signed integers")
    plain = np.dtype(np.int64) if array.dtype.itemsize == 8 else array.dtype.newbyteorder("=")
    return np.require(array, dtype=plain, requirements=["C", "ALIGNED"])


def _is_beyond(array: NDArray[Any]) -> bool:
    """Whether an array of integers has some that 64 bits with a sign cannot hold."""
    return array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size > 0 and int(array.max()) >= 2**63


def _as_matrix(value: Any, where: str, dimensions: tuple[int, ...]) -> Padded | None:
    if isinstance(value, Padded):
        if value.array.ndim not in dimensions:
            raise InputError(f"{where} has {value.array.ndim} dimensions: expected {_shapes(dimensions)}")
        return value
    array = as_array(value, where)
    if array is None or array.ndim < 2 or array.dtype.kind not in "iu":
        return None
    if array.ndim not in dimensions:
        raise InputError(f"{where} has {array.ndim} dimensions: expected {_shapes(dimensions)}")
    return Padded(_plain_ids(array, where), None, None)


def _shapes(dimensions: tuple[int, ...]) -> str:
    names = {2: "2 (segments, tokens)", 3: "3 (segments, references, tokens)"}
    return " or ".join(names[dimension] for dimension in dimensions)


def as_array(value: Any, where: str) -> NDArray[Any] | None:
    """The value as an array if it is one: NumPy's, or another library's through DLPack."""
    if isinstance(value, np.ndarray):
        return value
    if not hasattr(value, "__dlpack__"):
        return None
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise InputError(
            f"{where} cannot be read through DLPack ({error}): move it to CPU memory first, e.g. .cpu()"
        ) from None


def _as_list(value: Any, where: str) -> list[Any]:
    unordered_or_bytes = isinstance(value, (bytes, bytearray, memoryview, dict, set, frozenset))
    if unordered_or_bytes or not isinstance(value, Iterable) or (isinstance(value, np.ndarray) and value.ndim == 0):
        raise InputError(f"{where} is {_describe(value)}: expected a list")
    return list(value)


def is_sequence(value: Any) -> bool:
    """Whether a value is a sequence of tokens or of segments, strings and bytes excepted."""
    return bool(getattr(value, "ndim", 1)) and (
        isinstance(value, (list, tuple, np.ndarray))
        or (isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray, memoryview)))
        or hasattr(value, "__dlpack__")
    )


def _describe(value: object) -> str:
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} with {value.ndim} dimensions"
    text = repr(value)
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"
