"""Digests of references, which show that two evaluations scored the same segments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from refscore.inputs import check_references, read_side

# The digest of a sequence is a polynomial of its segments' digests, so the digests of parts give that of the whole.
_PRIME = 2**127 - 1
_BASE = 0x5DEECE66D1CE4E5B9A3F1B2C7D8E9F01


@dataclass(frozen=True)
class Digest:
    """A digest of the references of consecutive segments.

    Example:
        >>> whole = Digest.compute(["a cat", ["a dog", "one dog"]])
        >>> Digest.compute(["a cat"]) + Digest.compute([["a dog", "one dog"]]) == whole
        True
        >>> Digest.compute([["a dog", "one dog"], "a cat"]) == whole
        False
    """

    value: int = 0
    segments: int = 0

    @classmethod
    def compute(cls, references: Iterable[Any]) -> Digest:
        """Return the digest of references: one text, or a list of texts or token sequences, per segment."""
        value = segments = 0
        for entry in references:
            items = [entry] if isinstance(entry, str) else [item for item in entry if item is not None]
            text = "\0".join(item if isinstance(item, str) else repr(list(item)) for item in items)
            digest = blake2b(f"{len(items)}\0{text}".encode("utf-8", "surrogatepass"), digest_size=15).digest()
            value = (value * _BASE + int.from_bytes(digest, "little")) % _PRIME
            segments += 1
        return cls(value, segments)

    def __add__(self, other: Digest) -> Digest:
        """Return the digest of these segments, followed by others."""
        value = (self.value * pow(_BASE, other.segments, _PRIME) + other.value) % _PRIME
        return Digest(value, self.segments + other.segments)

    def __str__(self) -> str:
        return f"{self.value:032x}"


def digest_references(references: Any) -> Digest | None:
    """Return the digest of references of any kind; None if they are prepared, or no text."""
    side = read_side(references)
    if side.is_list:
        return Digest.compute(side.value)
    if side.is_prepared:
        return None
    entries, kind = check_references(side)
    return Digest.compute(entries) if kind == "text" else None
