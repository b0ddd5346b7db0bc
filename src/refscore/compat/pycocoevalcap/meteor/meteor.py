"""pycocoevalcap's `pycocoevalcap.meteor.meteor`, which needs METEOR 1.5 in Java."""

from __future__ import annotations

from typing import NoReturn

from refscore.compat.pycocoevalcap.java import not_reproduced

__all__ = ["Meteor"]


class Meteor:
    """Raise an error: refscore does not reproduce METEOR 1.5.

    Example:
        >>> from refscore.compat.pycocoevalcap.meteor.meteor import Meteor
        >>> try:
        ...     Meteor()
        ... except ValueError as error:
        ...     print(str(error).partition(":")[0])
        METEOR of pycocoevalcap is a Java program (METEOR 1.5), which refscore does not reproduce
    """

    def __init__(self) -> None:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise not_reproduced("METEOR", "METEOR 1.5", "refscore.METEOR computes NLTK's METEOR, with different numbers")
