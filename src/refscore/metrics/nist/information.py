"""The information of n-grams: the weights of a fitted NIST metric."""

from __future__ import annotations

from typing import ClassVar

from refscore import _native
from refscore.metrics.core.fitted import NgramWeights


class Information(NgramWeights):
    """The information of n-grams in bits, from their counts in references. Create it with `NIST.fit`.

    The information is log2(count of the n-gram without its last token / count of the n-gram). For a single token, it is
    log2(number of all tokens / count of the token). It is 0 for an n-gram that the references do not have. Two objects
    are equal if their counts are equal.

    Example:
        >>> import refscore
        >>> information = refscore.NIST.fit(["a b a c", "a b"]).information
        >>> information.weight(["a"]), information.weight(["a", "c"]), information.weight(["x"])
        (1.0, 1.5849625007211563, 0.0)
        >>> information == refscore.NIST.fit([["a b", "a b a c"]]).information
        True
    """

    metric_name: ClassVar[str] = "NIST"
    native_type = _native.NistInformation

    def __repr__(self) -> str:
        return f"<information of {len(self):,} n-grams, {self.digest}>"
