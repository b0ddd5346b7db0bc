"""Comparisons as tables: of one metric, of all metrics, and for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from refscore.metrics import decimals
from refscore.tables import Column, Highlight, Table

if TYPE_CHECKING:
    from refscore.comparison.model import SystemComparison
    from refscore.significance import Comparison, Interval, Outcome

NOTHING = "–"
BETTER, WORSE = "∗", "†"
# The group of all segments in tables.
WHOLE = "all"


def _sections(comparison: SystemComparison) -> list[tuple[Any, SystemComparison]]:
    """Return all segments, with the label None, and each group."""
    return [(None, comparison), *comparison.groups.items()]


def _group_cells(comparison: SystemComparison, label: Any, section: SystemComparison) -> list[str]:
    """Return the first cells of a row: the group and its number of segments, if there are groups."""
    return [WHOLE if label is None else str(label), str(section.segments)] if comparison.groups else []


def _group_columns(comparison: SystemComparison) -> list[Column]:
    return [Column("group"), Column("segments", "right")] if comparison.groups else []


def _heading(comparison: SystemComparison, label: str) -> str:
    return comparison.titles[label] + ("" if comparison.metrics[label].higher_is_better else " ↓")


def _printed(comparison: Comparison, value: float, digits: int | None) -> str:
    return f"{comparison.printed_scale * value:.{decimals(comparison.metric, digits)}f}"


def metric_table(comparison: SystemComparison, label: str, decisive: Comparison, digits: int | None) -> Table:
    """Return a table with one row per system and one column of p-values per test.

    `decisive` is the comparison whose test decides the verdict.
    """
    scale, places = decisive.printed_scale, decimals(decisive.metric, digits)

    def number(value: float | None, sign: str = "") -> str:
        return NOTHING if value is None else f"{scale * value:{sign}.{places}f}"

    def bounds(interval: Interval | None, sign: str = "") -> str:
        return NOTHING if interval is None else f"[{number(interval.low, sign)}, {number(interval.high, sign)}]"

    percent = f"{100 * (decisive.confidence or 0):g} %"
    # Intervals of differences say more than intervals of scores, but sacrebleu's tests have only the latter.
    of_scores = all(outcome.difference_interval is None for outcome in decisive.systems)
    cells: dict[str, Callable[[Outcome], str]] = {
        _heading(comparison, label): lambda outcome: number(outcome.score),
        f"{percent} interval": lambda outcome: bounds(outcome.interval) if of_scores else NOTHING,
        "Δ": lambda outcome: number(outcome.difference, "+"),
        f"Δ within ({percent})": lambda outcome: bounds(outcome.difference_interval, "+"),
        "wins": lambda outcome: (
            NOTHING if outcome.win_probability is None else f"{100 * outcome.win_probability:.1f} %"
        ),
    }
    columns = [*_group_columns(comparison), Column("system"), *(Column(name, "right") for name in cells)]
    columns.append(Column(f"detectable ({100 * (comparison.power or 0):g} %)", "right"))
    columns += [Column(f"p {test[:4]}.{' Holm' if decisive.holm else ''}", "right") for test in comparison.tests]
    columns.append(Column("verdict"))
    rows = []
    for group, section in _sections(comparison):
        detectable = section.detectable.get(label, {})
        for outcome in section[label].systems:
            name = outcome.name
            rows.append(
                [
                    *_group_cells(comparison, group, section),
                    name,
                    *(text(outcome) for text in cells.values()),
                    number(detectable.get(name)),
                    *(
                        by_label[label].highlight_p(name, by_label[label].format_p(name), comparison.alpha)
                        for by_label in section.tests.values()
                    ),
                    section.verdict(label, name),
                ]
            )
    used = [i for i in range(len(columns)) if any(row[i] != NOTHING for row in rows)]
    return Table("", [columns[i] for i in used], [[row[i] for i in used] for row in rows])


def overview(comparison: SystemComparison, digits: int | None) -> Table:
    """Return a table with one row per system and one column of scores per metric."""
    columns = [*_group_columns(comparison), Column("system")]
    columns += [Column(_heading(comparison, label), "right") for label in comparison.metrics]
    rows = []
    for group, section in _sections(comparison):
        best = {
            label: (max if metric.higher_is_better else min)(outcome.score for outcome in section[label].systems)
            for label, metric in comparison.metrics.items()
        }
        for name in section.systems:
            cells = [*_group_cells(comparison, group, section), name]
            for label in comparison.metrics:
                decisive = section[label]
                mark = {"better": BETTER, "worse": WORSE}.get(section.verdict(label, name), "")
                text = f"{_printed(decisive, decisive[name].score, digits)}{mark}"
                cells.append(Highlight(text) if decisive[name].score == best[label] else text)
            rows.append(cells)
    return Table("", columns, rows, caption(comparison, digits))


def caption(comparison: SystemComparison, digits: int | None, *, highlight: str = "Highlighted") -> str:
    """Return what a reader of the overview must know: metrics, marks, tests and their settings.

    `highlight` says how the best scores are printed.
    """
    first, *others = (next(iter(by_label.values())) for by_label in comparison.tests.values())
    titles = [comparison.titles[label] for label in comparison.metrics]
    several = any(len(outcome.scores) > 1 for outcome in first.systems)
    score = f"{_joined(titles)} on {comparison.segments} segments"
    parts = [f"Mean {score} over training runs" if several else score]
    if not all(metric.higher_is_better for metric in comparison.metrics.values()):
        parts.append("↓: lower is better")
    parts.append(f"{highlight}: best score")
    parts.append(
        f"{BETTER}/{WORSE}: significantly better/worse than {comparison.baseline} (p ≤ {comparison.alpha:g}, "
        f"{_test(first)})"
    )
    if others:
        parts.append(f"Check: {_test(others[0])}")
    if comparison.groups:
        parts.append("Groups are tested separately")
    if comparison.detectable:
        differences = [
            f"{name} {_printed(comparison[label], value, digits)} {comparison.titles[label]}"
            for label, by_system in comparison.detectable.items()
            for name, value in by_system.items()
        ]
        power = f"{100 * (comparison.power or 0):g} %"
        parts.append(f"Minimum detectable differences (power {power}): {', '.join(differences)}")
    return ". ".join(parts) + "."


def _test(comparison: Comparison) -> str:
    """Return the name and the settings of a test, in words."""
    units = "segments" if comparison.units is None else f"{comparison.units} units"
    is_bootstrap = comparison.trials is None
    return ", ".join(
        [
            f"{comparison.test.replace('-', ' ')} over {units}",
            f"{comparison.resamples} resamples" if is_bootstrap else f"{comparison.trials} trials",
            f"seed {comparison.seed}",
            *(["Holm's correction"] if comparison.holm else []),
            *(["sacrebleu's formulas"] if comparison.paper else []),
        ]
    )


def _joined(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def records(comparison: SystemComparison, *, printed: bool) -> list[dict[str, Any]]:
    """Return one dictionary per metric and system, with None for missing numbers."""
    found = []
    for label in comparison.metrics:
        for group, section in _sections(comparison):
            decisive = section[label]
            scale = decisive.printed_scale if printed else 1.0
            for outcome in decisive.systems:
                record: dict[str, Any] = {"metric": label}
                if comparison.groups:
                    record |= {"group": group, "segments": section.segments}
                record["system"] = outcome.name
                scores = {"score": outcome.score, **_ends(outcome.interval, "")}
                scores |= {"difference": outcome.difference, **_ends(outcome.difference_interval, "difference_")}
                if comparison.power is not None:
                    scores["detectable"] = section.detectable.get(label, {}).get(outcome.name)
                record |= {name: None if value is None else scale * value for name, value in scores.items()}
                record["wins"] = outcome.win_probability
                for test, by_label in section.tests.items():
                    record[f"p_{test}"] = by_label[label][outcome.name].p_value
                found.append({**record, "verdict": section.verdict(label, outcome.name)})
    return found


def _ends(interval: Interval | None, prefix: str) -> dict[str, float | None]:
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return {f"{prefix}low": low, f"{prefix}high": high}


def flat_table(comparison: SystemComparison) -> Table:
    """Return a table for programs: one row per metric and system, full precision, empty cells for missing numbers."""
    rows = records(comparison, printed=True)
    cells = [
        ["" if value is None else value if isinstance(value, str) else repr(value) for value in row.values()]
        for row in rows
    ]
    return Table("", [Column(name) for name in rows[0]], cells)
