"""pycocoevalcap's `pycocoevalcap.spice.spice`, which needs SPICE 1.0 in Java."""

from __future__ import annotations

from typing import NoReturn

from refscore.compat.pycocoevalcap.java import not_reproduced

__all__ = ["Spice"]


class Spice:
    """Raise an error: refscore does not reproduce SPICE.

    Example:
        >>> from refscore.compat.pycocoevalcap.spice.spice import Spice
        >>> try:
        ...     Spice()
        ... except ValueError as error:
        ...     print(str(error).partition(":")[0])
        SPICE of pycocoevalcap is a Java program (SPICE 1.0), which refscore does not reproduce
    """

    def __init__(self) -> None:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise not_reproduced("SPICE", "SPICE 1.0", "it compares scene graphs, and no metric of refscore does")
