"""Rows of single segments, all of them or a sample: what intervals are made from."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Rows

Metrics: TypeAlias = "Mapping[str, Metric[Any]]"
Keys: TypeAlias = "NDArray[np.uint64]"


class GrowingRows:
    """Rows in one array that grows: blocks that are joined at the end take their memory twice.

    Example:
        >>> rows = GrowingRows(2, np.dtype(np.int64))
        >>> rows.add(np.array([[1, 2]]))
        >>> rows.add(np.array([[3, 4], [5, 6]]))
        >>> rows.joined().tolist()
        [[1, 2], [3, 4], [5, 6]]
    """

    def __init__(self, columns: int, row_type: np.dtype[Any]) -> None:
        self._rows: Rows = np.zeros((0, columns), dtype=row_type)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: Rows) -> None:
        """Append rows."""
        begin, self._count = self._count, self._count + len(rows)
        if self._count > len(self._rows):
            self._resize(self._count + self._count // 8 if begin else self._count)
        self._rows[begin : self._count] = rows

    def joined(self) -> Rows:
        """All rows. They are not copied, and the array is not to be held while more are added."""
        self._resize(self._count)
        return self._rows

    def _resize(self, count: int) -> None:
        if count != len(self._rows):
            # In place; nothing else refers to the array.
            self._rows.resize((count, self._rows.shape[1]), refcheck=False)


class NoRows:
    """Keeps nothing."""

    keep = "sums"
    seeds: tuple[int, ...] = ()

    def add(self, rows: Mapping[str, Rows], begin: int) -> None:
        """Leave the rows."""

    def check(self, other: Any) -> None:
        """Nothing is in the way of a merger."""

    def merge(self, other: Any) -> None:
        """There is nothing to take over."""

    def arrays(self) -> dict[str, Rows]:
        """What is to be saved: nothing."""
        return {}


class AllRows:
    """Keeps the rows of all segments, in the order they came in."""

    keep = "rows"
    seeds: tuple[int, ...] = ()

    def __init__(self, metrics: Metrics) -> None:
        self._rows = {label: GrowingRows(len(metric.columns), metric.row_type) for label, metric in metrics.items()}

    def add(self, rows: Mapping[str, Rows], begin: int) -> None:
        """Append the rows of a batch."""
        for label, kept in self._rows.items():
            kept.add(rows[label])

    def check(self, other: AllRows) -> None:
        """Nothing is in the way of a merger."""

    def merge(self, other: AllRows) -> None:
        """Append another's rows."""
        for label, kept in self._rows.items():
            kept.add(other._rows[label].joined())

    def arrays(self) -> dict[str, Rows]:
        """The rows under their labels."""
        return {label: kept.joined() for label, kept in self._rows.items()}

    @classmethod
    def of(cls, metrics: Metrics, arrays: Mapping[str, Rows]) -> AllRows:
        """What was saved."""
        made = cls(metrics)
        made.add(arrays, 0)
        return made


class SampledRows:
    """Keeps the rows of a sample in which each segment is as likely to be as any other.

    Each segment draws a number, and those with the smallest stay. So samples merge: the smallest of all are among the
    smallest of each part, and what is kept does not depend on the order of the parts.
    """

    def __init__(self, metrics: Metrics, size: int, seed: int) -> None:
        self.keep = size
        self.seeds: tuple[int, ...] = (seed,)
        self._seed = seed
        self._keys: Keys = np.zeros(0, dtype=np.uint64)
        self._rows: dict[str, Rows] = {
            label: np.zeros((0, len(metric.columns)), dtype=metric.row_type) for label, metric in metrics.items()
        }
        self._most: np.uint64 | None = None  # a larger number does not stay, once there are enough
        self._waiting: list[tuple[Keys, dict[str, Rows]]] = []
        self._held = 0

    def add(self, rows: Mapping[str, Rows], begin: int) -> None:
        """Draw for each segment of a batch, the first of which has this index among those of this accumulator."""
        keys = drawn_keys(self._seed, begin, len(next(iter(rows.values()))))
        self._take(keys, rows)

    def check(self, other: SampledRows) -> None:
        """Raises an error where both have drawn the same numbers."""
        both = sorted({*self.seeds} & {*other.seeds})
        if both:
            raise InputError(
                None,
                f"both samples were drawn with seed {both[0]}, so that they are not independent: give each accumulator "
                "that is to be merged a seed of its own",
            )

    def merge(self, other: SampledRows) -> None:
        """Keep the smallest numbers of both."""
        other._settle()
        self.seeds += other.seeds
        self._take(other._keys, other._rows)

    def arrays(self) -> dict[str, Rows]:
        """The rows under their labels, in the order of their numbers, which are under no label."""
        self._settle()
        return {"": self._keys, **self._rows}

    @classmethod
    def of(cls, metrics: Metrics, arrays: Mapping[str, Rows], size: int, seeds: tuple[int, ...]) -> SampledRows:
        """What was saved."""
        made = cls(metrics, size, seeds[0])
        made.seeds = seeds
        made._take(arrays[""], arrays)
        return made

    def _take(self, keys: Keys, rows: Mapping[str, Rows]) -> None:
        chosen: Any = slice(None) if self._most is None else np.flatnonzero(keys < self._most)
        taken = keys[chosen]
        if not len(taken):
            return
        # Copies, so that a few rows do not hold the array of all.
        self._waiting.append((taken.copy(), {label: np.array(rows[label][chosen]) for label in self._rows}))
        self._held += len(taken)
        if self._held > max(2 * self.keep, 1 << 16):
            self._settle()

    def _settle(self) -> None:
        if not self._waiting:
            return
        keys = np.concatenate([self._keys, *(waiting for waiting, _ in self._waiting)])
        order = np.argsort(keys, kind="stable")[: self.keep]
        for label, kept in self._rows.items():
            self._rows[label] = np.concatenate([kept, *(rows[label] for _, rows in self._waiting)])[order]
        self._keys = keys[order]
        self._waiting = []
        self._held = len(self._keys)
        if self._held == self.keep:
            self._most = self._keys[-1]


KeptRows: TypeAlias = "NoRows | AllRows | SampledRows"


def drawn_keys(seed: int, begin: int, count: int) -> Keys:
    """The numbers of consecutive segments, which depend on the seed and the segment's index alone.

    Steele et al. (2014): Fast Splittable Pseudorandom Number Generators. OOPSLA.

    Example:
        >>> drawn_keys(1, 0, 5)[2:].tolist() == drawn_keys(1, 2, 3).tolist() != drawn_keys(2, 2, 3).tolist()
        True
    """
    start = np.uint64(int.from_bytes(sha256(str(seed).encode()).digest()[:8], "little"))
    with np.errstate(over="ignore"):
        return _mixed(_mixed(np.arange(begin, begin + count, dtype=np.uint64)) ^ start)


def _mixed(numbers: Keys) -> Keys:
    """SplitMix64's function, which is one to one."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    made: Keys = numbers ^ (numbers >> np.uint64(31))
    return made
