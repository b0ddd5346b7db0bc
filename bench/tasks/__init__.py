"""The tasks, one function each: the same data for refscore and its peers, each in the shape it takes."""

from __future__ import annotations

from collections.abc import Callable

from bench.data import Corpus
from bench.tasks import (
    bleu,
    chrf,
    drop_in_sacrebleu,
    drop_ins,
    error_rate,
    evaluate_drop_in,
    grams,
    meteor,
    nltk_drop_in,
    ribes,
    rouge,
    significance,
    ter,
    torchmetrics_drop_in,
)
from bench.timing import Task

_GROUPS = (
    bleu,
    chrf,
    drop_in_sacrebleu,
    drop_ins,
    error_rate,
    evaluate_drop_in,
    grams,
    meteor,
    nltk_drop_in,
    ribes,
    rouge,
    significance,
    ter,
    torchmetrics_drop_in,
)
TASKS: dict[str, Callable[[Corpus, int], Task]] = {
    task.__name__.replace("_", "-"): task for group in _GROUPS for task in group.TASKS
}
