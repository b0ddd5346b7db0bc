"""Re-segmentation of long text: an hour of speech, about 10,000 words."""

from __future__ import annotations

import os
import random
from typing import Any

import refscore
from bench.contestants import our_calls, peer
from bench.data import Corpus
from bench.peers import optional
from bench.timing import Task

_WORDS = 10_000
_mweralign: Any = optional("mweralign")


def _align(pair: Any) -> int:
    """Return the number of mweralign's segments. It prints to stderr, which is hidden."""
    hypothesis, references = pair
    saved, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        lines = _mweralign.align_texts("\n".join(map(" ### ".join, references)), hypothesis).split("\n")
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(null)
    return len(lines)


def _speech(corpus: Corpus, seed: int, references: int) -> tuple[str, list[list[str]]]:
    """Return a text with one error in five words, and references of as many words."""
    draw = random.Random(seed)
    words = " ".join(corpus.first_references()).lower().split()
    words = (words * (_WORDS // len(words) + 1))[:_WORDS]

    def noisy(part: list[str]) -> str:
        return " ".join(draw.choice(words) if draw.random() < 0.2 else word for word in part)

    parts = [words[begin : begin + 20] for begin in range(0, _WORDS, 20)]
    entries = [[" ".join(part), *(noisy(part) for _ in range(references - 1))] for part in parts]
    return noisy(words), entries


def _task(name: str, how: str, source: tuple[str, list[list[str]]]) -> Task:
    contestants = [
        our_calls(source, lambda pair: len(refscore.resegmentation.resegment(*pair).segments)),
        peer("mweralign", _mweralign, _align, source, lambda: len(source[1])),
    ]
    return Task(name, f"re-segmentation of 10,000 words, {how}", "words/s", contestants, _WORDS)


def resegment(corpus: Corpus, seed: int) -> Task:
    """Time one reference per segment."""
    return _task("resegment", "one reference", _speech(corpus, seed, 1))


def resegment_references(corpus: Corpus, seed: int) -> Task:
    """Time four references per segment."""
    return _task("resegment-references", "four references", _speech(corpus, seed, 4))


TASKS = (resegment, resegment_references)
