"""GLEU: per corpus and per segment."""

from __future__ import annotations

import refscore
from bench import data, peers
from bench.contestants import nltk, ours
from bench.data import Corpus
from bench.timing import Task

_GLEU = refscore.GLEU.preset("nltk")


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
    """Token lists of new strings, one reference."""
    return _gleu(corpus, "gleu-tokens", 1)


def gleu_tokens_many(corpus: Corpus, seed: int) -> Task:
    """Token lists of new strings, all references."""
    return _gleu(corpus, "gleu-tokens-many", None)


def gleu_segments(corpus: Corpus, seed: int) -> Task:
    """GLEU of every segment of text, split at white space; for NLTK splitting is part of what is timed."""
    pairs = (corpus.hypotheses, corpus.first_references())
    contestants = [
        *ours("refscore", pairs, lambda d, threads: _GLEU.segments(*d, threads=threads)),
        nltk("NLTK sentence_gleu", peers.nltk_gleu_of_text, pairs, lambda: _GLEU.segments(*pairs)),
    ]
    title = "GLEU of every segment of text, split at white space, 1 reference"
    return Task("gleu-segments", title, "segments/s", contestants, len(pairs[0]))


TASKS = (gleu_tokens, gleu_tokens_many, gleu_segments)
