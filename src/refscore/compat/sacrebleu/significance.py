"""sacrebleu's `significance`: paired tests of systems against a baseline, and bootstrap intervals."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.compat.sacrebleu.errors import UnknownOptionError
from refscore.compat.sacrebleu.metrics.base import Formula, Metric, Signature
from refscore.errors import InputError, Location
from refscore.significance import Outcome, approximate_randomization, bootstrap, paired_bootstrap


@dataclass(eq=False, repr=False)
class Result:
    """The score of one system in a test."""

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


def estimate_ci(scores: NDArray[Any]) -> tuple[float, float]:
    """Return the mean of resampled scores, and half the width of their 95 % interval.

    Example:
        >>> import numpy as np
        >>> mean, half = estimate_ci(np.arange(80))
        >>> float(mean), float(half)
        (39.5, 37.5)
    """
    ordered = np.sort(scores)
    outside = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - outside - 1] - ordered[outside])


class PairedTest:
    """Test systems against a baseline by paired bootstrap or approximate randomization, with sacrebleu's numbers.

    The seed is 12345, or the environment variable SACREBLEU_SEED. "none" means a new random seed each time.

    Example:
        >>> from refscore.compat.sacrebleu import CHRF
        >>> references = [["the cat sat on the mat", "it rained all day", "we went home", "nobody came"]]
        >>> systems = [("old", ["a cat sat on it", "it rains", "we go home", "no one came"]), ("new", references[0])]
        >>> signatures, scores = PairedTest(systems, {"chrF": CHRF()}, references, test_type="bs")()
        >>> scores["System"], round(scores["chrF2"][1].p_value, 4)
        (['old', 'new'], 0.001)
        >>> signatures["chrF2"]
        nrefs:1|bs:1000|seed:12345|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0
    """

    _DEFAULT_SAMPLES = {"ar": 10000, "bs": 1000}  # noqa: RUF012

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: Sequence[Sequence[str]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise UnknownOptionError.suggest("test_type", test_type, self._DEFAULT_SAMPLES)
        if not named_systems:
            raise InputError(Location("named_systems"), "is empty", "pass a baseline and at least one system")
        self.test_type = test_type
        self._seed = _seed()[1]
        self.n_jobs = n_jobs
        self.references = references
        self.named_systems = named_systems
        self.n_ar_confidence = n_ar_confidence or self._DEFAULT_SAMPLES["bs"]
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_systems = len(named_systems) - 1
        self.metrics: dict[str, Metric[Any]] = {}
        self._signatures: dict[str, Signature] = {}
        self._baseline_info: dict[str, tuple[NDArray[Any], Result]] = {}
        for metric in metrics.values():
            self._add(metric)

    def _add(self, metric: Metric[Any]) -> None:
        """Compute the baseline's score, which gives the name of the metric."""
        table = metric._table(self.named_systems[0][1], self.references)
        score = metric._aggregate_and_compute(table.tolist())
        result = Result(score.score)
        resamples = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
        # With a seed, the paired bootstrap of the systems draws the same resamples, so it has this interval too.
        comes_later = self.test_type == "bs" and self._seed and self.n_systems and len(table) > 1
        if resamples > 0 and not comes_later:
            _, result.mean, result.ci = interval(metric._formula(table.shape[1]), table, score.score, resamples)
        self._baseline_info[score.name] = table, result
        self.metrics[score.name] = metric
        signature = metric.get_signature()
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        self._signatures[score.name] = signature

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[str | Result]]]:
        """Run the test. Return signatures by metric, and results by metric with the systems' names as "System"."""
        table: dict[str, list[str | Result]] = {"System": [name for name, _ in self.named_systems]}
        tested = self._tested()
        for name, (_, result) in self._baseline_info.items():
            table[name] = [result, *tested.get(name, ())]
        return self._signatures, table

    def _tested(self) -> dict[str, list[Result]]:
        """Return the results of all systems except the baseline, by metric."""
        formulas: dict[str, Formula] = {}
        systems: dict[str, dict[str, NDArray[Any]]] = {}
        for name, metric in self.metrics.items():
            baseline, _ = self._baseline_info[name]
            formulas[name] = metric._formula(baseline.shape[1])
            # Key by number, because names may repeat.
            systems[name] = {"0": baseline}
            for number, (_, hypotheses) in enumerate(self.named_systems[1:], 1):
                systems[name][str(number)] = metric._table(hypotheses, self.references)
        if not self.n_systems or not formulas:
            return {}
        if len(next(iter(self._baseline_info.values()))[0]) == 1:
            return {name: self._of_one_segment(name, tables) for name, tables in systems.items()}
        metrics = {name: formula.metric for name, formula in formulas.items()}
        seed = self._seed or secrets.randbits(63)  # 0 means no seed
        if self.test_type == "bs":
            compared = paired_bootstrap(metrics, systems, resamples=self.n_samples, seed=seed, paper=True)
        else:
            resamples = max(self.n_ar_confidence, 0)
            compared = approximate_randomization(
                metrics, systems, trials=self.n_samples, resamples=resamples, seed=seed, paper=True
            )
        tested = {}
        for name, comparison in compared.items():
            first, *tested[name] = [
                _result(outcome, formulas[name].scale, self._score(name, table))
                for outcome, table in zip(comparison.systems, systems[name].values(), strict=True)
            ]
            baseline_result = self._baseline_info[name][1]
            if baseline_result.mean is None:
                baseline_result.mean, baseline_result.ci = first.mean, first.ci
        return tested

    def _score(self, name: str, table: NDArray[Any]) -> float:
        score: float = self.metrics[name]._aggregate_and_compute(table.tolist()).score
        return score

    def _of_one_segment(self, name: str, systems: Mapping[str, NDArray[Any]]) -> list[Result]:
        """Return results for one segment: all resamples are equal, and no trial increases the difference."""
        results = []
        for table in list(systems.values())[1:]:
            result = Result(self._score(name, table), 1 / (self.n_samples + 1))
            if self.test_type == "bs" or self.n_ar_confidence > 0:
                result.mean, result.ci = result.score, 0.0
            results.append(result)
        return results


def interval(formula: Formula, table: NDArray[Any], score: float, resamples: int) -> tuple[str, float, float]:
    """Return the seed as text, the mean of resampled scores, and half the width of their interval."""
    text, seed = _seed()
    if len(table) == 1:
        return text, score, 0.0
    drawn = secrets.randbits(63) if seed is None else seed
    resampled = bootstrap(formula.metric, table, resamples=resamples, seed=drawn, paper=True)
    return text, formula.scale * resampled.mean, formula.scale * resampled.half_width


def _result(outcome: Outcome, scale: float, score: float) -> Result:
    result = Result(score, outcome.p)
    if outcome.interval is not None:
        result.mean, result.ci = scale * outcome.interval.mean, scale * outcome.interval.half_width
    return result


def _seed() -> tuple[str, int | None]:
    """Return the seed from the environment as text and as a number, None for a random one each time."""
    text = os.environ.get("SACREBLEU_SEED", "12345").lower()
    return text, None if text == "none" else int(text)
