"""Normalizers, and the packages that they reproduce."""

from __future__ import annotations

from random import Random
from typing import Any

from bench.contestants import our_calls, peer
from bench.data import Corpus
from bench.peers import optional
from bench.timing import Task
from refscore import normalizers

_english: Any = optional("whisper_normalizer.english")
_basic: Any = optional("whisper_normalizer.basic")

_SPOKEN = (
    "it's", "we're", "won't", "uh,", "Mr.", "twenty-one", "three hundred and five", "$20 million", "1,234",
    "fifty percent", "the colour", "centre", "two and a half", "double oh seven", "the third", "[noise]",
    "he'd been", "café",
)  # fmt: skip


def _sentences(corpus: Corpus, seed: int) -> list[str]:
    """Return the hypotheses with three spoken phrases in each."""
    generator = Random(seed)
    return [" ".join([*generator.sample(_SPOKEN, 3), text]) for text in corpus.hypotheses]


def _task(name: str, title: str, original: Any, corpus: Corpus, seed: int) -> Task:
    texts = _sentences(corpus, seed)

    def ours(given: list[str]) -> list[str]:
        return normalizers.get(name).normalize_all(given)

    def theirs(given: list[str]) -> list[str]:
        return [original(text) for text in given]

    contestants = [our_calls(texts, ours), peer("whisper-normalizer", original, theirs, texts, lambda: ours(texts))]
    return Task(name, title, "segments/s", contestants, len(texts))


def whisper_en(corpus: Corpus, seed: int) -> Task:
    """Time Whisper's normalizer for English."""
    original = _english and _english.EnglishTextNormalizer()
    return _task("whisper-en", "Whisper's normalizer for English", original, corpus, seed)


def whisper_basic(corpus: Corpus, seed: int) -> Task:
    """Time Whisper's normalizer for other languages."""
    original = _basic and _basic.BasicTextNormalizer()
    return _task("whisper-basic", "Whisper's normalizer for other languages", original, corpus, seed)


TASKS = (whisper_en, whisper_basic)
