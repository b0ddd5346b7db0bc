"""NLTK's `nltk.translate.gleu_score`: GLEU for token sequences, for one sentence or a corpus."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from refscore.compat.metric_cache import cached_metric
from refscore.compat.nltk import inputs
from refscore.errors import SettingError
from refscore.metrics import GLEU

__all__ = ["corpus_gleu", "sentence_gleu"]


def sentence_gleu(references: Any, hypothesis: Any, min_len: int = 1, max_len: int = 4) -> float:
    """Return the sentence GLEU with its best reference, from 0 to 1. It is 0 without n-grams.

    Example:
        >>> round(sentence_gleu(["the cat is on the mat".split()], "the the the the the the the".split()), 4)
        0.0909
    """
    references, hypothesis = inputs.segment(references, hypothesis)
    if len(references) == 0:
        return 0.0
    return _metric(min_len, max_len, (hypothesis, *references)).value_and_row(hypothesis, references)[0]


def corpus_gleu(list_of_references: Any, hypotheses: Any, min_len: int = 1, max_len: int = 4) -> float:
    """Return the corpus GLEU, from 0 to 1: all matches over all n-grams. It is 0 for an empty corpus.

    Example:
        >>> references = [["the cat sat on the mat".split()], ["a b c".split(), "x".split()]]
        >>> round(corpus_gleu(references, ["the cat sat on a mat".split(), "a b".split()]), 4)
        0.5833
    """
    if inputs.is_one_segment(list_of_references, hypotheses):
        return sentence_gleu(list_of_references[0], hypotheses[0], min_len, max_len)
    entries, hypotheses = inputs.corpus(list_of_references, hypotheses)
    if not all(map(len, entries)):
        with_references = [i for i, entry in enumerate(entries) if len(entry)]
        entries, hypotheses = [entries[i] for i in with_references], [hypotheses[i] for i in with_references]
    if not hypotheses:
        return 0.0
    metric = _metric(min_len, max_len, chain(hypotheses, chain.from_iterable(entries)))
    return metric.corpus(hypotheses, entries).value


def _metric(min_len: Any, max_len: Any, sequences: Iterable[Any]) -> GLEU:
    longest = max(min_len, *map(len, sequences)) if max_len == -1 else max_len
    inputs.check_order("min_len", min_len)
    inputs.check_order("max_len", longest)
    if longest < min_len:
        raise SettingError(f"min_len ({min_len}) must not be larger than max_len ({longest})")
    return cached_metric(GLEU, preset="nltk", min_order=min_len, max_order=longest)
