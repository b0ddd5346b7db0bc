"""pycocoevalcap's `pycocoevalcap.meteor.meteor`, which needs METEOR 1.5 in Java."""

from refscore.compat.pycocoevalcap.java import refusing

__all__ = ["Meteor"]

_ALTERNATIVE = "refscore.METEOR computes NLTK's METEOR, with different numbers"
Meteor = refusing("Meteor", "METEOR 1.5", _ALTERNATIVE, __name__)
