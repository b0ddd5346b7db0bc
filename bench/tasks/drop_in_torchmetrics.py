"""refscore's classes and functions for torchmetrics, and the originals. Values differ because of its float32."""

from __future__ import annotations

from functools import partial
from typing import Any

from bench import data, peers
from bench.contestants import scaled
from bench.data import Corpus
from bench.timing import Contestant, Task, timed

theirs: Any = peers.optional("torchmetrics.functional.text")
_classes: Any = peers.optional("torchmetrics.text")
drop_in: Any = None if theirs is None else peers.optional("refscore.compat.torchmetrics")

_CALLS = 100
_FEW = {
    "chrf_score": 10,
    "translation_edit_rate": 50,
    "char_error_rate": 50,
    "edit_distance": 10,
    "extended_edit_distance": 10,
}
_OPTIONS: dict[str, dict[str, Any]] = {"rouge_score": {"rouge_keys": ("rouge1", "rouge2", "rougeL")}}
_ONE_REFERENCE = ("word_error_rate", "char_error_rate", "edit_distance")
_PART = "on a part of the segments, scaled"


def _source(corpus: Corpus, name: str, count: int) -> tuple[list[str], list[Any]]:
    references = corpus.first_references()[:count]
    return corpus.hypotheses[:count], references if name in _ONE_REFERENCE else [[text] for text in references]


def _whole(library: Any, name: str, pairs: Any) -> Any:
    result = getattr(library, name)(*pairs, **_OPTIONS.get(name, {}))
    return float(result if name != "rouge_score" else result["rougeL_fmeasure"])


def _calls(library: Any, name: str, pairs: Any) -> list[float]:
    return [_whole(library, name, ([text], [reference])) for text, reference in zip(*pairs, strict=True)]


def _forward(library: Any, name: str, pairs: Any) -> float:
    metric = getattr(library, name)()
    for text, reference in zip(*pairs, strict=True):
        metric([text], [reference])
    return float(metric.compute())


def _contestants(run: Any, ours: Any, original: Any, name: str, corpus: Corpus, count: int) -> list[Contestant]:
    few = min(count, _FEW.get(name, 200))

    def contestant(who: str, library: Any, size: int) -> Contestant:
        source = _source(corpus, name, size)
        sample = None if drop_in is None else partial(timed, partial(data.fresh, source), partial(run, library, name))
        made = Contestant(who, "1", sample, note="" if size == count else _PART)
        return scaled(made, count / size)

    return [contestant("refscore", ours, count), contestant("torchmetrics", original, few)]


def _corpus_task(task: str, name: str, title: str) -> Any:
    def make(corpus: Corpus, seed: int) -> Task:
        count = len(corpus.hypotheses)
        ours = None if drop_in is None else drop_in.functional
        contestants = _contestants(_whole, ours, theirs, name, corpus, count)
        return Task(f"torchmetrics-{task}", f"torchmetrics' {title} of a corpus", "segments/s", contestants, count)

    make.__name__ = f"torchmetrics_{task}"
    return make


def _call_task(task: str, name: str, title: str) -> Any:
    def make(corpus: Corpus, seed: int) -> Task:
        count = min(_CALLS, len(corpus.hypotheses))
        ours = None if drop_in is None else drop_in.functional
        contestants = _contestants(_calls, ours, theirs, name, corpus, count)
        full = f"torchmetrics' {title}, one call for each segment"
        return Task(f"torchmetrics-{task}-call", full, "µs/call", contestants, count, rate=False, scale=1e6)

    make.__name__ = f"torchmetrics_{task}_call"
    return make


def torchmetrics_forward(corpus: Corpus, seed: int) -> Task:
    """Time a class that is called for one segment after another and adds them up."""
    count = min(_CALLS, len(corpus.hypotheses))
    contestants = _contestants(_forward, drop_in, _classes, "BLEUScore", corpus, count)
    title = "torchmetrics' BLEUScore, forward of one segment"
    return Task("torchmetrics-forward", title, "µs/call", contestants, count, rate=False, scale=1e6)


_FUNCTIONS = (
    ("bleu", "bleu_score", "BLEU"),
    ("sacrebleu", "sacre_bleu_score", "BLEU with 13a"),
    ("chrf", "chrf_score", "chrF++"),
    ("ter", "translation_edit_rate", "TER"),
    ("rouge", "rouge_score", "ROUGE-1, 2 and L"),
    ("wer", "word_error_rate", "WER"),
    ("cer", "char_error_rate", "CER"),
    ("eed", "extended_edit_distance", "EED"),
    ("edit", "edit_distance", "edit distance"),
)
TASKS = (
    *(_corpus_task(*function) for function in _FUNCTIONS),
    *(_call_task(*function) for function in _FUNCTIONS),
    torchmetrics_forward,
)
