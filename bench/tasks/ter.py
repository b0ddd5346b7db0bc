"""TER of a corpus, per segment, of one long segment with shuffled blocks, and of all pairs."""

from __future__ import annotations

import random
from functools import partial
from itertools import chain
from typing import Any

import refscore
from bench import data, peers
from bench.contestants import ours, sacrebleu, scaled
from bench.data import Corpus
from bench.timing import Contestant, Task

# sacrebleu scores hundreds of segments per second, fewer if they are long, so it gets a part of the work.
_PART = 200
_PAIRWISE = 100
_PAIRWISE_ROWS = 2
_BLOCK = 10

_METRIC = refscore.TER()
_NORMALIZED = refscore.TER(tokenizer="tercom-norm")


def _streams(hyps: list[str], refs: list[list[str]]) -> Any:
    return hyps, [list(stream) for stream in zip(*refs, strict=True)]


def _corpus(corpus: Corpus, name: str, how: str, references: list[list[str]], metric: refscore.TER) -> Task:
    hyps = corpus.hypotheses
    part, part_refs = hyps[:_PART], references[:_PART]
    loop = sacrebleu(
        "sacrebleu TER corpus_score",
        partial(peers.sacrebleu_ter, normalized=metric.tokenizer == "tercom-norm"),
        _streams(part, part_refs),
        lambda: metric.corpus(part, part_refs).value,
        f"measured on {len(part)} segments and scaled",
    )
    contestants = [
        *ours("refscore", (hyps, references), lambda d, threads: metric.corpus(*d, threads=threads).value),
        scaled(loop, len(hyps) / len(part)),
    ]
    return Task(name, f"corpus TER of text, {how}", "segments/s", contestants, len(hyps))


def ter_text(corpus: Corpus, seed: int) -> Task:
    """Time corpus TER of text with the first reference."""
    first = [refs[:1] for refs in corpus.references]
    return _corpus(corpus, "ter-text", "1 reference", first, _METRIC)


def ter_text_many(corpus: Corpus, seed: int) -> Task:
    """Time corpus TER of text with all references."""
    how = f"{corpus.reference_count} references"
    return _corpus(corpus, "ter-text-many", how, corpus.references, _METRIC)


def ter_normalized(corpus: Corpus, seed: int) -> Task:
    """Time corpus TER of normalized text with the first reference."""
    first = [refs[:1] for refs in corpus.references]
    return _corpus(corpus, "ter-normalized", "normalized, 1 reference", first, _NORMALIZED)


def ter_segments(corpus: Corpus, seed: int) -> Task:
    """Time TER of every segment of text."""
    hyps, refs = corpus.hypotheses, corpus.first_references()
    part, part_refs = hyps[:_PART], refs[:_PART]
    loop = sacrebleu(
        "sacrebleu TER sentence_score",
        peers.sacrebleu_ter_sentences,
        (part, [[ref] for ref in part_refs]),
        lambda: _METRIC.segments(part, part_refs),
        f"measured on {len(part)} segments and scaled",
    )
    contestants = [
        *ours("refscore", (hyps, refs), lambda d, threads: _METRIC.segments(*d, threads=threads)),
        scaled(loop, len(hyps) / len(part)),
    ]
    return Task("ter-segments", "TER of every segment of text, 1 reference", "segments/s", contestants, len(hyps))


def ter_pairwise(corpus: Corpus, seed: int) -> Task:
    """Time all pairs of 100 variants of one segment with 100 others."""
    middle = sorted(corpus.hypotheses, key=len)[len(corpus.hypotheses) // 2]
    hyps, refs = data.variants(middle, _PAIRWISE, seed), data.variants(middle, _PAIRWISE, seed + 1)
    part = hyps[:_PAIRWISE_ROWS]
    loop = sacrebleu(
        "sacrebleu TER sentence_score",
        peers.sacrebleu_ter_pairwise,
        (part, refs),
        lambda: _METRIC.pairwise(part, refs),
        f"measured on {len(part)} of the {_PAIRWISE} hypotheses and scaled",
    )
    contestants = [
        *ours("refscore", (hyps, refs), lambda d, threads: _METRIC.pairwise(*d, threads=threads)),
        scaled(loop, _PAIRWISE / _PAIRWISE_ROWS),
    ]
    return Task("ter-pairwise", f"pairwise TER, {_PAIRWISE}x{_PAIRWISE} texts", "pairs/s", contestants, _PAIRWISE**2)


def _long_task(size: int, how: str, peer: bool, corpus: Corpus, seed: int) -> Task:
    generator = random.Random(seed)
    words = [f"w{generator.randrange(size)}" for _ in range(size)]
    length = _BLOCK if how == "blocks" else 1
    blocks = [words[begin : begin + length] for begin in range(0, size, length)]
    generator.shuffle(blocks)
    source = [" ".join(chain.from_iterable(blocks))], [[" ".join(words)]]
    contestants = [Contestant("refscore", "1", ours("", source, lambda d, _: _METRIC.segments(*d))[0].sample)]
    if peer:
        run = peers.sacrebleu_ter_sentences
        contestants.append(sacrebleu("sacrebleu TER", run, source, lambda: _METRIC.segments(*source)))
    title = f"TER of one segment of {size:,} words, shuffled {how}"
    return Task(f"ter-{how}-{size}", title, "ms", contestants, rate=False, scale=1e3)


def _named(size: int, how: str, peer: bool) -> Any:
    task = partial(_long_task, size, how, peer)
    task.__name__ = f"ter_{how}_{size}"  # type: ignore[attr-defined]
    return task


TASKS = (
    ter_text, ter_text_many, ter_normalized, ter_segments, ter_pairwise,
    _named(100, "blocks", True), _named(1000, "blocks", False), _named(1000, "words", False),
)  # fmt: skip
