"""EED per segment with the rules for English and Japanese, of one call, and of one long segment."""

from __future__ import annotations

from functools import partial
from typing import Any

import refscore
from bench import peers
from bench.contestants import our_calls, ours, peer, scaled
from bench.data import Corpus
from bench.timing import Contestant, Task

_theirs: Any = peers.optional("torchmetrics.functional.text.eed")

# torchmetrics takes about 10 ms for a segment, so it gets a part of the work.
_PART = 20
_CALLS = 20
_LONG = 5_000
_NAME = "torchmetrics EED"
_METRICS = {"en": refscore.EED.preset("torchmetrics"), "ja": refscore.EED.preset("torchmetrics-ja")}

Pairs = tuple[list[str], list[str]]


def _scores(language: str, data: Pairs) -> list[float]:
    """Score each segment in double precision: torchmetrics' function without its tensors, which are not slower."""
    clean = _theirs._preprocess_en if language == "en" else _theirs._preprocess_ja
    return [_theirs._eed_function(clean(text), clean(reference)) for text, reference in zip(*data, strict=True)]


def _pairs(corpus: Corpus, count: int | None = None) -> Pairs:
    return corpus.hypotheses[:count], corpus.first_references()[:count]


def _text(language: str, task: str, corpus: Corpus) -> Task:
    metric, pairs, part = _METRICS[language], _pairs(corpus), _pairs(corpus, _PART)
    run = partial(_scores, language)
    loop = peer(_NAME, _theirs, run, part, lambda: metric.segments(*part), "on a part of the segments, scaled")
    contestants = [
        *ours("refscore", pairs, lambda d, threads: metric.segments(*d, threads=threads)),
        scaled(loop, len(pairs[0]) / len(part[0])),
    ]
    title = f"EED of every segment of text, rules for {language}, 1 reference"
    return Task(task, title, "segments/s", contestants, len(pairs[0]))


def eed_text(corpus: Corpus, seed: int) -> Task:
    """Time EED of every segment of text with the rules for English."""
    return _text("en", "eed-text", corpus)


def eed_text_ja(corpus: Corpus, seed: int) -> Task:
    """Time EED of every segment of text with the rules for Japanese."""
    return _text("ja", "eed-text-ja", corpus)


def eed_call(corpus: Corpus, seed: int) -> Task:
    """Time one call of ``segment`` on text."""
    metric, pairs = _METRICS["en"], _pairs(corpus, _CALLS)
    contestants = [
        our_calls(pairs, lambda d: [metric.segment(*pair).value for pair in zip(*d, strict=True)]),
        peer(_NAME, _theirs, partial(_scores, "en"), pairs, lambda: metric.segments(*pairs)),
    ]
    title = "one segment call of EED, text"
    return Task("eed-call", title, "µs/call", contestants, len(pairs[0]), rate=False, scale=1e6)


def eed_long(corpus: Corpus, seed: int) -> Task:
    """Time one segment of thousands of characters, without the peer, which takes ten seconds for it."""
    hypothesis, reference = (" ".join(texts)[:_LONG] for texts in _pairs(corpus))
    source = [hypothesis], [reference]
    sample = ours("", source, lambda d, _: _METRICS["en"].segments(*d))[0].sample
    title = f"EED of one segment of {_LONG:,} characters"
    return Task("eed-long", title, "ms", [Contestant("refscore", "1", sample)], rate=False, scale=1e3)


TASKS = (eed_text, eed_text_ja, eed_call, eed_long)
