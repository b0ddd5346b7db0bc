"""The result of a gate: its checks, and the segments that lost most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from refscore.tables import BadHighlight, Column, Mark, Result, Row, Table
from refscore.text_display import counted

Status: TypeAlias = Literal["passed", "failed", "undecided"]
Criterion: TypeAlias = Literal["worse", "margin", "floor", "decline", "empty", "loops", "warnings"]

NOTHING = "–"
# The group of all segments.
WHOLE = "all"
_QUESTIONS: dict[Criterion, str] = {
    "worse": "significantly worse",
    "margin": "worse than the margin",
    "floor": "beyond the floor",
    "decline": "worse than the oldest",
    "empty": "empty outputs",
    "loops": "loops",
    "warnings": "data warnings",
}
_MARKS: dict[Status, Mark] = {"passed": "match", "failed": "miss", "undecided": "partial"}
_LONGEST = 60


@dataclass(frozen=True)
class Check:
    """One criterion for one metric and group. Numbers are on the printed scale; those that do not apply are None.

    Attributes:
        criterion: The criterion: worse, margin, floor, decline, empty, loops or warnings.
        status: Whether the outputs passed, failed, or there are too few segments to decide.
        reason: The reason, as a sentence.
        metric: The label of the metric. Empty if the criterion is not about a metric.
        title: The name of the metric in tables.
        group: The group of segments.
        baseline: The score of the baseline, or of the oldest record.
        score: The new score.
        difference: The new score minus the baseline's.
        low: The lower end of the interval of the difference.
        high: The upper end of the interval of the difference.
        p: The p-value, corrected if asked for.
        limit: The margin, the floor, or the largest number of outputs that are empty or have a loop.
        detectable: The smallest difference that the gate finds with the probability `power`.
        digits: The decimals of the metric.

    Example:
        >>> from refscore.gate import Check
        >>> Check("empty", "failed", "3 of 10 outputs are empty").question
        'empty outputs'
    """

    criterion: Criterion
    status: Status
    reason: str
    metric: str = ""
    title: str = ""
    group: str = WHOLE
    baseline: float | None = None
    score: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    limit: float | None = None
    detectable: float | None = None
    digits: int = field(default=2, repr=False)

    @property
    def question(self) -> str:
        """What the criterion asks, for tables."""
        return _QUESTIONS[self.criterion]

    def __repr__(self) -> str:
        return f"<{self.question}{f' by {self.title}' if self.title else ''}: {self.status}>"

    def show(self, value: float | None, sign: str = "", digits: int | None = None) -> str:
        """Return a number as text."""
        return NOTHING if value is None else f"{value:{sign}.{self.digits if digits is None else digits}f}"

    def to_dict(self) -> dict[str, Any]:
        """Return the check as a dictionary, ready for JSON."""
        return {name: value for name, value in asdict(self).items() if name != "digits"}


@dataclass(frozen=True)
class LostSegment:
    """A segment that lost.

    Attributes:
        segment: The number of the segment, from 1.
        baseline: The score of the baseline's output.
        score: The score of the new output.
        before: The baseline's output, or None if the record has no texts.
        output: The new output, or None if there are no texts.
        reference: The first reference, or None if there are no texts.

    Example:
        >>> from refscore.gate import LostSegment
        >>> LostSegment(7, 62.5, 12.25, None, "a cat", "the cat")
        <segment 7: 62.50 to 12.25>
    """

    segment: int
    baseline: float
    score: float
    before: str | None
    output: str | None
    reference: str | None

    def __repr__(self) -> str:
        return f"<segment {self.segment}: {self.baseline:.2f} to {self.score:.2f}>"


@dataclass(frozen=True)
class Gate(Result):
    """The verdict on new outputs: a table of checks, and the segments that lost most if a check failed.

    Attributes:
        checks: The checks.
        system: The name of the new system.
        segments: The number of segments.
        lost: The segments that lost most by `lost_by`. Empty if no metric failed.
        lost_by: The name of the metric by which segments lost.
        undecided: Whether undecided checks "pass" or "fail".
        power: The probability with which the smallest detectable difference is found.
        scores: The printed score and its interval, by the label of the metric.
        signatures: The signatures of metrics and tests.

    Example:
        >>> import refscore
        >>> from refscore import gate
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> main = refscore.evaluate({"main": refs}, refs, "chrf")
        >>> new = refscore.evaluate({"new": ["a cat sat", "it rains", "we go", "no one"]}, refs, "chrf")
        >>> found = gate.check(new, main, allow_warnings=True)
        >>> found.passed, found.checks[0]
        (False, <significantly worse by chrF2: failed>)
        >>> found.lost[0]
        <segment 3: 100.00 to 6.05>
    """

    schema: ClassVar[str] = "gate"

    checks: Sequence[Check]
    system: str
    segments: int
    lost: Sequence[LostSegment] = ()
    lost_by: str = ""
    undecided: str = "pass"
    power: float = 0.8
    scores: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    signatures: Sequence[str] = ()

    @property
    def failures(self) -> list[Check]:
        """The checks that failed, and with `undecided="fail"` those that are undecided."""
        bad = ("failed", "undecided") if self.undecided == "fail" else ("failed",)
        return [check for check in self.checks if check.status in bad]

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not self.failures

    @property
    def all_signatures(self) -> Sequence[str]:
        """The signatures of metrics and tests."""
        return self.signatures

    @property
    def verdict(self) -> str:
        """The verdict in a sentence."""
        if not self.passed:
            return f"Failed: {counted(len(self.failures), 'check')} of {len(self.checks)}."
        undecided = sum(check.status == "undecided" for check in self.checks)
        return f"Passed{f', but {undecided} of {len(self.checks)} checks are undecided' if undecided else ''}."

    def tables(self, *, digits: int | None = None) -> list[Table]:
        """Return the table of checks, and the table of segments that lost most."""
        return [self._checks(digits), *([self._lost()] if self.lost else [])]

    def flat_table(self) -> Table:
        """Return the checks for programs."""
        names = list(self.checks[0].to_dict()) if self.checks else ["criterion"]
        rows = [["" if value is None else str(value) for value in each.to_dict().values()] for each in self.checks]
        return Table("", [Column(name) for name in names], rows)

    def _checks(self, digits: int | None) -> Table:
        cells: dict[str, Callable[[Check], str]] = {
            "criterion": lambda each: each.question,
            "group": lambda each: NOTHING if each.group == WHOLE else each.group,
            "metric": lambda each: each.title or NOTHING,
            "baseline": lambda each: each.show(each.baseline, digits=digits),
            "new": lambda each: each.show(each.score, digits=digits),
            "Δ": lambda each: each.show(each.difference, "+", digits),
            "Δ within": lambda each: (
                NOTHING
                if each.low is None
                else f"[{each.show(each.low, '+', digits)}, {each.show(each.high, '+', digits)}]"
            ),
            "p": lambda each: each.show(each.p, digits=4),
            f"detectable ({100 * self.power:g} %)": lambda each: each.show(each.detectable, digits=digits),
            "limit": lambda each: each.show(each.limit, digits=digits),
            "result": lambda each: BadHighlight(each.status) if each in self.failures else each.status,
        }
        texts = {title: [text(each) for each in self.checks] for title, text in cells.items()}
        shown = {title: column for title, column in texts.items() if {*column} != {NOTHING}}
        left = ("criterion", "group", "metric", "result")
        columns = [Column(title, "left" if title in left else "right") for title in shown]
        marks = [_MARKS[each.status] for each in self.checks]
        rows = [Row(cells, mark) for cells, mark in zip(zip(*shown.values(), strict=True), marks, strict=True)]
        return Table(self.verdict, columns, rows, " ".join(self._reasons()) or None)

    def _reasons(self) -> list[str]:
        return [each.reason for each in self.checks if each.status != "passed" and not each.metric]

    def _lost(self) -> Table:
        has_before = any(each.before is not None for each in self.lost)
        has_texts = any(each.output is not None for each in self.lost)
        columns = [Column("segment", "right"), Column("baseline", "right"), Column("new", "right")]
        columns += [Column("reference")] * has_texts + [Column("baseline's output")] * has_before
        columns += [Column("new output")] * has_texts
        rows = []
        for each in self.lost:
            texts = [each.reference] * has_texts + [each.before] * has_before + [each.output] * has_texts
            numbers = [str(each.segment), f"{each.baseline:.2f}", f"{each.score:.2f}"]
            rows.append([*numbers, *(_cut(text) for text in texts)])
        return Table(f"Segments that lost most by {self.lost_by}", columns, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as a dictionary, ready for JSON."""
        return {
            "passed": self.passed,
            "system": self.system,
            "segments": self.segments,
            "power": self.power,
            "scores": {label: dict(each) for label, each in self.scores.items()},
            "checks": [check.to_dict() for check in self.checks],
            "lost_by": self.lost_by,
            "lost": [asdict(segment) for segment in self.lost],
            "signatures": [*self.signatures],
        }

    def __str__(self) -> str:
        return self.render("text")

    def __repr__(self) -> str:
        return f"<gate of {self.system}: {'passed' if self.passed else 'failed'}, {counted(len(self.checks), 'check')}>"


def _cut(text: str | None) -> str:
    if text is None:
        return NOTHING
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
