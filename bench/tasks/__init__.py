"""The tasks, one function each: the same data for refscore and its peers, each in the shape it takes."""

from __future__ import annotations

from collections.abc import Callable

from bench.data import Corpus
from bench.tasks import bleu, chrf, ribes
from bench.timing import Task

TASKS: dict[str, Callable[[Corpus, int], Task]] = {
    task.__name__.replace("_", "-"): task for task in (*bleu.TASKS, *chrf.TASKS, *ribes.TASKS)
}
