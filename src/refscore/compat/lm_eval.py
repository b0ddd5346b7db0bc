"""lm-evaluation-harness' corpus metrics and their standard errors, with lm_eval 0.4.13's numbers."""

from __future__ import annotations

from refscore.compat import sacrebleu
from refscore.compat.harness import Harness
from refscore.compat.overrides import take_missing_names

__all__ = ["bootstrap_stderr", "register", "sacrebleu", "stderr_for_metric"]

_harness = Harness("lm_eval")
bootstrap_stderr = _harness.bootstrap_stderr
register = _harness.register
set_resamples = _harness.set_resamples
stderr_for_metric = _harness.stderr_for_metric

take_missing_names(__name__)
