"""ROUGE of every segment of text, with and without stemming."""

from __future__ import annotations

from functools import partial
from typing import Any

import refscore
from bench import rouge_peers as peers
from bench.contestants import in_rust, ours, peer
from bench.data import Corpus
from bench.timing import Task

_LINES = 3


def _task(name: str, variant: str, stem: bool, source: tuple[list[str], list[str]]) -> Task:
    metric = refscore.ROUGE.preset(variant, stem=stem)

    def expected() -> Any:
        return metric.segments(*source)

    original, rewritten = peers.scorer(peers.original, variant, stem), peers.scorer(peers.in_rust, variant, stem)
    each, batch = partial(peers.score_each, original, variant), partial(peers.score_batch, rewritten, variant)
    contestants = [
        *ours("refscore", source, lambda d, threads: metric.segments(*d, threads=threads)),
        peer("rouge-score", original, each, source, expected),
        *in_rust("rouge-score-rs score_batch", rewritten, batch, source, expected),
    ]
    if not stem and variant != "rougeLsum":
        contestants += in_rust("rouge-rust", peers.fast, partial(peers.fast_batch, variant), source, expected)
    how = "stemmed" if stem else "not stemmed"
    return Task(
        name, f"ROUGE-{metric.variant} of every segment of text, {how}", "segments/s", contestants, len(source[0])
    )


def _lines_of(texts: list[str]) -> list[str]:
    """Join several segments into the lines of one summary."""
    return ["\n".join(texts[i : i + _LINES]) for i in range(0, len(texts), _LINES)]


def rouge_l(corpus: Corpus, seed: int) -> Task:
    """Time the longest common subsequence."""
    return _task("rouge-l", "rougeL", False, (corpus.hypotheses, corpus.first_references()))


def rouge_l_stem(corpus: Corpus, seed: int) -> Task:
    """Time the longest common subsequence of stems."""
    return _task("rouge-l-stem", "rougeL", True, (corpus.hypotheses, corpus.first_references()))


def rouge_2(corpus: Corpus, seed: int) -> Task:
    """Time pairs of words."""
    return _task("rouge-2", "rouge2", False, (corpus.hypotheses, corpus.first_references()))


def rouge_lsum(corpus: Corpus, seed: int) -> Task:
    """Time summaries of three lines each."""
    return _task("rouge-lsum", "rougeLsum", False, (_lines_of(corpus.hypotheses), _lines_of(corpus.first_references())))


def _task155(name: str, variant: str, source: tuple[list[str], list[str]]) -> Task:
    """Compare with rouge-metric, which ports ROUGE-1.5.5 to Python. It splits text only at whitespace."""
    metric = refscore.ROUGE(variant=variant, tokenizer="none", lowercase=False)
    scorer = peers.port_of_155(variant)
    contestants = [
        *ours("refscore", source, lambda d, threads: metric.segments(*d, threads=threads)),
        peer("rouge-metric", scorer, partial(peers.score_155, scorer), source, lambda: metric.segments(*source)),
    ]
    return Task(name, f"ROUGE-{variant} of every segment of text", "segments/s", contestants, len(source[0]))


def rouge_w(corpus: Corpus, seed: int) -> Task:
    """Time weighted subsequences of summaries of three lines each."""
    return _task155("rouge-w", "W-1.2", (_lines_of(corpus.hypotheses), _lines_of(corpus.first_references())))


def rouge_su4(corpus: Corpus, seed: int) -> Task:
    """Time pairs of words with at most four words between them, and single words."""
    return _task155("rouge-su4", "SU4", (corpus.hypotheses, corpus.first_references()))


def rouge_s(corpus: Corpus, seed: int) -> Task:
    """Time pairs of words at any distance."""
    return _task155("rouge-s", "S*", (corpus.hypotheses, corpus.first_references()))


TASKS = (rouge_l, rouge_l_stem, rouge_2, rouge_lsum, rouge_w, rouge_su4, rouge_s)
