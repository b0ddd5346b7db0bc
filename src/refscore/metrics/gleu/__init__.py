"""GLEU: the metric, its presets and its worked steps."""

from refscore.metrics.gleu.metric import GLEU, GLEUScore, gleu

__all__ = ["GLEU", "GLEUScore", "gleu"]
