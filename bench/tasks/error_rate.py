"""Word and character error rates of text, tokens and ids, and of very long segments."""

from __future__ import annotations

import random
from typing import Any

import refscore
from bench import data, error_rate_peers as peers
from bench.contestants import Copy, ours, peer
from bench.data import Corpus
from bench.timing import Task

_WER = refscore.WER()
_CER = refscore.CER()
_ROUNDED = "rounds its values, which are not compared"


def wer_text(corpus: Corpus, seed: int) -> Task:
    """Time the rate of a corpus of text."""
    pairs = (corpus.hypotheses, corpus.first_references())

    def expected() -> float:
        return _WER.corpus(*pairs).value

    contestants = [
        *ours("refscore", pairs, lambda d, threads: _WER.corpus(*d, threads=threads).value),
        peer("jiwer", peers.jiwer, peers.jiwer_corpus, pairs, expected),
        peer("universal-edit-distance", peers.universal, peers.universal_corpus, pairs, expected),
        peer("fastwer", peers.fastwer, peers.fastwer_corpus, pairs, note=_ROUNDED),
    ]
    return Task("wer-text", "WER of a corpus of text", "segments/s", contestants, len(pairs[0]))


def cer_text(corpus: Corpus, seed: int) -> Task:
    """Time the rate of characters. rapidfuzz only computes distances of strings."""
    pairs = (corpus.hypotheses, corpus.first_references())

    def expected() -> float:
        return _CER.corpus(*pairs).value

    contestants = [
        *ours("refscore", pairs, lambda d, threads: _CER.corpus(*d, threads=threads).value),
        peer("jiwer", peers.jiwer, peers.jiwer_characters, pairs, expected),
        peer("universal-edit-distance", peers.universal, peers.universal_characters, pairs, expected),
        peer("rapidfuzz distance", peers.levenshtein, peers.rapidfuzz_distances, pairs),
        peer("fastwer", peers.fastwer, peers.fastwer_characters, pairs, note=_ROUNDED),
    ]
    return Task("cer-text", "CER of a corpus of text", "segments/s", contestants, len(pairs[0]))


def _distances(rows: Any) -> Any:
    return rows[:, 1:].sum(axis=1)


def _copied(source: Any) -> Any:
    return tuple([list(sequence) for sequence in side] for side in source)


def _sequences(name: str, how: str, source: tuple[list[Any], list[Any]], copy: Copy = data.fresh) -> Task:
    """Time the counts of every segment. Tools without counts enter with the distance only."""

    def wrapped(pairs: Any) -> Any:
        return pairs[0], [[reference] for reference in pairs[1]]

    def reshaped(pairs: Any) -> Any:
        return wrapped(copy(pairs))

    def expected() -> Any:
        return _distances(_WER.stats(*wrapped(source)))

    contestants = [
        *ours("refscore", source, lambda d, threads: _distances(_WER.stats(*d, threads=threads)), reshaped),
        peer("rapidfuzz distance", peers.levenshtein, peers.rapidfuzz_distances, source, expected, copy=copy),
        peer("rapidfuzz opcodes", peers.levenshtein, peers.rapidfuzz_counts, source, expected, copy=copy),
        peer("kaldialign", peers.kaldialign, peers.kaldialign_distances, source, expected, copy=copy),
    ]
    return Task(name, f"edits of every segment, {how}", "segments/s", contestants, len(source[0]))


def wer_tokens(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings."""
    source = [text.split() for text in corpus.hypotheses], [text.split() for text in corpus.first_references()]
    return _sequences("wer-tokens", "token lists", source)


def wer_ids(corpus: Corpus, seed: int) -> Task:
    """Time lists of integers."""
    numbers: dict[str, int] = {}

    def encode(text: str) -> list[int]:
        return [numbers.setdefault(word, len(numbers)) for word in text.split()]

    source = [encode(text) for text in corpus.hypotheses], [encode(text) for text in corpus.first_references()]
    return _sequences("wer-ids", "lists of ids", source, _copied)


def wer_long(corpus: Corpus, seed: int) -> Task:
    """Time one segment of 20,000 words, one in twenty of them wrong."""
    generator = random.Random(seed)
    reference = [generator.randrange(5000) for _ in range(20_000)]
    hypothesis = [generator.randrange(5000) if generator.random() < 0.05 else word for word in reference]
    task = _sequences("wer-long", "one of 20,000 ids", ([hypothesis], [reference]), _copied)
    return Task(task.name, task.title, "ms", task.contestants[:-1], rate=False, scale=1e3)


def wer_compounds(corpus: Corpus, seed: int) -> Task:
    """Time a corpus in which words written together or apart match. One hypothesis word in ten joins two words."""
    generator = random.Random(seed)
    metric = refscore.WER.preset("kaldialign")

    def joined(text: str) -> str:
        words = text.split()
        return "".join(word + ("" if generator.random() < 0.1 else " ") for word in words).strip()

    pairs = [joined(text) for text in corpus.hypotheses], corpus.first_references()

    def expected() -> float:
        return metric.corpus(*pairs).value

    contestants = [
        *ours("refscore", pairs, lambda d, threads: metric.corpus(*d, threads=threads).value),
        peer("kaldialign", peers.kaldialign, peers.kaldialign_compounds, pairs, expected),
    ]
    return Task("wer-compounds", "WER with compounds, of a corpus", "segments/s", contestants, len(pairs[0]))


def wer_alternatives(corpus: Corpus, seed: int) -> Task:
    """Time references with alternatives for one word in ten, beside the same references without."""
    generator = random.Random(seed)
    plain = corpus.first_references()
    marked = [
        " ".join(f"{{{word} / @ / {word}s}}" if generator.random() < 0.1 else word for word in text.split())
        for text in plain
    ]
    pairs, without = (corpus.hypotheses, marked), (corpus.hypotheses, plain)
    metric = refscore.WER(alternatives="nist")

    def expected() -> float:
        return metric.corpus(*pairs).value

    contestants = [
        *ours("refscore", pairs, lambda d, threads: metric.corpus(*d, threads=threads).value),
        *ours("refscore without alternatives", without, lambda d, threads: metric.corpus(*d, threads=threads).value),
        peer("a lattice in Python", peers.lattice, peers.lattice_corpus, pairs, expected),
    ]
    return Task("wer-alternatives", "WER with alternatives in references", "segments/s", contestants, len(marked))


TASKS = (wer_text, cer_text, wer_tokens, wer_ids, wer_long, wer_alternatives, wer_compounds)
