"""The document frequencies of n-grams: the weights of a fitted CIDEr metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from refscore import _native
from refscore.errors import InputError
from refscore.inputs import uniform_tokens
from refscore.metrics.core.fitted import MOST_FITTED_ORDERS, NgramWeights
from refscore.settings import whole_number

# Kernels store frequencies in 32 bits.
MOST_DOCUMENTS = 2**32 - 1


class DocumentFrequencies(NgramWeights):
    """The number of documents that contain each n-gram. Create it with `CIDER.fit` or `from_counts`.

    A document is all references of one segment (of one image). The weight of an n-gram is ln(number of documents) -
    ln(documents with the n-gram). An n-gram without documents weighs as much as one with a single document. Two objects
    are equal if all weights are equal and the same tokens are known.

    Example:
        >>> import refscore
        >>> frequencies = refscore.CIDER.fit([["a dog", "a big dog"], "a cat", "two cats"]).document_frequencies
        >>> frequencies.documents, round(frequencies.weight(["a"]), 4), round(frequencies.weight(["a", "dog"]), 4)
        (3, 0.4055, 1.0986)
    """

    metric_name: ClassVar[str] = "CIDER"
    native_type = _native.DocumentFrequencies

    @classmethod
    def from_counts(
        cls, counts: Mapping[Sequence[Any], float], documents: int, *, max_order: int = 4
    ) -> DocumentFrequencies:
        """Return document frequencies that another program counted.

        CIDEr-D implementations for training captioning models store them as `document_frequency` and `ref_len` in a
        pickle.

        Args:
            counts: The number of documents of each n-gram. n-grams are tuples of tokens, all strings or all integers.
            documents: The number of all documents.
            max_order: The largest order of n-grams. Longer ones are ignored.

        Example:
            >>> from refscore.metrics import DocumentFrequencies
            >>> frequencies = DocumentFrequencies.from_counts({("a",): 60, ("dog",): 2, ("a", "dog"): 2}, 100)
            >>> round(frequencies.weight(["a", "dog"]), 4)
            3.912
        """
        whole_number("documents", documents, 1, MOST_DOCUMENTS)
        whole_number("max_order", max_order, 1, MOST_FITTED_ORDERS)
        if not isinstance(counts, Mapping):
            raise InputError(None, f"counts is {type(counts).__name__}", "pass a mapping of n-grams to numbers")
        ngrams: list[list[Any]] = []
        frequencies: list[int] = []
        for ngram, count in counts.items():
            if isinstance(ngram, (str, bytes)) or not isinstance(ngram, Sequence) or len(ngram) == 0:
                raise InputError(None, f"the n-gram {ngram!r} is not a tuple of tokens", "pass tuples such as ('a',)")
            number = _whole(count)
            if number is None or not 0 <= number <= documents:
                raise InputError(
                    None,
                    f"the n-gram {ngram!r} has {count!r} documents, of {documents:,}",
                    "pass whole numbers from 0 to the number of documents",
                )
            # n-grams of one document have the weight of unknown ones.
            if len(ngram) <= max_order and (number > 1 or (number == 1 and len(ngram) == 1)):
                ngrams.append(list(ngram))
                frequencies.append(number)
        try:
            native = _native.DocumentFrequencies.from_ngrams(ngrams, frequencies, documents, max_order)
        except _native.UnsupportedInput:
            uniform = uniform_tokens(ngrams)
            if uniform is None:
                raise InputError(None, "the n-grams mix tokens", "pass only strings or only integers") from None
            native = _native.DocumentFrequencies.from_ngrams(uniform, frequencies, documents, max_order)
        return cls(native)

    @property
    def documents(self) -> int:
        """The number of documents."""
        return self.native.documents  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<document frequencies of {len(self):,} n-grams in {self.documents:,} documents, {self.digest}>"


def _whole(count: Any) -> int | None:
    """Return a number as an integer; None if it is not whole."""
    try:
        return int(count) if count == int(count) else None
    except (TypeError, ValueError, OverflowError):
        return None
