"""The accumulator: batches in, scores out, at any time."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from refscore._version import __version__
from refscore.accumulation.file_format import read_statistics, write_statistics
from refscore.accumulation.retained_rows import Keep, retain_rows
from refscore.accumulation.saved_state import (
    Counts,
    SavedState,
    check_counts,
    check_rows,
    describe_metrics,
    load_metrics,
)
from refscore.errors import InputError, Location, SettingError, relocated
from refscore.metrics import Metric, MetricChoices, RowSum, Score, parse_metrics, sum_rows
from refscore.metrics.core.arrow_columns import columns
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.runner import add_rows, kernel_threads, rows_and_counts
from refscore.metrics.core.score import Rows
from refscore.metrics.core.settings import whole_number
from refscore.segments import Padded, as_array, check_sides
from refscore.writing import written_whole

if TYPE_CHECKING:
    from refscore.significance import Interval

_MOST_SEED = (1 << 128) - 1


class Accumulator:
    """A running sum of rows, by one or several metrics: scores of segments that come in batches.

    Batches, processes and machines may split the segments in any way: the scores are the same to the last bit.

    An accumulator belongs to one thread. Several threads have one each, and merge them.

    Args:
        metrics: Names of metrics with their default settings (also chrf++ or bleu:nltk), or metrics; in a dictionary,
            under names of your own.
        keep: "sums" retains a sum for each metric, for any number of segments. "rows" retains the rows of all segments,
            a number those of a sample of this size, for `interval`.
        seed: The seed of a sample. Accumulators that are to be merged need different ones.

    Attributes:
        metrics: The metrics by label.
        segments: The number of segments so far.
        note: A dictionary for your own use, with values for JSON; saved with the rest. `merge` does not change it.

    Example:
        >>> import refscore
        >>> accumulator = refscore.Accumulator(["bleu", "chrf++"])
        >>> for batch in (["the cat sat on a mat"], ["it rained all the day", "nobody came"]):
        ...     accumulator.update(batch, batch)
        >>> {label: score.percent for label, score in accumulator.scores().items()}
        {'bleu': 100.0, 'chrf++': 100.0}
        >>> accumulator.segments
        3
    """

    def __init__(
        self, metrics: MetricChoices = ("bleu", "chrf", "ter"), *, keep: Keep = "sums", seed: int = 12345
    ) -> None:
        self.metrics: Mapping[str, Metric[Any]] = parse_metrics(metrics)
        for metric in self.metrics.values():
            metric.check_fitted()
        self.segments = 0
        self.note: dict[str, Any] = {}
        self._versions = {__version__}
        self._references: Counts | None = None  # None also if they are not known for some segments
        self._sums = {label: RowSum(len(metric.columns), metric.row_type) for label, metric in self.metrics.items()}
        self._retained = retain_rows(self.metrics, keep, whole_number("seed", seed, 0, _MOST_SEED))

    @property
    def keep(self) -> Keep:
        """Return what is retained: "sums", "rows", or the size of the sample."""
        return "sums" if self._retained is None else self._retained.keep

    @property
    def versions(self) -> tuple[str, ...]:
        """Return the versions of refscore that made the rows: this one, and those of loaded and merged accumulators."""
        return tuple(sorted(self._versions))

    def update(self, hypotheses: Any, references: Any, *, threads: int | None = None) -> None:
        """Score a batch. If that fails, the accumulator is as it was before.

        Args:
            hypotheses: The segments: texts, token sequences, or a batch of ids. A batch may be empty.
            references: One entry per hypothesis, as for `Metric.corpus`.
            threads: How many to use; all cores by default.
        """
        hypotheses, references = _sized(hypotheses, references, kernel_threads(threads))
        counts = []
        if self._retained is not None:
            rows = {}
            for label, metric in self.metrics.items():
                rows[label], count = rows_and_counts(metric, hypotheses, references, threads)
                counts.append(count)
            self._add_rows(rows, counts[0])
            return

        def increase(label: str, total: RowSum) -> None:
            counts.append(add_rows(self.metrics[label], hypotheses, references, threads, total))

        self._sums = self._increased(increase)
        self._count_segments(len(hypotheses), counts[0])

    def update_rows(self, rows: Any, *, references: Counts | None = None) -> None:
        """Add rows of `Metric.stats`, which may come from other processes.

        Args:
            rows: An array with a row for each segment; for several metrics, a dictionary with one for each label.
            references: The fewest and the most references that a segment has, if they are known: for signatures.
        """
        by_label = rows if isinstance(rows, Mapping) else {self._label(None): rows}
        if by_label.keys() != self.metrics.keys():
            raise InputError(
                None, f"rows must have an array for each of {', '.join(self.metrics)}, not {', '.join(by_label)}"
            )
        checked = {label: check_rows(label, metric, by_label[label]) for label, metric in self.metrics.items()}
        lengths = {len(array) for array in checked.values()}
        if len(lengths) > 1:
            raise InputError(None, f"rows of one batch must be of the same segments, not {sorted(lengths)} of them")
        self._add_rows(checked, check_counts(references))

    def merge(self, other: Accumulator) -> None:
        """Add the segments of another accumulator, with the same metrics and `keep`. The other stays as it is."""
        if not isinstance(other, Accumulator):
            raise InputError(None, f"an accumulator is merged with another one, not with {type(other).__name__}")
        if other is self:
            raise InputError(None, "an accumulator cannot be merged with itself", "its segments would count twice")
        if self.metrics != other.metrics:
            raise InputError(
                None, f"accumulators must have the same metrics: {_difference(self.metrics, other.metrics)}"
            )
        if self.keep != other.keep:
            raise InputError(
                None, f"accumulators must retain the same: this one keeps {self.keep}, the other {other.keep}"
            )
        sums = self._increased(lambda label, total: total.merge(other._sums[label]))
        if self._retained is not None:
            self._retained.merge(other._retained)  # raises an error for samples that cannot be merged
        self._sums = sums
        self._count_segments(other.segments, other._references)
        self._versions |= other._versions

    def score(self, label: str | None = None) -> Score:
        """Return the score of all segments so far, by a metric; the label is not needed if there is only one."""
        label = self._label(label)
        if self.segments == 0:
            raise InputError(None, "there are no segments yet", "an empty corpus has no score")
        score: Score = self.metrics[label].score(self._sums[label].row, references=self._references)
        return score

    def scores(self) -> dict[str, Score]:
        """Return the scores of all segments so far, by label."""
        return {label: self.score(label) for label in self.metrics}

    def rows(self, label: str | None = None) -> Rows:
        """Return a copy of the rows that are retained: of all segments in their order, or of the sample."""
        label = self._label(label)
        if self._retained is None:
            raise InputError(
                None, "rows are not retained", "make the accumulator with keep='rows', or keep=100_000 for a sample"
            )
        rows: Rows = self._retained.rows(label).copy()
        return rows

    def interval(
        self,
        label: str | None = None,
        *,
        resamples: int = 1000,
        seed: int = 12345,
        confidence: float = 0.95,
        threads: int | None = None,
    ) -> Interval:
        """Return the bootstrap interval of a score. It needs rows.

        The error of a score goes with one over the square root of the number of segments. So the interval of a sample
        is scaled to the number of all segments, and put around the score of all segments. The options are those of
        `refscore.significance.bootstrap`.
        """
        label = self._label(label)
        metric, rows, value = self.metrics[label], self.rows(label), self.score(label).value
        from refscore.significance import bootstrap  # slow to import

        drawn = bootstrap(metric, rows, resamples=resamples, seed=seed, confidence=confidence, threads=threads)
        if len(rows) == self.segments:
            return drawn
        scale = sqrt(len(rows) / self.segments)
        sample_value = metric.score(sum_rows(rows)).value
        return replace(
            drawn,
            mean=value + scale * scale * (drawn.mean - sample_value),  # the bias goes with one over the number
            low=value + scale * (drawn.low - sample_value),
            high=value + scale * (drawn.high - sample_value),
            sample=len(rows),
        )

    def consume(
        self,
        batches: Iterable[tuple[Any, Any]],
        *,
        skip: int = 0,
        save_to: str | os.PathLike[str] | None = None,
        every: float = 60.0,
        threads: int | None = None,
    ) -> None:
        """Score all batches of a stream. Unless `threads` is 1, the next one is prefetched.

        Errors count segments from the beginning of the stream.

        Args:
            batches: Pairs of hypotheses and references, as for `update`.
            skip: How many segments to skip: those that are scored already, if the stream is read again.
            save_to: A file to save to from time to time, and at the end.
            every: The seconds between two saves.
            threads: How many to use; all cores by default.
        """
        from refscore.readers import prefetch

        skip = whole_number("skip", skip, 0, None)
        begin, last = self.segments - skip, time.monotonic()
        stream = _skip(skip, batches)
        with closing(stream if threads == 1 else prefetch(stream)) as stream_left:
            for hypotheses, references in stream_left:
                with relocated(lambda location: location.after(self.segments - begin)):
                    self.update(hypotheses, references, threads=threads)
                if save_to is not None and time.monotonic() - last >= every:
                    self.save(save_to)
                    last = time.monotonic()
        if save_to is not None:
            self.save(save_to)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save everything to a file, usually with the ending .refstats.

        docs/reference/statistics-files.md has the format.

        An existing file is replaced once the new one is complete.
        """
        with written_whole(Path(path)) as file:
            write_statistics(file, *self._contents())

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, metrics: MetricChoices | None = None) -> Accumulator:
        """Return an accumulator that was saved.

        Args:
            path: The file.
            metrics: The metrics that it was made with. Needed if a signature does not hold all of a metric: for a
                tokenizer that is a function.
        """
        location = Location(file=str(path))
        try:
            data = Path(path).read_bytes()
        except (OSError, MemoryError) as error:
            raise InputError(location, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
        return cls._load(data, location, metrics)

    @classmethod
    def resume(
        cls, path: str | os.PathLike[str], metrics: MetricChoices, *, keep: Keep = "sums", seed: int = 12345
    ) -> Accumulator:
        """Return the accumulator that was saved to a file, or a new one if there is no such file.

        The options are those of a new one. The file must have the same metrics, and the same `keep`.
        """
        new = cls(metrics, keep=keep, seed=seed)
        if not os.path.lexists(path):
            return new
        saved = cls.load(path, metrics=new.metrics)
        if saved.keep != keep:
            raise InputError(
                Location(file=str(path)), f"keeps {saved.keep}, not {keep}", "go on with that, or remove the file"
            )
        return saved

    def to_bytes(self) -> bytes:
        """Return the bytes that `save` writes."""
        file = io.BytesIO()
        write_statistics(file, *self._contents())
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes, *, metrics: MetricChoices | None = None) -> Accumulator:
        """Return the accumulator that `to_bytes` was called on; `metrics` are needed as for `load`."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise InputError(None, f"an accumulator is read from bytes, not from {type(data).__name__}")
        return cls._load(bytes(data), Location("data"), metrics)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self).from_bytes, metrics=dict(self.metrics)), (self.to_bytes(),)

    def __repr__(self) -> str:
        sample = f", a sample of {self.keep:,}" if isinstance(self.keep, int) else ""
        return f"<accumulator of {self.segments:,} segments by {', '.join(self.metrics)}{sample}>"

    def _label(self, label: str | None) -> str:
        if label is None:
            if len(self.metrics) > 1:
                raise SettingError(f"there are several metrics: name one of {', '.join(self.metrics)}")
            return next(iter(self.metrics))
        if label not in self.metrics:
            raise SettingError(f"there is no metric {label!r} here (there are: {', '.join(self.metrics)})")
        return label

    def _add_rows(self, rows: Mapping[str, Rows], references: Counts | None) -> None:
        self._sums = self._increased(lambda label, total: total.add(rows[label]))
        if self._retained is not None:
            self._retained.add(rows, self.segments)
        self._count_segments(len(next(iter(rows.values()))), references)

    def _increased(self, increase: Callable[[str, RowSum], None]) -> dict[str, RowSum]:
        """The sums after a function has added to them; they stay as they are if it fails for one of them."""
        sums = {label: total.copy() for label, total in self._sums.items()}
        for label, total in sums.items():
            increase(label, total)
            self.metrics[label].score(total.row)  # raises an error if counts are more than 64 bits hold
        return sums

    def _count_segments(self, count: int, references: Counts | None) -> None:
        if count == 0:
            return
        if self.segments == 0:
            self._references = references
        elif self._references is not None and references is not None:
            (fewest, most), (other_fewest, other_most) = self._references, references
            self._references = min(fewest, other_fewest), max(most, other_most)
        else:
            self._references = None
        self.segments += count

    def _contents(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        listed, weights = describe_metrics(self.metrics)
        seeds, rows = ((), {}) if self._retained is None else (self._retained.seeds, self._retained.arrays())
        header = {
            "refscore": list(self.versions),
            "segments": self.segments,
            "references": self._references,
            "keep": self.keep,
            "seeds": [str(seed) for seed in seeds],  # they may have more digits than JSON's numbers
            "note": self.note,
            "metrics": [{**entry, "sum": self._sums[entry["label"]].row.tolist()} for entry in listed],
        }
        sums = {f"sum/{label}": np.frombuffer(total.to_bytes(), np.uint8) for label, total in self._sums.items()}
        return header, {**sums, **rows, **weights}

    @classmethod
    def _load(cls, data: bytes, location: Location, metrics: MetricChoices | None) -> Accumulator:
        try:
            header, arrays = read_statistics(data)
            state = SavedState(header, arrays)
            given = None if metrics is None else parse_metrics(metrics)
            loaded = cls(load_metrics(header.get("metrics"), arrays, given), keep=state.keep())
            loaded._sums = {label: state.total(label, metric) for label, metric in loaded.metrics.items()}
            if loaded._retained is not None:
                loaded._retained.load(state)
            loaded._references = check_counts(header.get("references"))
            loaded.segments = state.count("segments")
        except InputError as error:
            raise error.at(location) from None
        loaded.note = header["note"]
        loaded._versions = {*header["refscore"]}
        return loaded


def _sized(hypotheses: Any, references: Any, threads: int) -> tuple[Any, Any]:
    """Both sides of a batch, with a length and readable more than once: each metric reads them again."""
    sides = {"hypotheses": hypotheses, "references": references}
    sides |= zip(sides, columns(hypotheses, references, threads), strict=True)
    for name, side in sides.items():
        array = as_array(side, Location(name))
        sides[name] = list(side) if isinstance(side, Iterator) else side if array is None else array
    return sides["hypotheses"], sides["references"]


def _skip(count: int, batches: Iterable[tuple[Any, Any]]) -> Generator[tuple[Any, Any], None, None]:
    """The batches without the first segments."""
    left = count
    for hypotheses, references in batches:
        if left == 0:
            yield hypotheses, references
            continue
        sides = _sized(hypotheses, references, 1)
        check_sides(*sides)
        skipped = min(left, len(sides[0]))
        left -= skipped
        if skipped < len(sides[0]):
            yield _after(skipped, sides[0]), _after(skipped, sides[1])
    if left:
        raise InputError(
            None, f"{count} segments were to be skipped, but there are only {count - left}", "is this the same stream?"
        )


def _after(skipped: int, side: Any) -> Any:
    """One side of a batch without its first segments."""
    if isinstance(side, PreparedReferences):
        raise InputError(
            Location("references"),
            f"are prepared, and {skipped} of the batch's segments are to be skipped",
            "pass references as they are, or end a batch where the skipped segments end",
        )
    if isinstance(side, Padded):
        return side.part(slice(skipped, None))
    return side[skipped:] if isinstance(side, np.ndarray) else list(side)[skipped:]


def _difference(metrics: Mapping[str, Metric[Any]], others: Mapping[str, Metric[Any]]) -> str:
    if metrics.keys() != others.keys():
        return f"this one has {', '.join(metrics)}, the other {', '.join(others)}"
    label = next((label for label in metrics if metrics[label] != others[label]), next(iter(metrics)))
    return f"{metrics[label].signature} here, {others[label].signature} there"
