"""chrF and chrF++: corpora, segments, and the pairs of texts of minimum-Bayes-risk decoding."""

from __future__ import annotations

from functools import partial
from typing import Any

import refscore
from bench import data, peers
from bench.contestants import fastchrf, nltk, our_calls, ours, sacrebleu, scaled
from bench.data import Corpus
from bench.timing import Contestant, Task

_CALLS = 500
_PAIRWISE = 100
_PAIRWISE_ROWS = 5

_CHRF = refscore.CHRF.preset("sacrebleu")
_NLTK = refscore.CHRF.preset("nltk")


def _corpus(corpus: Corpus, name: str, title: str, metric: refscore.CHRF, references: list[list[str]]) -> Task:
    hyps, count = corpus.hypotheses, len(references[0])
    pairs = (hyps, references if count > 1 else [refs[0] for refs in references])
    streams = (hyps, [list(stream) for stream in zip(*references, strict=True)])
    peer = partial(peers.sacrebleu_chrf, metric.word_order)
    contestants = [
        *ours("refscore", pairs, lambda d, threads: metric.corpus(*d, threads=threads).value),
        sacrebleu("sacrebleu corpus_score", peer, streams, lambda: metric.corpus(*pairs).value),
    ]
    if count == 1 and metric.word_order == 0:
        contestants.append(nltk("NLTK corpus_chrf", peers.nltk_chrf, pairs, lambda: _NLTK.corpus(*pairs).value))
    shown = "1 reference" if count == 1 else f"{count} references"
    return Task(name, f"corpus {title} of text, {shown}", "segments/s", contestants, len(hyps))


def chrf_corpus(corpus: Corpus, seed: int) -> Task:
    """Time the corpus with the first reference."""
    return _corpus(corpus, "chrf-corpus", "chrF", _CHRF, [refs[:1] for refs in corpus.references])


def chrf_corpus_many(corpus: Corpus, seed: int) -> Task:
    """Time the corpus with all references."""
    return _corpus(corpus, "chrf-corpus-many", "chrF", _CHRF, corpus.references)


def chrf_words_corpus(corpus: Corpus, seed: int) -> Task:
    """Time the corpus with word n-grams."""
    metric = refscore.CHRF.preset("chrf++")
    return _corpus(corpus, "chrf-words-corpus", "chrF++", metric, [refs[:1] for refs in corpus.references])


def _segments(corpus: Corpus, name: str, title: str, metric: refscore.CHRF, more: list[Contestant]) -> Task:
    hyps, refs = corpus.hypotheses, corpus.first_references()
    wrapped = (hyps, [[ref] for ref in refs])
    peer = partial(peers.sacrebleu_chrf_sentences, metric.word_order)
    contestants = [
        *ours("refscore", (hyps, refs), lambda d, threads: metric.segments(*d, threads=threads)),
        sacrebleu("sacrebleu sentence_score", peer, wrapped, lambda: metric.segments(hyps, refs)),
        *more,
    ]
    return Task(name, f"{title} of every segment of text, 1 reference", "segments/s", contestants, len(hyps))


def chrf_segments(corpus: Corpus, seed: int) -> Task:
    """Time every segment with the first reference."""
    pairs = (corpus.hypotheses, corpus.first_references())
    groups = [[[text] for text in side] for side in pairs]
    more = [
        nltk("NLTK sentence_chrf", peers.nltk_chrf_sentences, pairs, lambda: _NLTK.segments(*pairs)),
        *fastchrf("fastchrf, groups of 1x1", peers.fastchrf_sentences, groups, lambda: _CHRF.segments(*pairs)),
    ]
    return _segments(corpus, "chrf-segments", "chrF", _CHRF, more)


def chrf_words_segments(corpus: Corpus, seed: int) -> Task:
    """Time every segment with word n-grams."""
    return _segments(corpus, "chrf-words-segments", "chrF++", refscore.CHRF.preset("chrf++"), [])


def chrf_graphemes(corpus: Corpus, seed: int) -> Task:
    """Compare grapheme clusters with code points."""
    pairs, metric = (corpus.hypotheses, corpus.first_references()), refscore.CHRF(characters="graphemes")
    contestants = [
        *ours("refscore, graphemes", pairs, lambda d, threads: metric.segments(*d, threads=threads)),
        *ours("refscore, codepoints", pairs, lambda d, threads: _CHRF.segments(*d, threads=threads)),
    ]
    title = "chrF of every segment of text, grapheme clusters, 1 reference"
    return Task("chrf-graphemes", title, "segments/s", contestants, len(pairs[0]))


def chrf_call(corpus: Corpus, seed: int) -> Task:
    """Time one call of ``segment``."""
    hyps, refs = corpus.hypotheses[:_CALLS], [[ref] for ref in corpus.first_references()[:_CALLS]]
    contestants = [
        our_calls((hyps, refs), lambda d: [_CHRF.segment(hyp, ref).value for hyp, ref in zip(*d, strict=True)]),
        sacrebleu(
            "sacrebleu sentence_score",
            partial(peers.sacrebleu_chrf_sentences, 0),
            (hyps, refs),
            lambda: _CHRF.segments(hyps, refs),
        ),
    ]
    title = "one segment call of chrF, text"
    return Task("chrf-call", title, "µs/call", contestants, len(hyps), rate=False, scale=1e6)


def _group(corpus: Corpus, seed: int) -> tuple[list[str], list[str]]:
    """Return 100 variants of one segment, and 100 others."""
    middle = sorted(corpus.hypotheses, key=len)[len(corpus.hypotheses) // 2]
    return data.variants(middle, _PAIRWISE, seed), data.variants(middle, _PAIRWISE, seed + 1)


def chrf_pairwise(corpus: Corpus, seed: int) -> Task:
    """Time all pairs of two groups."""
    hyps, refs = _group(corpus, seed)
    part = hyps[:_PAIRWISE_ROWS]
    loop = sacrebleu(
        "sacrebleu sentence_score",
        peers.sacrebleu_chrf_pairwise,
        (part, refs),
        lambda: _CHRF.pairwise(part, refs),
        f"measured on {len(part)} of the {_PAIRWISE} hypotheses and scaled",
    )
    contestants = [
        *ours("refscore", (hyps, refs), lambda d, threads: _CHRF.pairwise(*d, threads=threads)),
        *fastchrf("fastchrf pairwise_chrf", peers.fastchrf_pairwise, (hyps, refs), lambda: _CHRF.pairwise(hyps, refs)),
        scaled(loop, _PAIRWISE / _PAIRWISE_ROWS),
    ]
    title = f"pairwise chrF, {_PAIRWISE}x{_PAIRWISE} texts"
    return Task("chrf-pairwise", title, "pairs/s", contestants, _PAIRWISE**2)


def chrf_aggregate(corpus: Corpus, seed: int) -> Task:
    """Time each hypothesis with the mean of the references' counts."""
    source = _group(corpus, seed)

    def run(d: Any) -> Any:
        return _CHRF.aggregate(*d)

    contestants = [
        our_calls(source, run),
        *fastchrf("fastchrf aggregate_chrf", peers.fastchrf_aggregate, source, lambda: run(source)),
    ]
    title = f"aggregate chrF, {_PAIRWISE} texts with {_PAIRWISE} references"
    return Task("chrf-aggregate", title, "pairs/s", contestants, _PAIRWISE**2)


TASKS = (
    chrf_corpus, chrf_corpus_many, chrf_words_corpus, chrf_segments, chrf_words_segments, chrf_graphemes, chrf_call,
    chrf_pairwise, chrf_aggregate,
)  # fmt: skip
