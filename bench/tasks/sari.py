"""SARI of text and of tokens."""

from __future__ import annotations

import sys
from collections import Counter
from types import ModuleType
from typing import Any

import refscore
from bench import peers
from bench.contestants import ours, peer, scaled
from bench.data import Corpus
from bench.timing import Task

_FEW = 10
Triples = tuple[list[Any], list[Any], list[Any]]


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 1.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision or recall else 0.0


def _segment(source: list[str], hypothesis: list[str], references: list[list[str]]) -> float:
    """Score a segment by the formula of evaluate's module `sari`, with Counters."""
    total = 0.0
    for order in range(1, 5):
        src, hyp, *refs = (
            Counter(zip(*(text[i:] for i in range(order)), strict=False)) for text in (source, hypothesis, *references)
        )
        wanted = sum(refs, Counter())
        for counts in (src, hyp):
            for ngram in counts:
                counts[ngram] *= len(references)
        kept, all_kept, deleted = src & hyp, src & wanted, src - hyp
        good, rightly = kept & wanted, deleted - wanted
        precision = _ratio(sum(good[ngram] / kept[ngram] for ngram in good), len(kept))
        keep = _f1(precision, _ratio(sum(good.values()), sum(all_kept.values())))
        deletion = _ratio(sum(rightly[ngram] / deleted[ngram] for ngram in rightly), len(deleted))
        added, missing = set(hyp) - set(src), set(wanted) - set(src)
        common = len(added & missing)
        total += keep + deletion + _f1(_ratio(common, len(added)), _ratio(common, len(missing)))
    return total / 12


def _formula(triples: Triples) -> list[float]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenize: Any = Tokenizer13a()  # type: ignore[no-untyped-call]

    def words(text: str) -> list[str]:
        return str(tokenize(text.lower())).split(" ")

    hypotheses, references, sources = triples
    return [
        _segment(words(source), words(hypothesis), [words(text) for text in refs])
        for hypothesis, refs, source in zip(hypotheses, references, sources, strict=True)
    ]


def _triples(corpus: Corpus) -> Triples:
    """Return the hypotheses, all references but the last, and the last one as the source."""
    return corpus.hypotheses, [refs[:-1] for refs in corpus.references], [refs[-1] for refs in corpus.references]


def sari_segments(corpus: Corpus, seed: int) -> Task:
    """Time evaluate's SARI of every segment of text."""
    metric = refscore.SARI.preset("evaluate")
    source = _triples(corpus)
    part: Any = tuple(side[: len(source[0]) // _FEW or 1] for side in source)

    def run(d: Any, threads: int | None) -> Any:
        return metric.segments(d[0], d[1], sources=d[2], threads=threads)

    counters = peer("Counters, as in evaluate", peers.sacrebleu, _formula, part, lambda: run(part, 1))
    note = f"on {len(part[0])} segments, scaled"
    contestants = [*ours("refscore", source, run), scaled(counters, len(source[0]) / len(part[0]), note)]
    return Task("sari-segments", "SARI of every segment of text", "segments/s", contestants, len(source[0]))


def _same(value: Any) -> Any:
    return value  # integers have no cached hash


def _hook() -> Any:
    """Return tensor2tensor's module of SARI, which imports TensorFlow but does not need it; None if not installed."""
    missing = [name for name in ("tensorflow", "tensorflow.compat", "tensorflow.compat.v1") if name not in sys.modules]
    sys.modules.update({name: ModuleType(name) for name in missing})
    try:
        return peers.optional("tensor2tensor.utils.sari_hook")
    finally:
        for name in missing:
            del sys.modules[name]


def sari_tokens(corpus: Corpus, seed: int) -> Task:
    """Time tensor2tensor's SARI of token ids."""
    metric, hook = refscore.SARI.preset("tensor2tensor"), _hook()
    numbers: dict[str, int] = {}

    def ids(text: str) -> list[int]:
        return [numbers.setdefault(word, len(numbers) + 1) for word in text.split()]

    hypotheses, references, sources = _triples(corpus)
    source = (
        [ids(text) for text in hypotheses],
        [[ids(text) for text in refs] for refs in references],
        [ids(text) for text in sources],
    )
    part: Any = tuple(side[: len(source[0]) // _FEW or 1] for side in source)

    def run(d: Any, threads: int | None) -> Any:
        return metric.segments(d[0], d[1], sources=d[2], threads=threads)

    def each(d: Any) -> list[float]:
        return [hook.get_sari_score(s, h, refs)[0] for h, refs, s in zip(*d, strict=True)]

    theirs = peer("tensor2tensor get_sari_score", hook, each, part, lambda: run(part, 1), copy=_same)
    contestants = [*ours("refscore", source, run, copy=_same), scaled(theirs, len(source[0]) / len(part[0]))]
    return Task("sari-tokens", "SARI of every segment of token ids", "segments/s", contestants, len(source[0]))


TASKS = (sari_segments, sari_tokens)
