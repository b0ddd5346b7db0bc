"""The information of n-grams: the weights of a fitted NIST metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import InputError
from refscore.metrics.core.arrow_columns import reference_column
from refscore.metrics.core.prepared import PreparedReferences, plain_input
from refscore.segments import Padded, check_references, plain_tokens, uniform_tokens
from refscore.tokenizers.pipeline import Pipeline


class Information:
    """The information of n-grams in bits, from their counts in references. Create it with `NIST.fit`.

    The information is log2(count of the n-gram without its last token / count of the n-gram). For a single token, it is
    log2(number of all tokens / count of the token). Two objects are equal if their counts are equal.

    Example:
        >>> import refscore
        >>> information = refscore.NIST.fit(["a b a c", "a b"]).information
        >>> information.weight(["a"]), information.weight(["a", "c"]), information.weight(["x"])
        (1.0, 1.5849625007211563, 0.0)
        >>> information == refscore.NIST.fit([["a b", "a b a c"]]).information
        True
    """

    def __init__(self, native: _native.NistInformation) -> None:
        self.native = native

    @classmethod
    def count(cls, references: Any, pipeline: Pipeline, max_order: int) -> Information:
        """Return the information of the n-grams of all references."""
        if isinstance(references, PreparedReferences):
            raise InputError(
                None, "prepared references have no n-grams to count", "pass the original references to fit()"
            )
        references = reference_column(references, 0)
        is_plain = isinstance(references, (list, tuple, _native.ArrowColumns)) and len(references) > 0
        if pipeline.prepare is None and is_plain:
            try:
                return cls(_native.NistInformation.fit(references, pipeline.native, max_order))
            except _native.UnsupportedInput:
                pass
        plain, kind = check_references(references)
        if len(plain) == 0:
            raise InputError(None, "references is empty", "NIST needs at least one reference to fit")
        if kind == "text" and pipeline.prepare is not None:
            plain = pipeline.prepare_entries(plain)
        if not isinstance(plain, Padded) and any(not isinstance(entry[0], str) for entry in plain):
            _, plain = plain_tokens([], plain, mixed="refuse")
        return cls(_native.NistInformation.fit(plain_input(plain), pipeline.native, max_order))

    @classmethod
    def from_bytes(cls, data: bytes) -> Information:
        """Return the information from the result of `to_bytes`."""
        try:
            return cls(_native.NistInformation.from_bytes(data))
        except TypeError:
            raise InputError(None, f"from_bytes() needs bytes, not {type(data).__name__}") from None
        except ValueError as error:
            raise InputError(None, str(error), "pass the result of to_bytes()") from None

    def to_bytes(self) -> bytes:
        """Return all counts as bytes, for storage. Equal counts give equal bytes."""
        return self.native.to_bytes()

    @property
    def max_order(self) -> int:
        """The largest order of counted n-grams."""
        return self.native.max_order

    @cached_property
    def digest(self) -> str:
        """A digest of the counts: sixteen hexadecimal digits."""
        from hashlib import sha256  # slow to import

        return sha256(self.to_bytes()).hexdigest()[:16]

    def weight(self, ngram: Sequence[Any]) -> float:
        """Return the information of an n-gram in bits; 0 if the references do not have it."""
        try:
            return self.native.weight([list(ngram)]) if len(ngram) <= self.max_order else 0.0
        except _native.UnsupportedInput:
            tokens = uniform_tokens([list(ngram)])
            return 0.0 if tokens is None else self.native.weight(tokens)

    def __len__(self) -> int:
        """Return the number of stored n-grams: those with information, and their prefixes."""
        return len(self.native)

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Information) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return Information.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return f"<information of {len(self):,} n-grams, {self.digest}>"
