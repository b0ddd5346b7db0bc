from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Any

import numpy as np

from refscore.errors import InputError, SettingError, check_instance
from refscore.inputs import Hypotheses, References
from refscore.metrics import Metric, MetricChoice, parse_metric
from refscore.tables import Column, Result, Table
from refscore.text_display import counted, visible

_COLUMNS = ("hits", "substitutions", "deletions", "insertions")
_RATES = ("correct", "substitutions", "deletions", "insertions", "errors")


@dataclass(frozen=True)
class GroupTotals:
    """The counts of a group of segments, such as those of one speaker.

    Attributes:
        name: The group.
        segments: How many segments it has.
        segments_with_errors: How many of them have an error.
        correct: The reference words that the hypotheses have.
        substitutions: The reference words that are replaced.
        deletions: The reference words that the hypotheses lack.
        insertions: The words that only the hypotheses have.

    Example:
        >>> import refscore
        >>> totals = refscore.alignments.error_totals(["a cat", "x"], ["the cat", "x"], by=["ann", "bob"])
        >>> totals.groups[0].rates["errors"], totals.groups[1].words
        (0.5, 1)
    """

    name: Hashable
    segments: int
    segments_with_errors: int
    correct: int
    substitutions: int
    deletions: int
    insertions: int

    def __repr__(self) -> str:
        return f"<{visible(str(self.name))}: {counted(self.errors, 'error')} in {counted(self.words, 'word')}>"

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions together."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def words(self) -> int:
        """How many words the references have."""
        return self.correct + self.substitutions + self.deletions

    @property
    def rates(self) -> dict[str, float]:
        """The counts of words per reference word, or NaN without reference words."""
        return {name: getattr(self, name) / self.words if self.words else math.nan for name in _RATES}

    @property
    def segment_error_rate(self) -> float:
        """The share of segments with an error."""
        return self.segments_with_errors / self.segments

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and rates as JSON values."""
        rates = {name: None if math.isnan(rate) else rate for name, rate in self.rates.items()}
        return {
            "name": self.name,
            "segments": self.segments,
            "words": self.words,
            **{name: getattr(self, name) for name in _RATES},
            "segments_with_errors": self.segments_with_errors,
            "rates": {**rates, "segments": self.segment_error_rate},
        }


@dataclass(frozen=True)
class ErrorTotals(Result):
    """The totals of sclite's reports by group, with the mean, standard deviation and median over the groups.

    Groups without reference words have counts, and are left out of the mean, standard deviation and median of rates
    per word.

    Attributes:
        groups: The groups in the order of their first segments.
        signature: The metric's signature.
        is_raw: Whether the table has counts, as sclite's `-o rsum`, instead of percentages, as its `-o sum`.
        unit: What is counted: "word", or "character" for CER.

    Example:
        >>> import refscore
        >>> hypotheses, references = ["the cat", "a dog ran", "x y"], ["the cat", "the dog", "x"]
        >>> print(refscore.alignments.error_totals(hypotheses, references, by=["ann", "ann", "bob"]))
        group    segments  words   Corr   Sub  Del    Ins    Err  S.Err
        -------  --------  -----  -----  ----  ---  -----  -----  -----
        ann             2      4   75.0  25.0  0.0   25.0   50.0   50.0
        bob             1      1  100.0   0.0  0.0  100.0  100.0  100.0
        Sum/Avg         3      5   80.0  20.0  0.0   40.0   60.0   66.7
        Mean          1.5    2.5   87.5  12.5  0.0   62.5   75.0   75.0
        S.D.          0.7    2.1   17.7  17.7  0.0   53.0   35.4   35.4
        Median        1.5    2.5   87.5  12.5  0.0   62.5   75.0   75.0
    """

    groups: tuple[GroupTotals, ...]
    signature: str
    is_raw: bool = False
    unit: str = "word"

    def __repr__(self) -> str:
        return f"<totals of {counted(len(self.groups), 'group')}: {counted(self.total.errors, 'error')}>"

    @property
    def total(self) -> GroupTotals:
        """The sums over all groups."""
        return _added("Sum" if self.is_raw else "Sum/Avg", self.groups)

    def statistics(self) -> dict[str, dict[str, float]]:
        """Return the mean, standard deviation and median over the groups of each column, by its name."""
        columns = [*zip(*(self._values(group) for group in self.groups), strict=True)]
        found: dict[str, dict[str, float]] = {"Mean": {}, "S.D.": {}, "Median": {}}
        for name, column in zip(("segments", "words", *_RATES, "segments_with_errors"), columns, strict=True):
            numbers = [value for value in column if not math.isnan(value)]
            found["Mean"][name] = fmean(numbers) if numbers else 0.0
            found["S.D."][name] = stdev(numbers) if len(numbers) > 1 else 0.0
            found["Median"][name] = median(numbers) if numbers else 0.0
        return found

    def _values(self, group: GroupTotals) -> list[float]:
        """Return the numbers of a row: counts, or percentages of words and segments."""
        begin = [float(group.segments), float(group.words)]
        if self.is_raw:
            return [*begin, *(float(getattr(group, name)) for name in _RATES), float(group.segments_with_errors)]
        return [*begin, *(100 * rate for rate in group.rates.values()), 100 * group.segment_error_rate]

    def table(self, *, digits: int | None = None) -> Table:
        """Return the table. `digits` are the decimals of percentages and statistics, by default 1."""
        digits = 1 if digits is None else digits
        rows = []
        for group in (*self.groups, self.total):
            numbers = [_rounded(value, 0 if self.is_raw else digits) for value in self._values(group)[2:]]
            rows.append([str(group.name), f"{group.segments:,}", f"{group.words:,}", *numbers])
        if len(self.groups) > 1:
            for name, values in self.statistics().items():
                rows.append([name, *(_rounded(value, digits) for value in values.values())])
        heads = ("segments", f"{self.unit}s", "Corr", "Sub", "Del", "Ins", "Err", "S.Err")
        return Table("", [Column("group"), *(Column(head, "right") for head in heads)], rows)

    def flat_table(self) -> Table:
        """Return the counts of each group for programs."""
        heads = ("group", "segments", "words", *_RATES, "segments_with_errors")
        rows = [
            [str(group.name), *(str(getattr(group, "words" if head == "words" else head)) for head in heads[1:])]
            for group in self.groups
        ]
        return Table("", map(Column, heads), rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values. Rates are from 0 to 1."""
        return {
            "signature": self.signature,
            "groups": [group.to_dict() for group in self.groups],
            "total": {**self.total.to_dict(), "name": None},
        }


def _rounded(value: float, digits: int) -> str:
    """Return a number rounded half up, as sclite does. A rate without words is a dash."""
    if math.isnan(value):
        return "–"
    return f"{math.floor(value * 10**digits + 0.5) / 10**digits:,.{digits}f}"


def _added(name: str, groups: Sequence[GroupTotals]) -> GroupTotals:
    names = ("segments", "segments_with_errors", *_RATES[:-1])
    return GroupTotals(name, *(sum(getattr(group, each) for group in groups) for each in names))


def error_totals(
    hypotheses: Hypotheses,
    references: References,
    metric: MetricChoice = "wer",
    *,
    by: Sequence[Hashable] | None = None,
    raw: bool = False,
    threads: int | None = None,
) -> ErrorTotals:
    """Return the totals of sclite's reports: counts and rates by group, such as speaker.

    "wer:sclite" gives sclite's counts.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metric: A metric with alignments, such as `WER` or `CER`, or its name.
        by: The group of each segment, by default one group for all.
        raw: Whether the table has counts instead of percentages.
        threads: The number of threads, by default all cores.

    Example:
        >>> import refscore
        >>> totals = refscore.alignments.error_totals(["a cat sat"], ["the (big) cat"], "wer:sclite", raw=True)
        >>> totals.total.correct, totals.total.errors
        (2, 2)
    """
    chosen: Any = metric if isinstance(metric, Metric) else parse_metric(metric)[1]
    if chosen.columns != _COLUMNS:
        raise SettingError(f"{chosen.title} counts no hits and edits of words: choose wer or cer")
    if by is not None:
        check_instance("by", by, Iterable, "pass one group per segment")
    rows = chosen.stats(hypotheses, references, threads=threads)
    names = ["all"] * len(rows) if by is None else [*by]
    if len(names) != len(rows):
        raise InputError(None, f"{len(rows)} hypotheses but {len(names)} groups in by", "pass one group per segment")
    unit = "word" if getattr(chosen, "alignment_separator", " ") else "character"
    return ErrorTotals(tuple(_groups(rows, names)), chosen.signature, raw, unit)


def _groups(rows: Any, names: Sequence[Hashable]) -> Iterator[GroupTotals]:
    numbers = {name: index for index, name in enumerate(dict.fromkeys(names))}
    members = np.array([numbers[name] for name in names])
    for name, index in numbers.items():
        own = rows[members == index]
        hits, substitutions, deletions, insertions = own.sum(0).tolist()
        with_errors = int((own[:, 1:].sum(1) > 0).sum())
        yield GroupTotals(name, len(own), with_errors, hits, substitutions, deletions, insertions)
