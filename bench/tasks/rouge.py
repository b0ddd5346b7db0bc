"""ROUGE of every segment of text, with and without stemming."""

from __future__ import annotations

from functools import partial
from typing import Any

import refscore
from bench import data
from bench import rouge_peers as peers
from bench.contestants import ours
from bench.data import Corpus
from bench.timing import Contestant, Remote, Task, timed

_NOTE = "1 thread: in a process of its own with RAYON_NUM_THREADS=1, same data and timing, interleaved"
_LINES = 3


def _task(name: str, variant: str, stem: bool, source: tuple[list[str], list[str]]) -> Task:
    metric = refscore.ROUGE.preset(variant, stem=stem)

    def expected() -> Any:
        return metric.segments(*source)

    def peer(name: str, run: Any) -> list[Contestant]:
        """A peer in Rust, on one thread and on all."""
        if run is None:
            return [Contestant(name, "1", None)]
        sample = partial(timed, partial(data.fresh, source), run)
        return [
            Contestant(name, "1", Remote(sample, RAYON_NUM_THREADS="1"), expected, _NOTE),
            Contestant(name, "all", sample, expected),
        ]

    original, in_rust = peers.scorer(peers.original, variant, stem), peers.scorer(peers.in_rust, variant, stem)
    run = partial(peers.score_each, original, variant)
    contestants = [
        *ours("refscore", source, lambda d, threads: metric.segments(*d, threads=threads)),
        Contestant(
            "rouge-score", "1", original and partial(timed, partial(data.fresh, source), run), original and expected
        ),
        *peer("rouge-score-rs score_batch", in_rust and partial(peers.score_batch, in_rust, variant)),
    ]
    if not stem and variant != "rougeLsum":
        contestants += peer("rouge-rust", peers.fast and partial(peers.fast_batch, variant))
    how = "stemmed" if stem else "not stemmed"
    return Task(
        name, f"ROUGE-{metric.variant} of every segment of text, {how}", "segments/s", contestants, len(source[0])
    )


def _lines_of(texts: list[str]) -> list[str]:
    """Some segments at a time as the lines of one summary."""
    return ["\n".join(texts[i : i + _LINES]) for i in range(0, len(texts), _LINES)]


def rouge_l(corpus: Corpus, seed: int) -> Task:
    """The longest common subsequence."""
    return _task("rouge-l", "rougeL", False, (corpus.hypotheses, corpus.first_references()))


def rouge_l_stem(corpus: Corpus, seed: int) -> Task:
    """The same of stems."""
    return _task("rouge-l-stem", "rougeL", True, (corpus.hypotheses, corpus.first_references()))


def rouge_2(corpus: Corpus, seed: int) -> Task:
    """Pairs of words."""
    return _task("rouge-2", "rouge2", False, (corpus.hypotheses, corpus.first_references()))


def rouge_lsum(corpus: Corpus, seed: int) -> Task:
    """Summaries of three lines each."""
    return _task("rouge-lsum", "rougeLsum", False, (_lines_of(corpus.hypotheses), _lines_of(corpus.first_references())))


TASKS = (rouge_l, rouge_l_stem, rouge_2, rouge_lsum)
