"""Minimum-Bayes-risk decoding: all pairs of 256 and of 1024 candidates of about 30 words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import refscore
from bench import data, peers
from bench.contestants import fastchrf, nltk, ours, sacrebleu, scaled
from bench.data import Corpus
from bench.timing import Contestant, Task
from refscore import mbr

_WORDS = 30
_LOOP = 1024  # pairs on which loops in Python are measured
_RUST_PART = 64

_BLEU = refscore.BLEU.preset("sacrebleu-sentence")
_METRICS: dict[str, refscore.metrics.Metric[Any]] = {
    "bleu": _BLEU,
    "chrf": refscore.CHRF.preset("sacrebleu"),
    "ribes": refscore.RIBES.preset("nltk"),
    "ter": refscore.TER.preset("sacrebleu"),
}
_SACREBLEU: dict[str, Callable[[Any], Any]] = {
    "bleu": peers.sacrebleu_pairwise_reused,
    "chrf": peers.sacrebleu_chrf_pairwise,
    "ter": peers.sacrebleu_ter_pairwise,
}


def _candidates(count: int, seed: int) -> list[str]:
    """Return variants of one segment of 30 words, like samples from one model."""
    generator = data.Generator(seed)
    words = generator.segment()
    while len(words) != _WORDS:
        words = generator.segment()
    return data.variants(" ".join(words), count, seed)


def _peers(name: str, candidates: list[str]) -> list[Contestant]:
    """Enter loops over the pairs of a few candidates with all, and fastchrf over some more."""
    metric = _METRICS[name]

    def entered(rows: int, enter: Callable[[Any, Callable[[], Any]], list[Contestant]]) -> list[Contestant]:
        source = (candidates[:rows], candidates)
        note = f"measured on {rows} of the {len(candidates)} candidates with all, and scaled"
        made = enter(source, lambda: metric.pairwise(*source))
        return [scaled(contestant, len(candidates) / rows, note) for contestant in made]

    def rust(source: Any, expected: Callable[[], Any]) -> list[Contestant]:
        return fastchrf("fastchrf pairwise_chrf", peers.fastchrf_pairwise, source, expected)

    def loop(source: Any, expected: Callable[[], Any]) -> list[Contestant]:
        if name == "ribes":
            return [nltk("NLTK sentence_ribes", peers.nltk_ribes_pairwise, source, expected)]
        return [sacrebleu("sacrebleu sentence_score", _SACREBLEU[name], source, expected)]

    return [*(entered(_RUST_PART, rust) if name == "chrf" else []), *entered(_LOOP // len(candidates), loop)]


def _task(name: str, count: int, seed: int) -> Task:
    metric, candidates = _METRICS[name], _candidates(count, seed)

    def run(texts: Any, threads: int | None) -> Any:
        return metric.pairwise(texts, texts, threads=threads)

    contestants = [*ours("refscore", candidates, run), *_peers(name, candidates)]
    title = f"pairwise {metric.title} of {count} candidates of {_WORDS} words"
    return Task(f"mbr-{name}-{count}", title, "pairs/s", contestants, count**2)


def mbr_bleu_256(corpus: Corpus, seed: int) -> Task:
    """Time BLEU of all pairs of 256."""
    return _task("bleu", 256, seed)


def mbr_bleu_1024(corpus: Corpus, seed: int) -> Task:
    """Time BLEU of all pairs of 1024."""
    return _task("bleu", 1024, seed)


def mbr_chrf_256(corpus: Corpus, seed: int) -> Task:
    """Time chrF of all pairs of 256."""
    return _task("chrf", 256, seed)


def mbr_chrf_1024(corpus: Corpus, seed: int) -> Task:
    """Time chrF of all pairs of 1024."""
    return _task("chrf", 1024, seed)


def mbr_ribes_256(corpus: Corpus, seed: int) -> Task:
    """Time RIBES of all pairs of 256. Its only peer is NLTK."""
    return _task("ribes", 256, seed)


def mbr_ribes_1024(corpus: Corpus, seed: int) -> Task:
    """Time RIBES of all pairs of 1024. Its only peer is NLTK."""
    return _task("ribes", 1024, seed)


def mbr_ter_256(corpus: Corpus, seed: int) -> Task:
    """Time TER of all pairs of 256."""
    return _task("ter", 256, seed)


def mbr_ter_1024(corpus: Corpus, seed: int) -> Task:
    """Time TER of all pairs of 1024."""
    return _task("ter", 1024, seed)


def mbr_aggregate(corpus: Corpus, seed: int) -> Task:
    """Time the choice among 1024 candidates by the mean of their counts."""
    candidates, metric = _candidates(1024, seed), _METRICS["chrf"]

    def run(texts: Any, threads: int | None) -> Any:
        return mbr.choose(texts, metric=metric, aggregate=True, threads=threads).expected

    contestants = [
        *ours("refscore", candidates, run),
        *fastchrf(
            "fastchrf aggregate_chrf",
            peers.fastchrf_aggregate,
            (candidates, candidates),
            lambda: run(candidates, None),
        ),
    ]
    return Task("mbr-aggregate", "choice among 1024 candidates by aggregate chrF", "candidates/s", contestants, 1024)


TASKS = (
    mbr_bleu_256, mbr_bleu_1024, mbr_chrf_256, mbr_chrf_1024, mbr_ribes_256, mbr_ribes_1024, mbr_ter_256, mbr_ter_1024,
    mbr_aggregate,
)  # fmt: skip
