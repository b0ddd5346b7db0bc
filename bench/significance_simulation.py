"""``python -m bench.significance_simulation``: check that p-values are uniform and that intervals cover the truth.

A large generated test set is the population, and its scores are the truth. Many small test sets are drawn from it:

- Coverage: how often the 95 % intervals of the scores of two systems, and of their difference, contain the truth.
- p-values: the outputs of both systems are swapped in a random half of the segments, so only chance differs. p must
  then be uniform, and at most 0.05 in 5 % of all cases. KS is the largest distance between the distribution of the
  p-values and a uniform one. Chance exceeds its bound once in 20 times. The last column is the paired bootstrap with
  ``formulas="sacrebleu"``, which uses sacrebleu's formula.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import refscore
from bench import data
from refscore.metrics import Metric
from refscore.significance import approximate_randomization, paired_bootstrap
from refscore.tables import Column, Table

METRICS: dict[str, Metric[Any]] = {
    "BLEU": refscore.BLEU(),
    "chrF": refscore.CHRF(),
    "TER": refscore.TER(),
    "RIBES": refscore.RIBES(),
}
WORLD = 10_000  # segments of the population
ALPHA = 0.05


@dataclass
class Findings:
    """The counts for one metric, over all test sets."""

    held: NDArray[np.int64] = field(default_factory=lambda: np.zeros(3, dtype=np.int64))
    bootstrap: list[float] = field(default_factory=list)
    papers: list[float] = field(default_factory=list)
    randomization: list[float] = field(default_factory=list)


def simulate(repeats: int, segments: int, draws: int, seed: int, world: int = WORLD) -> dict[str, Findings]:
    """Draw test sets and run the tests on them.

    Args:
        repeats: The number of test sets.
        segments: The number of segments per test set.
        draws: The number of resamples or trials per test.
        seed: The seed of the random numbers.
        world: The number of segments of the population.
    """
    corpus = data.generate(world, seed)
    references = corpus.first_references()
    outputs = [data.systems(corpus.hypotheses, 1, seed + k)[0] for k in (1, 2)]
    everything = {label: [metric.stats(texts, references) for texts in outputs] for label, metric in METRICS.items()}
    truth = {
        label: [metric.score(rows.sum(0)).value for rows in everything[label]] for label, metric in METRICS.items()
    }
    generator = np.random.default_rng(seed)
    findings = {label: Findings() for label in METRICS}
    for repeat in range(repeats):
        chosen, swap = generator.integers(0, world, segments), generator.random(segments) < 0.5
        drawn = {label: [rows[chosen] for rows in tables] for label, tables in everything.items()}
        real = {label: {"a": a, "b": b} for label, (a, b) in drawn.items()}
        for label, comparison in paired_bootstrap(METRICS, real, resamples=draws, seed=repeat).items():
            first, second = comparison.systems
            intervals = (first.interval, second.interval, second.difference_interval)
            true = (*truth[label], truth[label][1] - truth[label][0])
            findings[label].held += [
                interval is not None and value in interval for interval, value in zip(intervals, true, strict=True)
            ]
        null = {
            label: {"a": np.where(swap[:, None], b, a), "b": np.where(swap[:, None], a, b)}
            for label, (a, b) in drawn.items()
        }
        for label, comparison in paired_bootstrap(METRICS, null, resamples=draws, seed=repeat).items():
            findings[label].bootstrap.append(comparison["b"].p or 0.0)
        for label, comparison in paired_bootstrap(
            METRICS, null, resamples=draws, seed=repeat + 1, formulas="sacrebleu"
        ).items():
            findings[label].papers.append(comparison["b"].p or 0.0)
        for label, comparison in approximate_randomization(METRICS, null, trials=draws, seed=repeat).items():
            findings[label].randomization.append(comparison["b"].p or 0.0)
    return findings


def distance_from_uniform(ps: list[float]) -> float:
    """Compute the Kolmogorov-Smirnov statistic."""
    ordered, steps = np.sort(ps), np.arange(1, len(ps) + 1) / len(ps)
    return float(max((steps - ordered).max(), (ordered - steps + 1 / len(ps)).max()))


def distance_bound(repeats: int) -> float:
    """Return the bound that the statistic exceeds by chance once in 20 times, for many p-values."""
    return 1.358 / float(np.sqrt(repeats))


def _rejected(ps: list[float]) -> str:
    return f"{float(np.mean(np.array(ps) <= ALPHA)):.1%}"


def report(findings: dict[str, Findings], repeats: int) -> str:
    """Format the findings as a table."""
    intervals = ["a holds", "b holds", "a − b holds"]
    titles = [*intervals, "bootstrap: KS", "p ≤ .05", "randomization: KS", "p ≤ .05", "sacrebleu: p ≤ .05"]
    rows = []
    for label, found in findings.items():
        cells = [label, *(f"{share:.1%}" for share in found.held / repeats)]
        for ps in (found.bootstrap, found.randomization):
            cells += [f"{distance_from_uniform(ps):.4f}", _rejected(ps)]
        rows.append([*cells, _rejected(found.papers)])
    note = f"bound of KS: {distance_bound(repeats):.4f}"
    return str(Table("", [Column("metric"), *(Column(title, "right") for title in titles)], rows, note))


def main() -> int:
    """Run the simulation and print the findings."""
    parser = argparse.ArgumentParser(prog="python -m bench.significance_simulation", description=__doc__)
    parser.add_argument("--repeats", type=int, default=2000, help="test sets (default: 2000)")
    parser.add_argument("--segments", type=int, default=500, help="segments per test set (default: 500)")
    parser.add_argument("--draws", type=int, default=1000, help="resamples, and trials (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default: 1)")
    options = parser.parse_args()
    print(
        f"{options.repeats} test sets of {options.segments} segments, {options.draws} resamples or trials, "
        f"seed {options.seed}; refscore {refscore.__version__}"
    )
    print(report(simulate(options.repeats, options.segments, options.draws, options.seed), options.repeats))
    return 0


if __name__ == "__main__":
    sys.exit(main())
