"""The table of scores: one row per system, and one column per metric."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from refscore.metrics import RowMetric, decimals
from refscore.tables import BestHighlight, Column, Result, Table, render

if TYPE_CHECKING:
    from refscore.evaluation.evaluation import Evaluation
    from refscore.progress import Progress
    from refscore.significance import Interval, Tests

# The group of all segments in tables.
WHOLE = "all"
# Groups of several systems in more rows are one row per group, and the systems are columns.
MOST_ROWS = 40


@dataclass(frozen=True)
class Summary(Result):
    """The scores of an evaluation, with intervals and groups if they were asked for, as `refscore score` prints them.

    Attributes:
        evaluation: The evaluation.
        intervals: The interval of each score by system and label. Empty without intervals.
        groups: The summary of each group of segments, by label. Empty without groups.
        with_segment_signatures: Whether to name the settings for single segments that differ.

    Example:
        >>> import refscore
        >>> summary = refscore.evaluate({"old": ["a cat"], "new": ["the cat"]}, ["the cat"], "wer").summary()
        >>> summary.to_dict()["systems"][0]["scores"]["wer"]["percent"]
        50.0
    """

    schema: ClassVar[str] = "score"

    evaluation: Evaluation
    intervals: Mapping[str, Mapping[str, Interval]] = field(default_factory=dict)
    groups: Mapping[Hashable, Summary] = field(default_factory=dict)
    with_segment_signatures: bool = False

    @property
    def details_of_scores(self) -> list[str]:
        """The scores of a single system with their details, for text. Empty for several systems."""
        return [*map(str, self.evaluation.scores().values())] if len(self.evaluation.runs) == 1 else []

    @property
    def all_signatures(self) -> list[str]:
        """All signatures."""
        evaluation = self.evaluation
        lines = [*evaluation.signatures.values()]
        lines += [next(iter(by_label.values())).signature for by_label in [*self.intervals.values()][:1]]
        lines += evaluation.notes_in_words()
        if self.with_segment_signatures:
            single = evaluation.segment_metrics
            lines += [
                f"segments: {single[label].signature}"
                for label, metric in evaluation.metrics.items()
                if single[label] != metric
            ]
        return lines

    def tables(self, *, digits: int | None = None) -> list[Table]:
        """Return the table. The rows for all segments come first, then the rows for each group.

        With many groups of several systems, each metric has a table with the systems as columns, and the groups with
        the largest differences come first.
        """
        systems = len(self.evaluation.systems) if self.groups else 0
        if systems < 2 or self.intervals or systems * len(self.groups) <= MOST_ROWS:
            return [self._long_table(digits)]
        return [self._wide_table(label, digits) for label in self.evaluation.metrics]

    def flat_table(self) -> Table:
        """Return the table for programs: one row per group and system, with full precision, on the printed scale."""
        names = ["group", "segments"] if self.groups else []
        columns = [*names, "system"]
        for label in self.evaluation.metrics:
            columns += [label, *([f"{label}_low", f"{label}_high"] if self._has_intervals else [])]
        rows = []
        for group, section in self._sections():
            begin = [str(group), str(section.evaluation.segments)] if self.groups else []
            rows += [[*begin, *cells] for cells in section._flat_rows(with_intervals=self._has_intervals)]
        return Table("", map(Column, columns), rows)

    @property
    def _has_intervals(self) -> bool:
        return any(self.intervals.values())

    def _sections(self) -> list[tuple[Hashable, Summary]]:
        return [(WHOLE, self), *self.groups.items()]

    def _flat_rows(self, *, with_intervals: bool) -> list[list[str]]:
        rows = []
        for name in self.evaluation.systems:
            cells = [name]
            for label, metric in self.evaluation.metrics.items():
                interval = self.intervals.get(name, {}).get(label)
                values: list[float | None] = [self.evaluation[name][label].value]
                if with_intervals:
                    values += [None, None] if interval is None else [interval.low, interval.high]
                cells += ["" if value is None else repr(metric.printed_scale * value) for value in values]
            rows.append(cells)
        return rows

    def _wide_table(self, label: str, digits: int | None) -> Table:
        metric, names = self.evaluation.metrics[label], self.evaluation.systems

        def spread(section: Summary) -> float:
            values = [section.evaluation[name][label].value for name in names]
            return max(values) - min(values)

        columns = [Column("group"), Column("segments", "right"), *(Column(name, "right") for name in names)]
        rows = []
        groups = sorted(self.groups.items(), key=lambda item: -spread(item[1]))
        for group, section in [(WHOLE, self), *groups]:
            values = [section.evaluation[name][label].value for name in names]
            best = (max if metric.higher_is_better else min)(values)
            texts = (_printed(metric, value, digits) for value in values)
            marked = (BestHighlight(text) if value == best else text for text, value in zip(texts, values, strict=True))
            rows.append([str(group), str(section.evaluation.segments), *marked])
        title = self.evaluation.titles[label] + ("" if metric.higher_is_better else " ↓")
        return Table(title, columns, rows, "Groups with the largest differences come first.")

    def _long_table(self, digits: int | None) -> Table:
        evaluation = self.evaluation
        confidence = next((each.confidence for of in self.intervals.values() for each in of.values()), None)
        columns = [*([Column("group"), Column("segments", "right")] if self.groups else []), Column("system")]
        for label, metric in evaluation.metrics.items():
            columns.append(Column(evaluation.titles[label] + ("" if metric.higher_is_better else " ↓"), "right"))
            if confidence is not None:
                columns.append(Column(f"{100 * confidence:g} % interval", "right", is_joined=True))
        rows = []
        for group, section in self._sections():
            begin = [str(group), str(section.evaluation.segments)] if self.groups else []
            rows += [[*begin, *cells] for cells in section._rows(digits, with_intervals=confidence is not None)]
        return Table("", columns, rows, keys=3 if self.groups else 1)

    def _rows(self, digits: int | None, *, with_intervals: bool) -> list[list[str]]:
        metrics = self.evaluation.metrics
        values = {
            name: {label: score.value for label, score in self.evaluation[name].items()}
            for name in self.evaluation.systems
        }
        best = {
            label: (max if metric.higher_is_better else min)(of_system[label] for of_system in values.values())
            for label, metric in metrics.items()
        }
        rows = []
        for name, of_system in values.items():
            cells = [name]
            for label, metric in metrics.items():
                value = of_system[label]
                text = _printed(metric, value, digits)
                cells.append(BestHighlight(text) if len(values) > 1 and value == best[label] else text)
                if with_intervals:
                    interval = self.intervals.get(name, {}).get(label)
                    ends = () if interval is None else (interval.low, interval.high)
                    cells.append(f"[{', '.join(_printed(metric, end, digits) for end in ends)}]" if ends else "–")
            rows.append(cells)
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return all scores as a dictionary, ready for JSON."""
        evaluation = self.evaluation
        content: dict[str, Any] = {
            "segments": evaluation.segments,
            "metrics": {label: self._metric(label) for label in evaluation.metrics},
            "systems": self._systems(),
        }
        content |= evaluation.notes_as_json()
        if self.groups:
            content["groups"] = [
                {"group": label, "segments": group.evaluation.segments, "systems": group._systems()}
                for label, group in self.groups.items()
            ]
        return content

    def _metric(self, label: str) -> dict[str, Any]:
        metric = self.evaluation.metrics[label]
        return {
            "name": metric.name,
            "title": metric.title,
            "higher_is_better": metric.higher_is_better,
            "signature": self.evaluation.signatures[label],
            **(
                {"segment_signature": self.evaluation.segment_metrics[label].signature}
                if self.with_segment_signatures
                else {}
            ),
        }

    def _systems(self) -> list[dict[str, Any]]:
        evaluation = self.evaluation
        files = dict(evaluation.files)
        return [
            {
                "name": name,
                **({"file": files[name]} if name in files else {}),
                "scores": {
                    label: {
                        **score.to_dict(),
                        **({"interval": self.intervals[name][label].to_dict()} if self.intervals else {}),
                    }
                    for label, score in evaluation[name].items()
                },
            }
            for name in evaluation.systems
        ]

    def __str__(self) -> str:
        return render(self, "text", hints=self.details_of_scores)

    def __repr__(self) -> str:
        return f"<scores of {', '.join(self.evaluation.systems)} by {', '.join(self.evaluation.metrics)}>"


def summarize(
    evaluation: Evaluation,
    tests: Tests | None = None,
    *,
    intervals: bool = False,
    by: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Summary:
    """Return the scores of an evaluation, with intervals and groups on request."""
    if settings:
        from refscore.evaluation.intervals import interval_settings  # slow to import

        tests = interval_settings(tests, settings)  # also without intervals, where a wrong name would go unnoticed
    groups = {} if by is None else evaluation.by(by)

    def drawn(part: Evaluation) -> Mapping[str, Mapping[str, Interval]]:
        return part.intervals(tests, threads=threads, progress=progress) if intervals else {}

    return Summary(
        evaluation,
        drawn(evaluation),
        {label: Summary(group, drawn(group) if _can_resample(group) else {}) for label, group in groups.items()},
    )


def _can_resample(evaluation: Evaluation) -> bool:
    """Return whether there are at least two segments or units, which a bootstrap needs."""
    return evaluation.segments > 1 if evaluation.units is None else len({*evaluation.units}) > 1


def _printed(metric: RowMetric[Any], value: float, digits: int | None) -> str:
    return f"{metric.printed_scale * value:.{decimals(metric, digits)}f}"
