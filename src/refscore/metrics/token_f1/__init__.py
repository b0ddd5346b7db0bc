"""Token F1: the metric, its presets and its worked steps."""

from refscore.metrics.token_f1.metric import TokenF1, TokenF1Score, token_f1

__all__ = ["TokenF1", "TokenF1Score", "token_f1"]
