"""M², the GLEU of corrections, and the word error rate without order, of sentences with a few changed words.

The peers are m2scorer (its `levenshtein.py`, converted to Python 3, on the path), gec-metrics, and a definition.
"""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from typing import Any

import refscore
from bench.contestants import ours, peer, scaled
from bench.data import Corpus
from bench.peers import optional
from bench.timing import Task

_WORDS = 24
_FEW = 40


def _changed(generator: random.Random, words: list[str], share: float) -> tuple[list[str], list[tuple[int, int, str]]]:
    """Return words with errors, and the edits that correct them: begin, end and correction."""
    changed: list[str] = []
    edits = []
    for word in words:
        draw = generator.random() / share
        at = len(changed)
        if draw < 0.5:
            changed.append(generator.choice(words))
            edits.append((at, at + 1, word))
        elif draw < 0.75:
            edits.append((at, at, word))
        else:
            changed.append(word)
    return changed, edits


def _sentences(corpus: Corpus, seed: int) -> tuple[list[str], list[str], list[str], list[list[tuple[int, int, str]]]]:
    """Return sources, hypotheses, corrections and the edits of an annotator."""
    generator = random.Random(seed)
    sources, hypotheses, corrections, annotations = [], [], [], []
    for text in corpus.first_references():
        words = text.split()[:_WORDS]
        source, edits = _changed(generator, words, 0.15)
        own, _ = _changed(generator, words, 0.08)
        sources.append(" ".join(source))
        hypotheses.append(" ".join(own))
        corrections.append(" ".join(words))
        annotations.append(edits)
    return sources, hypotheses, corrections, annotations


def _line(edits: list[tuple[int, int, str]]) -> str:
    lines = [f"A {begin} {end}|||T|||{text or '-NONE-'}|||REQUIRED|||-NONE-|||0" for begin, end, text in edits]
    return " ".join(lines) or "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"


def m2(corpus: Corpus, seed: int) -> Task:
    """Time M² with one annotator."""
    sources, hypotheses, _, annotations = _sentences(corpus, seed)
    metric = refscore.M2()
    module: Any = optional("levenshtein")
    m2scorer = module if hasattr(module, "transitive_arcs") else None

    def run(texts: Any, threads: int | None) -> list[float]:
        own, references, others = texts
        return [float(number) for number in metric.corpus(own, references, sources=others, threads=threads).row]

    def theirs(segments: Any) -> list[float]:
        total = Counter[int]()
        for source, own, edits in zip(*segments, strict=True):
            words = source.split()
            gold = [(begin, end, " ".join(words[begin:end]), [text]) for begin, end, text in edits]
            graphs = []
            for cost in (1, 2):
                graphs.append(module.edit_graph(*module.levenshtein_matrix(words, own.split(), 1, 1, cost)))
            merged = module.merge_graph(*(part for pair in zip(*graphs, strict=True) for part in pair))
            vertices, arcs, distances, found = module.transitive_arcs(*merged, 2)
            weights = module.set_weights(arcs, distances, found, gold)
            path = module.best_edit_seq_bf(vertices, arcs, weights, found)
            total.update({0: len(module.matchSeq(path, gold)), 1: len(path), 2: len(gold)})
        return [float(total[column]) for column in range(3)]

    source = hypotheses, [[_line(edits)] for edits in annotations], sources
    few = sources[:_FEW], hypotheses[:_FEW], annotations[:_FEW]
    expected = hypotheses[:_FEW], [[_line(edits)] for edits in annotations[:_FEW]], sources[:_FEW]
    note = "on a part of the sentences, scaled"
    contestants = [
        *ours("refscore", source, run),
        scaled(
            peer("m2scorer", m2scorer, theirs, few, lambda: run(expected, 1), note, copy=deepcopy), len(sources) / _FEW
        ),
    ]
    return Task("m2", "M² of corrections", "sentences/s", contestants, len(sources))


def gec_gleu(corpus: Corpus, seed: int) -> Task:
    """Time the GLEU of corrections."""
    sources, hypotheses, corrections, _ = _sentences(corpus, seed)
    metric = refscore.GECGLEU.preset("gec-metrics-official")
    module: Any = optional("gec_metrics.metrics.gleu")

    def run(texts: Any, threads: int | None) -> float:
        own, references, others = texts
        return float(metric.corpus(own, references, sources=others, threads=threads).value)

    def theirs(texts: Any) -> float:
        own, references, others = texts
        config = module.GLEUOfficial.Config(iter=1)
        return float(module.GLEUOfficial(config).score_corpus(sources=others, hypotheses=own, references=[references]))

    source = hypotheses, corrections, sources
    contestants = [
        *ours("refscore", source, run),
        peer("gec-metrics", module, theirs, source, lambda: run(source, 1)),
    ]
    return Task("gec-gleu", "GLEU of corrections", "sentences/s", contestants, len(sources))


def uwer(corpus: Corpus, seed: int) -> Task:
    """Time the word error rate without order."""
    _, hypotheses, corrections, _ = _sentences(corpus, seed)
    metric = refscore.UWER()

    def run(texts: Any, threads: int | None) -> float:
        return float(metric.corpus(*texts, threads=threads).value)

    def theirs(texts: Any) -> float:
        errors = words = 0
        for own, reference in zip(*texts, strict=True):
            counts, known = Counter(own.split()), Counter(reference.split())
            errors += max((known - counts).total(), (counts - known).total())
            words += known.total()
        return errors / words

    source = hypotheses, corrections
    contestants = [
        *ours("refscore", source, run),
        peer("ocrevalUAtion's definition in Python", refscore, theirs, source, lambda: run(source, 1)),
    ]
    return Task("uwer", "Word error rate without order", "sentences/s", contestants, len(hypotheses))


TASKS = (m2, gec_gleu, uwer)
