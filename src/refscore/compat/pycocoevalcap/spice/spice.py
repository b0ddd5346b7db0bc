"""pycocoevalcap's `pycocoevalcap.spice.spice`, which needs SPICE 1.0 in Java."""

from refscore.compat.pycocoevalcap.java import refusing

__all__ = ["Spice"]

_ALTERNATIVE = "it compares scene graphs, and no metric of refscore does"
Spice = refusing("Spice", "SPICE 1.0", _ALTERNATIVE, __name__)
