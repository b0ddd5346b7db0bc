"""Benchmark data: generated text with realistic statistics, or the user's files."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

_ONSETS = [*"bcdfghjklmnprstvwz", "br", "ch", "dr", "fl", "gr", "pl", "sh", "st", "th", "tr"]
_VOWELS = [*"aeiouaeiou", "ai", "ea", "ee", "io", "ou"]
_CODAS = [*"lmnrst", "nd", "ng", "st"] + [""] * 14
_VOCABULARY = 20_000  # words
_ACCENTS = str.maketrans("aeioucn", "áéíöüçñ")
_WIDE = ["Москва", "“naïve”", "東京", "Ελλάδα", "№", "Łódź", "中文", "İzmir", "😀", "Straße"]
_REFERENCES = 4
_PARAPHRASE = 0.38  # changed words; gives a corpus BLEU of about 0.35 with one reference


@dataclass(frozen=True)
class Corpus:
    """Hypotheses and references as text. Every segment has the same number of references."""

    name: str
    hypotheses: list[str]
    references: list[list[str]]

    def first_references(self) -> list[str]:
        """Return the first reference of every segment."""
        return [refs[0] for refs in self.references]

    @property
    def reference_count(self) -> int:
        """Return the number of references per segment."""
        return len(self.references[0])


class Generator:
    """Generate text with a Zipf vocabulary, punctuation, numbers, quotes and a few non-ASCII words."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._words = self._make_vocabulary()
        # The shift flattens the top ranks, as in real text: no word is more than about 6 % of all words.
        self._weights = list(accumulate(1.0 / (rank + 1.7) for rank in range(_VOCABULARY)))

    def _make_vocabulary(self) -> list[str]:
        pick = self._random.choice
        words: dict[str, None] = {}
        while len(words) < _VOCABULARY:
            # Frequent words are short: the number of syllables grows with the rank.
            syllables = 1 + self._random.randrange(1 + min(3, len(words) // 60))
            words["".join(pick(_ONSETS) + pick(_VOWELS) + pick(_CODAS) for _ in range(syllables))] = None
        return list(words)

    def _word(self) -> str:
        return self._random.choices(self._words, cum_weights=self._weights)[0]

    def _number(self) -> str:
        number = self._random.randrange(1, 10_000)
        return self._random.choice(
            [f"{number}", f"{number:,}", f"{number / 100:.1f}", f"{number}%", f"{number}-{number + 5}"]
        )

    def segment(self) -> list[str]:
        """Return the words of one segment with attached punctuation, about 26 tokens under 13a."""
        rng = self._random
        length = min(120, max(2, round(rng.lognormvariate(3.01, 0.5))))
        words = [self._number() if rng.random() < 0.03 else self._word() for _ in range(length)]
        if rng.random() < 0.10:
            place = rng.randrange(length)
            words[place] = rng.choice(_WIDE) if rng.random() < 0.4 else words[place].translate(_ACCENTS)
        words = [word + "," if rng.random() < 0.07 else word for word in words]
        if length > 6 and rng.random() < 0.08:
            start = rng.randrange(length - 4)
            words[start] = '"' + words[start]
            words[start + 3] += '"'
        words[0] = words[0].capitalize()
        words[-1] += rng.choices([".", "?", "!", ""], [88, 5, 2, 5])[0]
        return words

    def vary(self, words: list[str], rate: float) -> list[str]:
        """Paraphrase: substitute, delete and insert words at ``rate`` in total, and sometimes move a phrase."""
        rng = self._random
        varied: list[str] = []
        for word in words:
            draw = rng.random() / rate
            if draw >= 1 or draw < 0.6:
                varied.append(word if draw >= 1 else self._word())
            elif draw < 0.8:
                varied.extend((self._word(), word))
        if len(varied) > 8 and rng.random() < 0.5:
            start, size = rng.randrange(len(varied) - 4), rng.randrange(2, 5)
            phrase = varied[start : start + size]
            del varied[start : start + size]
            place = rng.randrange(len(varied) + 1)
            varied[place:place] = phrase
        return varied or list(words)


def generate(segments: int, seed: int) -> Corpus:
    """Generate hypotheses with four references each. The same seed gives the same text."""
    generator = Generator(seed)
    hypotheses = [generator.segment() for _ in range(segments)]
    references = [[" ".join(generator.vary(h, _PARAPHRASE)) for _ in range(_REFERENCES)] for h in hypotheses]
    return Corpus(f"generated, seed {seed}", [" ".join(h) for h in hypotheses], references)


def read(hypothesis: Path, references: list[Path], segments: int | None) -> Corpus:
    """Read the user's files, one segment per line, split only at line feeds.

    Raises:
        ValueError: files of different length, an empty file, or bytes that are not UTF-8.
    """
    columns = [_lines(path)[:segments] for path in (hypothesis, *references)]
    for path, column in zip(references, columns[1:], strict=True):
        if len(column) != len(columns[0]):
            raise ValueError(f"{hypothesis} has {len(columns[0])} lines, {path} has {len(column)}")
    if not columns[0]:
        raise ValueError(f"{hypothesis} is empty")
    return Corpus(str(hypothesis), columns[0], [list(refs) for refs in zip(*columns[1:], strict=True)])


def _lines(path: Path) -> list[str]:
    # Neither splitlines nor newline translation, because both also split at other characters.
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}") from error
    return lines[:-1] if lines[-1] == "" else lines


def variants(text: str, count: int, seed: int) -> list[str]:
    """Paraphrase one segment, like samples from one model."""
    generator = Generator(seed)
    return [" ".join(generator.vary(text.split(), _PARAPHRASE)) for _ in range(count)]


def systems(texts: list[str], count: int, seed: int) -> list[list[str]]:
    """Generate outputs of ``count`` systems, each a light variation of ``texts``."""
    generator = Generator(seed)
    return [[" ".join(generator.vary(text.split(), 0.1)) for text in texts] for _ in range(count)]


def fresh(value: Any) -> Any:
    """Copy deeply, with new string objects that have no cached hash or UTF-8 form."""
    if isinstance(value, str):
        return value.encode().decode()
    if isinstance(value, np.ndarray):
        return value.copy()
    return [fresh(item) for item in value]


def hashed(value: Any) -> Any:
    """Copy like ``fresh``, but with cached hashes, as after a lookup in a vocabulary."""
    copy = fresh(value)
    stack = [copy]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        else:
            hash(item)
    return copy
