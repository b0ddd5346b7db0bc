"""pycocoevalcap's `pycocoevalcap.meteor.meteor`, which needs METEOR 1.5 in Java."""

from refscore.errors import SettingError

__all__ = ["Meteor"]


class Meteor:
    """Raise an error: refscore does not reproduce METEOR 1.5."""

    def __init__(self) -> None:
        raise SettingError(
            "METEOR of pycocoevalcap is a Java program (METEOR 1.5), which refscore does not reproduce: "
            "refscore.METEOR computes NLTK's METEOR, with different numbers. For METEOR 1.5, pip install "
            "pycocoevalcap==1.2 and use its own class"
        )
