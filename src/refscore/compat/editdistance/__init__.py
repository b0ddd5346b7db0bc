"""editdistance on refscore, with the functions and numbers of editdistance 0.8.1."""

from refscore.compat.editdistance.bycython import eval, eval_criterion
from refscore.compat.overrides import take_missing_names as _take_missing_names

__all__ = ["distance", "distance_le_than", "eval", "eval_criterion"]

distance, distance_le_than = eval, eval_criterion

_take_missing_names(__name__)
