"""Loops, and Whisper's compression ratio, of texts of which one in 50 has a loop."""

from __future__ import annotations

import zlib
from typing import Any

import refscore
from bench import peers
from bench.contestants import ours, peer
from bench.data import Corpus
from bench.timing import Task

_EVERY = 50
_REPEATS = 12


def _texts(corpus: Corpus) -> list[str]:
    return [
        " ".join(text.split()[:4] * _REPEATS) if number % _EVERY == 0 else text
        for number, text in enumerate(corpus.hypotheses)
    ]


def _looped(tokens: list[str], max_order: int, repeats: int) -> int:
    """Count the tokens inside loops: for each order, the runs of tokens that equal the one `order` tokens later."""
    inside = bytearray(len(tokens))
    for order in range(1, min(max_order, len(tokens) // repeats) + 1):
        run = 0
        for place in range(len(tokens) - order + 1):
            if place < len(tokens) - order and tokens[place] == tokens[place + order]:
                run += 1
                continue
            if run >= order * (repeats - 1):
                inside[place - run : place + order] = b"\1" * (run + order)
            run = 0
    return sum(inside)


def repetition(corpus: Corpus, seed: int) -> Task:
    """Time the search for loops."""
    texts, metric = _texts(corpus), refscore.metrics.Repetition(tokenizer="none")

    def run(source: Any, threads: int | None) -> float:
        return float(metric.corpus(source, threads=threads).value)

    def definition(source: Any) -> float:
        words = [text.split() for text in source]
        looped = sum(_looped(each, metric.max_order, metric.repeats) for each in words)
        return looped / sum(map(len, words))

    contestants = [
        *ours("refscore", texts, run),
        peer("the definition in Python", peers, definition, texts, lambda: run(texts, 1)),
    ]
    return Task("repetition", "Repetition of a corpus", "segments/s", contestants, len(texts))


def compression_ratio(corpus: Corpus, seed: int) -> Task:
    """Time the compression of each segment."""
    texts, metric = _texts(corpus), refscore.metrics.CompressionRatio()

    def run(source: Any, threads: int | None) -> list[float]:
        values: list[float] = metric.segments(source, threads=threads).tolist()
        return values

    def whisper(source: Any) -> list[float]:
        encoded = [text.encode("utf-8") for text in source]
        return [len(data) / len(zlib.compress(data)) for data in encoded]

    contestants = [
        *ours("refscore", texts, run),
        peer("Whisper's definition in Python", peers, whisper, texts, lambda: run(texts, 1)),
    ]
    return Task("compression-ratio", "Compression ratio of each segment", "segments/s", contestants, len(texts))


TASKS = (repetition, compression_ratio)
