from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import click

from refscore.cli.help import command
from refscore.cli.option_group import file_argument
from refscore.cli.run_options import RunOptions, run_options
from refscore.tables import Column, Result, Table

if TYPE_CHECKING:
    from refscore.meta import SpanScore

ALL = "all"


@command(epilog="Example: refscore spans predicted.jsonl mqm.tsv")
@file_argument("predicted", metavar="PREDICTED")
@file_argument("gold", metavar="GOLD")
@click.option("--rater", metavar="NAME", help="The person, if GOLD has the spans of several people.")
@click.option(
    "--partial-credit",
    type=click.FloatRange(0, 1),
    default=0.5,
    metavar="NUMBER",
    help="The credit for a character with a different severity.",
)
@click.option(
    "--overlaps",
    type=click.Choice(["all", "once"]),
    default="all",
    help="Count a character in each of its spans, as WMT 2025 does, or once, as WMT 2023 does.",
)
@run_options("table digits")
def spans(predicted: str, gold: str, rater: str | None, partial_credit: float, overlaps: Any, run: RunOptions) -> None:
    """Print precision, recall and F1 of the characters in predicted error spans.

    GOLD has the spans of people, PREDICTED those of a program, for the same systems and segments. Both are MQM's TSV,
    the TSV of WMT's span task, JSON lines with esa_spans, or files of mt-metrics-eval that end in .rating. Texts
    that people did not rate are left out.
    """
    from refscore.meta import SpanF1, read_spans
    from refscore.meta.spans import matched_texts

    found, expected = read_spans(predicted), read_spans(gold, rater=rater)
    metric = SpanF1(partial_credit=partial_credit, overlaps=overlaps)
    rows = metric.stats(*matched_texts(found, expected))
    places: dict[str, list[int]] = {}
    for place, (system, *_) in enumerate(expected):
        places.setdefault(system, []).append(place)
    scores = {system: metric.score(rows[chosen].sum(axis=0)) for system, chosen in places.items()}
    run.show(_Spans({ALL: metric.score(rows.sum(axis=0)), **(scores if len(scores) > 1 else {})}, len(expected)))


@dataclass(frozen=True)
class _Spans(Result):
    schema: ClassVar[str] = "spans"

    scores: Mapping[str, SpanScore]
    texts: int

    def table(self, *, digits: int | None = None) -> Table:
        places = 2 if digits is None else digits
        columns = [Column("system"), *(Column(name, "right") for name in ("precision", "recall", "F1"))]
        rows = [
            [name, *(f"{100 * value:.{places}f}" for value in (score.precision, score.recall, score.value))]
            for name, score in self.scores.items()
        ]
        return Table("", columns, rows)

    def flat_table(self) -> Table:
        """Return one row per system with full precision, on the printed scale."""
        columns = map(Column, ("system", "precision", "recall", "f1"))
        rows = [
            [name, *(repr(100 * value) for value in (score.precision, score.recall, score.value))]
            for name, score in self.scores.items()
        ]
        return Table("", columns, rows)

    @property
    def all_signatures(self) -> list[str]:
        return [self.scores[ALL].signature]

    def to_dict(self) -> dict[str, Any]:
        return {"texts": self.texts, "systems": {name: score.to_dict() for name, score in self.scores.items()}}
