"""The drop-in for sacrebleu and sacrebleu itself, with the same calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bench import data, peers
from bench.contestants import peer, scaled
from bench.data import Corpus
from bench.timing import Contestant, Task, timed
from refscore.compat import sacrebleu

_CALLS = 500
_SYSTEMS = 8

# sacrebleu's TER scores only hundreds of segments per second, so it gets a part of the work.
_TER_PART = 100

Call = Callable[[Any, Any], Any]


def _against(name: str, title: str, call: Call, source: Any, part: Any = None, calls: int = 0) -> Task:
    """Compare both libraries by one function of library and data. `calls` is the number of single calls, if any."""
    run, count = partial(call, sacrebleu), calls or len(source[0])
    given = source if part is None else part
    note = "" if part is None else f"measured on {len(part[0])} segments and scaled"
    original = peer(
        "sacrebleu",
        peers.sacrebleu,
        partial(call, peers.sacrebleu),
        given,
        expected=lambda: run(data.fresh(given)),
        note=note,
    )
    contestants = [
        Contestant("refscore.compat", "1" if calls else "all", partial(timed, partial(data.fresh, source), run)),
        original if part is None else scaled(original, len(source[0]) / len(part[0])),
    ]
    if calls:
        return Task(name, title, "µs/call", contestants, calls, rate=False, scale=1e6)
    return Task(name, title, "segments/s", contestants, count)


def _streams(corpus: Corpus, count: int | None = None) -> tuple[list[str], list[list[str]]]:
    return corpus.hypotheses[:count], [corpus.first_references()[:count]]


def _pairs(corpus: Corpus, count: int) -> tuple[list[str], list[list[str]]]:
    return corpus.hypotheses[:count], [[reference] for reference in corpus.first_references()[:count]]


def _corpus(function: str, library: Any, given: Any) -> float:
    return float(getattr(library, function)(*given).score) / 100


def _sentences(function: str, library: Any, given: Any) -> list[float]:
    call = getattr(library, function)
    return [call(*pair).score / 100 for pair in zip(*given, strict=True)]


def _reused(library: Any, given: Any) -> list[float]:
    call = library.BLEU(effective_order=True).sentence_score
    return [call(*pair).score / 100 for pair in zip(*given, strict=True)]


def _of_corpus(function: str, part: int | None, corpus: Corpus, seed: int) -> Task:
    few = None if part is None else _streams(corpus, part)
    name = f"sacrebleu-{function.replace('_', '-')}"
    return _against(name, f"sacrebleu.{function}", partial(_corpus, function), _streams(corpus), few)


def _of_sentences(function: str, part: int | None, corpus: Corpus, seed: int) -> Task:
    source = _pairs(corpus, _CALLS)
    few = None if part is None else _pairs(corpus, part)
    name = f"sacrebleu-{function.replace('_', '-')}"
    title = f"sacrebleu.{function}, one call a segment"
    return _against(name, title, partial(_sentences, function), source, few, calls=len(source[0]))


def sacrebleu_sentence_reused(corpus: Corpus, seed: int) -> Task:
    """Time calls of one metric object."""
    source = _pairs(corpus, _CALLS)
    title = "BLEU.sentence_score of one sacrebleu metric"
    return _against("sacrebleu-sentence-reused", title, _reused, source, calls=len(source[0]))


def sacrebleu_systems(corpus: Corpus, seed: int) -> Task:
    """Time several systems with cached references."""

    def call(library: Any, given: Any) -> list[float]:
        metric = library.BLEU(references=given[1])
        return [metric.corpus_score(given[0], None).score / 100 for _ in range(_SYSTEMS)]

    title = f"sacrebleu BLEU of {_SYSTEMS} systems, references cached"
    task = _against("sacrebleu-systems", title, call, _streams(corpus))
    return Task(task.name, task.title, task.unit, task.contestants, _SYSTEMS * task.count)


def _named(make: Any, function: str, part: int | None = None) -> Any:
    task = partial(make, function, part)
    task.__name__ = f"sacrebleu_{function}"  # type: ignore[attr-defined]
    return task


TASKS = (
    *(_named(_of_corpus, f"corpus_{name}") for name in ("bleu", "chrf")),
    _named(_of_corpus, "corpus_ter", _TER_PART),
    *(_named(_of_sentences, f"sentence_{name}") for name in ("bleu", "chrf")),
    _named(_of_sentences, "sentence_ter", _TER_PART),
    sacrebleu_sentence_reused,
    sacrebleu_systems,
)
