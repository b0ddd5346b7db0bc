from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore._version import __version__
from refscore.errors import look_up
from refscore.metrics import RowMetric
from refscore.settings import join, signature_pairs
from refscore.significance.settings import Formulas, Sampling, Tests, check_alpha
from refscore.tables import BadHighlight, Column, Highlight, Result, Table
from refscore.text_display import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TestName: TypeAlias = Literal["paired-bootstrap", "approximate-randomization", "mcnemar"]
Verdict: TypeAlias = Literal["baseline", "better", "worse", "unclear", "equal"]

NOTHING = "–"


def _signature(result: Interval | Comparison, test: str) -> str:
    def pairs(*names: str) -> dict[str, str]:
        values = {name: getattr(result, name, None) for name in names}
        declared = Tests.settings()
        return signature_pairs([declared[name] for name, value in values.items() if value is not None], values)

    sample = getattr(result, "sample", None)
    settings = {
        **pairs("trials", "resamples", "seed", "confidence"),
        "units": "segments" if result.units is None else str(result.units),
        **pairs("holm", "formulas"),
        **({} if sample is None else {"sample": str(sample)}),
        "version": __version__,
    }
    return join(f"test:{test}", settings)


@dataclass(frozen=True)
class Interval:
    """The confidence interval for a score, or for a difference between scores.

    Attributes:
        mean: The mean over all resamples.
        low: The lower end.
        high: The upper end.
        confidence: The confidence level.
        resamples: The number of resamples.
        seed: The seed of the random numbers.
        units: How many units there are, if units were given.
        formulas: Whose formulas gave the numbers: "refscore" or "sacrebleu".
        sample: How many segments were resampled, if not all.

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
    formulas: Formulas = "refscore"
    sample: int | None = None

    @property
    def signature(self) -> str:
        """All settings that change the interval, as text. The metric has a separate signature."""
        return _signature(self, "bootstrap")

    @property
    def half_width(self) -> float:
        """Half the interval's width: the number after a ±."""
        return (self.high - self.low) / 2

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as a dictionary, ready for JSON."""
        return {**asdict(self), "signature": self.signature}

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __repr__(self) -> str:
        return f"<interval {self}>"

    def __str__(self) -> str:
        return f"{self.mean:.4f} [{self.low:.4f}, {self.high:.4f}] ({100 * self.confidence:g} %)"


def percentile_intervals(values: NDArray[np.float64], sampling: Sampling, units: int | None) -> list[Interval]:
    """Return each row's percentile interval, which omits the share (1 - confidence) / 2 at each end."""
    ordered, confidence = np.sort(values), sampling.confidence
    count = ordered.shape[1]
    # The k-th of B values estimates the quantile k / (B + 1).
    places = [(count + 1) * share - 1 for share in ((1 - confidence) / 2, (1 + confidence) / 2)]
    numbers, intervals = np.arange(count), []
    for row, mean in zip(ordered, ordered.mean(axis=1).tolist(), strict=True):
        low, high = np.interp(places, numbers, row).tolist()
        intervals.append(Interval(mean, low, high, confidence, count, sampling.seed, units))
    return intervals


@dataclass(frozen=True)
class Outcome:
    """One system in a comparison. Values that the test does not compute are None, as are the baseline's differences.

    Attributes:
        name: The system's name.
        scores: One score per run. Most systems have one run.
        score: The score, or the mean over several runs.
        interval: The score's interval.
        difference: The score minus the baseline's score.
        difference_interval: The difference's interval.
        p: The p-value: how probable a difference at least this large is between equal systems.
        p_holm: The p-value corrected for the number of systems.
        win_probability: The fraction of resamples in which the system beats the baseline. Ties count half.

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
    scores: tuple[float, ...]
    score: float = field(init=False)
    interval: Interval | None = None
    difference: float | None = None
    difference_interval: Interval | None = None
    p: float | None = None
    p_holm: float | None = None
    win_probability: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "score", math.fsum(self.scores) / len(self.scores))

    @property
    def p_value(self) -> float | None:
        """The p-value for decisions: the corrected one if there is one."""
        return self.p if self.p_holm is None else self.p_holm

    def __repr__(self) -> str:
        p = "" if self.p_value is None else f", p = {self.p_value:.4g}"
        return f"<{self.name}: {self.score:.4f}{p}>"

    def significant(self, alpha: float = 0.05) -> bool:
        """Return whether the p-value is at most `alpha`. The baseline has none."""
        check_alpha(alpha)
        return self.p_value is not None and self.p_value <= alpha

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as a dictionary, ready for JSON. Scores are on the metric's own scale."""
        data = {name: value.to_dict() if isinstance(value, Interval) else value for name, value in vars(self).items()}
        return {"name": data.pop("name"), "score": data.pop("score"), "runs": [*data.pop("scores")], **data}


@dataclass(frozen=True)
class Comparison(Result):
    """A comparison with a baseline by one metric.

    Attributes:
        label: The metric's label.
        metric: The metric.
        test: "paired-bootstrap", "approximate-randomization" or "mcnemar".
        systems: The outcomes, the baseline first. `comparison["name"]` returns an outcome.
        segments: How many segments were compared.
        seed: The seed of the random numbers.
        resamples: The number of resamples. None without intervals.
        trials: How many random swaps were made. None for other tests.
        confidence: The intervals' confidence. None without intervals.
        units: How many units there are, if units were given.
        holm: Whether p-values were corrected for the number of systems.
        formulas: Whose formulas gave the numbers: "refscore" or "sacrebleu".

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
    metric: RowMetric[Any]
    test: TestName
    systems: tuple[Outcome, ...]
    segments: int
    seed: int
    resamples: int | None = None
    trials: int | None = None
    confidence: float | None = None
    units: int | None = None
    holm: bool = False
    formulas: Formulas = "refscore"

    @property
    def baseline(self) -> Outcome:
        """The baseline's outcome."""
        return self.systems[0]

    @property
    def test_title(self) -> str:
        """The test's name in words."""
        return "McNemar's exact test" if self.test == "mcnemar" else self.test.replace("-", " ")

    @property
    def printed_scale(self) -> float:
        """The factor from scores to printed numbers."""
        return float(self.metric.printed_scale)

    @property
    def digits(self) -> int:
        """The decimals in tables: the metric's, or 2 in percent and otherwise 4."""
        return printed_digits(self.metric)

    def __getitem__(self, name: str) -> Outcome:
        return look_up("system", name, {outcome.name: outcome for outcome in self.systems})

    @property
    def signature(self) -> str:
        """All test settings that change the numbers, as text. The metric has a separate signature."""
        return _signature(self, self.test)

    def verdict(self, name: str, alpha: float = 0.05) -> Verdict:
        """Return the verdict on a system, as `refscore compare` and reports show it.

        The verdict is "equal" if the score is the baseline's, "unclear" if p is larger than `alpha`, else "better" or
        "worse". With Holm's correction, p is the corrected p-value. The baseline itself is "baseline".

        Example:
            >>> import refscore
            >>> from refscore.significance import paired_bootstrap
            >>> metric, refs = refscore.WER(), ["a b c", "d e f", "g h i", "j k l"]
            >>> old = metric.stats(["a x c", "x e f", "g h", "j k"], refs)
            >>> rows = {"old": old, "new": metric.stats(refs, refs), "same": old}
            >>> comparison = paired_bootstrap(metric, rows)
            >>> [comparison.verdict(name) for name in rows]
            ['baseline', 'better', 'equal']
        """
        check_alpha(alpha)
        return self.decide(self[name], alpha)

    def decide(self, outcome: Outcome, alpha: float) -> Verdict:
        """Return the verdict on an outcome, for a threshold that was checked before."""
        if outcome.difference is None:
            return "baseline"
        if outcome.difference == 0:
            return "equal"
        if outcome.p_value is None or outcome.p_value > alpha:
            return "unclear"
        return "better" if (outcome.difference > 0) == self.metric.higher_is_better else "worse"

    def format_p(self, name: str, digits: int = 4) -> str:
        """Return a system's p-value as text, corrected if possible.

        With draws, the smallest possible p is 1 / (draws + 1). It is an upper bound, printed as "≤ 0.001".

        Example:
            >>> import refscore
            >>> from refscore.significance import paired_bootstrap
            >>> metric, refs = refscore.WER(), ["a b c", "d e f", "g h i", "j k l"]
            >>> rows = {"old": metric.stats(["x"] * 4, refs), "new": metric.stats(refs, refs)}
            >>> paired_bootstrap(metric, rows).format_p("new")
            '≤ 0.001'
        """
        outcome = self[name]
        return self._format_p(outcome, outcome.p_value, digits)

    def _format_p(self, outcome: Outcome, p: float | None, digits: int = 4) -> str:
        if p is None or outcome.p is None:
            return NOTHING
        draws = self.resamples if self.test == "paired-bootstrap" else self.trials
        step = 10.0**-digits
        if draws is not None and outcome.p * (draws + 1) < 1.5:  # no draw was as extreme as the data
            # Rounded up, so the printed number is also an upper bound.
            return f"≤ {math.ceil(p / step - 1e-9) * step:.{digits}f}".rstrip("0").rstrip(".")
        return f"< {step:.{digits}f}" if p < step / 2 else f"{p:.{digits}f}"

    def verdicts(self, alpha: float) -> list[Verdict]:
        """Return the verdict on each system, for a threshold that was checked before."""
        return [self.decide(outcome, alpha) for outcome in self.systems]

    def p_cells(self, alpha: float) -> list[str]:
        """Return each system's p-value for a table, highlighted as better or worse if p is at most `alpha`."""
        texts = [self._format_p(outcome, outcome.p_value) for outcome in self.systems]
        marks = [{"better": Highlight, "worse": BadHighlight}.get(verdict, str) for verdict in self.verdicts(alpha)]
        return [mark(text) for mark, text in zip(marks, texts, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as a dictionary, ready for JSON. Scores are on the metric's own scale."""
        settings = ("test", "resamples", "trials", "seed", "confidence", "segments", "units", "holm")
        return {
            "label": self.label,
            "metric": getattr(self.metric, "name", self.metric.title),
            "higher_is_better": self.metric.higher_is_better,
            **{name: getattr(self, name) for name in settings},
            "formulas": self.formulas,
            "baseline": self.baseline.name,
            "systems": [outcome.to_dict() for outcome in self.systems],
            "signature": self.signature,
            "metric_signature": getattr(self.metric, "signature", ""),
        }

    @property
    def all_signatures(self) -> tuple[str, ...]:
        """Nothing: the signature is the table's note."""
        return ()

    def show(self, value: float | None, digits: int, sign: str = "") -> str:
        """Return a score or a difference as text, on the scale that the metric is printed on."""
        return NOTHING if value is None else f"{self.printed_scale * value:{sign}.{digits}f}"

    def columns(self, title: str, digits: int) -> dict[str, list[str]]:
        """Return the columns of tables, with a text per system. `title` is the title for scores."""
        percent, systems = f"{100 * (self.confidence or 0):g} %", self.systems

        def bounds(interval: Interval | None, sign: str = "") -> str:
            ends = () if interval is None else (interval.low, interval.high)
            return f"[{', '.join(self.show(end, digits, sign) for end in ends)}]" if ends else NOTHING

        return {
            title: [self.show(outcome.score, digits) for outcome in systems],
            f"{percent} interval": [bounds(outcome.interval) for outcome in systems],
            "Δ": [self.show(outcome.difference, digits, "+") for outcome in systems],
            f"Δ within ({percent})": [bounds(outcome.difference_interval, "+") for outcome in systems],
            "wins": [
                NOTHING if outcome.win_probability is None else f"{100 * outcome.win_probability:.1f} %"
                for outcome in systems
            ],
        }

    def table(self, *, digits: int | None = None) -> Table:
        """Return the comparison as a table, on the scale that the metric is printed on.

        `digits` are the decimals of scores, by default the metric's.
        """
        texts = {
            "system": [outcome.name for outcome in self.systems],
            **self.columns(self.label, self.digits if digits is None else digits),
            "p": [self._format_p(outcome, outcome.p) for outcome in self.systems],
            "p (Holm)" if self.holm else "p": self.p_cells(0.05),
        }
        # A column without any number is omitted.
        shown = {title: cells for title, cells in texts.items() if {*cells} != {NOTHING}}
        several = any(len(outcome.scores) > 1 for outcome in self.systems)
        return Table(
            f"{self.label}, {self.test_title}, baseline {self.baseline.name}",
            [Column(title, "left" if title == "system" else "right") for title in shown],
            zip(*shown.values(), strict=True),
            ("scores are means over runs; " if several else "") + self.signature,
        )

    def plot(self, path: str | Path | None = None) -> Figure:
        """Return a matplotlib figure with the differences and their intervals. Needs `refscore[plot]`.

        If `path` is given, the figure is also saved there, in its extension's format (.png, .pdf, .svg).
        """
        from refscore.significance.plot import forest

        return forest(self, path)

    def __repr__(self) -> str:
        return f"<{self.test} of {self.label}: {len(self.systems)} systems, {counted(self.segments, 'segment')}>"


def printed_digits(metric: RowMetric[Any]) -> int:
    """Return the decimals for a printed score: the metric's, or 2 in percent and otherwise 4."""
    return (2 if metric.printed_scale == 100 else 4) if metric.digits is None else metric.digits


def with_holm(outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """Return the outcomes with corrected p-values. The first is the baseline, which has none."""
    first, *others = outcomes
    if any(outcome.p is None for outcome in others):
        return outcomes
    corrected = holm_corrected([outcome.p for outcome in others if outcome.p is not None])
    return [first, *(replace(outcome, p_holm=p) for outcome, p in zip(others, corrected, strict=True))]


def holm_corrected(ps: list[float]) -> list[float]:
    """Return p-values with Holm's step-down correction.

    If there are m p-values, the k-th smallest is multiplied by m - k + 1. The result is at least the one before, and at
    most 1.
    """
    order = sorted(range(len(ps)), key=ps.__getitem__)
    corrected, worst = [0.0] * len(ps), 0.0
    for rank, k in enumerate(order):
        worst = min(1.0, max(worst, (len(ps) - rank) * ps[k]))
        corrected[k] = worst
    return corrected
