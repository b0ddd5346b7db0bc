"""``python -m bench.meta``: time PERM-BOTH for all pairs of metrics, and compare with mt-metrics-eval.

The scores are generated, with the size of a WMT metrics task: 31 metrics, 15 systems and 1,200 segments. Human scores
have ties. refscore tests all 465 pairs of metrics with 1,000 draws each, on one thread and on all cores. `--metrics 45
--statistic spa` times one statistic for 990 pairs.

mt-metrics-eval computes acc*_eq and Pearson's r if its source is importable: google-research/mt-metrics-eval, not the
package of this name on PyPI. It takes hours for the whole task, so it tests one pair of metrics with few draws. Its
time is multiplied to all pairs and draws. Its observed difference must equal refscore's.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
import time
from functools import partial
from typing import Any

import numpy as np

from bench import machine
from bench.timing import Remote
from refscore.meta import Judgments, agreement, rank_metrics
from refscore.tables import Column, Table

TOLERANCE = 1e-9
STATISTICS = {"acc-eq": "item", "pearson": "none", "tau-b": "none", "spa": None}
# Draws of mt-metrics-eval: about 10 seconds of acc*_eq, and less than a second of Pearson's r.
ORIGINAL_DRAWS = {"acc-eq": 2, "pearson": 200}


def generate(metrics: int, systems: int, segments: int, seed: int) -> Judgments:
    """Return human scores with ties, such as those of MQM, and metrics with more and more noise."""
    random = np.random.default_rng(seed)
    quality = random.normal(size=(systems, segments)) + random.normal(size=(systems, 1))
    human = -np.round(np.maximum(0, 2 - quality) ** 2)
    scores = {f"metric {k + 1}": quality + (0.5 + 0.1 * k) * random.normal(size=quality.shape) for k in range(metrics)}
    return Judgments.from_scores(human, scores)


def time_refscore(judgments: Judgments, statistic: str, draws: int, threads: int | None) -> tuple[float, float]:
    """Return the seconds and the CPU seconds of all pairs of metrics."""
    begin, used = time.perf_counter(), time.process_time()
    rank_metrics(judgments, statistic, by=_grouping(statistic), trials=draws, threads=threads)
    return time.perf_counter() - begin, time.process_time() - used


def time_original(judgments: Judgments, statistic: str, draws: int) -> tuple[float, float]:
    """Return the CPU seconds per draw of mt-metrics-eval for the first two metrics, and the observed difference."""
    stats: Any = importlib.import_module("mt_metrics_eval.stats")
    functions: dict[str, tuple[Any, dict[str, Any]]] = {
        "acc-eq": (stats.KendallWithTiesOpt, {"sample_rate": 1.0}),
        "pearson": (importlib.import_module("scipy.stats").pearsonr, {}),
    }
    function, settings = functions[statistic]
    human = judgments.human.reshape(-1).tolist()
    worse, better = (stats.Correlation(len(judgments.systems), human, _flat(judgments, f"metric {k}")) for k in (2, 1))
    params = stats.PermutationSigDiffParams(block_size=draws + 1)  # without early stopping
    seconds = []
    for count in (0, 0, draws):  # the first call is a warm-up, and the second has only the observed difference
        begin = time.process_time()
        result = stats.PermutationSigDiff(
            worse, better, function, average_by=_grouping(statistic), k=count, params=params, **settings
        )
        seconds.append(time.process_time() - begin)
    return (seconds[2] - seconds[1]) / draws, float(result[1])


def _flat(judgments: Judgments, metric: str) -> list[float]:
    segments = judgments.metrics[metric].segments
    assert segments is not None
    flat: list[float] = segments.reshape(-1).tolist()
    return flat


def _grouping(statistic: str) -> Any:
    return STATISTICS[statistic]


def has_original() -> bool:
    """Return whether mt-metrics-eval and SciPy can be imported."""
    if importlib.util.find_spec("scipy") is None or importlib.util.find_spec("mt_metrics_eval") is None:
        return False
    return importlib.util.find_spec("mt_metrics_eval.tau_optimization") is not None


def main() -> int:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.meta", description=__doc__.partition("\n")[0])
    parser.add_argument("--metrics", type=int, default=31, help="metrics, at least 2 (default: 31)")
    parser.add_argument("--systems", type=int, default=15, help="systems (default: 15)")
    parser.add_argument("--segments", type=int, default=1200, help="segments (default: 1200)")
    parser.add_argument("--draws", type=int, default=1000, help="draws of a test (default: 1000)")
    parser.add_argument("--statistic", choices=STATISTICS, help="only this statistic")
    parser.add_argument("--seed", type=int, default=1, help="seed of the scores (default: 1)")
    options = parser.parse_args()
    judgments = generate(options.metrics, options.systems, options.segments, options.seed)
    pairs = options.metrics * (options.metrics - 1) // 2
    print(machine.line())
    original = has_original()
    if not original:
        print("mt-metrics-eval is not installed")
    rows, is_equal = [], True
    for statistic, by in STATISTICS.items():
        if options.statistic not in (None, statistic):
            continue
        _, seconds = time_refscore(judgments, statistic, options.draws, 1)
        on_all_cores, _ = time_refscore(judgments, statistic, options.draws, None)
        row = [f"{statistic} by {by}" if by else statistic, f"{seconds:.1f}", f"{on_all_cores:.1f}", "–", "–"]
        if original and statistic in ORIGINAL_DRAWS:
            # OpenBLAS reads its number of threads once per process.
            sample = partial(time_original, judgments, statistic, ORIGINAL_DRAWS[statistic])
            remote = Remote(sample, OPENBLAS_NUM_THREADS="1")
            per_draw, lead = remote()
            remote.close()
            values = agreement(judgments, statistic, by=_grouping(statistic))
            is_equal &= abs(values["metric 1"] - values["metric 2"] - lead) <= TOLERANCE
            extrapolated = per_draw * pairs * options.draws
            row[3:] = [f"{extrapolated:,.0f}", f"{extrapolated / seconds:,.0f}×"]
        rows.append(row)
    shares = " and ".join(f"{count} draws of {name}" for name, count in ORIGINAL_DRAWS.items())
    note = f"mt-metrics-eval: extrapolated from one pair of metrics, {shares}. The ratio is that of CPU seconds."
    names = ("refscore, 1 thread, CPU s", "all cores, s", "mt-metrics-eval, CPU s", "ratio")
    columns = [Column("statistic"), *(Column(name, "right") for name in names)]
    title = f"PERM-BOTH: {pairs} pairs of metrics × {options.draws:,} draws, {judgments.ratings:,} human scores"
    print(Table(title, columns, rows, note if original else ""))
    print(f"load after the run: {machine.describe()['load']}")
    if not is_equal:
        print("MISMATCH: the observed differences are not equal", file=sys.stderr)
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
