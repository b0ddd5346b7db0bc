"""The retained rows of all segments or of a sample. Keys name the run and the metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, SettingError
from refscore.evaluation.saved_state import MOST_SAMPLED, SavedState, fail, saved_name
from refscore.evaluation.scoring import Key
from refscore.metrics import RowMetric, Rows
from refscore.settings import whole_number

Retain: TypeAlias = "Literal['sums', 'rows'] | int"
Metrics: TypeAlias = "Mapping[Key, RowMetric[Any]]"
Keys: TypeAlias = "NDArray[np.uint64]"


class GrowingRows:
    """Rows in one array that grows in place. Joining blocks at the end would need twice the memory."""

    def __init__(self, columns: int, row_type: np.dtype[Any]) -> None:
        self._rows: Rows = np.zeros((0, columns), dtype=row_type)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: Rows) -> None:
        begin, self._count = self._count, self._count + len(rows)
        if self._count > len(self._rows):
            self._resize(self._count + self._count // 8 if begin else self._count)
        self._rows[begin : self._count] = rows

    def joined(self) -> Rows:
        """Return all rows without a copy. Do not use the array after adding more rows."""
        self._resize(self._count)
        return self._rows

    def select(self, rows: NDArray[Any]) -> None:
        """Retain only the rows with these indexes, in this order."""
        self._rows = self.joined()[rows]
        self._count = len(rows)

    def _resize(self, count: int) -> None:
        if count != len(self._rows):
            # In place is safe: nothing else refers to the array.
            self._rows.resize((count, self._rows.shape[1]), refcheck=False)


class AllRows:
    """Retain the rows of all segments in order."""

    retain: Retain = "rows"
    seeds: tuple[int, ...] = ()

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._rows = {key: GrowingRows(len(metric.columns), metric.row_type) for key, metric in metrics.items()}

    def add(self, rows: Mapping[Key, Rows], begin: int) -> None:
        """Add the rows of a batch that follows `begin` segments."""
        for key, retained in self._rows.items():
            retained.add(rows[key])

    def merge(self, other: Any) -> None:
        """Add the rows of an object of the same class."""
        self.add({key: other.rows(key) for key in self._rows}, 0)

    def join(self, first: Any, second: Any, rows: Mapping[Key, Rows]) -> None:
        """Add the rows of the same segments that two objects of the same class retain."""
        self.add(rows, 0)

    def rows(self, key: Key) -> Rows:
        return self._rows[key].joined()

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {saved_name("rows", key): self.rows(key) for key in self._rows}

    def load(self, state: SavedState) -> None:
        self.add(state.rows(self._metrics, state.count("segments")), 0)


class RowSample(AllRows):
    """Retain the rows of a uniform random sample.

    Each segment gets a random number, and those with the smallest numbers are retained. This makes samples mergeable:
    the smallest numbers of all segments are among the smallest of each part.
    """

    def __init__(self, metrics: Metrics, size: int, seed: int) -> None:
        super().__init__(metrics)
        self.retain = self._size = size
        self.seeds = (seed,)
        self._keys = GrowingRows(1, np.dtype(np.uint64))
        self._limit: np.uint64 | None = None  # the largest retained number once the sample is full

    def add(self, rows: Mapping[Key, Rows], begin: int) -> None:
        """Draw a number for each segment of a batch, and retain the smallest."""
        self._add(drawn_keys(self.seeds[0], begin, len(next(iter(rows.values())))), rows)

    def merge(self, other: RowSample) -> None:
        """Retain the smallest numbers of both. Raise an error if both have drawn the same numbers."""
        shared = sorted({*self.seeds} & {*other.seeds})
        if shared:
            raise InputError(
                None,
                f"both samples have the seed {shared[0]}, so they are not independent",
                "create the evaluations with different seeds",
            )
        self.seeds += other.seeds
        self._add(other.arrays()["keys"], {key: other.rows(key) for key in self._rows})

    def join(self, first: RowSample, second: RowSample, rows: Mapping[Key, Rows]) -> None:
        """Add the rows of the same segments. Raise an error if both samples have different segments."""
        keys = first.arrays()["keys"]
        if not np.array_equal(keys, second.arrays()["keys"]):
            raise InputError(
                None, "both evaluations retain samples of different segments", "use the same seed for both"
            )
        self.seeds = first.seeds
        self._add(keys, rows)

    def rows(self, key: Key) -> Rows:
        self._shrink()
        return super().rows(key)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the rows of each metric in the order of their numbers, and the numbers."""
        return {**super().arrays(), "keys": self._keys.joined()[:, 0]}

    def load(self, state: SavedState) -> None:
        rows = state.rows(self._metrics, min(self._size, state.count("segments")))
        keys = state.array("keys", np.dtype(np.uint64), 1)
        if any(len(array) != len(keys) for array in rows.values()):
            fail("it has a different number of keys than of rows")
        self.seeds = state.seeds()
        self._add(keys, rows)

    def _add(self, keys: Keys, rows: Mapping[Key, Rows]) -> None:
        chosen: Any = slice(None) if self._limit is None else keys < self._limit
        self._keys.add(keys[chosen, np.newaxis])
        super().add({key: array[chosen] for key, array in rows.items()}, 0)
        if len(self._keys) > max(2 * self._size, 1 << 16):
            self._shrink()

    def _shrink(self) -> None:
        """Sort the rows by their numbers, and drop those that exceed the size of the sample."""
        order = np.argsort(self._keys.joined()[:, 0], kind="stable")[: self._size]
        for rows in (self._keys, *self._rows.values()):
            rows.select(order)
        if len(order) == self._size:
            self._limit = self._keys.joined()[-1, 0]


def retain_rows(metrics: Metrics, retain: Any, seed: int) -> AllRows | None:
    """Return an object that retains rows, or None for sums only."""
    if retain == "sums":
        return None
    if retain == "rows":
        return AllRows(metrics)
    if isinstance(retain, bool) or not isinstance(retain, (int, np.integer)) or retain < 2:
        raise SettingError(f"retain must be 'sums', 'rows' or a sample size of at least 2, not {retain!r}")
    return RowSample(metrics, whole_number("retain", retain, 2, MOST_SAMPLED), seed)


def drawn_keys(seed: int, begin: int, count: int) -> Keys:
    """Return the random numbers of consecutive segments. They depend only on the seed and the segment's index.

    Steele et al. (2014): Fast Splittable Pseudorandom Number Generators. OOPSLA.
    """
    from hashlib import sha256  # slow to import

    start = np.uint64(int.from_bytes(sha256(str(seed).encode()).digest()[:8], "little"))
    with np.errstate(over="ignore"):
        return _mixed(_mixed(np.arange(begin, begin + count, dtype=np.uint64)) ^ start)


def _mixed(numbers: Keys) -> Keys:
    """Apply the mixing function of SplitMix64, which is bijective."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Keys = numbers ^ (numbers >> np.uint64(31))
    return mixed
