"""GLEU, NIST, CrystalBLEU, and the diversity of a set of generations."""

from __future__ import annotations

from functools import partial
from typing import Any

import refscore
from bench import data, peers
from bench.contestants import nltk, ours, peer, scaled
from bench.data import Corpus
from bench.timing import Task
from refscore.metrics import distinct_n

_GLEU = refscore.GLEU.preset("nltk")
_GENERATIONS = 1000
_FEW = 10


def _words(corpus: Corpus, limit: int | None) -> tuple[list[list[str]], list[list[list[str]]]]:
    return [text.split() for text in corpus.hypotheses], [
        [text.split() for text in refs[:limit]] for refs in corpus.references
    ]


def _gleu(corpus: Corpus, name: str, limit: int | None) -> Task:
    source = _words(corpus, limit)
    count = len(source[1][0])
    contestants = [
        *ours("refscore", source, lambda d, threads: _GLEU.corpus(*d, threads=threads).value, data.fresh),
        nltk("NLTK corpus_gleu", peers.nltk_gleu, source, lambda: _GLEU.corpus(*source).value),
    ]
    title = f"corpus GLEU of token lists, {count} reference{'s' * (count > 1)}"
    return Task(name, title, "segments/s", contestants, len(source[0]))


def gleu_tokens(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings, with one reference."""
    return _gleu(corpus, "gleu-tokens", 1)


def gleu_tokens_many(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings, with all references."""
    return _gleu(corpus, "gleu-tokens-many", None)


def gleu_segments(corpus: Corpus, seed: int) -> Task:
    """Time GLEU of every segment of text, split at whitespace. NLTK's time includes the splitting."""
    pairs = (corpus.hypotheses, corpus.first_references())
    contestants = [
        *ours("refscore", pairs, lambda d, threads: _GLEU.segments(*d, threads=threads)),
        nltk("NLTK sentence_gleu", peers.nltk_gleu_of_text, pairs, lambda: _GLEU.segments(*pairs)),
    ]
    title = "GLEU of every segment of text, split at white space, 1 reference"
    return Task("gleu-segments", title, "segments/s", contestants, len(pairs[0]))


def _nist(corpus: Corpus, name: str, limit: int | None) -> Task:
    source = _words(corpus, limit)
    count = len(source[1][0])

    def at_once(d: Any, threads: int | None) -> float:
        return refscore.nist(d[0], d[1], threads=threads, preset="nltk").value

    fitted = refscore.NIST.preset("nltk").fit(source[1])
    contestants = [
        *ours("refscore, fitting included", source, at_once),
        *ours("refscore, fitted before", source, lambda d, threads: fitted.corpus(*d, threads=threads).value),
        nltk("NLTK corpus_nist", peers.nltk_nist, source, lambda: at_once(source, None)),
    ]
    title = f"corpus NIST of token lists, {count} reference{'s' * (count > 1)}"
    return Task(name, title, "segments/s", contestants, len(source[0]))


def nist_tokens(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings, with one reference."""
    return _nist(corpus, "nist-tokens", 1)


def nist_tokens_many(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings, with all references."""
    return _nist(corpus, "nist-tokens-many", None)


def crystalbleu_tokens(corpus: Corpus, seed: int) -> Task:
    """Time token lists of new strings, with one reference, without the 500 most frequent n-grams."""
    source = _words(corpus, 1)

    def at_once(d: Any, threads: int | None) -> float:
        return refscore.crystalbleu(d[0], d[1], threads=threads).value

    fitted = refscore.CrystalBLEU.fit(source[1])
    contestants = [
        *ours("refscore, fitting included", source, at_once),
        *ours("refscore, fitted before", source, lambda d, threads: fitted.corpus(*d, threads=threads).value),
        peer("crystalbleu", peers.crystalbleu, peers.crystalbleu_corpus, source, lambda: at_once(source, None)),
    ]
    title = "corpus CrystalBLEU of token lists, 1 reference"
    return Task("crystalbleu-tokens", title, "segments/s", contestants, len(source[0]))


def _self_bleu(generations: Any, threads: int | None) -> float:
    return refscore.metrics.self_bleu(generations, preset="nltk", smoothing="nltk-1", threads=threads)


def self_bleu(corpus: Corpus, seed: int) -> Task:
    """Time self-BLEU of 1000 generations in groups of variants, as token lists."""
    each = -(-_GENERATIONS // min(100, len(corpus.hypotheses)))
    variants = [text for source in corpus.hypotheses[:100] for text in data.variants(source, each, seed)]
    generations = [text.split() for text in variants[:_GENERATIONS]]
    few = peer("NLTK sentence_bleu", peers.nltk, partial(peers.nltk_self_bleu, _FEW), generations)
    contestants = [
        *ours("refscore", generations, _self_bleu),
        peer("fast-bleu SelfBLEU", peers.fast_bleu, peers.fast_bleu_self, generations),
        scaled(few, len(generations) / _FEW),
    ]
    return Task("self-bleu", f"self-BLEU of {len(generations)} generations", "ms", contestants, rate=False, scale=1e3)


def distinct(corpus: Corpus, seed: int) -> Task:
    """Time distinct-1 to distinct-4 of all hypotheses as text, compared with sets of tuples."""
    texts, orders = corpus.hypotheses, (1, 2, 3, 4)
    contestants = [
        *ours(
            "refscore",
            texts,
            lambda d, threads: distinct_n(d, orders, tokenizer="none", threads=threads),
        ),
        peer("Python sets", refscore, partial(peers.python_distinct, orders), texts),
    ]
    return Task(
        "distinct", "distinct-1 to distinct-4 of texts, split at white space", "texts/s", contestants, len(texts)
    )


TASKS = (
    gleu_tokens,
    gleu_tokens_many,
    gleu_segments,
    nist_tokens,
    nist_tokens_many,
    crystalbleu_tokens,
    self_bleu,
    distinct,
)
