"""METEOR's kernel: the native one, and words that have to be looked at in Python."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.metrics.core.score import Rows, Values

Words: TypeAlias = Sequence[Hashable]
Synonyms: TypeAlias = Callable[[str], frozenset[str]]
Stem: TypeAlias = Callable[[Any], Hashable]

_STAGES = {
    _native.MatchStage.none: None,
    _native.MatchStage.exact: "exact",
    _native.MatchStage.stem: "stem",
    _native.MatchStage.synonym: "synonym",
}


class MatchedWord(NamedTuple):
    """A hypothesis word, its place in the reference, and how the two were found to match.

    Args:
        word: The word.
        rank: The place of its match in the reference, from 0; None if it has none.
        stage: "exact", "stem" or "synonym"; None if it has no match.

    Example:
        >>> import refscore
        >>> for matched in refscore.METEOR().alignment("the cats sit", "the cat sat"):
        ...     print(matched.word, matched.rank, matched.stage)
        the 0 exact
        cats 1 stem
        sit None None
    """

    word: Hashable
    rank: int | None
    stage: str | None


class WordKernel:
    """The native kernel for all segments that it can score; the others, and synonyms, by words looked up in Python.

    The native side cannot lowercase a few letters, and then gives NaN: Python does that for the one segment.
    """

    __slots__ = ("native", "rules", "stem", "synonyms")

    def __init__(
        self, native: _native.Meteor, rules: _native.TextRules, synonyms: Synonyms | None, stem: Stem | None = None
    ) -> None:
        self.native = native
        self.rules = rules
        self.synonyms = synonyms
        self.stem = stem or porter_stem

    def matching(self, synonyms: Synonyms | None, stem: Stem) -> WordKernel:
        """The same formula for other synonyms and stems; the native side knows Porter's, so it serves `match` alone."""
        return WordKernel(self.native, self.rules, synonyms, stem)

    def rows(self, hypotheses: Any, references: Any, threads: int, /) -> Rows:
        """One row per segment."""
        return self._finished(self.native.rows(hypotheses, references, threads), hypotheses, references)

    def counted(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Rows, int, int]:
        """One row per segment, and the smallest and largest number of references of a segment."""
        rows, fewest, most = self.native.counted(hypotheses, references, threads)
        return self._finished(rows, hypotheses, references), fewest, most

    def _finished(self, rows: Rows, hypotheses: Any, references: Any) -> Rows:
        if isinstance(hypotheses, _native.IdMatrix):
            return rows
        for i in self._unfinished(rows[:, 0]):
            words = self._words(hypotheses[i])
            if _are_strings(words):
                rows[i] = self.best(words, self._reference_words(references, i))
        return rows

    def total(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Any, ...]:
        """The summed row, and the smallest and largest number of references of a segment."""
        sums = _native.ExactRowSums(1, 6)
        fewest, most = self.total_into(hypotheses, references, threads, sums)
        return sums.rows()[0], fewest, most

    def total_into(
        self, hypotheses: Any, references: Any, threads: int, sums: _native.ExactRowSums, /
    ) -> tuple[int, int]:
        """Add the rows to exact sums, and return the smallest and largest number of references of a segment."""
        if self.synonyms is None:
            try:
                return self.native.total_into(hypotheses, references, threads, sums)
            except _native.NotFiniteError:
                pass
        rows, fewest, most = self.counted(hypotheses, references, threads)
        sums.add(rows)
        return fewest, most

    def one(self, hypothesis: Any, references: Any, /) -> tuple[float, tuple[Any, ...]]:
        """The score and the row of one segment."""
        row = tuple(self.rows((hypothesis,), (references,), 1)[0].tolist())
        return row[0], row

    def values(self, rows: NDArray[np.float64], threads: int, /) -> Values:
        """The score of each row."""
        return self.native.values(rows, threads)

    def prepare(self, references: Any, /) -> _native.PreparedReferences:
        """References numbered once."""
        return self.native.prepare(references)

    def pairwise(self, hypotheses: Any, references: _native.PreparedReferences, threads: int, /) -> NDArray[np.float64]:
        """The score of each hypothesis with each segment of references."""
        values = self.native.pairwise(hypotheses, references, threads)
        if isinstance(hypotheses, _native.IdMatrix):
            return values
        targets: dict[int, list[list[Hashable]]] = {}
        for i in range(len(values)):
            columns = self._unfinished(values[i])
            words = self._words(hypotheses[i]) if len(columns) else []
            if not _are_strings(words):
                continue
            for j in columns:
                if j not in targets:
                    targets[j] = references.words(j)
                values[i, j] = self.best(words, targets[j])[0]
        return values

    def match(self, hypothesis: Words, reference: Words) -> tuple[list[MatchedWord], Rows]:
        """The hypothesis' words with their matches, and the row of the two."""
        found, row = self.native.match(hypothesis, reference, self.stem, self._synonyms_for(hypothesis))
        matched = [
            MatchedWord(word, None if stage == _native.MatchStage.none else rank, _STAGES[stage])
            for word, (stage, rank) in zip(hypothesis, found, strict=True)
        ]
        return matched, row

    def best(self, hypothesis: Words, references: Sequence[Words]) -> Rows:
        """The row of the best reference; as in NLTK, stems are what synonyms are looked up for and among."""
        return self.native.best_row(hypothesis, references, self.stem, self._synonyms_for(hypothesis))

    def _synonyms_for(self, hypothesis: Words) -> Synonyms | None:
        return self.synonyms if _are_strings(hypothesis) else None

    def _unfinished(self, values: Values) -> Any:
        """Which of the native side's values are not final."""
        return range(len(values)) if self.synonyms is not None else np.flatnonzero(np.isnan(values)).tolist()

    def _words(self, item: Any) -> Words:
        return _native.tokenize(item, self.rules) if isinstance(item, str) else item

    def _reference_words(self, references: Any, i: int) -> list[Words]:
        if isinstance(references, _native.PreparedReferences):
            return list(references.words(i))
        entry = references[i]
        return [self._words(item) for item in ([entry] if isinstance(entry, str) else entry) if item is not None]


def _are_strings(words: Any) -> bool:
    return isinstance(words, (list, tuple)) and len(words) > 0 and isinstance(words[0], str)


def porter_stem(word: Hashable) -> Hashable:
    """The stem of a word by Porter's rules, in lower case; other tokens as they are."""
    return _native.porter_stem(word) if isinstance(word, str) else word
