"""lm-evaluation-harness' corpus metrics and their standard errors, with lm_eval 0.4.13's numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from refscore.compat import sacrebleu
from refscore.compat.harness_draws import resampled_values, sample_count
from refscore.compat.overrides import original_of
from refscore.compat.requirements import needs
from refscore.metrics import Metric, MetricChoice, parse_metric
from refscore.settings import whole_number
from refscore.significance.settings import MOST_DRAWS

with needs("lm_eval", "lm_eval", install="lm_eval"):
    from lm_eval.api import metrics as lm_eval_metrics, registry

__all__ = ["bootstrap_stderr", "register", "sacrebleu", "stderr_for_metric"]

Items = Sequence[Any]
"""Pairs of a reference, or a list of references, and a prediction."""

Table = tuple[Metric[Any], NDArray[Any]]

_resamples: int | None = None


def set_resamples(resamples: int | None) -> None:
    """Set the sample count for standard errors. None means the number that lm_eval passes."""
    global _resamples  # noqa: PLW0603
    _resamples = None if resamples is None else whole_number("resamples", resamples, 2, MOST_DRAWS)


class _Aggregation:
    """A refscore metric as an aggregation for lm_eval, from 0 to 100."""

    def __init__(self, name: str, metric: Metric[Any]) -> None:
        self.__name__ = name
        self._metric = metric

    def __call__(self, items: Items) -> float:
        references, predictions = zip(*items, strict=True)
        score: float = self._metric.corpus(predictions, references).percent
        return score

    def table(self, items: Items) -> Table:
        references, predictions = zip(*items, strict=True)
        return self._metric, self._metric.stats(predictions, references)


# lm_eval's aggregations that score with sacrebleu, and the same metrics of refscore. Old versions lack chrfpp.
_SACREBLEU_METRICS = {
    name: metric
    for name, metric in (
        ("bleu", sacrebleu.BLEU()),
        ("chrf", sacrebleu.CHRF()),
        ("chrfpp", sacrebleu.CHRF(word_order=2)),
        ("ter", sacrebleu.TER()),
    )
    if hasattr(lm_eval_metrics, name)
}


def register(metric: MetricChoice, name: str | None = None) -> str:
    """Register a refscore metric with lm_eval, as a metric and as an aggregation with the same name.

    Tasks use it like `bleu`, with one reference per document. Scores are from 0 to 100. With
    `refscore.compat.install("lm_eval")`, the results include its standard error.

    Args:
        metric: A metric or its name, such as "rougeL" or "bleu:nltk".
        name: The name for `metric_list`; by default "refscore_" and the metric's name.

    Returns:
        The name.

    Example:
        >>> from lm_eval.api.registry import get_aggregation
        >>> from refscore.compat import lm_eval
        >>> name = lm_eval.register("rougeL")
        >>> name, get_aggregation(name)([("a dog barks", "a dog sleeps")]).__round__(2)
        ('refscore_rougeL', 66.67)
    """
    label, parsed = parse_metric(metric)
    name = f"refscore_{label}" if name is None else name
    registry.register_aggregation(name)(_Aggregation(name, parsed))
    registry.register_metric(
        metric=name, higher_is_better=parsed.higher_is_better, output_type="generate_until", aggregation=name
    )(_pass_through)
    return name


def bootstrap_stderr(f: Callable[[Items], float], xs: Items, iters: int) -> float:
    """Return a metric's standard error by bootstrap, like lm_eval's function.

    `refscore.compat.install("lm_eval", resamples=…)` overrides the sample count. Metrics that are not
    refscore's use lm_eval's function.
    """
    table = _table(f, xs)
    if table is None:
        error: float = _original("bootstrap_stderr")(f, xs, iters)
        return error
    samples = sample_count(iters if _resamples is None else _resamples)
    return float(lm_eval_metrics.sample_stddev((100 * resampled_values(*table, samples)).tolist()))


def stderr_for_metric(metric: Callable[[Items], float], bootstrap_iters: int) -> Callable[[Items], float] | None:
    """Return a function from items to a metric's standard error, like lm_eval's function."""
    if isinstance(metric, _Aggregation) and bootstrap_iters > 0:
        return lambda items: bootstrap_stderr(metric, items, bootstrap_iters)
    function: Callable[[Items], float] | None = _original("stderr_for_metric")(metric, bootstrap_iters)
    return function


def _pass_through(items: Items) -> Items:
    return items


def _original(name: str) -> Any:
    return original_of(getattr(lm_eval_metrics, name))


def _table(function: Any, items: Items) -> Table | None:
    """Return the metric and the items' rows, or None if refscore cannot score samples from statistics."""
    if isinstance(function, _Aggregation):
        return function.table(items)
    for name, metric in _SACREBLEU_METRICS.items():
        if function is getattr(lm_eval_metrics, name):
            references, predictions = zip(*items, strict=True)
            if isinstance(references[0], str):
                references = tuple([reference] for reference in references)
            # lm_eval cuts the references of a sample to the smallest number in that sample.
            if len({len(texts) for texts in references}) > 1:
                return None
            if not isinstance(predictions[0], str):
                predictions = tuple(texts[0] for texts in predictions)
            rows = metric._table(predictions, list(zip(*references, strict=True)))
            return metric._metric_of_rows(rows.shape[1]), rows
    return None
