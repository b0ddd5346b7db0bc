"""The tasks, one function each: the same data for refscore and its peers, in the shape that each expects."""

from __future__ import annotations

from collections.abc import Callable

from bench.data import Corpus
from bench.tasks import (
    answers,
    bleu,
    captions,
    character,
    chrf,
    columns,
    corrections,
    drop_in_calls,
    drop_in_evaluate,
    drop_in_jiwer_rouge,
    drop_in_nltk,
    drop_in_sacrebleu,
    drop_in_torchmetrics,
    eed,
    error_rate,
    grams,
    latency,
    mbr,
    meetings,
    meteor,
    normalizers,
    prepared,
    repetition,
    resegmentation,
    rewards,
    ribes,
    rouge,
    sari,
    significance,
    subtitles,
    ter,
    tokenizers,
)
from bench.timing import Task

_GROUPS = (
    answers,
    bleu,
    captions,
    character,
    chrf,
    columns,
    corrections,
    drop_in_calls,
    drop_in_evaluate,
    drop_in_jiwer_rouge,
    drop_in_nltk,
    drop_in_sacrebleu,
    drop_in_torchmetrics,
    eed,
    error_rate,
    grams,
    latency,
    mbr,
    meetings,
    meteor,
    normalizers,
    prepared,
    repetition,
    resegmentation,
    rewards,
    ribes,
    rouge,
    sari,
    significance,
    subtitles,
    ter,
    tokenizers,
)
TASKS: dict[str, Callable[[Corpus, int], Task]] = {
    task.__name__.replace("_", "-"): task for group in _GROUPS for task in group.TASKS
}
