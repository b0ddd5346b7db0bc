"""``python -m bench.gate_simulation``: measure how often the gate fails, without a change and with a loss.

A large generated test set is the population. Each night draws a small test set from it.

- False alarms: the outputs of two systems are swapped in a random half of the segments, so only chance differs. The
  gate must fail in at most a share ``alpha`` of these nights, with Holm's method over all metrics.
- Detection: a share of the new outputs is cut in half. The share is chosen per metric, so the true loss is the smallest
  detectable difference of a test set of this size. The gate must find it in a share ``power`` of these nights.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import refscore
from bench import data
from refscore.evaluation.digests import Digest
from refscore.gate import Criteria, check
from refscore.metrics import Metric
from refscore.significance import minimum_detectable_difference
from refscore.tables import Column, Table

METRICS: dict[str, Metric[Any]] = {"BLEU": refscore.BLEU(), "chrF": refscore.CHRF(), "TER": refscore.TER()}
Rows = dict[str, dict[str, NDArray[Any]]]


@dataclass
class Population:
    """The rows of all segments by metric: of two systems, and of outputs that are cut in half."""

    rows: Rows
    size: int

    @classmethod
    def generate(cls, size: int, seed: int) -> Population:
        """Generate the texts and score them."""
        corpus = data.generate(size, seed)
        references = corpus.first_references()
        outputs = {
            name: data.systems(corpus.hypotheses, 1, seed + k)[0] for k, name in enumerate(("first", "second"), 1)
        }
        outputs["cut"] = [" ".join(text.split()[: len(text.split()) // 2]) for text in outputs["second"]]
        rows = {
            label: {name: metric.stats(texts, references) for name, texts in outputs.items()}
            for label, metric in METRICS.items()
        }
        return cls(rows, size)

    def night(self, segments: int, generator: np.random.Generator, share: float = 0.0) -> Rows:
        """Draw a test set with the rows of the baseline and the new system, whose outputs are cut with this share."""
        chosen = generator.integers(0, self.size, segments)
        swap = (generator.random(segments) < 0.5)[:, None]
        cut = (generator.random(segments) < share)[:, None]
        night = {}
        for label, tables in self.rows.items():
            first, second, half = (tables[name][chosen] for name in ("first", "second", "cut"))
            new = np.where(cut, half, np.where(swap, first, second))
            night[label] = {"main": np.where(swap, second, first), "new": new}
        return night

    def share_of_detectable_loss(self, label: str, segments: int, seed: int) -> float:
        """Return the share of cut outputs with which the true loss is the smallest detectable one."""
        low, high, metric = 0.0, 1.0, METRICS[label]
        for _ in range(12):
            share = (low + high) / 2
            rows = self.night(4 * self.size, np.random.default_rng(seed), share)[label]
            scores = [metric.score(rows[name].sum(0)).value for name in ("main", "new")]
            part = {name: table[: self.size] for name, table in rows.items()}
            found = minimum_detectable_difference(metric, part, resamples=400)["new"]
            is_larger = abs(scores[1] - scores[0]) > found * (self.size / segments) ** 0.5
            low, high = (low, share) if is_larger else (share, high)
        return (low + high) / 2


def failed(night: Rows, criteria: Criteria) -> set[str]:
    """Return the metrics that fail in a night."""
    segments = len(next(iter(night.values()))["main"])
    chosen = {label: METRICS[label] for label in night}
    main, new = (
        refscore.Evaluation.from_rows(
            chosen, {label: {name: night[label][name]} for label in night}, digest=Digest(1, segments)
        )
        for name in ("main", "new")
    )
    return {each.metric for each in check(new, main, criteria, threads=1).checks if each.status == "failed"}


def simulate(
    nights: int, segments: int, resamples: int, seed: int, world: int = 10_000
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the share of nights in which the gate fails without a change, and with the smallest detectable loss.

    The first has "any", the share by Holm's method over all metrics, and the share of each metric alone.
    """
    population, generator = Population.generate(world, seed), np.random.default_rng(seed)
    criteria = Criteria(resamples=resamples, max_empty=None, allow_warnings=True)
    corrected = replace(criteria, holm=True)
    alarms = dict.fromkeys(("any", *METRICS), 0)
    for _ in range(nights):
        night = population.night(segments, generator)
        alarms["any"] += bool(failed(night, corrected))
        for label in failed(night, criteria):
            alarms[label] += 1
    found = dict.fromkeys(METRICS, 0)
    for label in METRICS:
        share = population.share_of_detectable_loss(label, segments, seed)
        for _ in range(nights):
            night = population.night(segments, generator, share)
            found[label] += label in failed({label: night[label]}, criteria)
    return {name: count / nights for name, count in alarms.items()}, {
        name: count / nights for name, count in found.items()
    }


def main() -> int:
    """Run the simulation and print the shares."""
    parser = argparse.ArgumentParser(prog="python -m bench.gate_simulation", description=__doc__)
    parser.add_argument("--nights", type=int, default=1000, help="nights of each kind (default: 1000)")
    parser.add_argument("--segments", type=int, default=300, help="segments per test set (default: 300)")
    parser.add_argument("--resamples", type=int, default=1000, help="resamples (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default: 1)")
    options = parser.parse_args()
    alarms, found = simulate(options.nights, options.segments, options.resamples, options.seed)
    rows = [["any, Holm", f"{alarms['any']:.1%}", ""]]
    rows += [[label, f"{alarms[label]:.1%}", f"{found[label]:.1%}"] for label in METRICS]
    columns = [Column("metric"), Column("false alarms", "right"), Column("losses found", "right")]
    note = (
        f"{options.nights} nights of {options.segments} segments, {options.resamples} resamples, seed {options.seed}; "
        f"refscore {refscore.__version__}"
    )
    print(Table("", columns, rows, note))
    return 0


if __name__ == "__main__":
    sys.exit(main())
