"""The evaluation: rows by system and metric. Every way in makes one, and everything shown is a view of one."""

from refscore.evaluation.evaluate import evaluate, load, scores, segment_scores
from refscore.evaluation.evaluation import Evaluation
from refscore.lazy_names import lazy_modules as _lazy_modules

__all__ = ["Evaluation", "evaluate", "load", "scores", "segment_scores"]

__getattr__ = _lazy_modules(__name__, "summary")
