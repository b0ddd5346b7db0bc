"""Scores of random samples, drawn as lm-evaluation-harness and lighteval draw them.

Both draw at most 1,000 samples per seed with Python's `random.choices`. NumPy's `RandomState` continues the same
Mersenne Twister and computes the same floating-point numbers from its words, so one sample's numbers come from one
call.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.metrics import Metric, Values
from refscore.significance.draws import Weights
from refscore.significance.scoring import ComparedSystems
from refscore.significance.settings import Sampling

_SAMPLES_PER_SEED = 1000


def sample_count(iterations: int) -> int:
    """Return how many samples the harnesses draw for a number of iterations.

    Example:
        >>> from refscore.compat.harness_draws import sample_count
        >>> sample_count(100), sample_count(2500)
        (100, 2000)
    """
    per_seed = min(_SAMPLES_PER_SEED, iterations)
    return iterations // per_seed * per_seed


def resampled_values(metric: Metric[Any], rows: NDArray[Any], samples: int, *, threads: int | None = None) -> Values:
    """Return the scores of random samples, which are rows drawn with replacement.

    The samples equal `random.Random(seed).choices`, with the seed 0 for the first 1,000, 1 for the next, and so
    on. Their sums are matrix products.

    Example:
        >>> import random
        >>> import numpy as np
        >>> import refscore
        >>> from refscore.compat.harness_draws import resampled_values
        >>> metric = refscore.GLEU()
        >>> rows = metric.stats(["a b c", "d e", "f"], ["a b d", "d e", "g"])
        >>> generator = random.Random(0)
        >>> expected = [metric.score(np.sum(generator.choices(rows, k=3), 0)).value for _ in range(20)]
        >>> resampled_values(metric, rows, 20).tolist() == expected
        True
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
