"""METEOR's kernel: native code, and Python for segments that native code cannot match."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.errors import Location, relocated
from refscore.metrics.core.alignments import in_pair
from refscore.metrics.core.limits import check_limits
from refscore.metrics.core.score import Rows, Values

Words: TypeAlias = Sequence[Hashable]
Synonyms: TypeAlias = Callable[[str], frozenset[str]]
Stem: TypeAlias = Callable[[Any], Hashable]


class MatchedWord(NamedTuple):
    """A hypothesis word and its match in the reference.

    Args:
        word: The word.
        rank: Its match's position in the reference, from 0, or None if it has no match.
        stage: "exact", "stem" or "synonym", or None if it has no match.

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
    """Native code, and Python if synonyms count or native code returns NaN, for letters that it cannot lowercase."""

    __slots__ = ("native", "prepare", "rules", "stem", "synonyms", "values")

    def __init__(
        self, native: _native.Meteor, rules: _native.TextRules, synonyms: Synonyms | None, stem: Stem | None = None
    ) -> None:
        self.native = native
        self.prepare = native.prepare
        self.values = native.values
        self.rules = rules
        self.synonyms = synonyms
        self.stem = stem or porter_stem

    def matching(self, synonyms: Synonyms | None, stem: Stem) -> WordKernel:
        """Return a kernel with different synonyms and stems. Only `match` and `best` use them."""
        return WordKernel(self.native, self.rules, synonyms, stem)

    def counted(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Rows, int, int]:
        rows, fewest, most = self.native.counted(hypotheses, references, threads)
        if isinstance(hypotheses, _native.IdMatrix):
            return rows, fewest, most
        for i in self._unfinished(rows[:, 0]):
            words = self._words(hypotheses[i])
            if _are_strings(words):
                rows[i] = self.best(words, self._reference_words(references, i))
        return rows, fewest, most

    def total(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Any, ...]:
        sums = _native.ExactRowSums(1, 6)
        fewest, most = self.total_into(hypotheses, references, threads, sums)
        return sums.rows()[0], fewest, most

    def total_into(
        self, hypotheses: Any, references: Any, threads: int, sums: _native.ExactRowSums, /
    ) -> tuple[int, int]:
        if self.synonyms is None:
            try:
                return self.native.total_into(hypotheses, references, threads, sums)
            except _native.NotFiniteError:
                pass
        rows, fewest, most = self.counted(hypotheses, references, threads)
        sums.add(rows)
        return fewest, most

    def one(self, hypothesis: Any, references: Any, /) -> tuple[float, tuple[Any, ...], int]:
        rows, count, _ = self.counted((hypothesis,), (references,), 1)
        row = tuple(rows[0].tolist())
        return row[0], row, count

    def pairwise(self, hypotheses: Any, references: _native.PreparedReferences, threads: int, /) -> NDArray[np.float64]:
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
        """Return the hypothesis words with their matches, and the row."""
        with relocated(in_pair):
            check_limits([hypothesis], [[reference]])
        matches, row = self.native.match(hypothesis, reference, self.stem, self._synonyms_for(hypothesis))
        words = [
            MatchedWord(word, None, None) if stage == "none" else MatchedWord(word, rank, stage)
            for word, (stage, rank) in zip(hypothesis, matches, strict=True)
        ]
        return words, row

    def best(self, hypothesis: Words, references: Sequence[Words]) -> Rows:
        """Return the best reference's row. As in NLTK, synonyms are looked up by stem."""
        with relocated(Location.in_one_segment):
            check_limits([hypothesis], [references])
        return self.native.best_row(hypothesis, references, self.stem, self._synonyms_for(hypothesis))

    def _synonyms_for(self, hypothesis: Words) -> Synonyms | None:
        return self.synonyms if _are_strings(hypothesis) else None

    def _unfinished(self, values: Values) -> Any:
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
    """Return a word's lowercase Porter stem. Other tokens are unchanged."""
    return _native.porter_stem(word) if isinstance(word, str) else word
