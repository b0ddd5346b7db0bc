"""CharacTER: the metric, its presets and its worked steps."""

from refscore.metrics.character.metric import CharacTER, CharacTERAlignment, CharacTERScore, character

__all__ = ["CharacTER", "CharacTERAlignment", "CharacTERScore", "character"]
