"""Where systems differ, as numbers behind charts: by score, by length, along the test set, by word order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.metrics import BLEU, RIBES, Metric
from refscore.metrics.core.score import Rows, Values

BINS = 20
POINTS = 200
LENGTHS = (0, 5, 10, 15, 20, 30, 40, 60, 100)
CELLS = 10


@dataclass(frozen=True)
class Histogram:
    """How many segments of each system have a score in each bin; the last bin holds all that is above, too."""

    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Buckets:
    """The score of each system on the segments of each length."""

    lengths: tuple[tuple[int, int | None], ...]
    segments: tuple[int, ...]
    scores: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class Sums:
    """Segment scores of each system, summed from the first segment to each of some places, over all segments' number.

    The last of a system's values is the mean of its segment scores, and the difference of two systems' values goes up
    where one is better than the other.
    """

    places: tuple[int, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class WordOrder:
    """RIBES taken apart: of each system the mean of the rank correlation and of the word precision, and a table.

    `cells[system][i][j]` is the number of segments with a correlation in the i-th tenth and a precision in the j-th;
    `places[system][segment]` is 10 i + j, or -1 for a segment that has no reference with words.
    """

    correlation: tuple[float, ...]
    precision: tuple[float, ...]
    cells: tuple[tuple[tuple[int, ...], ...], ...]
    places: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Lengths:
    """n-gram precision of each order, and the length ratio, of each system."""

    precisions: tuple[tuple[float | None, ...], ...]
    ratios: tuple[float | None, ...]


def finite(value: float) -> float | None:
    """The value, or None where it is not a number."""
    return value if math.isfinite(value) else None


def histogram(metric: Metric[Any], values: Sequence[Values]) -> Histogram:
    """The distribution of segment scores, as they are printed.

    Args:
        metric: The metric.
        values: The segment scores of each system.
    """
    # As they are shown, so that the segments of a bin are those that a reader counts.
    scaled = [(10_000 * own[np.isfinite(own)]).round() / (10_000 / metric.printed_scale) for own in values]
    everything = np.concatenate(scaled)
    top = 100.0 if metric.printed_scale == 100 else 1.0
    if everything.size and everything.max() > top:
        # A few segments with an error rate of 500 would leave no room for the others.
        top = _round_up(max(top, float(np.quantile(everything, 0.99))))
    edges = np.linspace(0, top, BINS + 1)
    inner = [np.minimum(np.maximum(own, 0), np.nextafter(top, 0)) for own in scaled]
    counts = tuple(tuple(np.histogram(own, edges)[0].tolist()) for own in inner)
    return Histogram(tuple(edges.tolist()), counts)


def _round_up(value: float) -> float:
    """The next number of the form 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten.

    Example:
        >>> _round_up(103.0), _round_up(7.2), _round_up(250.0)
        (150.0, 8.0, 250.0)
    """
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * power >= value * (1 - 1e-12))


def length_buckets(lengths: NDArray[np.int64]) -> list[tuple[int, int | None]]:
    """The buckets that have segments: their first and last length, None where there is no last."""
    found: list[tuple[int, int | None]] = []
    for first, following in zip(LENGTHS, [*LENGTHS[1:], None], strict=True):
        last = None if following is None else following - 1
        if ((lengths >= first) & (lengths <= (last if last is not None else lengths.max()))).any():
            found.append((first, last))
    return found


def by_length(metric: Metric[Any], rows: Sequence[Rows], lengths: NDArray[np.int64]) -> Buckets:
    """The corpus score of the segments of each length: of the sum of their rows."""
    buckets = length_buckets(lengths)
    masks = [(lengths >= first) & (lengths <= (lengths.max() if last is None else last)) for first, last in buckets]
    scores = []
    for own in rows:
        values = metric.values(np.array([own[mask].sum(0) for mask in masks]))
        scores.append(tuple(finite(metric.printed_scale * float(value)) for value in values))
    return Buckets(tuple(buckets), tuple(int(mask.sum()) for mask in masks), tuple(scores))


def running_sums(metric: Metric[Any], values: Sequence[Values]) -> Sums:
    """Segment scores summed along the test set."""
    count = len(values[0])
    places = np.unique(np.linspace(0, count, min(count, POINTS) + 1).round().astype(np.int64))
    made = []
    for own in values:
        sums = np.concatenate([[0.0], np.cumsum(np.where(np.isfinite(own), own, 0.0))])
        made.append(tuple((metric.printed_scale * sums[places] / count).tolist()))
    return Sums(tuple(places.tolist()), tuple(made))


def word_order(metric: RIBES, rows: Sequence[Rows]) -> WordOrder | None:
    """RIBES' rank correlation against its precision; None where no reference has words."""
    if not len(rows[0]) or not all(own[:, 4].sum() for own in rows):
        return None
    correlation, precision, cells, places = [], [], [], []
    edges = np.linspace(0, 1, CELLS + 1)[1:-1]
    for own in rows:
        counted = own[:, 4] > 0
        total = own[counted].sum(0)
        correlation.append(float(total[1] / total[4]))
        precision.append(float(total[2] / total[4]))
        row, column = (np.searchsorted(edges, own[:, index], side="right") for index in (1, 2))
        place = np.where(counted, CELLS * row + column, -1)
        table = np.bincount(place[counted], minlength=CELLS**2).reshape(CELLS, CELLS)
        cells.append(tuple(map(tuple, table.tolist())))
        places.append(tuple(place.tolist()))
    return WordOrder(tuple(correlation), tuple(precision), tuple(cells), tuple(places))


def n_gram_profile(rows: Mapping[str, Rows], metric: BLEU) -> Lengths:
    """The n-gram precisions and the length ratio of each system, from BLEU's rows."""
    orders = metric.max_order
    precisions, ratios = [], []
    for own in rows.values():
        total = own.sum(0).tolist()
        named = dict(zip(metric.columns, total, strict=True))
        precisions.append(
            tuple(
                100 * named[f"correct_{n}"] / named[f"total_{n}"] if named[f"total_{n}"] else None
                for n in range(1, orders + 1)
            )
        )
        ratios.append(named["hyp_len"] / named["ref_len"] if named["ref_len"] else None)
    return Lengths(tuple(precisions), tuple(ratios))
