"""The numbers behind the charts: where systems differ, by score, length, position in the test set and word order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.metrics import RowMetric, Rows, Values, sum_rows, sum_rows_by
from refscore.significance.results import printed_digits

BINS = 20
POINTS = 200
LENGTHS = (0, 5, 10, 15, 20, 30, 40, 60, 100)
CELLS = 10


@dataclass(frozen=True)
class Histogram:
    """The number of segments per bin of scores, by system. The outer bins include everything beyond them."""

    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Buckets:
    """The score of each system on segments of similar length. A bucket is its first and last length, or None."""

    buckets: tuple[tuple[int, int | None], ...]
    segments: tuple[int, ...]
    scores: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class Sums:
    """Running sums of each system's segment scores at some positions, divided by the number of all segments.

    The last value of a system is the mean of its segment scores. The difference between two systems rises where one is
    better than the other.
    """

    places: tuple[int, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class WordOrder:
    """The means of rank correlation and word precision by system, and a table of segments.

    `cells[system][i][j]` is the number of segments with a correlation in the i-th tenth and a precision in the j-th.
    `places[system][segment]` is 10 i + j, or -1 for a segment without reference words.
    """

    correlation: tuple[float, ...]
    precision: tuple[float, ...]
    cells: tuple[tuple[tuple[int, ...], ...], ...]
    places: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class NGramProfile:
    """The n-gram precisions and the length ratio of each system."""

    precisions: tuple[tuple[float | None, ...], ...]
    ratios: tuple[float | None, ...]


def format_score(metric: RowMetric[Any], value: float, sign: str = "") -> str:
    """Return a score or a difference of scores as text."""
    return format_printed(metric, metric.printed_scale * value, sign)


def format_printed(metric: RowMetric[Any], value: float | None, sign: str = "") -> str:
    """Return a score that is already on the printed scale as text."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:{sign}.{printed_digits(metric)}f}".replace("-", "−")


def whole_numbers(metric: RowMetric[Any], values: Values) -> Values:
    """Return printed scores without their decimal point: rounded, times 100 or 10,000."""
    rounded: Values = (metric.printed_scale * 10 ** printed_digits(metric) * values).round()
    return rounded


def histogram(metric: RowMetric[Any], values: Sequence[Values]) -> Histogram:
    """Return the distribution of printed segment scores, given the scores of each system."""
    # Bin the rounded scores, because readers see those.
    printed = [whole_numbers(metric, scores[np.isfinite(scores)]) / 10 ** printed_digits(metric) for scores in values]
    everything = np.concatenate(printed)
    bottom, top = 0.0, 100.0 if metric.printed_scale == 100 else 1.0
    # Limit the bins by quantiles: a few segments with an error rate of 500 would squeeze all others into one bin.
    if everything.size and everything.max() > top:
        top = _round_up(max(top, float(np.quantile(everything, 0.99))))
    if everything.size and everything.min() < 0:
        bottom = -_round_up(-min(float(np.quantile(everything, 0.01)), -top / BINS))
    edges = np.linspace(bottom, top, BINS + 1)
    counts = [np.histogram(np.clip(scores, bottom, np.nextafter(top, 0)), edges)[0].tolist() for scores in printed]
    return Histogram(tuple(edges.tolist()), tuple(map(tuple, counts)))


def _round_up(value: float) -> float:
    """Round up to a number of the form 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * power >= value * (1 - 1e-12))


def by_length(metric: RowMetric[Any], rows: Sequence[Rows], lengths: NDArray[np.int64]) -> Buckets:
    """Return the corpus scores of segments grouped by length."""
    codes = np.searchsorted(LENGTHS, lengths, side="right") - 1
    counts = np.bincount(codes, minlength=len(LENGTHS))
    used = np.flatnonzero(counts)
    scores = []
    for system_rows in rows:
        values = metric.printed_scale * metric.values(sum_rows_by(system_rows, codes, len(LENGTHS))[used])
        scores.append(tuple(value if math.isfinite(value) else None for value in values.tolist()))
    last_lengths = [*(following - 1 for following in LENGTHS[1:]), None]
    buckets = tuple((LENGTHS[code], last_lengths[code]) for code in used.tolist())
    return Buckets(buckets, tuple(counts[used].tolist()), tuple(scores))


def running_sums(metric: RowMetric[Any], values: Sequence[Values]) -> Sums:
    """Return the running sums of segment scores along the test set."""
    count = len(values[0])
    places = np.unique(np.linspace(0, count, min(count, POINTS) + 1).round().astype(np.int64))
    sums = [np.concatenate([[0.0], np.cumsum(np.where(np.isfinite(scores), scores, 0.0))]) for scores in values]
    scale = metric.printed_scale
    return Sums(tuple(places.tolist()), tuple(tuple((scale * total[places] / count).tolist()) for total in sums))


def word_order(metric: RowMetric[Any], rows: Sequence[Rows]) -> WordOrder | None:
    """Return rank correlations and word precisions, or None if no reference has words.

    Rows of the metric have the columns `nkt`, `precision` and `segments`, which is 0 for a reference without words.
    """
    nkt, precisions, segments = map(metric.columns.index, ("nkt", "precision", "segments"))
    if not all(system_rows[:, segments].sum() for system_rows in rows):
        return None
    correlation, precision, cells, places = [], [], [], []
    edges = np.linspace(0, 1, CELLS + 1)[1:-1]
    for system_rows in rows:
        counted = system_rows[:, segments] > 0
        means = metric.score(sum_rows(system_rows[counted])).details()
        correlation.append(means["nkt"])
        precision.append(means["precision"])
        row, column = (np.searchsorted(edges, system_rows[:, index], side="right") for index in (nkt, precisions))
        place = np.where(counted, CELLS * row + column, -1)
        table = np.bincount(place[counted], minlength=CELLS**2).reshape(CELLS, CELLS)
        cells.append(tuple(map(tuple, table.tolist())))
        places.append(tuple(place.tolist()))
    return WordOrder(tuple(correlation), tuple(precision), tuple(cells), tuple(places))


def ngram_profile(metric: RowMetric[Any], rows: Sequence[Rows]) -> NGramProfile:
    """Return the n-gram precisions and the length ratio of each system.

    Scores of the metric have the parts `counts`, `totals`, `hyp_len` and `ref_len`.
    """
    precisions, ratios = [], []
    for system_rows in rows:
        parts = metric.score(sum_rows(system_rows)).details()
        orders = zip(parts["counts"], parts["totals"], strict=True)
        precisions.append(tuple(100 * count / total if total else None for count, total in orders))
        ratios.append(parts["hyp_len"] / parts["ref_len"] if parts["ref_len"] else None)
    return NGramProfile(tuple(precisions), tuple(ratios))
