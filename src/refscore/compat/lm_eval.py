"""lm-evaluation-harness' corpus metrics and their standard errors, with lm_eval 0.4.13's numbers."""

from __future__ import annotations

from refscore.compat import sacrebleu
from refscore.compat.harness import Harness
from refscore.compat.overrides import take_missing_names
from refscore.metrics import MetricChoice

__all__ = ["bootstrap_stderr", "register", "sacrebleu", "stderr_for_metric"]

_harness = Harness("lm_eval")
bootstrap_stderr = _harness.bootstrap_stderr
set_resamples = _harness.set_resamples
stderr_for_metric = _harness.stderr_for_metric


def register(metric: MetricChoice, name: str | None = None) -> str:
    """Register a refscore metric with lm_eval, as a metric and as an aggregation with the same name.

    Tasks use it like `bleu`, with one reference per document. Scores are from 0 to 100. With
    `refscore.compat.install("lm_eval")`, the results include its standard error.

    Args:
        metric: A metric or its name, such as "rougeL" or "bleu:nltk".
        name: The name for `metric_list`, by default "refscore_" and the metric's name.

    Returns:
        The name.

    Example:
        >>> from lm_eval.api.registry import get_aggregation
        >>> from refscore.compat import lm_eval
        >>> name = lm_eval.register("rougeL")
        >>> name, get_aggregation(name)([("a dog barks", "a dog sleeps")]).__round__(2)
        ('refscore_rougeL', 66.67)
    """
    return _harness.register(metric, name)


take_missing_names(__name__)
