"""The drop-ins for jiwer and rouge-score and the original libraries, with the same calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bench import data, error_rate_peers as word_errors
from bench.contestants import peer
from bench.data import Corpus
from bench.peers import optional
from bench.timing import Contestant, Task, timed
from refscore.compat import jiwer
from refscore.compat.rouge_score import rouge_scorer, scoring

_CALLS = 500
_SUMMARIES = 200
_STEMMED = ["rouge1", "rouge2", "rougeL"]
_original_jiwer: Any = word_errors.jiwer
_original_scorer: Any = optional("rouge_score.rouge_scorer")
_original_scoring: Any = optional("rouge_score.scoring")

Call = Callable[[Any, Any], Any]


def against(name: str, title: str, libraries: tuple[Any, Any], call: Call, source: Any, calls: int = 0) -> Task:
    """Compare both libraries by one function of library and data. `calls` is the number of single calls, if any."""
    drop_in, original = libraries
    run = partial(call, drop_in)
    contestants = [
        Contestant("refscore.compat", "1" if calls else "all", partial(timed, partial(data.fresh, source), run)),
        peer("the original", original, partial(call, original), source, expected=lambda: run(data.fresh(source))),
    ]
    if calls:
        return Task(name, title, "µs/call", contestants, calls, rate=False, scale=1e6)
    return Task(name, title, "segments/s", contestants, len(source[0]))


def _pairs(corpus: Corpus, count: int | None = None) -> tuple[list[str], list[str]]:
    return corpus.first_references()[:count], corpus.hypotheses[:count]


def jiwer_wer(corpus: Corpus, seed: int) -> Task:
    """Time one call for a corpus."""
    libraries = (jiwer, _original_jiwer)
    return against("jiwer-wer", "jiwer.wer of a corpus", libraries, lambda lib, d: lib.wer(*d), _pairs(corpus))


def jiwer_cer(corpus: Corpus, seed: int) -> Task:
    """Time one call for the characters of a corpus."""
    libraries = (jiwer, _original_jiwer)
    return against("jiwer-cer", "jiwer.cer of a corpus", libraries, lambda lib, d: lib.cer(*d), _pairs(corpus))


def jiwer_process(corpus: Corpus, seed: int) -> Task:
    """Time `process_words` when only its measures are read."""
    title = "jiwer.process_words of a corpus, measures read"
    return against(
        "jiwer-process", title, (jiwer, _original_jiwer), lambda lib, d: lib.process_words(*d).mer, _pairs(corpus)
    )


def jiwer_alignments(corpus: Corpus, seed: int) -> Task:
    """Time `process_words` with its alignments, which are Python objects in both libraries."""

    def call(library: Any, pairs: Any) -> int:
        return sum(map(len, library.process_words(*pairs).alignments))

    title = "jiwer.process_words of a corpus, alignments read"
    return against("jiwer-alignments", title, (jiwer, _original_jiwer), call, _pairs(corpus))


def jiwer_call(corpus: Corpus, seed: int) -> Task:
    """Time one call of `wer`."""

    def call(library: Any, pairs: Any) -> list[float]:
        return [library.wer(reference, hypothesis) for reference, hypothesis in zip(*pairs, strict=True)]

    source = _pairs(corpus, _CALLS)
    title = "one call of jiwer.wer"
    return against("jiwer-call", title, (jiwer, _original_jiwer), call, source, len(source[0]))


def jiwer_cer_call(corpus: Corpus, seed: int) -> Task:
    """Time one call of `cer`."""

    def call(library: Any, pairs: Any) -> list[float]:
        return [library.cer(reference, hypothesis) for reference, hypothesis in zip(*pairs, strict=True)]

    source = _pairs(corpus, _CALLS)
    title = "one call of jiwer.cer"
    return against("jiwer-cer-call", title, (jiwer, _original_jiwer), call, source, len(source[0]))


def jiwer_transforms(corpus: Corpus, seed: int) -> Task:
    """Time `wer` with a chain of transforms that is common in speech recognition."""

    def call(library: Any, pairs: Any) -> float:
        chain = library.Compose(
            [
                library.ToLowerCase(),
                library.ExpandCommonEnglishContractions(),
                library.RemovePunctuation(),
                library.RemoveMultipleSpaces(),
                library.Strip(),
                library.ReduceToListOfListOfWords(),
            ]
        )
        value: float = library.wer(*pairs, chain, chain)
        return value

    title = "jiwer.wer of a corpus, lowercased, without contractions and punctuation"
    return against("jiwer-transforms", title, (jiwer, _original_jiwer), call, _pairs(corpus))


def _rouge_calls(name: str, types: list[str], stem: bool, corpus: Corpus) -> Task:
    def call(library: Any, pairs: Any) -> list[list[float]]:
        score = library.RougeScorer(types, use_stemmer=stem).score
        return [[s.fmeasure for s in score(*pair).values()] for pair in zip(*pairs, strict=True)]

    source = _pairs(corpus, _SUMMARIES)
    title = f"one call of RougeScorer({', '.join(types)}).score, {'stemmed' if stem else 'not stemmed'}"
    return against(name, title, (rouge_scorer, _original_scorer), call, source, len(source[0]))


def rouge_score_call(corpus: Corpus, seed: int) -> Task:
    """Time one call for one kind of score. rouge-score has no call for a corpus."""
    return _rouge_calls("rouge-score-call", ["rougeL"], False, corpus)


def rouge_score_stem_call(corpus: Corpus, seed: int) -> Task:
    """Time one call for the usual three kinds, with stemming."""
    return _rouge_calls("rouge-score-stem-call", _STEMMED, True, corpus)


def rouge_score_bounds(corpus: Corpus, seed: int) -> Task:
    """Time `BootstrapAggregator`. Both libraries draw the same samples from NumPy's generator."""
    import numpy as np

    scorer = rouge_scorer.RougeScorer(["rougeL"])
    scores = [scorer.score(*pair) for pair in zip(*_pairs(corpus), strict=True)]

    def call(library: Any, given: Any) -> list[float]:
        np.random.seed(seed)
        aggregator = library.BootstrapAggregator()
        for score in scores:
            aggregator.add_scores(score)
        return [float(bound.fmeasure) for bound in aggregator.aggregate()["rougeL"]]

    title = f"bounds of {len(scores):,} scores by BootstrapAggregator"
    task = against("rouge-score-bounds", title, (scoring, _original_scoring), call, ([], []))
    return Task(task.name, task.title, "ms", task.contestants, rate=False, scale=1e3)


TASKS = (
    jiwer_wer, jiwer_cer, jiwer_process, jiwer_alignments, jiwer_transforms, jiwer_call, jiwer_cer_call,
    rouge_score_call, rouge_score_stem_call, rouge_score_bounds,
)  # fmt: skip
