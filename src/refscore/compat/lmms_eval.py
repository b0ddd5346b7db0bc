"""lmms-eval's corpus metrics and their standard errors, with lmms_eval 0.7.3's numbers."""

from __future__ import annotations

from refscore.compat import sacrebleu
from refscore.compat.harness import Harness
from refscore.compat.overrides import take_missing_names
from refscore.metrics import MetricChoice

__all__ = ["bootstrap_stderr", "register", "sacrebleu", "stderr_for_metric"]

_harness = Harness("lmms_eval")
bootstrap_stderr = _harness.bootstrap_stderr
set_resamples = _harness.set_resamples
stderr_for_metric = _harness.stderr_for_metric


def register(metric: MetricChoice, name: str | None = None) -> str:
    """Register a refscore metric with lmms-eval, like `refscore.compat.lm_eval.register`. Return its name.

    Example:
        >>> from lmms_eval.api.registry import get_aggregation
        >>> from refscore.compat import lmms_eval
        >>> name = lmms_eval.register("rougeL")
        >>> name, get_aggregation(name)([("a dog barks", "a dog sleeps")]).__round__(2)
        ('refscore_rougeL', 66.67)
    """
    return _harness.register(metric, name)


take_missing_names(__name__)
