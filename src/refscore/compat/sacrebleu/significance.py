"""sacrebleu's `significance`: paired tests against a baseline, and bootstrap intervals."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.compat.error_types import UnknownNameAssertionError
from refscore.compat.overrides import take_missing_names
from refscore.compat.sacrebleu.metrics.base import Metric, Signature
from refscore.errors import InputError, Location
from refscore.significance import approximate_randomization

Arrays = list[NDArray[Any]]
# One array per system, by metric.
Tables = Mapping[str, Arrays]

# The largest whole number up to which sums in float32 are exact.
_EXACT = 2**24
# Draws in memory at a time: 32 MiB.
_BLOCK_CELLS = 2**22


@dataclass(eq=False, repr=False)
class Result:
    """One system's score in a test."""

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join(f"{name}={value!s}" for name, value in vars(self).items())


def estimate_ci(scores: NDArray[Any]) -> tuple[float, float]:
    """Return the mean of resampled scores, and half the width of their 95 % interval."""
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
            raise UnknownNameAssertionError.suggest("test_type", test_type, self._DEFAULT_SAMPLES)
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
        # With a seed, the paired bootstrap of the systems draws the same samples, so it has this interval too.
        comes_later = self.test_type == "bs" and self._seed and self.n_systems
        if resamples > 0 and not comes_later:
            _, scores = bootstrap_resample(table, metric, resamples)
            result.mean, result.ci = estimate_ci(scores)
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
        for name, (_, result) in self._baseline_info.items():
            table[name] = [result]
        if self.n_systems and self.metrics:
            for name, results in self._tested().items():
                table[name] += results
        return self._signatures, table

    def _tested(self) -> dict[str, list[Result]]:
        """Return the results of all systems except the baseline, by metric."""
        systems = {
            name: [
                self._baseline_info[name][0],
                *(metric._table(hypotheses, self.references) for _, hypotheses in self.named_systems[1:]),
            ]
            for name, metric in self.metrics.items()
        }
        seed = self._seed or secrets.randbits(63)  # 0 means no seed
        generator = np.random.default_rng(seed)
        if self.test_type == "bs":
            scores = self._resampled(systems, self.n_samples, generator)
            return {name: self._bootstrap_results(name, tables, scores[name]) for name, tables in systems.items()}
        p_values = self._p_values_of_swaps(systems, seed)
        tested = {
            name: [Result(self._score(name, table), p) for table, p in zip(tables[1:], p_values[name], strict=True)]
            for name, tables in systems.items()
        }
        if self.n_ar_confidence > 0:
            _skip_swaps(generator, self.n_samples * len(next(iter(systems.values()))[0]))
            scores = self._resampled(systems, self.n_ar_confidence, generator)
            for name, results in tested.items():
                for result, drawn in zip(results, scores[name][1:], strict=True):
                    result.mean, result.ci = estimate_ci(drawn)
        return tested

    def _resampled(self, systems: Tables, samples: int, generator: np.random.Generator) -> dict[str, Arrays]:
        """Return the scores of each system on the same random samples, by metric."""
        pairs = [(self.metrics[name], table) for name, tables in systems.items() for table in tables]
        scores = iter(_resampled_scores(pairs, samples, generator))
        return {name: [next(scores) for _ in tables] for name, tables in systems.items()}

    def _bootstrap_results(self, name: str, tables: Arrays, scores: Arrays) -> list[Result]:
        """Return the results of a paired bootstrap. Differences lose their sign before they are centred."""
        baseline, results = self._baseline_info[name][1], []
        if baseline.mean is None:
            baseline.mean, baseline.ci = estimate_ci(scores[0])
        for table, drawn in zip(tables[1:], scores[1:], strict=True):
            score = self._score(name, table)
            distances = np.abs(drawn - scores[0])
            larger = int(np.count_nonzero(distances - distances.mean() > abs(baseline.score - score)))
            results.append(Result(score, (larger + 1) / (self.n_samples + 1), *estimate_ci(drawn)))
        return results

    def _p_values_of_swaps(self, systems: Tables, seed: int) -> dict[str, list[float | None]]:
        """Return the p-values of all systems except the baseline, by metric."""
        first = next(iter(systems.values()))
        if len(first[0]) == 1:  # no trial increases the difference
            return {name: [1 / (self.n_samples + 1)] * (len(first) - 1) for name in systems}
        whole = {name: tables for name, tables in systems.items() if not any(np.any(table % 1) for table in tables)}
        compared = (
            approximate_randomization(
                {name: self.metrics[name]._metric_of_rows(tables[0].shape[1]) for name, tables in whole.items()},
                # Numbers as names, because the systems' names may repeat.
                {name: {str(k): table for k, table in enumerate(tables)} for name, tables in whole.items()},
                trials=self.n_samples,
                seed=seed,
                formulas="sacrebleu",
            )
            if whole
            else {}
        )
        return {
            name: [outcome.p for outcome in compared[name].systems[1:]]
            if name in compared
            else [self._p_value_of_rounded_sums(name, tables[0], table, seed) for table in tables[1:]]
            for name, tables in systems.items()
        }

    def _p_value_of_rounded_sums(self, name: str, baseline: NDArray[Any], table: NDArray[Any], seed: int) -> float:
        """Add fractions as sacrebleu does: the last bit decides whether a trial has the same difference."""
        swaps = np.random.default_rng(seed).integers(2, size=(self.n_samples, len(table)), dtype=bool)
        one, other = (
            np.array([self._score(name, row) for row in (chosen @ baseline + ~chosen @ table)[:, np.newaxis]])
            for chosen in (swaps, ~swaps)
        )
        larger = np.abs(one - other) > abs(self._score(name, baseline) - self._score(name, table))
        return (int(np.count_nonzero(larger)) + 1) / (self.n_samples + 1)

    def _score(self, name: str, table: NDArray[Any]) -> float:
        score: float = self.metrics[name]._aggregate_and_compute(table.tolist()).score
        return score


def bootstrap_resample(table: NDArray[Any], metric: Metric[Any], n_samples: int = 1000) -> tuple[str, NDArray[Any]]:
    """Return the seed as text, and the scores of random samples of segments, given their statistics."""
    text, seed = _seed()
    (scores,) = _resampled_scores([(metric, table)], n_samples, np.random.default_rng(seed))
    return text, scores


def _resampled_scores(
    pairs: Sequence[tuple[Metric[Any], NDArray[Any]]], samples: int, generator: np.random.Generator
) -> list[NDArray[Any]]:
    """Return the scores of random samples of each table, which are the same samples for all tables.

    Like sacrebleu, sum in float32 and compute the scores from these sums.
    """
    units = len(pairs[0][1])
    tables = [np.ascontiguousarray(table, dtype=np.float64) for _, table in pairs]
    are_whole = [not np.any(table % 1) for table in tables]
    values: list[list[NDArray[Any]]] = [[] for _ in pairs]
    step = max(1, _BLOCK_CELLS // units)
    for begin in range(0, samples, step):
        # `choice` continues the same stream from call to call.
        drawn = generator.choice(units, size=(min(step, samples - begin), units))
        weights = np.array([np.bincount(indexes, minlength=units) for indexes in drawn], dtype=np.float64)
        for (metric, _), table, is_whole, found in zip(pairs, tables, are_whole, values, strict=True):
            sums: NDArray[Any] = weights @ table
            if is_whole and sums.max(initial=0) <= _EXACT:
                sums = sums.astype(np.float32)
            else:  # the order of summation changes the sums
                rounded = table.astype(np.float32)
                sums = np.array([rounded[indexes].sum(0) for indexes in drawn])
            found.append(metric._values_of_sums(sums))
    return list(map(np.concatenate, values))


def _skip_swaps(generator: np.random.Generator, count: int) -> None:
    """Advance the generator as `integers(2, size=count, dtype=bool)` does: 32 values from each half of its output."""
    words = -(-count // 32)
    generator.bit_generator.advance(words // 2)  # type: ignore[attr-defined]
    if words % 2:
        generator.integers(2**32, dtype=np.uint32)


def _seed() -> tuple[str, int | None]:
    """Return the seed from the environment as text and as a number, None for a random one each time."""
    text = os.environ.get("SACREBLEU_SEED", "12345").lower()
    return text, None if text == "none" else int(text)


take_missing_names(__name__)
