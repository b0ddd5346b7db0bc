"""What tests find, as data, tables and pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from refscore._version import __version__
from refscore.errors import SettingError, UnknownNameError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score
from refscore.tables import Cell, Column, Table, render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Test: TypeAlias = Literal["paired-bootstrap", "approximate-randomization"]

NOTHING = "–"


def _signature(pairs: dict[str, str]) -> str:
    return "|".join(f"{key}:{value}" for key, value in {**pairs, "version": __version__}.items())


@dataclass(frozen=True)
class Interval:
    """Where a score, or a difference of scores, lies with a given confidence.

    Attributes:
        mean: The mean over all resamples.
        low: The lower end.
        high: The upper end.
        confidence: How often such intervals hold the true value.
        resamples: How many there were.
        seed: What they were drawn with.
        units: How many units of several segments, if these were resampled.
        paper: Whether the numbers are sacrebleu's.
        sample: How many segments' rows they come from, if not from those of all.

    Example:
        >>> interval = Interval(mean=0.275, low=0.262, high=0.288, confidence=0.95, resamples=1000, seed=12345)
        >>> print(interval)
        0.2750 [0.2620, 0.2880] (95 %)
        >>> round(interval.half_width, 3), 0.27 in interval
        (0.013, True)
        >>> interval.signature
        'test:bootstrap|resamples:1000|seed:12345|conf:0.95|units:segments|version:0.1.0'
    """

    mean: float
    low: float
    high: float
    confidence: float
    resamples: int
    seed: int
    units: int | None = None
    paper: bool = False
    sample: int | None = None

    @property
    def signature(self) -> str:
        """All settings that change the interval, as text; the metric has a signature of its own."""
        return _signature(
            {
                "test": "bootstrap",
                "resamples": str(self.resamples),
                "seed": str(self.seed),
                "conf": f"{self.confidence:g}",
                "units": "segments" if self.units is None else str(self.units),
                **({"formulas": "sacrebleu"} if self.paper else {}),
                **({} if self.sample is None else {"sample": str(self.sample)}),
            }
        )

    @property
    def half_width(self) -> float:
        """Half the distance of the ends: the number after a ±."""
        return (self.high - self.low) / 2

    def to_dict(self) -> dict[str, Any]:
        """The interval as a dictionary, ready for JSON."""
        return {**asdict(self), "signature": self.signature}

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.mean:.4f} [{self.low:.4f}, {self.high:.4f}] ({100 * self.confidence:g} %)"


@dataclass(frozen=True)
class Outcome:
    """One system of a comparison. What a test does not say, and all but the score for the baseline, is None.

    Attributes:
        name: The system.
        scores: The score of each of its runs; of most systems there is one.
        interval: Where the score lies.
        difference: Its score less the baseline's.
        difference_interval: Where the difference lies.
        p: How probable a difference as large as this, or larger, would be between equal systems.
        p_holm: The same, corrected for the number of systems.
        win_probability: The share of resamples in which it is better than the baseline; draws count half.

    Example:
        >>> import refscore
        >>> from refscore.significance import approximate_randomization
        >>> metric = refscore.WER()
        >>> refs = ["a b c", "d e f", "g h i"]
        >>> rows = {"old": metric.stats(["a x c", "x e f", "g h"], refs), "new": metric.stats(refs, refs)}
        >>> new = approximate_randomization(metric, rows)["new"]
        >>> new.name, new.score, round(new.difference, 4), new.significant()
        ('new', 0.0, -0.3333, False)
    """

    name: str
    scores: tuple[Score, ...]
    interval: Interval | None = None
    difference: float | None = None
    difference_interval: Interval | None = None
    p: float | None = None
    p_holm: float | None = None
    win_probability: float | None = None

    @property
    def score(self) -> float:
        """The score: of several runs, the mean of theirs."""
        return mean_score(self.scores)

    def significant(self, alpha: float = 0.05) -> bool:
        """Whether p, corrected where that was asked for, is at most `alpha`; never for the baseline."""
        if not 0 < alpha < 1:
            raise SettingError(f"alpha must be a number between 0 and 1 such as 0.05, not {alpha!r}")
        p = self.p if self.p_holm is None else self.p_holm
        return p is not None and p <= alpha

    def to_dict(self) -> dict[str, Any]:
        """The outcome as a dictionary, ready for JSON; scores are in the metric's own range, not in percent."""
        return {
            "name": self.name,
            "score": self.score,
            "runs": [score.value for score in self.scores],
            "interval": None if self.interval is None else self.interval.to_dict(),
            "difference": self.difference,
            "difference_interval": None if self.difference_interval is None else self.difference_interval.to_dict(),
            "p": self.p,
            "p_holm": self.p_holm,
            "win_probability": self.win_probability,
        }


def mean_score(scores: tuple[Score, ...]) -> float:
    """The mean of some scores' values."""
    return sum(score.value for score in scores) / len(scores)


@dataclass(frozen=True)
class Comparison:
    """Systems compared with a baseline by one metric.

    Attributes:
        label: What the metric is called here.
        metric: The metric.
        test: "paired-bootstrap" or "approximate-randomization".
        systems: The outcomes, the baseline's first; `comparison["name"]` is one of them.
        seed: What was drawn with.
        resamples: How many resamples there were; None if intervals were not asked for.
        trials: How many trials of swapping; None for the bootstrap.
        confidence: Of the intervals; None where there are none.
        segments: How many segments there were.
        units: How many units of several segments, if these were resampled or swapped.
        holm: Whether p was corrected for the number of systems.
        paper: Whether the numbers are sacrebleu's.

    Example:
        >>> import refscore
        >>> from refscore.significance import paired_bootstrap
        >>> metric = refscore.BLEU.preset("sacrebleu-sentence")
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today"]
        >>> old, new = ["the cat on a mat", "it rains all day", "we went home"], refs
        >>> comparison = paired_bootstrap(metric, {"old": metric.stats(old, refs), "new": metric.stats(new, refs)})
        >>> comparison.signature
        'test:paired-bootstrap|resamples:1000|seed:12345|conf:0.95|units:segments|holm:no|version:0.1.0'
        >>> [outcome.name for outcome in comparison.systems], comparison["new"].win_probability
        (['old', 'new'], 1.0)
    """

    label: str
    metric: Metric[Any]
    test: Test
    systems: tuple[Outcome, ...]
    segments: int
    seed: int
    resamples: int | None = None
    trials: int | None = None
    confidence: float | None = None
    units: int | None = None
    holm: bool = False
    paper: bool = False

    @property
    def baseline(self) -> Outcome:
        """The outcome of the baseline."""
        return self.systems[0]

    def __getitem__(self, name: str) -> Outcome:
        for outcome in self.systems:
            if outcome.name == name:
                return outcome
        raise UnknownNameError.suggest("system", name, [outcome.name for outcome in self.systems])

    @property
    def signature(self) -> str:
        """All settings of the test that change its numbers, as text; the metric has a signature of its own."""
        return _signature(
            {
                "test": self.test,
                **({} if self.trials is None else {"trials": str(self.trials)}),
                **({} if self.resamples is None else {"resamples": str(self.resamples)}),
                "seed": str(self.seed),
                **({} if self.confidence is None else {"conf": f"{self.confidence:g}"}),
                "units": "segments" if self.units is None else str(self.units),
                "holm": "yes" if self.holm else "no",
                **({"formulas": "sacrebleu"} if self.paper else {}),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """The comparison as a dictionary, ready for JSON; scores are in the metric's own range, not in percent."""
        return {
            "label": self.label,
            "metric": self.metric.name,
            "higher_is_better": self.metric.higher_is_better,
            "test": self.test,
            "resamples": self.resamples,
            "trials": self.trials,
            "seed": self.seed,
            "confidence": self.confidence,
            "segments": self.segments,
            "units": self.units,
            "holm": self.holm,
            "formulas": "sacrebleu" if self.paper else "refscore",
            "baseline": self.baseline.name,
            "systems": [outcome.to_dict() for outcome in self.systems],
            "signature": self.signature,
            "metric_signature": self.metric.signature,
        }

    def table(self) -> Table:
        """The comparison as a table, in percent where the metric is printed so; a star stands at p ≤ 0.05."""
        scale = self.metric.printed_scale
        digits = 2 if scale == 100 else 4
        runs = max(len(outcome.scores) for outcome in self.systems)

        def number(value: float | None, sign: str = "") -> str:
            return NOTHING if value is None else f"{scale * value:{sign}.{digits}f}".replace("-", "−")

        def interval(found: Interval | None, sign: str = "") -> str:
            return NOTHING if found is None else f"{number(found.low, sign)} … {number(found.high, sign)}"

        columns: dict[str, Callable[[Outcome], str]] = {
            "system": lambda outcome: outcome.name,
            self.label: lambda outcome: number(outcome.score),
            "interval": lambda outcome: interval(outcome.interval),
            "difference": lambda outcome: number(outcome.difference, "+"),
            "interval of it": lambda outcome: interval(outcome.difference_interval, "+"),
            "p": lambda outcome: _p(outcome.p),
            "p (Holm)": lambda outcome: _p(outcome.p_holm),
            "wins": lambda outcome: NOTHING if outcome.win_probability is None else f"{outcome.win_probability:.1%}",
        }
        rows = [[text(outcome) for text in columns.values()] for outcome in self.systems]
        kept = [k for k in range(len(columns)) if k < 2 or any(row[k] != NOTHING for row in rows)]
        titles = list(columns)
        last_p = "p (Holm)" if self.holm else "p"
        return Table(
            [Column(titles[k], "left" if k == 0 else "right") for k in kept],
            [
                [Cell(row[k], "best" if titles[k] == last_p and outcome.significant() else None) for k in kept]
                for outcome, row in zip(self.systems, rows, strict=True)
            ],
            title=f"{self.label}, {_WORDS[self.test]}, baseline {self.baseline.name}",
            note=("" if runs == 1 else "scores are means over runs; ") + self.signature,
        )

    def plot(self, path: str | Path | None = None) -> Figure:
        """A picture of the differences with their intervals; needs matplotlib (`pip install 'refscore[plot]'`).

        Args:
            path: Where to write it; the ending (.png, .pdf, .svg) says how.

        Returns:
            The figure, which notebooks show.
        """
        from refscore.significance.plot import forest

        return forest(self, path)

    def __str__(self) -> str:
        return render(self.table(), "plain")

    def _repr_html_(self) -> str:
        from html import escape  # slow to import, and needed in notebooks alone

        table = self.table()
        align = [f'style="text-align:{column.align}"' for column in table.columns]
        head = "".join(f"<th {side}>{escape(c.title)}</th>" for side, c in zip(align, table.columns, strict=True))

        def cell(side: str, item: Cell) -> str:
            text = escape(item.text)
            return f"<td {side}>{f'<strong>{text}</strong>' if item.mark == 'best' else text}</td>"

        rows = "".join(
            f"<tr>{''.join(cell(side, item) for side, item in zip(align, row, strict=True))}</tr>" for row in table.rows
        )
        return (
            f"<table><caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            f"<p><small>{escape(table.note)}</small></p>"
        )


_WORDS = {"paired-bootstrap": "paired bootstrap", "approximate-randomization": "approximate randomization"}


def _p(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.4f}"


def with_holm(outcomes: list[Outcome]) -> list[Outcome]:
    """The outcomes with corrected p-values; the first is the baseline, which has none."""
    first, *others = outcomes
    corrected = holm_corrected([outcome.p for outcome in others if outcome.p is not None])
    return [first, *(replace(outcome, p_holm=p) for outcome, p in zip(others, corrected, strict=True))]


def holm_corrected(ps: list[float]) -> list[float]:
    """Holm's step-down correction: the k-th smallest of m times m - k + 1, never below the ones before, at most 1.

    Example:
        >>> holm_corrected([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(ps)), key=ps.__getitem__)
    corrected, worst = [0.0] * len(ps), 0.0
    for rank, k in enumerate(order):
        worst = min(1.0, max(worst, (len(ps) - rank) * ps[k]))
        corrected[k] = worst
    return corrected
