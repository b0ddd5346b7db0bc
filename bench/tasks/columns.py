"""Arrow columns, as in Parquet files and data frames, compared with lists of strings."""

from __future__ import annotations

from functools import partial
from typing import Any

import refscore
from bench import data, peers
from bench.contestants import ours
from bench.data import Corpus
from bench.timing import Contestant, Task, timed

_ARROW: Any = peers.optional("pyarrow")


def _same(columns: Any) -> Any:
    return columns


def _columns(corpus: Corpus, name: str, title: str, metric: refscore.metrics.Metric[Any]) -> Task:
    pairs = (corpus.hypotheses, corpus.first_references())

    def run(sides: Any, threads: int | None) -> float:
        return float(metric.corpus(*sides, threads=threads))

    def listed(columns: Any, threads: int | None) -> float:
        return run([column.to_pylist() for column in columns], threads)

    if _ARROW is None:
        contestants = [Contestant("refscore, Arrow columns", "1", None)]
    else:
        columns = [_ARROW.array(side) for side in pairs]
        contestants = [
            *ours("refscore, Arrow columns", columns, run, _same),
            *(
                Contestant(
                    "refscore, to_pylist() and lists",
                    label,
                    partial(timed, partial(_same, columns), partial(_called, listed, threads)),
                    expected=lambda: run(pairs, 1),
                )
                for label, threads in (("1", 1), ("all", None))
            ),
        ]
    contestants += [
        Contestant(
            "refscore, lists that are there",
            label,
            partial(timed, partial(data.fresh, pairs), partial(_called, run, threads)),
            expected=lambda: run(pairs, 1),
        )
        for label, threads in (("1", 1), ("all", None))
    ]
    return Task(name, title, "segments/s", contestants, len(corpus.hypotheses))


def _called(run: Any, threads: int | None, argument: Any) -> Any:
    return run(argument, threads)


def columns_bleu(corpus: Corpus, seed: int) -> Task:
    """Time corpus BLEU of text, from Arrow columns and from lists."""
    return _columns(corpus, "columns-bleu", "corpus BLEU of columns, 13a, 1 reference", refscore.BLEU())


def columns_wer(corpus: Corpus, seed: int) -> Task:
    """Time corpus WER of text, from Arrow columns and from lists."""
    return _columns(corpus, "columns-wer", "corpus WER of columns, 1 reference", refscore.WER())


TASKS = (columns_bleu, columns_wer)
