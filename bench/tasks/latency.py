"""Latency of logs of simultaneous translation."""

from __future__ import annotations

import json
from itertools import accumulate
from random import Random
from typing import Any

import refscore
from bench import peers
from bench.contestants import ours, peer
from bench.data import Corpus
from bench.timing import Task

_instances: Any = peers.optional("simuleval.evaluator.instance")
_scorers: Any = peers.optional("simuleval.evaluator.scorers.latency_scorer")


def _lines(corpus: Corpus, seed: int) -> list[str]:
    """Return a log in which words appear after 0 to 3 chunks of 320 ms."""
    draw = Random(seed)
    lines = []
    for index, (text, entry) in enumerate(zip(corpus.hypotheses, corpus.references, strict=True)):
        delays = [*accumulate(320 * draw.randrange(4) for _ in text.split())]
        line = {"index": index, "delays": delays, "source_length": max([1, *delays]), "reference": entry[0]}
        lines.append(json.dumps(line))
    return lines


def _latency(name: str, corpus: Corpus, seed: int) -> Task:
    source = _lines(corpus, seed)
    metric = refscore.metrics.Latency.preset(name.lower())

    def run(lines: Any, threads: int | None) -> float:
        return float(metric.corpus(lines, threads=threads).value)

    def original(lines: Any) -> float:
        scorer = _scorers.LATENCY_SCORERS_DICT[name]()
        return float(scorer({index: _instances.LogInstance(line) for index, line in enumerate(lines)}))

    contestants = [
        *ours("refscore", source, run),
        peer("SimulEval", _scorers, original, source, lambda: run(source, 1)),
    ]
    return Task(f"latency-{name.lower()}", f"{name} of a log", "instances/s", contestants, len(source))


def latency_laal(corpus: Corpus, seed: int) -> Task:
    """Time LAAL."""
    return _latency("LAAL", corpus, seed)


def latency_atd(corpus: Corpus, seed: int) -> Task:
    """Time ATD."""
    return _latency("ATD", corpus, seed)


TASKS = (latency_laal, latency_atd)
