"""Word offsets in texts, the accuracy of systems on words, and the n-grams that distinguish two systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.tokenizers.pipeline import Lowercase, Pipeline, lower_ascii

Numbers: TypeAlias = NDArray[np.int64]

ORDERS = 4
FREQUENCIES = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
LISTED = 15
# The smallest difference to list.
LEAST_DIFFERENCE = 2
# The characters that the page treats as spaces between words.
_SPACES = " \t\n\r\x0b\x0c"
_WITHOUT_SPACES = str.maketrans("", "", _SPACES)


@dataclass(frozen=True)
class Frequencies:
    """The F1 of each system on words that are rare or frequent in the references."""

    buckets: tuple[tuple[int, int | None], ...]  # the smallest and largest number of occurrences; None for no limit
    words: tuple[int, ...]  # the number of distinct words in each bucket
    f1: tuple[tuple[float, ...], ...]  # the F1 of words in percent, by system and bucket


@dataclass(frozen=True)
class NGram:
    """An n-gram of the references, and the number of times each of two systems gets it right."""

    words: tuple[str, ...]
    first: int
    second: int


@dataclass(frozen=True)
class Contrast:
    """The n-grams that the first of two systems gets right more often than the second, and vice versa."""

    first: tuple[NGram, ...]
    second: tuple[NGram, ...]


@dataclass(frozen=True)
class Words:
    """The words of all texts as numbers from one vocabulary, one text after the other."""

    vocabulary: list[str]  # the word of each number
    numbers: Numbers  # the numbers of the words of all texts
    ends: Numbers  # the end of each text in `numbers`
    segment: Numbers  # the segment of each text
    system: Numbers  # the system of each text; -1 for a reference


def word_offsets(text: str, words: Sequence[str]) -> str | list[str]:
    """Return the offsets of words that directly follow the previous word, without whitespace.

    Offsets count UTF-16 units, as in JavaScript. If the words are not pieces of the text, return the words instead.
    """
    if "".join(words) != text.translate(_WITHOUT_SPACES) or "" in words:
        return list(words)
    offsets = []
    place = 0
    astral = not text.isascii() and max(text) > "\uffff"
    for word in words:
        if text[place] in _SPACES:
            while text[place] in _SPACES:
                place += 1
        elif place:
            offsets.append(place + (sum(char > "\uffff" for char in text[:place]) if astral else 0))
        place += len(word)
    return " ".join(map(str, offsets))


@dataclass(frozen=True)
class ShownWords:
    """The words of the references and outputs of each segment on the page, in their original case."""

    references: list[list[list[str]]]
    outputs: list[list[list[str]]]
    lowercase: Lowercase

    def compared(self, texts: list[list[list[str]]]) -> list[list[list[str]]]:
        """Return the words as they are compared: lowercased if the metric does so."""
        if self.lowercase is False:
            return texts
        lower = str.lower if self.lowercase is True else lower_ascii
        return [[[lower(word) for word in words] for words in entry] for entry in texts]


def split_shown(
    pipeline: Pipeline, systems: Mapping[str, Sequence[str]], references: Sequence[Sequence[str]], shown: Sequence[int]
) -> ShownWords:
    """Return the words of the segments on the page."""
    cased = replace(pipeline, lowercase=False)

    def words(text: str) -> list[str]:
        return [word if isinstance(word, str) else repr(word) for word in cased.tokens(text)]

    return ShownWords(
        [[words(text) for text in references[i]] for i in shown],
        [[words(texts[i]) for texts in systems.values()] for i in shown],
        pipeline.lowercase,
    )


def number_words(shown: ShownWords) -> Words:
    """Return all words as numbers. Words that compare equal have the same number."""
    known: dict[str, int] = {}
    flat: list[int] = []
    ends, segments, systems = [], [], []
    both = zip(shown.compared(shown.references), shown.compared(shown.outputs), strict=True)
    for segment, (references, outputs) in enumerate(both):
        for system, words in [*((-1, words) for words in references), *enumerate(outputs)]:
            flat += [known.setdefault(word, len(known)) for word in words]
            ends.append(len(flat))
            segments.append(segment)
            systems.append(system)
    return Words(list(known), *(np.array(column, dtype=np.int64) for column in (flat, ends, segments, systems)))


@dataclass(frozen=True)
class _NGrams:
    """The distinct n-grams of one order."""

    first_place: Numbers  # the index of the first occurrence of each n-gram
    expected: Numbers  # the count of each n-gram in the references; in each segment, the largest of any reference
    reference_total: Numbers  # the count of each n-gram in all references
    matched: Numbers  # the number of correct occurrences, by system and n-gram
    produced: Numbers  # the number of occurrences, by system and n-gram


def _count_ngrams(words: Words, systems: int) -> Iterator[_NGrams]:
    """Yield the n-grams of each order. An n-gram is represented by the number of its prefix and its last word."""
    text = np.repeat(np.arange(len(words.ends)), np.diff(words.ends, prepend=0))
    left = words.ends[text] - np.arange(len(text)) if len(text) else text
    grams = words.numbers.copy()
    for order in range(1, ORDERS + 1):
        places = np.flatnonzero(left >= order)
        if not len(places):
            return
        if order > 1:
            grams[places] = grams[places] * len(words.vocabulary) + words.numbers[places + order - 1]
        _, first, renumbered = np.unique(grams[places], return_index=True, return_inverse=True)
        grams[places] = renumbered
        yield _count_order(words, renumbered.reshape(-1), text[places], places[first], systems)


def _count_order(words: Words, grams: Numbers, text: Numbers, first_place: Numbers, systems: int) -> _NGrams:
    count = len(first_place)
    keys, times = np.unique(text * count + grams, return_counts=True)
    gram, segment, system = keys % count, words.segment[keys // count], words.system[keys // count]
    in_segment = segment * count + gram
    is_reference = system == -1
    # If a segment has several references, the largest count of any of them is expected.
    wanted, index = np.unique(in_segment[is_reference], return_inverse=True)
    most = np.zeros(len(wanted) + 1, np.int64)
    np.maximum.at(most, index.reshape(-1), times[is_reference])
    place = np.searchsorted(wanted, in_segment)
    right = np.where(np.append(wanted, -1)[place] == in_segment, np.minimum(times, most[place]), 0)

    def total(indexes: Numbers, counts: Numbers, size: int) -> Numbers:
        return np.bincount(indexes, counts, size).astype(np.int64)

    output = ~is_reference
    cells, shape = system[output] * count + gram[output], (systems, count)
    return _NGrams(
        first_place,
        total(wanted % count, most[:-1], count),
        total(gram[is_reference], times[is_reference], count),
        total(cells, right[output], systems * count).reshape(shape),
        total(cells, times[output], systems * count).reshape(shape),
    )


def analyze(words: Words, systems: int) -> tuple[Frequencies, dict[tuple[int, int], Contrast]]:
    """Return the F1 of systems by word frequency, and the n-grams that distinguish each pair of systems."""
    frequencies = Frequencies((), (), tuple(() for _ in range(systems)))
    grams: list[tuple[int, int]] = []  # order and first place of n-grams that some system gets right more often
    tables = [np.zeros((systems, 0), np.int64)]
    for order, ngrams in enumerate(_count_ngrams(words, systems), 1):
        if order == 1:
            frequencies = _by_frequency(ngrams)
        differing = np.flatnonzero(ngrams.matched.max(0) - ngrams.matched.min(0) >= LEAST_DIFFERENCE)
        tables.append(ngrams.matched[:, differing])
        grams += [(order, place) for place in ngrams.first_place[differing].tolist()]
    matched = np.concatenate(tables, axis=1)
    orders = np.array([order for order, _ in grams], dtype=np.int64)

    def texts(index: int) -> tuple[str, ...]:
        order, place = grams[index]
        return tuple(words.vocabulary[number] for number in words.numbers[place : place + order].tolist())

    contrasts = {}
    for a, b in combinations(range(systems), 2):
        reverse = _distinguish(matched[b], matched[a], orders, texts)
        contrasts[a, b] = Contrast(
            tuple(_distinguish(matched[a], matched[b], orders, texts)),
            tuple(NGram(gram.words, gram.second, gram.first) for gram in reverse),
        )
    return frequencies, contrasts


def _distinguish(more: Numbers, less: Numbers, orders: Numbers, texts: Any) -> list[NGram]:
    """Return the n-grams that one system gets right more often, the least likely to be chance first."""
    difference = more - less
    candidates = np.flatnonzero(difference >= LEAST_DIFFERENCE)
    # The difference divided by its standard deviation under the assumption that both systems are equal.
    weight = difference[candidates] / np.sqrt(more[candidates] + less[candidates])
    listed: list[NGram] = []
    for index in candidates[np.lexsort((-orders[candidates], -weight))][: 20 * LISTED].tolist():
        gram = NGram(texts(index), int(more[index]), int(less[index]))
        # Skip pieces of a longer n-gram with the same counts: they add nothing.
        if not any((gram.first, gram.second) == (k.first, k.second) and _within(gram.words, k.words) for k in listed):
            listed.append(gram)
        if len(listed) == LISTED:
            break
    return listed


def _within(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    return any(long[k : k + len(short)] == short for k in range(len(long) - len(short) + 1))


def _by_frequency(ngrams: _NGrams) -> Frequencies:
    buckets, sizes, scores = [], [], []
    for low, following in zip(FREQUENCIES, [*FREQUENCIES[1:], None], strict=True):
        inside = (ngrams.reference_total >= low) & (ngrams.reference_total < (following or np.inf))
        if inside.any():
            buckets.append((low, None if following is None else following - 1))
            sizes.append(int(inside.sum()))
            both = ngrams.expected[inside].sum() + ngrams.produced[:, inside].sum(1)
            scores.append((200 * ngrams.matched[:, inside].sum(1) / both).tolist())
    return Frequencies(tuple(buckets), tuple(sizes), tuple(zip(*scores, strict=True)))
