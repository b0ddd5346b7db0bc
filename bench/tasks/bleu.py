"""BLEU, and the import time and memory of the whole library."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import refscore
from bench import data, peers, probes
from bench.contestants import Copy, bleuscore, nltk, our_calls, ours, sacrebleu, scaled
from bench.data import Corpus
from bench.timing import Contestant, Task

_SYSTEMS = 16
_PAIRWISE = 100
_PAIRWISE_ROWS = 20
_CALLS = 500
_LARGE = 50_000

_CORPUS = refscore.BLEU.preset("sacrebleu")
_SENTENCE = refscore.BLEU.preset("sacrebleu-sentence")
_NLTK = refscore.BLEU.preset("nltk")
_UNSMOOTHED = refscore.BLEU.preset("sacrebleu", smoothing="none")


def _count(references: int) -> str:
    return "1 reference" if references == 1 else f"{references} references"


def _text(corpus: Corpus, name: str, references: list[list[str]]) -> Task:
    hyps, count = corpus.hypotheses, len(references[0])
    pairs = (hyps, references if count > 1 else [refs[0] for refs in references])
    streams = (hyps, [list(stream) for stream in zip(*references, strict=True)])
    contestants = [
        *ours("refscore", pairs, lambda d, threads: _CORPUS.corpus(*d, threads=threads).value),
        sacrebleu("sacrebleu corpus_bleu", peers.sacrebleu_corpus, streams, lambda: _CORPUS.corpus(*pairs).value),
        *bleuscore(peers.bleuscore_corpus, (hyps, references), lambda: _UNSMOOTHED.corpus(*pairs).value),
    ]
    return Task(name, f"corpus BLEU of text, 13a, {_count(count)}", "segments/s", contestants, len(hyps))


def text(corpus: Corpus, seed: int) -> Task:
    """Time corpus BLEU of text with the first reference."""
    return _text(corpus, "text", [refs[:1] for refs in corpus.references])


def text_many(corpus: Corpus, seed: int) -> Task:
    """Time corpus BLEU of text with all references."""
    return _text(corpus, "text-many", corpus.references)


def segments(corpus: Corpus, seed: int) -> Task:
    """Time BLEU of every segment of text."""
    hyps, refs = corpus.hypotheses, corpus.first_references()
    wrapped = (hyps, [[ref] for ref in refs])

    def expected() -> Any:
        return _SENTENCE.segments(hyps, refs)

    contestants = [
        *ours("refscore", (hyps, refs), lambda d, threads: _SENTENCE.segments(*d, threads=threads)),
        sacrebleu("sacrebleu sentence_bleu", peers.sacrebleu_sentences, wrapped, expected),
        sacrebleu("sacrebleu, metric reused", peers.sacrebleu_sentences_reused, wrapped, expected),
        *bleuscore(peers.bleuscore_sentences, wrapped, lambda: _UNSMOOTHED.segments(hyps, refs)),
    ]
    return Task("segments", "BLEU of every segment of text, 13a, 1 reference", "segments/s", contestants, len(hyps))


def _tokens(corpus: Corpus, name: str, how: str, copy: Copy, limit: int | None) -> Task:
    hyps = [refscore.tokenize(text) for text in corpus.hypotheses]
    refs = [[refscore.tokenize(ref) for ref in refs[:limit]] for refs in corpus.references]
    contestants = [
        *ours("refscore", (hyps, refs), lambda d, threads: _NLTK.corpus(*d, threads=threads).value, copy),
        nltk("NLTK corpus_bleu", peers.nltk_corpus, (hyps, refs), lambda: _NLTK.corpus(hyps, refs).value, copy),
    ]
    title = f"corpus BLEU of token lists, {how}, {_count(len(refs[0]))}"
    return Task(name, title, "segments/s", contestants, len(hyps))


def tokens(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings, with one reference."""
    return _tokens(corpus, "tokens", "new strings", data.fresh, 1)


def tokens_many(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings, with all references."""
    return _tokens(corpus, "tokens-many", "new strings", data.fresh, None)


def tokens_hashed(corpus: Corpus, seed: int) -> Task:
    """Time token lists of strings with a cached hash, with one reference."""
    return _tokens(corpus, "tokens-hashed", "hashes cached", data.hashed, 1)


def tokens_hashed_many(corpus: Corpus, seed: int) -> Task:
    """Time token lists of strings with a cached hash, with all references."""
    return _tokens(corpus, "tokens-hashed-many", "hashes cached", data.hashed, None)


def _plain(pair: Any, threads: int | None) -> float:
    return _NLTK.corpus(*pair, threads=threads).value


def _int_lists(source: Any) -> Any:
    return [list(ids) for ids in source[0]], [[list(ids)] for ids in source[1]]


def _ids(corpus: Corpus, name: str, how: str, convert: Copy, run: Callable[[Any, int | None], float] = _plain) -> Task:
    vocabulary: dict[str, int] = {}

    def encode(text: str) -> list[int]:
        return [vocabulary.setdefault(token, len(vocabulary)) for token in refscore.tokenize(text)]

    source = [encode(text) for text in corpus.hypotheses], [encode(text) for text in corpus.first_references()]
    contestants = [
        *ours("refscore", source, run, convert),
        nltk("NLTK corpus_bleu of lists", peers.nltk_corpus, source, lambda: run(convert(source), 1), _int_lists),
    ]
    return Task(name, f"corpus BLEU of ids, {how}, 1 reference", "segments/s", contestants, len(source[0]))


def ids_arrays(corpus: Corpus, seed: int) -> Task:
    """Time lists of 1-D integer arrays."""

    def convert(source: Any) -> Any:
        hyps, refs = ([np.array(ids, dtype=np.int64) for ids in side] for side in source)
        return hyps, [[ref] for ref in refs]

    return _ids(corpus, "ids-arrays", "1-D arrays", convert)


def ids_lists(corpus: Corpus, seed: int) -> Task:
    """Time lists of lists of Python integers."""
    return _ids(corpus, "ids-lists", "lists of int", _int_lists)


def ids_padded(corpus: Corpus, seed: int) -> Task:
    """Time padded 2-D arrays, including ``refscore.inputs.padded``."""

    def convert(source: Any) -> Any:
        arrays = [np.full((len(rows), max(map(len, rows))), -1, dtype=np.int64) for rows in source]
        for array, rows in zip(arrays, source, strict=True):
            for row, ids in zip(array, rows, strict=True):
                row[: len(ids)] = ids
        return arrays

    def run(arrays: Any, threads: int | None) -> float:
        hyps, refs = (refscore.inputs.padded(array, pad_id=-1) for array in arrays)
        return _NLTK.corpus(hyps, refs, threads=threads).value

    return _ids(corpus, "ids-padded", "padded 2-D array", convert, run)


def call_text(corpus: Corpus, seed: int) -> Task:
    """Time one call of ``segment`` on text."""
    hyps, refs = corpus.hypotheses[:_CALLS], [[ref] for ref in corpus.first_references()[:_CALLS]]

    def expected() -> Any:
        return _SENTENCE.segments(hyps, refs)

    contestants = [
        our_calls((hyps, refs), lambda d: [_SENTENCE.segment(hyp, ref).value for hyp, ref in zip(*d, strict=True)]),
        sacrebleu("sacrebleu sentence_bleu", peers.sacrebleu_sentences, (hyps, refs), expected),
        sacrebleu("sacrebleu, metric reused", peers.sacrebleu_sentences_reused, (hyps, refs), expected),
    ]
    return Task("call-text", "one segment call, text, 13a", "µs/call", contestants, len(hyps), rate=False, scale=1e6)


def call_tokens(corpus: Corpus, seed: int) -> Task:
    """Time one call of ``segment`` on tokens."""
    hyps = [refscore.tokenize(text) for text in corpus.hypotheses[:_CALLS]]
    refs = [[refscore.tokenize(ref)] for ref in corpus.first_references()[:_CALLS]]
    contestants = [
        our_calls((hyps, refs), lambda d: [_NLTK.segment(hyp, ref).value for hyp, ref in zip(*d, strict=True)]),
        nltk("NLTK sentence_bleu", peers.nltk_sentences, (hyps, refs), lambda: _NLTK.segments(hyps, refs)),
    ]
    return Task("call-tokens", "one segment call, token list", "µs/call", contestants, len(hyps), rate=False, scale=1e6)


def systems(corpus: Corpus, seed: int) -> Task:
    """Time sixteen systems with the same references, including their preparation."""
    hyps, refs = data.systems(corpus.hypotheses, _SYSTEMS, seed), corpus.first_references()

    def plain(d: Any, threads: int | None) -> list[float]:
        return [_CORPUS.corpus(system, d[1], threads=threads).value for system in d[0]]

    def prepared(d: Any, threads: int | None) -> list[float]:
        return plain((d[0], _CORPUS.prepare(d[1])), threads)

    def expected() -> list[float]:
        return plain((hyps, refs), None)

    contestants = [
        *ours("refscore, prepared", (hyps, refs), prepared),
        *ours(f"refscore, {_SYSTEMS} plain calls", (hyps, refs), plain),
        sacrebleu("sacrebleu, references cached", peers.sacrebleu_systems, (hyps, [refs]), expected),
    ]
    work = _SYSTEMS * len(refs)
    return Task("systems", f"{_SYSTEMS} systems, text, 13a, 1 reference", "segments/s", contestants, work)


def pairwise(corpus: Corpus, seed: int) -> Task:
    """Time all pairs of 100 variants of one segment with 100 others, as in minimum-Bayes-risk decoding."""
    middle = sorted(corpus.hypotheses, key=len)[len(corpus.hypotheses) // 2]
    hyps, refs = data.variants(middle, _PAIRWISE, seed), data.variants(middle, _PAIRWISE, seed + 1)
    part = hyps[:_PAIRWISE_ROWS]
    loop = sacrebleu(
        "sacrebleu sentence_bleu",
        peers.sacrebleu_pairwise,
        (part, refs),
        lambda: _SENTENCE.pairwise(part, refs),
        f"measured on {len(part)} of the {_PAIRWISE} hypotheses and scaled",
    )
    contestants = [
        *ours("refscore", (hyps, refs), lambda d, threads: _SENTENCE.pairwise(*d, threads=threads)),
        scaled(loop, _PAIRWISE / _PAIRWISE_ROWS),
        sacrebleu("sacrebleu, metric reused", peers.sacrebleu_pairwise_reused, (hyps, refs),
                  lambda: _SENTENCE.pairwise(hyps, refs)),
    ]  # fmt: skip
    return Task("pairwise", f"pairwise BLEU, {_PAIRWISE}x{_PAIRWISE} texts, 13a", "pairs/s", contestants, _PAIRWISE**2)


def import_time(corpus: Corpus, seed: int) -> Task:
    """Time the import after numpy."""
    modules = {"sacrebleu": peers.sacrebleu, "nltk.translate.bleu_score": peers.nltk, "bleuscore": peers.bleuscore}
    contestants = [Contestant("refscore", "1", partial(probes.import_seconds, "refscore"))]
    for name, module in modules.items():
        contestants.append(Contestant(name, "1", None if module is None else partial(probes.import_seconds, name)))
    return Task("import-time", "import, in a new process, numpy not counted", "ms", contestants, rate=False, scale=1e3)


def memory(corpus: Corpus, seed: int) -> Task:
    """Measure the peak memory beyond the input."""
    pairs, size = (corpus.hypotheses, corpus.first_references()), max(_LARGE, len(corpus.hypotheses))
    runs = [
        ("refscore", "refscore stats", ("1", "all"), refscore),
        ("sacrebleu", "sacrebleu corpus_bleu", ("1",), peers.sacrebleu),
        ("bleuscore", "bleuscore", ("1", "all"), peers.bleuscore),
    ]
    contestants = [
        Contestant(name, threads, None if module is None else partial(probes.peak_memory, who, threads, pairs, size))
        for who, name, counts, module in runs
        for threads in counts
    ]
    title = f"peak memory beyond the input, {size} segments, one run"
    return Task("memory", title, "MiB", contestants, rate=False, single_run=True)


TASKS = (
    text, text_many, segments, tokens, tokens_many, tokens_hashed, tokens_hashed_many, ids_arrays, ids_lists,
    ids_padded, call_text, call_tokens, systems, pairwise, import_time, memory,
)  # fmt: skip
