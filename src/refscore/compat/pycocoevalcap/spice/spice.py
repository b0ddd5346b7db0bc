"""pycocoevalcap's `pycocoevalcap.spice.spice`, which needs SPICE 1.0 in Java."""

from refscore.errors import SettingError

__all__ = ["Spice"]


class Spice:
    """Raise an error: refscore does not reproduce SPICE 1.0."""

    def __init__(self) -> None:
        raise SettingError(
            "SPICE of pycocoevalcap is a Java program (SPICE 1.0), which refscore does not reproduce: "
            "it compares scene graphs, and no metric of refscore does. For SPICE 1.0, pip install "
            "pycocoevalcap==1.2 and use its own class"
        )
