from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import click
import numpy as np

from refscore.cli.help import command
from refscore.cli.input_options import InputOptions, input_options
from refscore.cli.metric_options import settings_option
from refscore.cli.option_group import file_argument
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.systems import parse_systems
from refscore.errors import InputError, Location, SettingError
from refscore.evaluation import Evaluation
from refscore.metrics import Metric, decimals
from refscore.tables import Column, Result, Row, Table

Outcome = Literal["same", "different", "unknown"]


@command(epilog="Example: refscore verify main.refscore hyp.txt -r ref.txt")
@file_argument("record", metavar="FILE")
@file_argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@input_options
@settings_option
@click.option("--trust", is_flag=True, help="Match the regular expressions of the record.")
@run_options("table threads quiet")
def verify(
    record: str,
    hypotheses: tuple[str, ...],
    input_options: InputOptions,
    settings: tuple[str, ...],
    trust: bool,
    run: RunOptions,
) -> int:
    """Compute the record FILE again from its texts, and print what differs.

    HYP are the texts of its systems, in their order. The exit status is 0 if nothing differs, and otherwise 1.
    """
    if settings:
        raise SettingError(f"--set {settings[0]}: the record has the settings of its metrics, so leave it out")
    saved = Evaluation.load(record)
    systems = parse_systems(hypotheses)
    if len(systems) != len(saved.runs):
        problem = f"has {len(saved.runs)} systems ({', '.join(saved.runs)}), not {len(systems)}"
        raise InputError(Location(file=record), problem, "name the file of each, in this order")
    metrics = {label: metric for label, metric in saved.metrics.items() if isinstance(metric, Metric)}
    if trust:
        metrics = {label: metric.as_trusted() for label, metric in metrics.items()}
    if not metrics:
        raise InputError(Location(file=record), "has no metric of text", "only scores of texts can be computed again")
    with (
        input_options.open(systems, metrics=metrics.values()) as inputs,
        run.progress("scoring", "segments") as progress,
    ):
        again = inputs.evaluate(metrics, with_texts=True, threads=run.threads, progress=progress.show)
    checked = _Verification(record, _check_digests(saved, again) + _check_scores(saved, again))
    run.show(checked)
    return 0 if checked.is_same else 1


@dataclass(frozen=True)
class _Check:
    """What was compared, the value in the record and the one computed now."""

    subject: str
    saved: str
    now: str
    outcome: Outcome
    segments: int | None = None
    first: int | None = None

    @property
    def result(self) -> str:
        if self.segments is None or self.first is None:
            return self.outcome
        return f"different in {self.segments:,} segments, the first is {self.first:,}"


@dataclass(frozen=True)
class _Verification(Result):
    schema: ClassVar[str] = "verify"

    file: str
    checks: Sequence[_Check]

    @property
    def is_same(self) -> bool:
        return all(check.outcome != "different" for check in self.checks)

    def table(self, *, digits: int | None = None) -> Table:
        columns = [Column(""), Column("record", "right"), Column("now", "right"), Column("result")]
        marks: dict[str, Any] = {"same": "match", "different": "miss", "unknown": "dim"}
        rows = [Row((each.subject, each.saved, each.now, each.result), marks[each.outcome]) for each in self.checks]
        return Table("", columns, rows)

    def to_dict(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "same": self.is_same,
            "checks": [
                {
                    "subject": each.subject,
                    "record": each.saved,
                    "now": each.now,
                    "outcome": each.outcome,
                    "segments": each.segments,
                    "first": each.first,
                }
                for each in self.checks
            ],
        }


def _check_digests(saved: Evaluation, again: Evaluation) -> list[_Check]:
    subjects = [*(f"texts of {name}" for name in saved.runs), "references", "sources"]
    pairs = [*zip(subjects, saved.digests, again.digests, strict=True)]
    checks = [_Check("segments", str(saved.segments), str(again.segments), _outcome(saved.segments, again.segments))]
    for subject, before, now in pairs:
        if before is None and now is None:
            continue
        is_known = before is not None and now is not None
        outcome: Outcome = _outcome(before, now) if is_known else "unknown"
        checks.append(_Check(subject, str(before or "unknown"), str(now or "unknown"), outcome))
    return checks


def _check_scores(saved: Evaluation, again: Evaluation) -> list[_Check]:
    checks = []
    can_compare = saved.retain == "rows" and saved.segments == again.segments
    before, now = (each.scores_of_runs(range(len(saved.runs))) for each in (saved, again))
    for run, name in enumerate(saved.runs):
        for label, metric in saved.metrics.items():
            subject = f"{saved.titles[label]} of {name}"
            value = f"{before[run][label].value * metric.printed_scale:.{decimals(metric, None)}f}"
            if label not in again.metrics:
                checks.append(_Check(subject, value, "not computed", "unknown"))
                continue
            new = f"{now[run][label].value * metric.printed_scale:.{decimals(metric, None)}f}"
            is_same = np.array_equal(before[run][label].row, now[run][label].row)
            different = np.zeros(0, dtype=np.int64)
            if can_compare:
                rows = saved.rows_of_run(label, run), again.rows_of_run(label, run)
                different = np.flatnonzero((rows[0] != rows[1]).any(axis=1))
            if len(different):
                check = _Check(subject, value, new, "different", len(different), int(different[0]) + 1)
            else:
                check = _Check(subject, value, new, "same" if is_same else "different")
            checks.append(check)
    return checks


def _outcome(before: object, now: object) -> Outcome:
    return "same" if before == now else "different"
