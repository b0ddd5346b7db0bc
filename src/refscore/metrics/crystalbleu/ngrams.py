"""The n-grams that a fitted CrystalBLEU ignores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from refscore import _native
from refscore.metrics.core.fitted import NgramWeights


class FrequentNgrams(NgramWeights):
    """The most frequent n-grams of a set of texts, with their counts. Create it with `CrystalBLEU.fit`.

    Of equally frequent n-grams, shorter ones come first, then those that occur first. Two objects are equal if their
    n-grams and counts are equal.

    Example:
        >>> import refscore
        >>> ngrams = refscore.CrystalBLEU.fit(["a b a c", "a b"], k=3).ignored
        >>> len(ngrams), ngrams.weight(["a", "b"]), ["c"] in ngrams
        (3, 2.0, False)
    """

    metric_name: ClassVar[str] = "CrystalBLEU"
    native_type = _native.FrequentNgrams

    def __contains__(self, ngram: Sequence[Any]) -> bool:
        return self.weight(ngram) > 0

    def __repr__(self) -> str:
        return f"<{len(self):,} frequent n-grams, {self.digest}>"
