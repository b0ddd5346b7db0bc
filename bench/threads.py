"""Measure every task with several numbers of threads: `python -m bench.threads --threads 1,2,4,8,16`.

Prints a table of tasks and threads with rates and, in parentheses, factors over one thread. Each cell is the best of
several rounds in which all numbers of threads take turns. The second table repeats corpus BLEU on small inputs. Needs
only refscore, NumPy and, for columns, pyarrow. `--phases` also prints the functions that take the time of one call with
the largest number of threads.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import io
import pstats
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import refscore
from bench import data, machine
from refscore.metrics import Metric, parse_metric
from refscore.significance import approximate_randomization, paired_bootstrap

Call = Callable[[int], Any]
"""Runs a task with a number of threads."""

_BASE = 2000  # generated segments; larger inputs repeat them as new objects
_WIDTH = 32  # ids per row of a padded batch
_GROUP = 1024  # texts in a group of all pairs
_SMALL = (2, 8, 32, 64, 128, 256, 512, 1024, 2048, 4096)


def _texts(segments: int) -> tuple[list[str], list[str]]:
    corpus = data.generate(min(_BASE, segments), 1)
    hypotheses, references = corpus.hypotheses, corpus.first_references()
    times = -(-segments // len(hypotheses))
    return data.fresh(hypotheses * times)[:segments], data.fresh(references * times)[:segments]


def _arrow(hypotheses: list[str], references: list[str]) -> tuple[Any, Any] | None:
    try:
        import pyarrow
    except ImportError:
        return None
    return pyarrow.array(hypotheses), pyarrow.array(references)


def _tasks(segments: int) -> Iterator[tuple[str, int, Call]]:
    """Yield the title, the units of work and the call of each task."""
    bleu, for_segments = refscore.BLEU(), refscore.BLEU().for_segments()
    texts, references = _texts(segments)
    tokens = [text.split() for text in texts], [[text.split()] for text in references]
    ids: dict[str, int] = {}
    numbered = [[[ids.setdefault(t, len(ids)) for t in text.split()] for text in side] for side in (texts, references)]
    arrays = [np.array(a) for a in numbered[0]], [[np.array(a)] for a in numbered[1]]
    random = np.random.default_rng(1)
    padded_hypotheses = np.exp(random.random((40_000, _WIDTH)) * np.log(30_000)).astype(np.int64)  # Zipf's law
    padded_references = np.where(random.random(padded_hypotheses.shape) < 0.6, padded_hypotheses, 7)
    padded = refscore.inputs.padded(padded_hypotheses), refscore.inputs.padded(padded_references)

    def corpus(metric: Metric[Any], sides: Any) -> Call:
        return lambda threads: metric.corpus(*sides, threads=threads)

    def each(metric: Metric[Any], sides: Any) -> Call:
        return lambda threads: metric.segments(*sides, threads=threads)

    strings, columns = (texts, references), _arrow(texts, references)
    yield from _significance()
    yield "corpus BLEU, token lists", segments, corpus(bleu, tokens)
    yield "corpus BLEU, lists of int", segments, corpus(bleu, (numbered[0], [[ids] for ids in numbered[1]]))
    yield "corpus BLEU, lists of arrays", segments, corpus(bleu, arrays)
    yield "BLEU of segments, arrays", segments, each(for_segments, arrays)
    yield "corpus BLEU, padded ids", len(padded_hypotheses), corpus(bleu, padded)
    yield "BLEU of segments, padded ids", len(padded_hypotheses), each(for_segments, padded)
    yield "corpus BLEU, list of str", segments, corpus(bleu, strings)
    yield "BLEU of segments, list of str", segments, each(for_segments, strings)
    if columns is not None:
        yield "corpus BLEU, Arrow", segments, corpus(bleu, columns)
        yield "BLEU of segments, Arrow", segments, each(for_segments, columns)
    for name in ("chrf", "wer", "rouge-l", "ribes", "meteor", "gleu"):
        yield f"corpus {name}, list of str", segments, corpus(parse_metric(name)[1], strings)
    part = texts[: segments // 4], references[: segments // 4]
    yield "corpus ter, list of str", len(part[0]), corpus(parse_metric("ter")[1], part)
    group = data.variants(texts[0], _GROUP, 1)
    sizes = {"bleu": _GROUP, "chrf": _GROUP, "rouge-l": _GROUP, "wer": 512, "ribes": 512, "ter": 128}
    for name, size in sizes.items():
        metric = parse_metric(name)[1].for_segments()
        yield f"all pairs, {name}, {size}", size * size, partial(_pairs, metric, group[:size])


def _pairs(metric: Metric[Any], group: list[str], threads: int) -> Any:
    return metric.pairwise(group, group, threads=threads)


def _significance() -> Iterator[tuple[str, int, Call]]:
    metric = refscore.BLEU()
    corpus = data.generate(1000, 1)
    references = corpus.first_references()
    base = metric.stats(corpus.hypotheses, references)
    random = np.random.default_rng(2)
    # Systems that differ in some segments: the cost does not depend on the rows.
    rows = {f"system {k}": np.concatenate([random.permutation(base) for _ in range(3)]) for k in range(16)}
    two = dict([*rows.items()][:2])
    yield "paired bootstrap, 16 × 3,000", 1000, lambda threads: paired_bootstrap(metric, rows, threads=threads)
    yield "paired bootstrap, 2 × 3,000", 1000, lambda threads: paired_bootstrap(metric, two, threads=threads)
    yield (
        "randomization, 16 × 3,000",
        1000,
        lambda threads: approximate_randomization(metric, rows, trials=1000, resamples=0, threads=threads),
    )


def _measure(call: Call, threads: list[int], seconds: float) -> dict[int, float]:
    """Return the best time for each number of threads; `seconds` limits the time for each of them."""
    best = {count: float("inf") for count in threads}
    used = dict.fromkeys(threads, 0.0)
    for count in threads:
        call(count)  # untimed: page faults and thread starts of a first call
    gc.collect()
    gc.disable()
    while min(used.values()) < seconds:
        for count in threads:
            start = time.perf_counter()
            call(count)
            elapsed = time.perf_counter() - start
            best[count] = min(best[count], elapsed)
            used[count] += elapsed
    gc.enable()
    return best


def _line(title: str, units: float, times: dict[int, float]) -> str:
    one = times[min(times)]
    cells = [f"{_rate(units / times[count]):>8} ({one / times[count]:5.2f}×)" for count in times]
    return f"{title:32} " + " ".join(cells)


def _rate(rate: float) -> str:
    return f"{rate / 1e6:.2f}M" if rate >= 1e6 else f"{rate / 1e3:.1f}k" if rate >= 1e3 else f"{rate:.1f}"


def _phases(call: Call, threads: int) -> str:
    profile = cProfile.Profile()
    profile.runcall(call, threads)
    text = io.StringIO()
    pstats.Stats(profile, stream=text).sort_stats("tottime").print_stats(8)
    lines = text.getvalue().splitlines()
    return "\n".join("    " + line for line in lines[6:] if line.strip())


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.threads", description="Measure tasks by number of threads.")
    parser.add_argument("--threads", default="1,2,4,8,16", metavar="N,…")
    parser.add_argument("--segments", type=int, default=40_000, metavar="N")
    parser.add_argument("--seconds", type=float, default=0.3, metavar="S", help="time per cell")
    parser.add_argument("--task", default="", metavar="TEXT", help="only tasks whose title contains TEXT")
    parser.add_argument("--phases", action="store_true", help="print where the time goes with the most threads")
    options = parser.parse_args()
    threads = [int(count) for count in options.threads.split(",")]
    print(machine.line())
    print(f"{'units per second (factor)':32} " + " ".join(f"{f'{count} threads':>17}" for count in threads), flush=True)
    for title, units, call in _tasks(options.segments):
        if options.task not in title:
            continue
        print(_line(title, units, _measure(call, threads, options.seconds)), flush=True)
        if options.phases:
            print(_phases(call, threads[-1]), flush=True)
    texts, references = _texts(max(_SMALL))
    for size in _SMALL:
        title = f"corpus BLEU, {size} segments"
        if options.task not in title:
            continue
        sides = texts[:size], references[:size]
        call = partial(_corpus, refscore.BLEU(), sides)
        print(_line(title, size, _measure(call, threads, options.seconds / 3)), flush=True)


def _corpus(metric: Metric[Any], sides: tuple[list[str], list[str]], threads: int) -> Any:
    return metric.corpus(*sides, threads=threads)


if __name__ == "__main__":
    main()
