"""Completions and references as trainers hand them over, brought into the shapes that metrics take.

Trainers have texts, chats (lists of messages, whose content may come in parts), lists of token ids, or tensors.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, SettingError
from refscore.segments import Padded, as_array, is_sequence, padded

Extract = Callable[[str], str | None]


class Batch(NamedTuple):
    """Completions and references that metrics take, and where they come from."""

    hypotheses: Any
    references: Any
    empty: NDArray[np.bool_]  # which completions are
    places: list[int] | None  # of these completions among all, unless all are here
    size: int  # of all


class LastMatch:
    """Takes the last match of a regular expression out of a text: its first group, if it has one.

    >>> LastMatch(re.compile("#### (.*)"))("3 + 4 #### 7")
    '7'
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def __call__(self, text: str) -> str | None:
        """The match, or None."""
        group = 1 if self._pattern.groups else 0
        # `.*` and the like also match the nothing after what they matched.
        found = (match[group] for match in self._pattern.finditer(text) if match[0] or match[group])
        last = deque(found, maxlen=1)
        return last[0] if last else None


def extraction(extract: Any) -> Extract | None:
    """What takes the part that counts out of a text.

    >>> extraction(r"<answer>(.*?)</answer>")("Two plus two is <answer>four</answer>.")
    'four'
    """
    if isinstance(extract, str):
        try:
            extract = re.compile(extract, re.DOTALL)
        except re.error as error:
            raise SettingError(f"extract is no regular expression ({error}): {extract!r}") from None
    if isinstance(extract, re.Pattern):
        if not isinstance(extract.pattern, str):
            raise SettingError("extract must be a regular expression for text, not for bytes")
        return LastMatch(extract)
    if extract is not None and not callable(extract):
        raise SettingError(f"extract must be a regular expression or a function, not {extract!r}")
    made: Extract | None = extract
    return made


def chat_text(value: Any, where: str) -> str | None:
    """The text of a chat, or of a message; None if it is neither.

    >>> chat_text([{"role": "assistant", "content": "Let me look."}, {"role": "assistant", "content": "Seven."}], "")
    'Seven.'
    """
    if isinstance(value, Mapping):
        return _message_text(value, where)
    if not isinstance(value, (list, tuple)) or not value or not isinstance(value[0], Mapping):
        return None
    for i, message in enumerate(value):
        if not isinstance(message, Mapping):
            raise InputError(None, f"{where}[{i}] is {described(message)}: a chat is a list of messages")
    said = [message for message in value if message.get("role") == "assistant"]
    return _message_text((said or value)[-1], where)


def _message_text(message: Mapping[str, Any], where: str) -> str:
    if "content" not in message:
        raise InputError(None, f"{where} is a message without 'content' (it has: {', '.join(map(str, message))})")
    content = message["content"]
    if content is None:  # as in a message that only calls tools
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, (list, tuple)) and all(isinstance(part, Mapping) for part in content):
        # Other parts are pictures and the like, which have no text.
        return "".join(part["text"] for part in content if isinstance(part.get("text"), str))
    raise InputError(None, f"{where} has the content {described(content)}: expected a text, or parts with texts")


def read_batch(
    completions: Any, references: Any, names: tuple[str, str], extract: Extract | None, pad_id: int | None
) -> Batch:
    """Both sides as metrics take them, without the completions that have no reference.

    Args:
        completions: A list of texts, chats or token ids, or a batch of ids.
        references: For each completion a text, a chat or token ids, a list of such, or None.
        names: What the two are called in errors.
        extract: What takes the part that counts out of a completion.
        pad_id: The id that is dropped from token ids.
    """
    given, entries = _column(completions, names[0], pad_id), _column(references, names[1], pad_id)
    if len(given) != len(entries):
        raise InputError(
            None,
            f"{names[0]} has {len(given)} entries and {names[1]} has {len(entries)}: "
            "there has to be one for each completion",
        )
    if isinstance(given, Padded):
        if extract is not None:
            raise InputError(None, f"extract looks for text, but {names[0]} holds token ids")
        if not isinstance(entries, Padded):
            given = _sequences(given)
    else:
        given = [
            item
            if extract is None and isinstance(item, str)
            else _completion(item, f"{names[0]}[{i}]", extract, pad_id)
            for i, item in enumerate(given)
        ]
    if isinstance(entries, Padded):
        return Batch(given, entries, _empty(given), None, len(given))
    entries = [
        entry if isinstance(entry, str) else _references(entry, f"{names[1]}[{i}]", pad_id)
        for i, entry in enumerate(entries)
    ]
    given = _with_empty_texts(given, entries)
    if None not in entries:
        return Batch(given, entries, _empty(given), None, len(given))
    places = [i for i, entry in enumerate(entries) if entry is not None]
    kept = [given[i] for i in places]
    return Batch(kept, [entries[i] for i in places], _empty(kept), places, len(given))


def _with_empty_texts(given: Any, entries: list[Any]) -> Any:
    """Completions that are empty lists as empty texts where the references are text: they are chats then."""
    first = next((entry if isinstance(entry, str) else entry[0] for entry in entries if entry is not None), None)
    if isinstance(given, Padded) or not isinstance(first, str):
        return given
    return ["" if isinstance(item, list) and not item else item for item in given]


def _column(column: Any, where: str, pad_id: int | None) -> Any:
    """A column as a list, or as a batch of ids."""
    if isinstance(column, Padded):
        return column
    listed = getattr(column, "to_pylist", None) or getattr(column, "to_list", None)  # of pyarrow; of pandas and Polars
    if callable(listed):
        column = listed()
    array = as_array(_on_cpu(column), where)
    if array is not None and array.ndim >= 2 and array.dtype.kind in "iu":
        return padded(array, pad_id=pad_id)
    if not is_sequence(column if array is None else array):
        raise InputError(None, f"{where} is {described(column)}: expected a list with one entry for each completion")
    return column if isinstance(column, list) else list(column if array is None else array)


def _completion(item: Any, where: str, extract: Extract | None, pad_id: int | None) -> Any:
    """A completion's text, or its ids."""
    text = item if isinstance(item, str) else chat_text(item, where)
    if text is None:
        if extract is not None and not (isinstance(item, (list, tuple)) and not item):
            raise InputError(None, f"extract looks for text, but {where} is {described(item)}")
        return _tokens(item, where, pad_id)
    if extract is None:
        return text
    found = extract(text)
    if found is not None and not isinstance(found, str):
        raise InputError(None, f"extract must return a text or None, but returned {described(found)} for {where}")
    return found or ""


def _references(entry: Any, where: str, pad_id: int | None) -> Any:
    """The references of one completion: a text, or a list; None if there are none."""
    if entry is None:
        return None
    text = chat_text(entry, where)
    if text is not None:
        return text
    array = as_array(_on_cpu(entry), where)
    if array is not None and array.ndim == 1 and array.dtype.kind in "iu":
        return [_tokens(array, where, pad_id)]
    if not is_sequence(entry if array is None else array):
        raise InputError(None, f"{where} is {described(entry)}: expected a text, a chat, token ids, or a list of such")
    items = {r: item for r, item in enumerate(entry if array is None else array) if item is not None}
    if not items:
        return None
    if isinstance(next(iter(items.values())), (int, np.integer)):
        return [_tokens([*items.values()], where, pad_id)]
    return [_reference(item, f"{where}[{r}]", pad_id) for r, item in items.items()]


def _reference(item: Any, where: str, pad_id: int | None) -> Any:
    text = item if isinstance(item, str) else chat_text(item, where)
    return _tokens(item, where, pad_id) if text is None else text


def _tokens(tokens: Any, where: str, pad_id: int | None) -> Any:
    """One sequence of tokens, without the padding."""
    array = as_array(_on_cpu(tokens), where)
    if not is_sequence(tokens if array is None else array):
        raise InputError(None, f"{where} is {described(tokens)}: expected a text, a chat, or token ids")
    if array is not None:
        return array if pad_id is None else array[array != pad_id]
    return list(tokens) if pad_id is None else [token for token in tokens if token != pad_id]


def _sequences(batch: Padded) -> list[NDArray[Any]]:
    """The rows of a batch without their padding."""
    rows = list(batch.array)
    if batch.lengths is not None:
        return [row[:length] for row, length in zip(rows, batch.lengths, strict=True)]
    return rows if batch.pad_id is None else [row[row != batch.pad_id] for row in rows]


def _empty(items: Any) -> NDArray[np.bool_]:
    """Which completions have nothing in them."""
    if isinstance(items, Padded):
        if items.lengths is not None:
            return np.asarray(items.lengths == 0)
        if items.pad_id is None:
            return np.full(len(items), items.array.shape[-1] == 0)
        return np.asarray((items.array == items.pad_id).all(axis=-1))
    return np.array([len(item) == 0 or (isinstance(item, str) and item.isspace()) for item in items], dtype=np.bool_)


def _on_cpu(value: Any) -> Any:
    """A tensor where it can be read; other values as they are."""
    move = getattr(value, "cpu", None)
    return move() if callable(move) and hasattr(value, "__dlpack__") else value


def described(value: object) -> str:
    """A value in an error message."""
    text = repr(value)
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"


def in_their_words(message: str, names: tuple[str, str], places: list[int] | None) -> str:
    """An error about hypotheses and references, with the names and places that the trainer knows them by.

    >>> in_their_words("references[0] has no words", ("completions", "answer"), [4, 5])
    'answer[4] has no words'
    """

    def name(match: re.Match[str]) -> str:
        place = int(match[2])
        if places is not None:
            if place >= len(places):  # the words are those of a token
                return match[0]
            place = places[place]
        return f"{names[match[1] == 'references']}[{place}]"

    return re.sub(r"\b(hypotheses|references)\[(\d+)\]", name, message).replace("the hypotheses", "the completions")
