"""RIBES per segment, on ordinary sentences and on long ones, for which other tools take minutes."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import numpy as np

import refscore
from bench import data, peers
from bench.contestants import Copy, nltk, our_calls, ours
from bench.data import Corpus
from bench.timing import Task

_CALLS = 500
_METRIC = refscore.RIBES.preset("nltk")

Words = list[Any]


def _segments(corpus: Corpus, name: str, how: str, copy: Copy, theirs: Copy, source: Any) -> Task:
    """Time RIBES of every segment; `copy` and `theirs` shape the source for refscore and for NLTK."""
    contestants = [
        *ours("refscore", source, lambda d, threads: _METRIC.segments(*d, threads=threads), copy),
        nltk("NLTK sentence_ribes", peers.nltk_ribes, source, lambda: _METRIC.segments(*copy(source)), theirs),
    ]
    return Task(name, f"RIBES of every segment, {how}, 1 reference", "segments/s", contestants, len(source[0]))


def _words(corpus: Corpus) -> tuple[list[Words], list[list[Words]]]:
    return [text.split() for text in corpus.hypotheses], [[text.split()] for text in corpus.first_references()]


def ribes_text(corpus: Corpus, seed: int) -> Task:
    """Time text, split at whitespace. NLTK's time includes the splitting."""
    pairs = (corpus.hypotheses, corpus.first_references())
    contestants = [
        *ours("refscore", pairs, lambda d, threads: _METRIC.segments(*d, threads=threads)),
        nltk("NLTK sentence_ribes", peers.nltk_ribes_of_text, pairs, lambda: _METRIC.segments(*pairs)),
    ]
    title = "RIBES of every segment of text, split at white space, 1 reference"
    return Task("ribes-text", title, "segments/s", contestants, len(pairs[0]))


def ribes_official(corpus: Corpus, seed: int) -> Task:
    """Time text with the default settings: lowercased, with the contexts of the authors' script."""
    pairs, metric = (corpus.hypotheses, corpus.first_references()), refscore.RIBES()
    contestants = [
        *ours("refscore, lowercased", pairs, lambda d, threads: metric.segments(*d, threads=threads)),
        *ours("refscore, preset nltk", pairs, lambda d, threads: _METRIC.segments(*d, threads=threads)),
    ]
    title = "RIBES of every segment of text, default settings, 1 reference"
    return Task("ribes-official", title, "segments/s", contestants, len(pairs[0]))


def ribes_tokens(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings."""
    return _segments(corpus, "ribes-tokens", "token lists", data.fresh, data.fresh, _words(corpus))


def ribes_ids(corpus: Corpus, seed: int) -> Task:
    """Time lists of 1-D integer arrays. NLTK gets lists of Python integers, which are faster for it."""
    numbers: dict[str, int] = {}

    def encode(words: Words) -> list[int]:
        return [numbers.setdefault(word, len(numbers)) for word in words]

    hyps, refs = _words(corpus)
    source = [encode(words) for words in hyps], [encode(words[0]) for words in refs]

    def arrays(source: Any) -> Any:
        hyps, refs = ([np.array(ids, dtype=np.int64) for ids in side] for side in source)
        return hyps, [[ref] for ref in refs]

    def lists(source: Any) -> Any:
        return [list(ids) for ids in source[0]], [[list(ids)] for ids in source[1]]

    return _segments(corpus, "ribes-ids", "ids, 1-D arrays", arrays, lists, source)


def ribes_call(corpus: Corpus, seed: int) -> Task:
    """Time one call of ``segment`` on tokens."""
    hyps, refs = (list[Any](side[:_CALLS]) for side in _words(corpus))
    contestants = [
        our_calls((hyps, refs), lambda d: [_METRIC.segment(hyp, ref).value for hyp, ref in zip(*d, strict=True)]),
        nltk("NLTK sentence_ribes", peers.nltk_ribes, (hyps, refs), lambda: _METRIC.segments(hyps, refs)),
    ]
    title = "one segment call of RIBES, token list"
    return Task("ribes-call", title, "µs/call", contestants, len(hyps), rate=False, scale=1e6)


def _long(size: int, how: str, seed: int) -> tuple[list[Words], list[list[Words]]]:
    if how == "equal":
        return [["a"] * size], [[["a"] * size]]
    generator = random.Random(seed)
    words = [f"w{generator.randrange(size // 2)}" for _ in range(size)]
    return [generator.sample(words, size)], [[words]]


def _long_task(size: int, how: str, peer: bool, corpus: Corpus, seed: int) -> Task:
    source = _long(size, how, seed)
    contestants = [our_calls(source, lambda d: _METRIC.segments(*d, threads=1))]
    if peer:
        contestants.append(nltk("NLTK sentence_ribes", peers.nltk_ribes, source, lambda: _METRIC.segments(*source)))
    title = f"RIBES of one segment of {size:,} {how} tokens"
    return Task(f"ribes-{how}-{size}", title, "ms", contestants, rate=False, scale=1e3)


def _named(size: int, how: str, peer: bool) -> Any:
    task = partial(_long_task, size, how, peer)
    task.__name__ = f"ribes_{how}_{size}"  # type: ignore[attr-defined]
    return task


TASKS = (
    ribes_text, ribes_official, ribes_tokens, ribes_ids, ribes_call,
    _named(200, "shuffled", True), _named(1000, "shuffled", False), _named(100_000, "shuffled", False),
    _named(200, "equal", True), _named(100_000, "equal", False),
)  # fmt: skip
