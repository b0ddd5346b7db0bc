"""Significance tests: bootstrap intervals, paired bootstrap, approximate randomization, McNemar's exact test.

The tests only need rows of statistics, so they work for every metric.

Efron and Tibshirani (1993): An Introduction to the Bootstrap. Koehn (2004): Statistical Significance Tests for Machine
Translation Evaluation. EMNLP. Riezler and Maxwell (2005): On Some Pitfalls in Automatic Evaluation and Significance
Testing for MT. Clark et al. (2011): Better Hypothesis Testing for Statistical Machine Translation. ACL.
"""

from refscore.significance.bootstrap import all_pairs, bootstrap, minimum_detectable_difference, paired_bootstrap
from refscore.significance.mcnemar import mcnemar
from refscore.significance.randomization import approximate_randomization
from refscore.significance.results import Comparison, Interval, Outcome
from refscore.significance.settings import Resampling, Tests

__all__ = [
    "Comparison",
    "Interval",
    "Outcome",
    "Resampling",
    "Tests",
    "all_pairs",
    "approximate_randomization",
    "bootstrap",
    "mcnemar",
    "minimum_detectable_difference",
    "paired_bootstrap",
]
