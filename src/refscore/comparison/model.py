from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from refscore.comparison.people import AgreementByDifference, PairsOfSystems
from refscore.errors import look_up, requires
from refscore.evaluation import Evaluation
from refscore.evaluation.summary import MOST_ROWS
from refscore.metrics import RowMetric, decimals
from refscore.significance import Comparison, Interval
from refscore.significance.results import NOTHING, Verdict
from refscore.tables import BestHighlight, Column, Result, Table, escape_latex, render
from refscore.text_display import joined

if TYPE_CHECKING:
    import pandas as pd

BETTER, WORSE = "‡", "†"
# Tests in the titles of columns.
_SHORT = {"bootstrap": "boot.", "randomization": "rand.", "mcnemar": "McNemar"}
# The group of all segments in tables.
WHOLE = "all"


@dataclass(frozen=True)
class SystemComparison(Result):
    """A comparison with a baseline by several metrics and tests, as `refscore compare` prints it.

    It prints as text and shows as HTML in a notebook. `comparison["bleu"]` is the comparison by one metric, with the
    test that decides the verdict.

    Attributes:
        metrics: The metrics by label.
        titles: The metrics' names in tables, by label.
        signatures: The metrics' signatures, by label.
        tests: Each test's ("bootstrap", "randomization", "mcnemar") comparisons by label. The first test decides.
        alpha: The largest significant p-value.
        power: How probably the tests show a difference in `detectable`. None if it was not asked for.
        detectable: The minimum detectable difference by label and system. Empty without `power`.
        groups: The comparison for each group, by label, as they first occur. Empty without `by`.
        evaluation: The evaluation that was compared.
        people: How often people agree with differences, for a column of tables. None for no column.

    Example:
        >>> import refscore
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> result = refscore.compare(outputs, refs, "wer", test="randomization")
        >>> result.systems, result.segments, result.verdict("wer", "new")
        (['old', 'new'], 4, 'unclear')
        >>> for row in result.table().rows:
        ...     print(*row.cells)
        old 58.82
        new 0.00
    """

    schema: ClassVar[str] = "compare"

    metrics: Mapping[str, RowMetric[Any]]
    titles: Mapping[str, str]
    signatures: Mapping[str, str]
    tests: Mapping[str, Mapping[str, Comparison]]
    alpha: float = 0.05
    power: float | None = None
    detectable: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    groups: Mapping[Hashable, SystemComparison] = field(default_factory=dict)
    evaluation: Evaluation | None = field(default=None, compare=False, repr=False)
    people: AgreementByDifference | None = field(default=None, compare=False, repr=False)

    def __getitem__(self, label: str) -> Comparison:
        # The first test decides. Taking the better of two tests would have a higher error rate than alpha.
        return look_up("metric", label, next(iter(self.tests.values())))

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    @property
    def _first(self) -> Comparison:
        return next(iter(next(iter(self.tests.values())).values()))

    @property
    def systems(self) -> list[str]:
        """The systems' names, the baseline first."""
        return [outcome.name for outcome in self._first.systems]

    @property
    def baseline(self) -> str:
        """The baseline's name."""
        return self.systems[0]

    @property
    def segments(self) -> int:
        """How many segments were compared."""
        return self._first.segments

    @property
    def test_signatures(self) -> list[str]:
        """Each test's settings, as text."""
        return [next(iter(by_label.values())).signature for by_label in self.tests.values()]

    def verdict(self, label: str, system: str) -> Verdict:
        """Return the verdict on a system by a metric, at the threshold `alpha`.

        The paired bootstrap decides. Randomization decides if it is the only test.
        """
        decisive = self[label]
        return decisive.decide(decisive[system], self.alpha)

    def with_people(self, people: AgreementByDifference) -> SystemComparison:
        """Return the comparison with a column: the share of system pairs that people order like the metric.

        The pairs have at least the same difference. The column is empty for metrics without a row.

        Args:
            people: How often people agree with differences, such as `refscore.comparison.published_agreement()`.

        Example:
            >>> import refscore
            >>> from refscore.comparison import published_agreement
            >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
            >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
            >>> result = refscore.compare(outputs, refs, ["chrf"]).with_people(published_agreement())
            >>> result.people_agree("chrf", "new").share
            1.0
        """
        return replace(self, people=people, groups={key: each.with_people(people) for key, each in self.groups.items()})

    def people_agree(self, label: str, system: str) -> PairsOfSystems | None:
        """Return the pairs of systems with at least this difference from the baseline. None without such pairs."""
        if self.people is None:
            return None
        decisive = self[label]
        difference = decisive[system].difference
        if not difference:
            return None
        printed = decisive.printed_scale * difference
        signature = getattr(decisive.metric, "signature", "")
        return self.people.look_up(signature, printed) or self.people.look_up(label, printed)

    def table(self, label: str | None = None, *, digits: int | None = None) -> Table:
        """Return a table with systems and metrics, or one metric's table.

        Args:
            label: A metric's label, for the table that `refscore compare` prints: differences, intervals, p-values and
                verdicts. Without it, the table has one column with scores per metric. A highlight marks the
                best score, ‡ a significantly better system than the baseline and † a significantly worse one.
            digits: The decimals, by default each metric's.

        Returns:
            The table. With `by`, it has the rows for all segments, then for each group.
        """
        if label is None:
            return self._overview(digits)
        return self._metric_table(label, digits)

    def tables(self, *, digits: int | None = None) -> list[Table]:
        """Return each metric's table, as `refscore compare` prints them.

        With many groups, each metric has a second table with their differences from the baseline, the largest first.
        """
        others = len(self.systems) - 1
        if others * len(self.groups) <= MOST_ROWS:
            return [self.table(label, digits=digits) for label in self.metrics]
        whole = replace(self, groups={})
        return [
            table
            for label in self.metrics
            for table in (whole.table(label, digits=digits), self._differences_by_group(label, digits))
        ]

    def records(self, *, printed: bool = False) -> list[dict[str, Any]]:
        """Return one dictionary per metric and system, with None for missing numbers.

        Args:
            printed: Return scores and differences on the printed scale, 0 to 100 for most metrics, instead of 0 to 1.
        """
        found = []
        for label in self.metrics:
            for group, section in self._sections():
                decisive = section[label]
                scale = decisive.printed_scale if printed else 1.0
                for outcome in decisive.systems:
                    record: dict[str, Any] = {"metric": label}
                    if self.groups:
                        record |= {"group": group, "segments": section.segments}
                    record["system"] = outcome.name
                    scores = {"score": outcome.score, **_ends(outcome.interval, "")}
                    scores |= {"difference": outcome.difference, **_ends(outcome.difference_interval, "difference_")}
                    if self.power is not None:
                        scores["detectable"] = section.detectable.get(label, {}).get(outcome.name)
                    record |= {name: None if value is None else scale * value for name, value in scores.items()}
                    record["wins"] = outcome.win_probability
                    for test, by_label in section.tests.items():
                        record[f"p_{test}"] = by_label[label][outcome.name].p_value
                    record["verdict"] = section.verdict(label, outcome.name)
                    if self.people is not None:
                        agreed = section.people_agree(label, outcome.name)
                        record["people_agree"] = None if agreed is None else agreed.share
                        record["people_pairs"] = None if agreed is None else agreed.pairs
                    found.append(record)
        return found

    @property
    def all_signatures(self) -> list[str]:
        """The metrics' and tests' signatures, which follow the tables."""
        notes = [] if self.evaluation is None else self.evaluation.notes_in_words()
        return [*(text for text in self.signatures.values() if text), *self.test_signatures, *notes]

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        systems = f"{len(self.systems)} systems by {', '.join(self.metrics)}"
        return f"<comparison of {systems}: {self.segments:,} segments, baseline {self.baseline}>"

    def to_latex(self, *, digits: int | None = None) -> str:
        r"""Return one table for a paper, with a caption. It needs `\usepackage{booktabs}`."""
        return self.render("latex", digits=digits)

    def latex_tables(self, *, digits: int | None = None) -> str:
        """Return `to_latex`'s table environment, without the signatures."""
        table = self.table(digits=digits)
        tabular = render(replace(table, note=None), "latex").split("\n")
        first = tabular.index(r"\midrule") + 1
        for row in reversed(range(len(self.systems), len(table.rows), len(self.systems))):
            tabular.insert(first + row, r"\midrule")  # between groups
        lines = [
            r"% \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            *tabular,
            rf"\caption{{{escape_latex(self._caption(digits, highlight='Bold'))}}}",
            r"\end{table}",
        ]
        return "\n".join(lines)

    def flat_table(self) -> Table:
        """Return the table for programs: one row per metric and system, with full precision, on the printed scale."""
        rows = self.records(printed=True)
        cells = [
            ["" if value is None else value if isinstance(value, str) else repr(value) for value in row.values()]
            for row in rows
        ]
        return Table("", [Column(name) for name in rows[0]], cells)

    def to_pandas(self) -> pd.DataFrame:
        """Return one row per metric and system as a pandas data frame. Scores are from 0 to 1 for most metrics."""
        with requires("to_pandas", "pandas"):
            import pandas as pd
        return pd.DataFrame(self.records())

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as a dictionary, ready for JSON. Scores are on the metric's own scale."""
        files = () if self.evaluation is None else self.evaluation.files
        content = {
            **({"files": [{"name": name, "file": file} for name, file in files]} if files else {}),
            "segments": self.segments,
            "baseline": self.baseline,
            "alpha": self.alpha,
            "metrics": {
                label: {
                    "name": getattr(metric, "name", metric.title),
                    "title": metric.title,
                    "higher_is_better": metric.higher_is_better,
                    "signature": self.signatures[label],
                }
                for label, metric in self.metrics.items()
            },
            **self._results(),
        }
        if self.groups:
            content["groups"] = [
                {
                    "group": label if isinstance(label, (str, int)) else str(label),
                    "segments": group.segments,
                    **group._results(),
                }
                for label, group in self.groups.items()
            ]
        return content if self.evaluation is None else {**content, **self.evaluation.notes_as_json()}

    def _results(self) -> dict[str, Any]:
        content: dict[str, Any] = {
            "comparisons": [
                {
                    **comparison.to_dict(),
                    "verdicts": {name: comparison.decide(comparison[name], self.alpha) for name in self.systems[1:]},
                }
                for by_label in self.tests.values()
                for comparison in by_label.values()
            ]
        }
        if self.people is not None:
            found = {
                label: {name: self.people_agree(label, name) for name in self.systems[1:]} for label in self.metrics
            }
            content["people"] = {
                "conditions": self.people.conditions,
                "agreement": {
                    label: {name: pairs and pairs.to_dict() for name, pairs in by_system.items()}
                    for label, by_system in found.items()
                },
            }
        if self.power is not None:
            differences = {label: dict(by_system) for label, by_system in self.detectable.items()}
            content["detectable"] = {"power": self.power, "differences": differences}
        return content

    def _sections(self) -> list[tuple[Any, SystemComparison]]:
        return [(None, self), *self.groups.items()]

    def _group_cells(self, label: Any, section: SystemComparison) -> list[str]:
        """Return a row's first cells: the group and its size, if there are groups."""
        return [WHOLE if label is None else str(label), str(section.segments)] if self.groups else []

    def _group_columns(self) -> list[Column]:
        return [Column("group"), Column("segments", "right")] if self.groups else []

    def _heading(self, label: str) -> str:
        return self.titles[label] + ("" if self.metrics[label].higher_is_better else " ↓")

    def _metric_table(self, label: str, digits: int | None) -> Table:
        decisive = self[label]
        places = decimals(decisive.metric, digits)
        heading = self._heading(label)
        # Intervals of differences say more than intervals of scores, but sacrebleu's tests have only the latter.
        hidden = slice(1, 2 if any(outcome.difference_interval is not None for outcome in decisive.systems) else 1)
        sections = [(group, section, section[label].columns(heading, places)) for group, section in self._sections()]
        names = [*sections[0][2]]
        del names[hidden]
        columns = [*self._group_columns(), Column("system")]
        columns += [Column(name, "right", is_optional=name == "wins", is_joined="%)" in name) for name in names]
        columns.append(Column(f"detectable ({100 * (self.power or 0):g} %)", "right"))
        columns += [
            Column(f"p {_SHORT[test]}{' Holm' if decisive.holm else ''}", "right", is_optional=number > 0)
            for number, test in enumerate(self.tests)
        ]
        columns.append(Column("verdict"))
        columns.append(Column("people agree", "right"))
        rows = []
        for group, section, texts_of in sections:
            first, *others = (by_label[label] for by_label in section.tests.values())
            detectable = section.detectable.get(label, {})
            cells = [*texts_of.values()]
            del cells[hidden]
            by_system = zip(
                section.systems,
                *cells,
                (first.show(detectable[name], places) if name in detectable else NOTHING for name in section.systems),
                *(test.p_cells(self.alpha) for test in (first, *others)),
                first.verdicts(self.alpha),
                (_share(section.people_agree(label, name)) for name in section.systems),
                strict=True,
            )
            rows += [[*self._group_cells(group, section), *texts] for texts in by_system]
        used = [i for i in range(len(columns)) if any(row[i] != NOTHING for row in rows)]
        shown = [[row[i] for i in used] for row in rows]
        note = None
        if self.people is not None and columns[-1] in [columns[i] for i in used]:
            note = (
                "People agree: the share of system pairs with at least this difference that people order alike "
                f"({self.people.conditions})."
            )
        return Table("", [columns[i] for i in used], shown, note, keys=3 if self.groups else 1)

    def _differences_by_group(self, label: str, digits: int | None) -> Table:
        _, *others = self.systems
        columns = [Column("group"), Column("segments", "right"), Column(self.baseline, "right")]
        columns += [Column(f"Δ {name}", "right") for name in others]

        def largest(section: SystemComparison) -> float:
            return max(abs(section[label][name].difference or 0) for name in others)

        rows = []
        for group, section in sorted(self.groups.items(), key=lambda item: -largest(item[1])):
            decisive = section[label]
            places = decimals(decisive.metric, digits)
            cells = [str(group), str(section.segments), decisive.show(decisive[self.baseline].score, places)]
            for name in others:
                mark = {"better": BETTER, "worse": WORSE}.get(section.verdict(label, name), "")
                cells.append(f"{decisive.show(decisive[name].difference, places, '+')}{mark}")
            rows.append(cells)
        note = (
            f"{BETTER}/{WORSE}: significantly better/worse than {self.baseline}, not corrected for the number of "
            "groups. The largest differences come first."
        )
        return Table(f"{self._heading(label)} by group", columns, rows, note)

    def _overview(self, digits: int | None) -> Table:
        columns = [*self._group_columns(), Column("system")]
        columns += [Column(self._heading(label), "right") for label in self.metrics]
        rows = []
        for group, section in self._sections():
            best = {
                label: (max if metric.higher_is_better else min)(outcome.score for outcome in section[label].systems)
                for label, metric in self.metrics.items()
            }
            for name in section.systems:
                cells = [*self._group_cells(group, section), name]
                for label in self.metrics:
                    decisive = section[label]
                    mark = {"better": BETTER, "worse": WORSE}.get(section.verdict(label, name), "")
                    text = f"{decisive.show(decisive[name].score, decimals(decisive.metric, digits))}{mark}"
                    cells.append(BestHighlight(text) if decisive[name].score == best[label] else text)
                rows.append(cells)
        return Table("", columns, rows, self._caption(digits), keys=3 if self.groups else 1)

    def _caption(self, digits: int | None, *, highlight: str = "Highlighted") -> str:
        """Return what a reader must know: metrics, marks, tests and their settings.

        `highlight` says how the best scores are printed.
        """
        first, *others = (next(iter(by_label.values())) for by_label in self.tests.values())
        titles = [self.titles[label] for label in self.metrics]
        several = any(len(outcome.scores) > 1 for outcome in first.systems)
        score = f"{joined(titles)} on {self.segments} segments"
        parts = [f"Mean {score} over training runs" if several else score]
        if not all(metric.higher_is_better for metric in self.metrics.values()):
            parts.append("↓: lower is better")
        parts.append(f"{highlight}: best score")
        parts.append(
            f"{BETTER}/{WORSE}: significantly better/worse than {self.baseline} (p ≤ {self.alpha:g}, {_test(first)})"
        )
        if others:
            parts.append(f"Check: {_test(others[0])}")
        if self.groups:
            parts.append("Groups are tested separately")
        if self.detectable:
            differences = [
                f"{name} {self[label].show(value, decimals(self.metrics[label], digits))} {self.titles[label]}"
                for label, by_system in self.detectable.items()
                for name, value in by_system.items()
            ]
            power = f"{100 * (self.power or 0):g} %"
            parts.append(f"Minimum detectable differences (power {power}): {', '.join(differences)}")
        return ". ".join(parts) + "."


def _test(comparison: Comparison) -> str:
    units = "segments" if comparison.units is None else f"{comparison.units} units"
    draws = []
    if comparison.test != "mcnemar":
        count = f"{comparison.resamples} resamples" if comparison.trials is None else f"{comparison.trials} trials"
        draws = [count, f"seed {comparison.seed}"]
    return ", ".join(
        [
            f"{comparison.test_title} over {units}",
            *draws,
            *(["Holm's correction"] if comparison.holm else []),
            *(["sacrebleu's formulas"] if comparison.formulas == "sacrebleu" else []),
        ]
    )


def _share(pairs: PairsOfSystems | None) -> str:
    return NOTHING if pairs is None else f"{pairs.share:.0%} of {pairs.pairs}"


def _ends(interval: Interval | None, prefix: str) -> dict[str, float | None]:
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return {f"{prefix}low": low, f"{prefix}high": high}
