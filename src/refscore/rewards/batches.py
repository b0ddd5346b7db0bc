"""Convert completions and references from trainers to metrics' input.

Trainers pass texts, chats (message lists, with the content as text or in parts), token id lists, or tensors.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location, SettingError
from refscore.inputs import Hypotheses, Padded, Segment, as_array, describe, is_sequence, listed_hypotheses, padded

Extract = Callable[[str], str | None]

# A completion is a text, a chat or token ids. Its references are one or several of these.
Completion: TypeAlias = "Segment | Sequence[Mapping[str, object]]"
CompletionReferences: TypeAlias = "Completion | Iterable[Completion | None] | None"
Completions: TypeAlias = "Iterable[Completion] | Hypotheses"
ReferencesOfCompletions: TypeAlias = "Iterable[CompletionReferences] | Hypotheses"


class Names(NamedTuple):
    """The trainer's names for the columns."""

    completions: str
    references: str
    sources: str = "sources"


class Batch(NamedTuple):
    """The completions that have references, in the form that metrics take."""

    names: Names
    hypotheses: Any
    references: Any
    sources: list[Any] | None
    empty: NDArray[np.bool_]  # whether each of these completions is empty
    indexes: list[int]  # the index of each of these completions among all
    size: int  # the number of all completions

    def locate(self, location: Location) -> Location:
        """Return a metric's location with the trainer's names and indexes."""
        names = self.names
        location = location.on_sides(hypotheses=names.completions, references=names.references, sources=names.sources)
        return location if location.segment is None else replace(location, segment=self.indexes[location.segment])


def _last_match(pattern: re.Pattern[str], text: str) -> str | None:
    """Return a regular expression's last non-empty match, or its first group's."""
    group = 1 if pattern.groups else 0
    # A pattern such as `.*` also matches the empty string at the end.
    last = deque((match[group] for match in pattern.finditer(text) if match[0] or match[group]), maxlen=1)
    return last[0] if last else None


def parse_extract(extract: Any) -> Extract | None:
    """Return a function that extracts a text's scored part."""
    if isinstance(extract, str):
        try:
            extract = re.compile(extract, re.DOTALL)
        except re.error as error:
            raise SettingError(f"extract is not a valid regular expression ({error}): {extract!r}") from None
    if isinstance(extract, re.Pattern):
        if not isinstance(extract.pattern, str):
            raise SettingError("extract must be a regular expression for str, not for bytes")
        return partial(_last_match, extract)
    if extract is not None and not callable(extract):
        raise SettingError(f"extract must be a regular expression or a function, not {extract!r}")
    function: Extract | None = extract
    return function


def chat_text(value: Any, location: Location) -> str | None:
    """Return a chat's or message's text, or None if the value is neither."""
    if isinstance(value, Mapping):
        return _message_text(value, location)
    if not isinstance(value, (list, tuple)) or not value or not isinstance(value[0], Mapping):
        return None
    for i, message in enumerate(value):
        if not isinstance(message, Mapping):
            raise InputError(replace(location, token=i), f"is {describe(message)}", "a chat must be a list of messages")
    answers = [message for message in value if message.get("role") == "assistant"]
    return _message_text((answers or value)[-1], location)


def _message_text(message: Mapping[str, Any], location: Location) -> str:
    if "content" not in message:
        problem = f"is a message without 'content' (it has: {', '.join(map(str, message))})"
        raise InputError(location, problem, "put the text under 'content'")
    content = message["content"]
    if content is None:  # for example, a message that only calls tools
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, (list, tuple)) and all(isinstance(part, Mapping) for part in content):
        # Other parts, such as images, have no text.
        return "".join(part["text"] for part in content if isinstance(part.get("text"), str))
    raise InputError(location, f"has the content {describe(content)}", "it must be a text, or parts with texts")


def read_batch(
    completions: Any, references: Any, sources: Any, names: Names, extract: Extract | None, pad_id: int | None
) -> Batch:
    """Return completions and references for metrics, with their sources. Skip completions without a reference."""
    given = _column(completions, Location(names.completions), pad_id)
    entries = _column(references, Location(names.references), pad_id)
    _check_length(given, entries, names.completions, names.references)
    origins = None if sources is None else _sources(sources, names, pad_id)
    if origins is not None:
        _check_length(given, origins, names.completions, names.sources)
    if isinstance(given, Padded):
        if extract is not None:
            raise InputError(Location(names.completions), "has token ids, but extract needs texts", "decode them first")
        given = given if isinstance(entries, Padded) else listed_hypotheses(given)
    else:
        given = [
            item
            if extract is None and isinstance(item, str)
            else _completion(item, Location(names.completions, i), extract, pad_id)
            for i, item in enumerate(given)
        ]
    size, indexes = len(given), [*range(len(given))]
    if not isinstance(entries, Padded):
        entries = [
            entry if isinstance(entry, str) else _references(entry, Location(names.references, i), pad_id)
            for i, entry in enumerate(entries)
        ]
        given = _with_empty_texts(given, entries)
        indexes = [i for i, entry in enumerate(entries) if entry is not None]
        if len(indexes) < size:
            given, entries = [given[i] for i in indexes], [entries[i] for i in indexes]
            origins = None if origins is None else [origins[i] for i in indexes]
    return Batch(names, given, entries, origins, _empty(given), indexes, size)


def _check_length(one: Any, other: Any, name: str, other_name: str) -> None:
    if len(one) != len(other):
        problem = f"{name} has {len(one)} entries and {other_name} has {len(other)}"
        raise InputError(None, problem, "pass one entry per completion")


def _sources(column: Any, names: Names, pad_id: int | None) -> list[Any]:
    """Return each source's text or token ids. In a chat, the last message counts."""
    side = Location(names.sources)
    items = listed_hypotheses(_column(column, side, pad_id))
    return [_text_or_tokens(item, replace(side, segment=i), pad_id) for i, item in enumerate(items)]


def _with_empty_texts(given: list[Any], entries: list[Any]) -> list[Any]:
    """Replace empty lists by "" if the references are texts, because they are then empty chats."""
    references = (item for entry in entries if entry for item in ([entry] if isinstance(entry, str) else entry))
    if not isinstance(next((item for item in references if item is not None), None), str):
        return given
    return ["" if isinstance(item, list) and not item else item for item in given]


def _column(column: Any, location: Location, pad_id: int | None) -> Any:
    if isinstance(column, Padded):
        return column
    to_list = getattr(column, "to_pylist", None) or getattr(column, "to_list", None)  # pyarrow; pandas and Polars
    if callable(to_list):
        column = to_list()
    array = as_array(_on_cpu(column), location)
    if array is not None and array.ndim >= 2 and array.dtype.kind in "iu":
        return padded(array, pad_id=pad_id)
    if not is_sequence(column if array is None else array):
        raise InputError(location, f"is {describe(column)}", "pass a list with one entry per completion")
    return column if isinstance(column, list) else list(column if array is None else array)


def _completion(item: Any, location: Location, extract: Extract | None, pad_id: int | None) -> Any:
    content = _text_or_tokens(item, location, pad_id)
    if extract is None:
        return content
    if not isinstance(content, str):
        if len(content):
            raise InputError(location, f"is {describe(item)}", "pass a text, which extract needs")
        return content
    part = extract(content)
    if part is not None and not isinstance(part, str):
        raise InputError(location, f"makes extract return {describe(part)}", "it must return a text or None")
    return part or ""


def _references(entry: Any, location: Location, pad_id: int | None) -> Any:
    """Return a completion's references: a text, a list, or None if there are none."""
    if entry is None:
        return None
    text = chat_text(entry, location)
    if text is not None:
        return text
    array = as_array(_on_cpu(entry), location)
    if array is not None and array.ndim == 1 and array.dtype.kind in "iu":
        return [_tokens(array, location, pad_id)]
    items = entry if array is None else array
    if not is_sequence(items):
        raise InputError(location, f"is {describe(entry)}", "pass a text, a chat, token ids, or a list of these")
    first = next((item for item in items if item is not None), None)
    if first is None:
        return None
    if isinstance(first, (int, np.integer)):
        return [_tokens([item for item in items if item is not None], location, pad_id)]
    return [
        item if item is None or isinstance(item, str) else _text_or_tokens(item, replace(location, reference=r), pad_id)
        for r, item in enumerate(items)
    ]


def _text_or_tokens(item: Any, location: Location, pad_id: int | None) -> Any:
    text = item if isinstance(item, str) else chat_text(item, location)
    return _tokens(item, location, pad_id) if text is None else text


def _tokens(tokens: Any, location: Location, pad_id: int | None) -> Any:
    """Return one token sequence without its padding."""
    array = as_array(_on_cpu(tokens), location)
    if not is_sequence(tokens if array is None else array):
        raise InputError(location, f"is {describe(tokens)}", "pass a text, a chat or token ids")
    if array is not None:
        return array if pad_id is None else array[array != pad_id]
    return list(tokens) if pad_id is None else [token for token in tokens if token != pad_id]


def _empty(items: Any) -> NDArray[np.bool_]:
    if isinstance(items, Padded):
        return items.empty()
    return np.array([len(item) == 0 or (isinstance(item, str) and item.isspace()) for item in items], dtype=np.bool_)


def _on_cpu(value: Any) -> Any:
    """Move a tensor to CPU memory. Return other values unchanged."""
    move = getattr(value, "cpu", None)
    return move() if callable(move) and hasattr(value, "__dlpack__") else value
