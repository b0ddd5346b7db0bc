"""NLTK's functions and those of `refscore.compat.nltk`, with the same calls, for corpora and single sentences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bench import peers
from bench.contestants import nltk, our_calls
from bench.data import Corpus
from bench.timing import Task
from refscore.compat import nltk as drop_in

_CALLS = 500

# The function, and the module of NLTK that contains it.
_CORPUS = {
    "corpus_bleu": peers.nltk,
    "corpus_chrf": peers.chrf,
    "corpus_gleu": peers.gleu,
    "corpus_nist": peers.nist,
    "corpus_ribes": peers.ribes,
}
_SENTENCE = {
    "sentence_bleu": peers.nltk,
    "sentence_chrf": peers.chrf,
    "sentence_gleu": peers.gleu,
    "sentence_nist": peers.nist,
    "sentence_ribes": peers.ribes,
    "meteor_score": peers.meteor,
}


def _pairs(corpus: Corpus, name: str, count: int | None) -> tuple[list[Any], list[Any]]:
    """Return token lists with one reference each. chrF expects the reference itself."""
    hypotheses = [text.split() for text in corpus.hypotheses[:count]]
    references = [refs[0].split() for refs in corpus.references[:count]]
    return hypotheses, references if name.endswith("chrf") else [[reference] for reference in references]


def _has_wordnet() -> bool:
    try:
        peers.meteor.meteor_score([["a"]], ["b"])
    except (LookupError, AttributeError):
        return False
    return True


def _corpus_task(name: str, corpus: Corpus, seed: int) -> Task:
    source = _pairs(corpus, name, None)
    mine = getattr(drop_in, name)
    contestants = [
        our_calls(source, lambda data: float(mine(data[1], data[0]))),
        nltk(
            f"NLTK {name}",
            lambda data: float(getattr(_CORPUS[name], name)(data[1], data[0])),
            source,
            lambda: float(mine(source[1], source[0])),
        ),
    ]
    return Task(
        f"nltk-{name.replace('_', '-')}",
        f"{name} as the drop-in, token lists",
        "segments/s",
        contestants,
        len(source[0]),
    )


def _call_task(name: str, corpus: Corpus, seed: int) -> Task:
    source = _pairs(corpus, name, _CALLS)
    options, title = {}, f"one call of {name} as the drop-in, token list"
    if name == "meteor_score":
        if _has_wordnet():
            title += ", with WordNet"
        else:
            options, title = {"wordnet": peers.NoSynonyms()}, f"{title}, without synonyms"

    def run(function: Callable[..., Any], data: Any) -> list[float]:
        return [float(function(refs, hyp, **options)) for hyp, refs in zip(*data, strict=True)]

    mine = partial(run, getattr(drop_in, name))
    contestants = [
        our_calls(source, mine),
        nltk(f"NLTK {name}", lambda data: run(getattr(_SENTENCE[name], name), data), source, lambda: mine(source)),
    ]
    return Task(f"nltk-{name.replace('_', '-')}", title, "µs/call", contestants, len(source[0]), rate=False, scale=1e6)


def _named(make: Callable[[str, Corpus, int], Task], name: str) -> Callable[[Corpus, int], Task]:
    task = partial(make, name)
    task.__name__ = f"nltk_{name}"  # type: ignore[attr-defined]
    return task


TASKS = (*(_named(_corpus_task, name) for name in _CORPUS), *(_named(_call_task, name) for name in _SENTENCE))
