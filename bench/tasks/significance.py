"""Significance: from outputs to p-values and intervals with BLEU and chrF++, for 2 and for 16 systems."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import refscore
from bench import data, peers
from bench.contestants import once, ours, peer
from bench.data import Corpus
from bench.timing import Task
from refscore.metrics import Metric
from refscore.significance import Comparison, approximate_randomization, paired_bootstrap

_SAMPLES = {"bs": 1000, "ar": 10_000}
# Smaller runs are only trials, in which sacrebleu's time per resample would dominate.
_FEW_SEGMENTS = 1000
_METRICS: dict[str, Metric[Any]] = {"BLEU": refscore.BLEU(), "chrF2++": refscore.CHRF(word_order=2)}


def _scores(found: dict[str, Comparison]) -> list[float]:
    """Return the values to compare. p-values are excluded: sacrebleu sums in float32, so near-ties differ."""
    return [outcome.score for comparison in found.values() for outcome in comparison.systems]


def _compare(
    kind: str, samples: int, formulas: Literal["refscore", "sacrebleu"], source: Any, threads: int | None
) -> list[float]:
    """Prepare the references once per metric, as sacrebleu does, and run the test."""
    systems, references = source
    rows = {}
    for label, metric in _METRICS.items():
        prepared = metric.prepare(references)
        rows[label] = {f"system {k}": metric.stats(texts, prepared, threads=threads) for k, texts in enumerate(systems)}
    if kind == "bs":
        return _scores(paired_bootstrap(_METRICS, rows, resamples=samples, formulas=formulas, threads=threads))
    return _scores(approximate_randomization(_METRICS, rows, trials=samples, formulas=formulas, threads=threads))


def _task(kind: str, count: int, corpus: Corpus, seed: int) -> Task:
    references = corpus.first_references()
    source = [corpus.hypotheses, *data.systems(corpus.hypotheses, count - 1, seed)], references
    samples = _SAMPLES[kind] // (1 if len(references) >= _FEW_SEGMENTS else 50)
    contestants = [
        *ours("refscore", source, partial(_compare, kind, samples, "refscore")),
        *ours("refscore with sacrebleu's formulas", source, partial(_compare, kind, samples, "sacrebleu")),
        once(
            peer(
                "sacrebleu PairedTest",
                peers.sacrebleu,
                partial(peers.sacrebleu_paired, kind, samples),
                source,
                lambda: _compare(kind, samples, "sacrebleu", source, None),
                "measured once",
            )
        ),
    ]
    what = f"paired bootstrap, {samples} resamples" if kind == "bs" else f"randomization, {samples:,} trials"
    title = f"{what}, {count} systems by BLEU and chrF++, from text"
    return Task(f"{_NAMES[kind]}-{count}", title, "ms", contestants, rate=False, scale=1e3)


_NAMES = {"bs": "paired-bootstrap", "ar": "randomization"}


def _named(kind: str, count: int) -> Any:
    task = partial(_task, kind, count)
    task.__name__ = f"{_NAMES[kind]}-{count}"  # type: ignore[attr-defined]
    return task


TASKS = (_named("bs", 2), _named("bs", 16), _named("ar", 2), _named("ar", 16))
