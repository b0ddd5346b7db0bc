"""The evaluation: rows by system and metric. Every way in makes one, and everything shown is a view of one."""

from refscore.evaluation.evaluate import evaluate, load, scores, segment_scores
from refscore.evaluation.evaluation import Evaluation

__all__ = ["Evaluation", "evaluate", "load", "scores", "segment_scores"]
