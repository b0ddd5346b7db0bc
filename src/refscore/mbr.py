"""Minimum-Bayes-risk decoding: choose the candidate with the best average score against all candidates.

Kumar and Byrne (2004): Minimum Bayes-risk decoding for statistical machine translation. NAACL.
DeNero, Chiang and Knight (2009): Fast consensus decoding over translation forests. ACL.
Eikema and Aziz (2022): Sampling-based approximations to minimum Bayes risk decoding for NMT. EMNLP.
Vamvas and Sennrich (2024): Linear-time minimum Bayes risk decoding with reference aggregation. ACL.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refscore.errors import Argument, InputError, Location, SettingError, relocated
from refscore.inputs import Segment, SegmentGroups, check_pairs, is_list, is_prepared, listed, read_side
from refscore.metrics import (
    METRICS,
    Metric,
    MetricChoice,
    RowMetric,
    RowSum,
    Values,
    check_weights,
    kernel_threads,
    map_groups,
    one_number_each,
    parse_row_metric,
    read_numbers,
    sum_rows,
    text_metric,
)
from refscore.settings import check_flag
from refscore.tables import Column, Result, Table

__all__ = ["RankedCandidates", "choose"]

# Score 2048 × 2048 pairs at a time: their scores take 32 MiB.
_TILE = 2048


@dataclass(frozen=True, eq=False, repr=False)
class RankedCandidates(Result):
    """The best candidate for one source, and all candidates' expected scores.

    Attributes:
        best: The best candidate's index.
        order: All candidates' indexes, from best to worst. Ties are in input order.
        expected: Each candidate's expected score, in input order.
        metric: The metric.
        aggregate: Whether each candidate was scored once, against aggregated references.

    Example:
        >>> from refscore import mbr
        >>> choice = mbr.choose(["a dog ran", "the cat sat on a mat", "the cat sat on the mat"])
        >>> choice.best, choice.order.tolist(), choice.expected.round(3)
        (2, [2, 1, 0], array([0.365, 0.579, 0.598]))
    """

    best: int
    order: NDArray[np.int64]
    expected: Values
    metric: RowMetric[Any]
    aggregate: bool

    def __repr__(self) -> str:
        return f"<candidate {self.best} of {len(self.order)}, {self.metric.name} {self.expected[self.best]:.4f}>"

    def table(self, *, digits: int | None = None) -> Table:
        """Return the candidates with their expected scores, from best to worst. `digits` is 4 by default."""
        columns = [Column("candidate", "right"), Column(f"expected {self.metric.title}", "right")]
        digits = 4 if digits is None else digits
        return Table("", columns, [[str(k), f"{self.expected[k]:.{digits}f}"] for k in self.order])

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as a dictionary, ready for JSON."""
        return {"best": self.best, "order": self.order.tolist(), "expected": self.expected.tolist()}


@overload
def choose(
    candidates: Sequence[str],
    references: Sequence[str] | None = ...,
    *,
    metric: MetricChoice = ...,
    source: str | None = ...,
    weights: Sequence[float] | NDArray[np.floating[Any]] | None = ...,
    log_probabilities: Sequence[float] | NDArray[np.floating[Any]] | None = ...,
    aggregate: bool = ...,
    tokens: bool = ...,
    threads: int | None = ...,
) -> RankedCandidates: ...
@overload
def choose(
    candidates: SegmentGroups | ArrayLike,
    references: SegmentGroups | None = ...,
    *,
    metric: MetricChoice = ...,
    source: Segment | Iterable[Segment] | None = ...,
    weights: ArrayLike | None = ...,
    log_probabilities: ArrayLike | None = ...,
    aggregate: bool = ...,
    tokens: bool = ...,
    threads: int | None = ...,
) -> Any: ...  # one group of tokens and a batch of texts have the same type
def choose(
    candidates: Any,
    references: Any = None,
    *,
    metric: MetricChoice = "chrf",
    source: Any = None,
    weights: Any = None,
    log_probabilities: Any = None,
    aggregate: bool = False,
    tokens: bool = False,
    threads: int | None = None,
) -> Any:
    """Choose the candidate with the best expected score: its weighted mean score against all references.

    The references are samples from the model, by default the candidates themselves. Each candidate is then also
    compared with itself. With equal weights, this does not change the order if the metric gives every text the same
    score against itself.

    Args:
        candidates: A group of texts or token sequences, or a batch of groups. For a metric that does not score text,
            such as `refscore.Given`, a matrix with a list per candidate, one score per reference.
        references: The references in the same form, by default the candidates.
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk". A bare name means the settings for single
            segments: "bleu" is the preset "sacrebleu-sentence".
        source: The candidates' source, for a metric that needs it. For a batch, a list with one per group.
        weights: One weight per reference, at least 0, equal by default. Weights need not sum to 1. For a batch,
            pass one list per group.
        log_probabilities: The weights' logarithms, up to a constant, instead of `weights`.
        aggregate: Score each candidate once, against the references' mean n-gram counts. This is faster for
            large groups and gives different scores. The metric must have a method `aggregate`, as BLEU and chrF do.
        tokens: Read lists of strings as token sequences, not as groups of texts.
        threads: The number of threads, by default all cores. The result does not depend on it.

    Returns:
        A `RankedCandidates`, or a list for a batch.

    Example:
        >>> import refscore
        >>> from refscore import mbr
        >>> samples = ["the cat sat on a mat", "the cat sat on the mat", "a dog ran"]
        >>> samples[mbr.choose(samples).best]
        'the cat sat on the mat'
        >>> mbr.choose(samples, metric="bleu", log_probabilities=[-0.5, -3.0, -1.5]).expected.round(3)
        array([0.741, 0.427, 0.324])
        >>> utilities = [[1.0, 0.4, 0.2], [0.5, 1.0, 0.6], [0.1, 0.3, 1.0]]
        >>> mbr.choose(utilities, metric=refscore.Given("comet")).best
        1
    """
    _, chosen = parse_row_metric(metric, for_segments=True)
    check_flag("aggregate", aggregate)
    count = kernel_threads(threads)
    score_with_all = getattr(chosen, "aggregate", None)
    if aggregate and score_with_all is None:
        able = [name for name, kind in METRICS.items() if hasattr(kind, "aggregate")]
        fix = f"choose {' or '.join(able)}, or leave out {Argument('aggregate')}"
        raise SettingError(f"{chosen.name} cannot aggregate references: {fix}")
    if weights is not None and log_probabilities is not None:
        raise InputError(None, "weights and log_probabilities exclude each other", "pass one of them")
    shares = weights if log_probabilities is None else log_probabilities
    shares_location = Location("weights" if log_probabilities is None else "log_probabilities")
    check_shares = check_weights if log_probabilities is None else weights_from_logarithms
    side = "candidates" if references is None else "references"
    candidates, references = listed(candidates, "candidates", count), listed(references, "references", count)
    if references is None:
        references = candidates
    elif not chosen.scores_text:
        problem = f"must be None for {chosen.title}, whose candidates have one score per reference"
        raise InputError(Location("references"), problem)

    def rate(candidates: Any, references: Any, raw_shares: Any, own_source: Any) -> RankedCandidates:
        _check_side(candidates, Location("candidates"), "pass at least one candidate")
        utilities = None if chosen.scores_text else _read_utilities(candidates)
        if utilities is None:
            _check_side(references, Location(side), "pass at least one reference")
        columns = len(references) if utilities is None else utilities.shape[1]
        probabilities = None if raw_shares is None else check_shares(raw_shares, columns, shares_location)
        if utilities is not None:
            expected = sum_rows((utilities * (1 / columns if probabilities is None else probabilities)).T)
        elif aggregate and score_with_all is not None:
            expected = score_with_all(candidates, references, weights=probabilities, tokens=tokens)
        else:
            options = {"source": own_source, "tokens": tokens, "threads": threads}
            expected = _expected(text_metric(chosen), candidates, references, probabilities, **options)
        order = np.argsort(-expected if chosen.higher_is_better else expected, kind="stable").astype(np.int64)
        return RankedCandidates(int(order[0]), order, expected, chosen, aggregate)

    with relocated(lambda location: location.on_sides(hypotheses="candidates", references=side)):
        further = (shares, shares_location), (source, Location("source"))
        choices: RankedCandidates | list[RankedCandidates] = map_groups(rate, candidates, references, tokens, *further)
        return choices


def weights_from_logarithms(logarithms: Any, count: int, location: Location) -> Values:
    """Return the weights with these logarithms, scaled to sum 1. Minus infinity means weight 0.

    >>> weights_from_logarithms([-1000.0, -1000.0, float("-inf")], 3, Location("log_probabilities"))
    array([0.5, 0.5, 0. ])
    """
    numbers = one_number_each(logarithms, count, location)
    wrong = np.isnan(numbers) | (numbers == np.inf)
    if wrong.any():
        index = int(np.argmax(wrong))
        raise InputError(replace(location, segment=index), f"is {numbers[index]:g}", "use numbers below infinity")
    if numbers.max() == -np.inf:
        raise InputError(location, "are all -inf", "at least one reference must have a weight above 0")
    with np.errstate(over="ignore"):  # differences beyond the range of floats give weights of 0
        numbers -= numbers.max()
    return check_weights(np.exp(numbers), count, location)


def _check_side(side: Any, location: Location, if_empty: str) -> None:
    # A 0-dimensional array has `__len__`, but calling it fails.
    has_length = hasattr(side, "__len__") and getattr(side, "ndim", 1) != 0
    if isinstance(side, (str, dict, set, frozenset)) or not has_length:
        kind = "a string" if isinstance(side, str) else type(side).__name__
        raise InputError(location, f"is {kind}", "pass a list of texts or token sequences")
    if not len(side):
        raise InputError(location, "is empty", if_empty)


def _read_utilities(matrix: Any) -> NDArray[np.float64]:
    rows: list[Values] = []
    for index, line in enumerate(matrix):
        with relocated(lambda place, index=index: Location("candidates", index, place.segment)):  # type: ignore[misc]
            rows.append(read_numbers(line, Location("candidates")))
        if len(rows[-1]) != len(rows[0]):
            problem = f"has {len(rows[-1])} numbers, but the first row has {len(rows[0])}"
            raise InputError(Location("candidates", index), problem, "pass one number per reference")
        if np.isnan(rows[-1]).any():
            wrong = Location("candidates", index, int(np.argmax(np.isnan(rows[-1]))))
            raise InputError(wrong, "is missing", "pass a score for every pair")
    if not len(rows[0]):
        raise InputError(Location("candidates", 0), "is empty", "pass the score for at least one reference")
    return np.array(rows)


def _expected(metric: Metric[Any], candidates: Any, references: Any, weights: Values | None, **options: Any) -> Values:
    """Return each candidate's mean score against all references. Duplicates are scored once."""
    shares = np.full(len(references), 1 / len(references)) if weights is None else weights
    rows = _Distinct(candidates)
    columns = rows if references is candidates else _Distinct(references)
    if columns.indexes is not None:
        shares = np.bincount(columns.indexes, shares, len(columns.items))
    expected = np.zeros(len(rows.items))
    whole = is_prepared(references)
    if not whole and max(len(rows.items), len(columns.items)) > _TILE:
        check_pairs(candidates, references, metric.mixed_tokens)  # tiles see only some of the pairs
    width = len(columns.items) if whole else _TILE
    height = _TILE if width <= _TILE else max(_TILE * _TILE // width, 1)
    for row in range(0, len(rows.items), height):
        total = RowSum(min(height, len(rows.items) - row), np.dtype(np.float64))
        for column in range(0, len(columns.items), width):
            with relocated(partial(_outside_tile, rows, row, columns, column)):
                pairs = metric.pairwise(rows.tile(row, height), columns.tile(column, width), **options)
            if not np.isfinite(pairs).all():
                problem = f"{metric.title} has no finite score for a candidate with a reference"
                raise InputError(None, problem, "leave them out, or choose a different metric")
            np.multiply(pairs, shares[column : column + width], out=pairs)
            total.add(pairs.T)
        expected[row : row + height] = total.row
    return expected if rows.indexes is None else expected[rows.indexes]


class _Distinct:
    """A group's distinct texts. Other input, and groups without duplicates, are left unchanged."""

    def __init__(self, side: Any) -> None:
        self.items = side
        self.indexes: NDArray[np.int64] | None = None  # the index of each text in `items`; None if unchanged
        if is_list(side) and all(isinstance(item, str) for item in side):
            numbers: dict[str, int] = {}
            indexes = [numbers.setdefault(text, len(numbers)) for text in side]
            if len(numbers) < len(side):
                self.items, self.indexes = list(numbers), np.array(indexes, dtype=np.int64)

    def tile(self, begin: int, size: int) -> Any:
        return self.items if len(self.items) <= size else read_side(self.items).part(slice(begin, begin + size))


def _outside_tile(rows: _Distinct, row: int, columns: _Distinct, column: int, location: Location) -> Location:
    """Return the location in the input for a location in a tile. Of duplicates, it names the first."""
    if location.segment is None:
        return location
    side, begin = (rows, row) if location.side == "hypotheses" else (columns, column)
    item = begin + location.segment
    return replace(location, segment=item if side.indexes is None else int(np.argmax(side.indexes == item)))
