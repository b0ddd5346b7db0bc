"""METEOR without synonyms, per segment, on ordinary and on long sentences."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import refscore
from bench import data, peers
from bench.contestants import nltk, our_calls, ours
from bench.data import Corpus
from bench.timing import Contestant, Task

_CALLS = 500
_METRIC = refscore.METEOR()
_NLTK = "NLTK meteor_score"
_ENDINGS = ("", "", "s", "ed", "ing", "er", "ly", "ness", "ation")

Words = list[Any]


def _words(corpus: Corpus, count: int) -> tuple[list[Words], list[list[Words]]]:
    """Lowercase all tokens, because METEOR compares tokens unchanged."""
    hyps = [text.lower().split() for text in corpus.hypotheses]
    return hyps, [[text.lower().split() for text in refs[:count]] for refs in corpus.references]


def _segments(corpus: Corpus, name: str, count: int, title: str) -> Task:
    source = _words(corpus, count)
    contestants = [
        *ours("refscore", source, lambda d, threads: _METRIC.segments(*d, threads=threads)),
        nltk(_NLTK, peers.nltk_meteor, source, lambda: _METRIC.segments(*source)),
    ]
    return Task(name, f"METEOR of every segment, {title}", "segments/s", contestants, len(source[0]))


def meteor_text(corpus: Corpus, seed: int) -> Task:
    """Time text, split at whitespace. NLTK's time includes the splitting."""
    pairs = (corpus.hypotheses, corpus.first_references())
    contestants = [
        *ours("refscore", pairs, lambda d, threads: _METRIC.segments(*d, threads=threads)),
        nltk(_NLTK, peers.nltk_meteor_of_text, pairs, lambda: _METRIC.segments(*pairs)),
    ]
    title = "METEOR of every segment of text, split at white space, 1 reference"
    return Task("meteor-text", title, "segments/s", contestants, len(pairs[0]))


def meteor_tokens(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings."""
    return _segments(corpus, "meteor-tokens", 1, "token lists, 1 reference")


def meteor_tokens_many(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings, with all references."""
    return _segments(corpus, "meteor-tokens-many", corpus.reference_count, f"{corpus.reference_count} references")


def meteor_call(corpus: Corpus, seed: int) -> Task:
    """Time one call of ``segment`` on tokens."""
    hyps, refs = (list[Any](side[:_CALLS]) for side in _words(corpus, 1))
    contestants = [
        our_calls((hyps, refs), lambda d: [_METRIC.segment(hyp, ref).value for hyp, ref in zip(*d, strict=True)]),
        nltk(_NLTK, peers.nltk_meteor, (hyps, refs), lambda: _METRIC.segments(hyps, refs)),
    ]
    title = "one segment call of METEOR, token list"
    return Task("meteor-call", title, "µs/call", contestants, len(hyps), rate=False, scale=1e6)


def _long_task(size: int, how: str, corpus: Corpus, seed: int) -> Task:
    generator = random.Random(seed)
    stems = list({word for text in corpus.hypotheses for word in text.lower().split()})

    def sentence() -> Words:
        if how == "equal":
            return ["walking"] * size
        return [generator.choice(stems) + generator.choice(_ENDINGS) for _ in range(size)]

    source = [sentence()], [[sentence()]]
    contestants = [
        Contestant("refscore", "1", ours("", source, lambda d, _: _METRIC.segments(*d))[0].sample),
        nltk(_NLTK, peers.nltk_meteor, source, lambda: _METRIC.segments(*source), data.fresh),
    ]
    title = f"METEOR of one segment of {size:,} {how} tokens"
    return Task(f"meteor-{how}-{size}", title, "ms", contestants, rate=False, scale=1e3)


def _named(size: int, how: str) -> Any:
    task = partial(_long_task, size, how)
    task.__name__ = f"meteor_{how}_{size}"  # type: ignore[attr-defined]
    return task


TASKS = (
    meteor_text, meteor_tokens, meteor_tokens_many, meteor_call, _named(100_000, "inflected"), _named(100_000, "equal"),
)  # fmt: skip
