"""``python -m bench.segment_selection FOLDER``: how well do selected segments order systems, by people's scores?

FOLDER is WMT 2023 in mt-metrics-eval's layout. The segments that refscore selects must be subset2evaluate's, in the
same order. Its evaluation compares the systems' mean human scores on the first 5, 10, … 50 % of them with those on all
segments (Kendall's τ-b), and counts significance clusters. Random orders are the baseline.

    pip install subset2evaluate scipy
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

import refscore
from refscore.meta import LEADERBOARDS, JudgedTestSet, select_diverse_segments, select_segments
from refscore.tables import Column, Table

METHODS = {"variance": "metric_var", "consistency": "metric_cons"}
Items = list[dict[str, Any]]


def read_items(folder: str, pair: str, metrics: Sequence[str]) -> Items:
    """Return the segments that people rated for all systems, as subset2evaluate has them."""
    opened, used = JudgedTestSet.open(folder, pair), LEADERBOARDS["wmt23"].pairs[pair]
    judgments = opened.judgments(human=used.human, reference=used.reference, without=used.without)
    texts = {system: opened.output(system) for system in judgments.systems}
    # subset2evaluate maps MQM scores to 0 to 100, and scores below -25 to 0.
    scores: dict[str, Any] = {"human": np.maximum(100 + 4 * judgments.human, 0)}
    scores.update({name: judgments.metrics[name].segments for name in metrics})
    return [
        {
            "i": place,
            "tgt": {system: texts[system][place] for system in judgments.systems},
            "scores": {
                system: {name: float(matrix[k, place]) for name, matrix in scores.items()}
                for k, system in enumerate(judgments.systems)
            },
        }
        for place in np.flatnonzero(np.isfinite(judgments.human).all(axis=0)).tolist()
    ]


def selected(items: Items, method: str, metric: str) -> Items:
    """Return all segments in refscore's order, after comparing it with subset2evaluate's."""
    from subset2evaluate import select_subset

    systems = list(items[0]["tgt"])
    if method == "diversity":
        found = select_diverse_segments({name: [item["tgt"][name] for item in items] for name in systems}, len(items))
        theirs = select_subset.basic(items, method="diversity", metric=metric)
    else:
        scores = {name: [item["scores"][name][metric] for item in items] for name in systems}
        found = select_segments(scores, len(items), method)  # type: ignore[arg-type]
        theirs = select_subset.basic(items, method=METHODS[method], metric=metric)
    ours = [items[place] for place in found.segments]
    places = [[item["i"] for item in each] for each in (ours, theirs)]
    if places[0] != places[1]:
        differ = sum(one != other for one, other in zip(*places, strict=True))
        utilities = np.array([item["subset2evaluate_utility"] for item in ours]) - np.array(found.utilities)
        print(f"{method} {metric}: {differ} places differ, utilities by at most {np.abs(utilities).max():.1e}")
    return ours


def judge(items: Items, order: Items) -> tuple[float, float]:
    """Return the mean τ-b and the mean number of clusters."""
    from subset2evaluate import evaluate

    clusters, correlations = evaluate.eval_clucor(order, items)
    return fmean(correlations), fmean(clusters)


def compute_table(folder: str, metrics: Sequence[str], draws: int) -> Mapping[str, tuple[float, float]]:
    """Return each method's means over the language pairs."""
    from subset2evaluate import select_subset

    by_method: dict[str, list[tuple[float, float]]] = {}
    for pair in LEADERBOARDS["wmt23"].pairs:
        items = read_items(folder, pair, metrics)
        print(f"{pair}: {len(items)} segments, {len(items[0]['tgt'])} systems", file=sys.stderr)
        for method in METHODS:
            for metric in metrics:
                by_method.setdefault(f"{method} of {metric}", []).append(judge(items, selected(items, method, metric)))
        by_method.setdefault("diversity (BLEU)", []).append(judge(items, selected(items, "diversity", "BLEU")))
        random = [judge(items, select_subset.basic(items, method="random", seed=seed)) for seed in range(draws)]
        means = fmean(each[0] for each in random), fmean(each[1] for each in random)
        by_method.setdefault(f"random ({draws} draws)", []).append(means)
    return {name: (fmean(one for one, _ in each), fmean(two for _, two in each)) for name, each in by_method.items()}


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.segment_selection", description=__doc__)
    parser.add_argument("folder", help="WMT 2023 in mt-metrics-eval's layout")
    parser.add_argument("--metric", nargs="+", default=["MetricX-23", "chrF"], help="metrics in the folder")
    parser.add_argument("--draws", type=int, default=30, help="random orders (default: 30)")
    options = parser.parse_args()
    found = compute_table(options.folder, options.metric, options.draws)
    rows = [[name, f"{correlation:.3f}", f"{clusters:.2f}"] for name, (correlation, clusters) in found.items()]
    columns = [Column("segments"), Column("Kendall's τ-b", "right"), Column("clusters", "right")]
    print(Table("", columns, rows, f"refscore {refscore.__version__}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
