"""The scores and standard errors of lm-evaluation-harness, and of lmms-eval, which has the same functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from refscore.compat import sacrebleu
from refscore.compat.harness_draws import resampled_values, sample_count
from refscore.compat.overrides import original_of
from refscore.metrics import Metric, MetricChoice, parse_metric
from refscore.settings import whole_number
from refscore.significance.settings import MOST_DRAWS

Items = Sequence[Any]
"""Pairs of a reference, or a list of references, and a prediction."""

Table = tuple[Metric[Any], NDArray[Any]]


class Aggregation:
    """A refscore metric as an aggregation, from 0 to 100."""

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


class Harness:
    """refscore's functions for one harness, given its modules of metrics and of registries."""

    def __init__(self, metrics: Any, registry: Any) -> None:
        self._metrics = metrics
        self._registry = registry
        self._resamples: int | None = None
        # The aggregations that score with sacrebleu, and the same metrics of refscore. Some versions lack chrfpp.
        self._sacrebleu_metrics = {
            name: metric
            for name, metric in (
                ("bleu", sacrebleu.BLEU()),
                ("chrf", sacrebleu.CHRF()),
                ("chrfpp", sacrebleu.CHRF(word_order=2)),
                ("ter", sacrebleu.TER()),
            )
            if hasattr(metrics, name)
        }

    def set_resamples(self, resamples: int | None) -> None:
        """Set the sample count for standard errors. None means the number that the harness passes."""
        self._resamples = None if resamples is None else whole_number("resamples", resamples, 2, MOST_DRAWS)

    def register(self, metric: MetricChoice, name: str | None) -> str:
        """Register a refscore metric as a metric and as an aggregation. Return its name."""
        label, parsed = parse_metric(metric)
        name = f"refscore_{label}" if name is None else name
        self._registry.register_aggregation(name)(Aggregation(name, parsed))
        self._registry.register_metric(
            metric=name, higher_is_better=parsed.higher_is_better, output_type="generate_until", aggregation=name
        )(_pass_through)
        return name

    def bootstrap_stderr(self, f: Callable[[Items], float], xs: Items, iters: int) -> float:
        """Return a metric's standard error by bootstrap. Metrics that are not refscore's use the original."""
        table = self._table(f, xs)
        if table is None:
            error: float = self._original("bootstrap_stderr")(f, xs, iters)
            return error
        samples = sample_count(iters if self._resamples is None else self._resamples)
        return float(self._metrics.sample_stddev((100 * resampled_values(*table, samples)).tolist()))

    def stderr_for_metric(
        self, metric: Callable[[Items], float], bootstrap_iters: int
    ) -> Callable[[Items], float] | None:
        """Return a function from items to a metric's standard error, or None."""
        if isinstance(metric, Aggregation) and bootstrap_iters > 0:
            return lambda items: self.bootstrap_stderr(metric, items, bootstrap_iters)
        function: Callable[[Items], float] | None = self._original("stderr_for_metric")(metric, bootstrap_iters)
        return function

    def _original(self, name: str) -> Any:
        return original_of(getattr(self._metrics, name))

    def _table(self, function: Any, items: Items) -> Table | None:
        """Return the metric and the items' rows, or None if refscore cannot score samples from statistics."""
        if isinstance(function, Aggregation):
            return function.table(items)
        for name, metric in self._sacrebleu_metrics.items():
            if function is getattr(self._metrics, name):
                references, predictions = zip(*items, strict=True)
                if isinstance(references[0], str):
                    references = tuple([reference] for reference in references)
                # The harness cuts the references of a sample to the smallest number in that sample.
                if len({len(texts) for texts in references}) > 1:
                    return None
                if not isinstance(predictions[0], str):
                    predictions = tuple(texts[0] for texts in predictions)
                rows = metric._table(predictions, list(zip(*references, strict=True)))
                return metric._metric_of_rows(rows.shape[1]), rows
        return None


def _pass_through(items: Items) -> Items:
    return items
