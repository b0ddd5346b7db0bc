"""The scores and standard errors of lm-evaluation-harness, and of lmms-eval, which has the same functions.

They and lighteval draw at most 1,000 samples per seed with Python's `random.choices`. NumPy's `RandomState` continues
the same Mersenne Twister and computes the same floating-point numbers from its words, so one sample's numbers come from
one call.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.compat import sacrebleu
from refscore.compat.overrides import needs, original_of
from refscore.metrics import Metric, MetricChoice, Values, parse_metric
from refscore.settings import whole_number
from refscore.significance.draws import Weights
from refscore.significance.scoring import ComparedSystems
from refscore.significance.settings import MOST_DRAWS, Sampling

Items = Sequence[Any]
"""Pairs of a reference, or a list of references, and a prediction."""

Aggregate = Callable[[Items], float]
Table = tuple[Metric[Any], NDArray[Any]]

_SAMPLES_PER_SEED = 1000


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
    """refscore's functions for one harness."""

    def __init__(self, name: str) -> None:
        with needs(name, name, install=name):
            self._metrics = import_module(f"{name}.api.metrics")
            self._registry = import_module(f"{name}.api.registry")
        self._resamples: int | None = None
        # The aggregations that score with sacrebleu, and the same metrics of refscore.
        self._sacrebleu_metrics: dict[str, Any] = {
            "bleu": sacrebleu.BLEU(),
            "chrf": sacrebleu.CHRF(),
            "chrfpp": sacrebleu.CHRF(word_order=2),
            "ter": sacrebleu.TER(),
        }

    def set_resamples(self, resamples: int | None) -> None:
        """Set the sample count for standard errors. None means the number that the harness passes."""
        self._resamples = None if resamples is None else whole_number("resamples", resamples, 2, MOST_DRAWS)

    def register(self, metric: MetricChoice, name: str | None = None) -> str:
        """Register a refscore metric with the harness, as a metric and as an aggregation with the same name.

        Tasks use it like `bleu`, with one reference per document. Scores are from 0 to 100. With
        `refscore.compat.install`, the results include its standard error.

        Args:
            metric: A metric or its name, such as "rougeL" or "bleu:nltk".
            name: The name for `metric_list`, by default "refscore_" and the metric's name.

        Returns:
            The name.
        """
        label, parsed = parse_metric(metric)
        name = f"refscore_{label}" if name is None else name
        self._registry.register_aggregation(name)(Aggregation(name, parsed))
        self._registry.register_metric(
            metric=name, higher_is_better=parsed.higher_is_better, output_type="generate_until", aggregation=name
        )(_pass_through)
        return name

    def bootstrap_stderr(self, f: Aggregate, xs: Items, iters: int) -> float:
        """Return a metric's standard error by bootstrap. Metrics that are not refscore's use the original."""
        table = self._table(f, xs)
        if table is None:
            error: float = self._original("bootstrap_stderr")(f, xs, iters)
            return error
        samples = sample_count(iters if self._resamples is None else self._resamples)
        return float(self._metrics.sample_stddev((100 * resampled_values(*table, samples)).tolist()))

    def stderr_for_metric(self, metric: Aggregate, bootstrap_iters: int) -> Aggregate | None:
        """Return a function from items to a metric's standard error, or None."""
        if isinstance(metric, Aggregation) and bootstrap_iters > 0:
            return lambda items: self.bootstrap_stderr(metric, items, bootstrap_iters)
        function: Aggregate | None = self._original("stderr_for_metric")(metric, bootstrap_iters)
        return function

    def _original(self, name: str) -> Any:
        return original_of(getattr(self._metrics, name))

    def _table(self, function: Any, items: Items) -> Table | None:
        """Return the metric and the items' rows, or None if refscore cannot score samples from statistics."""
        if isinstance(function, Aggregation):
            return function.table(items)
        for name, metric in self._sacrebleu_metrics.items():
            if function is getattr(self._metrics, name, None):  # some versions lack chrfpp
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


def sample_count(iterations: int) -> int:
    """Return how many samples the harnesses draw for a number of iterations."""
    per_seed = min(_SAMPLES_PER_SEED, iterations)
    return iterations // per_seed * per_seed


def resampled_values(metric: Metric[Any], rows: NDArray[Any], samples: int, *, threads: int | None = None) -> Values:
    """Return the scores of random samples, which are rows drawn with replacement.

    The samples equal `random.Random(seed).choices`, with the seed 0 for the first 1,000, 1 for the next, and so
    on. Their sums are matrix products.
    """
    systems = ComparedSystems({"": metric}, {"": {"": (rows,)}}, None)
    size = len(rows)
    generator = np.random.RandomState()

    def draw(begin: int, end: int) -> Weights:
        weights = np.empty((end - begin, size))
        for sample, weight in enumerate(weights, begin):
            seed, drawn = divmod(sample, _SAMPLES_PER_SEED)
            if not drawn:
                *words, position = random.Random(seed).getstate()[1]
                generator.set_state({"bit_generator": "MT19937", "state": {"key": words, "pos": position}})
            indexes = (generator.random_sample(size) * size).astype(np.intp)
            weight[:] = np.bincount(indexes, minlength=size)
        return lambda: weights

    return systems.resampled(draw, Sampling(samples, threads=threads))[""][:, 0]
