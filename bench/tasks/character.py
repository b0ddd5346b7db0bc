"""CharacTER per segment, of one call, and of one long segment with shuffled blocks."""

from __future__ import annotations

import random
from functools import partial
from itertools import chain
from typing import Any

import refscore
from bench import peers
from bench.contestants import our_calls, ours, peer, scaled
from bench.data import Corpus
from bench.timing import Contestant, Task

_cer: Any = peers.optional("cer")

# cer scores about a hundred segments per second, so it gets a part of the work.
_PART = 200
_CALLS = 200
_BLOCK = 10
_CER = "cer calculate_cer"
_METRIC = refscore.CharacTER()


def _scores(data: tuple[list[str], list[str]]) -> list[float]:
    """Split text at whitespace and score it, with a cache that is empty at first."""
    _cer.cer.calculate_levenshtein.cache_clear()
    return [_cer.calculate_cer(text.split(), reference.split()) for text, reference in zip(*data, strict=True)]


def _pairs(corpus: Corpus, count: int | None = None) -> tuple[list[str], list[str]]:
    return corpus.hypotheses[:count], corpus.first_references()[:count]


def character_text(corpus: Corpus, seed: int) -> Task:
    """Time CharacTER of every segment of text with one reference."""
    pairs, part = _pairs(corpus), _pairs(corpus, _PART)
    loop = peer(_CER, _cer, _scores, part, lambda: _METRIC.segments(*part), "on a part of the segments, scaled")
    contestants = [
        *ours("refscore", pairs, lambda d, threads: _METRIC.segments(*d, threads=threads)),
        scaled(loop, len(pairs[0]) / len(part[0])),
    ]
    title = "CharacTER of every segment of text, 1 reference"
    return Task("character-text", title, "segments/s", contestants, len(pairs[0]))


def character_call(corpus: Corpus, seed: int) -> Task:
    """Time one call of ``segment`` on text."""
    pairs = _pairs(corpus, _CALLS)
    contestants = [
        our_calls(pairs, lambda d: [_METRIC.segment(*pair).value for pair in zip(*d, strict=True)]),
        peer(_CER, _cer, _scores, pairs, lambda: _METRIC.segments(*pairs)),
    ]
    title = "one segment call of CharacTER, text"
    return Task("character-call", title, "µs/call", contestants, len(pairs[0]), rate=False, scale=1e6)


def _long_task(size: int, with_peer: bool, corpus: Corpus, seed: int) -> Task:
    generator = random.Random(seed)
    words = [f"w{generator.randrange(size)}" for _ in range(size)]
    blocks = [words[begin : begin + _BLOCK] for begin in range(0, size, _BLOCK)]
    generator.shuffle(blocks)
    source = [" ".join(chain.from_iterable(blocks))], [" ".join(words)]
    contestants = [Contestant("refscore", "1", ours("", source, lambda d, _: _METRIC.segments(*d))[0].sample)]
    if with_peer:
        contestants.append(peer(_CER, _cer, _scores, source, lambda: _METRIC.segments(*source)))
    title = f"CharacTER of one segment of {size:,} words, shuffled blocks"
    return Task(f"character-shuffled-{size}", title, "ms", contestants, rate=False, scale=1e3)


def _named(size: int, with_peer: bool) -> Any:
    task = partial(_long_task, size, with_peer)
    task.__name__ = f"character_shuffled_{size}"  # type: ignore[attr-defined]
    return task


TASKS = (character_text, character_call, _named(100, True), _named(1000, False))
