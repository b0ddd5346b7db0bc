"""Split the results of a command into groups of segments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from refscore.cli.system_scores import Results, SystemResult
from refscore.metrics import sum_rows


def split_results(results: Results, labels: Sequence[str], references: tuple[int, int]) -> dict[str, Results]:
    """Return the results of each group, by label, in the order of first occurrence. The results must have rows.

    `labels` has one label per segment. `references` are the smallest and largest number of references per segment.
    """
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    group_of = np.array([numbers[label] for label in labels])
    groups = {}
    for label, number in numbers.items():
        chosen = np.flatnonzero(group_of == number)
        systems = []
        for result in results.systems:
            rows = {name: table[chosen] for name, table in result.rows.items()}
            scores = {
                name: metric.score(sum_rows(rows[name]), references=references)
                for name, metric in results.metrics.items()
            }
            systems.append(SystemResult(result.system, scores, rows))
        units = None if results.units is None else [results.units[k] for k in chosen]
        groups[label] = Results(len(chosen), results.metrics, systems, units)
    return groups


def can_resample(results: Results) -> bool:
    """Return whether there are at least two segments or units, which a bootstrap needs."""
    return results.segments > 1 if results.units is None else len({*results.units}) > 1
