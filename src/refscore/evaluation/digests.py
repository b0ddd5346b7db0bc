"""Digests of texts, which show that two evaluations scored the same segments, or what has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from refscore.inputs import check_hypotheses, check_references, read_side

# The digest of a sequence is a polynomial of its segments' digests, so the digests of parts give the whole's digest.
_PRIME = 2**127 - 1
_BASE = 0x5DEECE66D1CE4E5B9A3F1B2C7D8E9F01


@dataclass(frozen=True)
class Digest:
    """A digest of one side of consecutive segments, such as their references.

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
        """Return the digest of a side: one text, or a list of texts or token sequences, per segment."""
        from hashlib import blake2b  # slow to import, and only evaluations that are saved or joined need it

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
    """Return the digest of references of any kind, or None if they are prepared, or no text."""
    side = read_side(references)
    if side.is_list:
        return Digest.compute(side.value)
    if side.is_prepared:
        return None
    entries, kind = check_references(side)
    return Digest.compute(entries) if kind == "text" else None


def digest_texts(texts: Any) -> Digest | None:
    """Return the digest of hypotheses or sources, or None if they are no text."""
    side = read_side(texts)
    if side.is_list and {*map(type, side.value)} == {str}:  # the usual case, checked much faster
        return Digest.compute(side.value)
    entries, kind = check_hypotheses(side)
    return Digest.compute(entries) if kind == "text" else None


@dataclass(frozen=True)
class Digests:
    """The digests of the texts of an evaluation. Those of tokens, and of batches without digests, are unknown.

    Attributes:
        hypotheses: The digest of each run, or None if it is unknown.
        references: The digest of the references, or None if it is unknown.
        sources: The digest of the sources, or None if it is unknown, or if there are none.

    Example:
        >>> import refscore
        >>> one = refscore.evaluate(["a cat"], ["the cat"], "wer").digests
        >>> other = refscore.evaluate(["the cat"], ["the cat"], "wer").digests
        >>> one.references == other.references, one.hypotheses == other.hypotheses, one.sources
        (True, False, None)
    """

    hypotheses: tuple[Digest | None, ...]
    references: Digest | None = None
    sources: Digest | None = None

    @classmethod
    def compute(cls, hypotheses: Iterable[Any], references: Any, sources: Any) -> Digests:
        """Return the digests of the texts of each run, of references, and of sources if there are any."""
        return cls(
            tuple(map(digest_texts, hypotheses)),
            None if references is None else digest_references(references),
            None if sources is None else digest_texts(sources),
        )

    def __add__(self, other: Digests) -> Digests:
        """Return the digests of these segments, followed by others."""
        *hypotheses, references, sources = (
            None if one is None or two is None else one + two for one, two in zip(self, other, strict=True)
        )
        return Digests(tuple(hypotheses), references, sources)

    def __iter__(self) -> Iterator[Digest | None]:
        yield from (*self.hypotheses, self.references, self.sources)

    def beside(self, other: Digests) -> Digests:
        """Return the digests of the runs of both, which have the same references."""
        return Digests(
            (*self.hypotheses, *other.hypotheses), self.references or other.references, self.sources or other.sources
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the digests as text, ready for JSON."""
        *hypotheses, references, sources = (None if each is None else str(each) for each in self)
        return {"hypotheses": hypotheses, "references": references, "sources": sources}
