"""The accumulator: batches in, scores out, at any time."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore._version import __version__
from refscore.accumulation.container import load_container, read_container, save_container, write_container
from refscore.accumulation.described import described, labelled, read_described
from refscore.accumulation.kept import AllRows, KeptRows, NoRows, SampledRows
from refscore.accumulation.sums import RowSum, column_sums
from refscore.errors import InputError, SettingError
from refscore.metrics import Metric, Score
from refscore.metrics.core.score import Rows
from refscore.metrics.core.settings import whole_number

if TYPE_CHECKING:
    from refscore.significance import Interval

Keep: TypeAlias = "Literal['sums', 'rows'] | int"
Counts: TypeAlias = "tuple[int, int]"

_MOST_SAMPLED = 1 << 32
_MOST_SEED = (1 << 128) - 1


class Accumulator:
    """A running sum of rows, by one or several metrics: scores of what comes in batches.

    Batches, processes and machines may split the segments in any way. Where a metric's rows are counts, the score is
    the same to the last bit, for others to 1e-12.

    An accumulator is of one thread; several have one each, and merge them.

    Args:
        metrics: Names of metrics with their default settings (also chrf++ or bleu:nltk), or metrics; in a dictionary,
            under names of your own.
        keep: "sums" keeps a row for each metric, whatever the number of segments. "rows" keeps the rows of all
            segments and a number those of a sample of so many, for `interval`.
        seed: What a sample is drawn with. Accumulators that are to be merged need one each.

    Attributes:
        metrics: The metrics under their labels.
        segments: How many segments there have been.
        note: What JSON can hold, for your own use; saved with the rest. A merger leaves it as it is.

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
        self,
        metrics: str | Metric[Any] | Iterable[str | Metric[Any]] | Mapping[str, str | Metric[Any]] = (
            "bleu",
            "chrf",
            "ter",
        ),
        *,
        keep: Keep = "sums",
        seed: int = 12345,
    ) -> None:
        self.metrics: Mapping[str, Metric[Any]] = labelled(metrics)
        self.segments = 0
        self.note: dict[str, Any] = {}
        self._versions = {__version__}
        self._references: Counts | None = None  # of no segment, or of segments of which it is not known
        self._sums = {
            label: RowSum.of_metric(len(metric.columns), metric.row_type) for label, metric in self.metrics.items()
        }
        self._kept = _kept(self.metrics, keep, whole_number("seed", seed, 0, _MOST_SEED))

    @property
    def keep(self) -> Keep:
        """What is kept: "sums", "rows", or the size of the sample."""
        made: Keep = self._kept.keep  # type: ignore[assignment]
        return made

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of refscore that the rows come from: this one, and those of what was loaded or merged."""
        return tuple(sorted(self._versions))

    def update(self, hypotheses: Any, references: Any, *, threads: int | None = None) -> None:
        """Score a batch. If that fails, the accumulator is as it was before.

        Args:
            hypotheses: The segments: texts, token sequences, or a batch of ids. No segment is fine.
            references: One entry per hypothesis, as for `Metric.corpus`.
            threads: How many to use; all cores by default.
        """
        if isinstance(hypotheses, Iterator):
            hypotheses = list(hypotheses)
        if isinstance(references, Iterator):
            references = list(references)
        with_rows = not isinstance(self._kept, NoRows) or not hasattr(hypotheses, "__len__")
        rows: dict[str, Rows] = {}
        sums: dict[str, Rows] = {}
        counts = (0, 0)
        for label, metric in self.metrics.items():
            if with_rows:
                rows[label], counts = metric.stats_and_counts(hypotheses, references, threads=threads)
                sums[label] = column_sums(rows[label])
            else:
                sums[label], counts = metric.total(hypotheses, references, threads=threads)
        self._add(sums, rows, len(next(iter(rows.values()))) if with_rows else len(hypotheses), counts)

    def update_rows(self, rows: Any, *, references: Counts | None = None) -> None:
        """Add rows that `Metric.stats` made, here or elsewhere.

        Args:
            rows: An array with a row for each segment; for several metrics, a dictionary with one for each label.
            references: The fewest and the most references that a segment has, where known: for signatures.
        """
        given = rows if isinstance(rows, Mapping) else {self._label(None): rows}
        if given.keys() != self.metrics.keys():
            raise InputError(
                None, f"rows must have an array for each of {', '.join(self.metrics)}, not {', '.join(given)}"
            )
        if references is not None:
            _check_counts(references)
        made = {label: _checked_rows(metric, given[label], label) for label, metric in self.metrics.items()}
        lengths = {len(own) for own in made.values()}
        if len(lengths) > 1:
            raise InputError(None, f"rows of one batch must be of the same segments, not {sorted(lengths)} of them")
        sums = {label: column_sums(own) for label, own in made.items()}
        self._add(sums, made, lengths.pop(), references)

    def merge(self, other: Accumulator) -> None:
        """Add what another accumulator has seen; the other stays as it is.

        Args:
            other: One of the same metrics under the same labels, that keeps the same.
        """
        if not isinstance(other, Accumulator):
            raise InputError(None, f"an accumulator is merged with another one, not with {type(other).__name__}")
        if other is self:
            raise InputError(None, "an accumulator cannot be merged with itself: its segments would count twice")
        if self.metrics != other.metrics:
            raise InputError(
                None, f"accumulators have to be of the same metrics: {_difference(self.metrics, other.metrics)}"
            )
        if self.keep != other.keep:
            raise InputError(
                None, f"accumulators have to keep the same: this one keeps {self.keep}, the other {other.keep}"
            )
        self._kept.check(other._kept)  # type: ignore[arg-type]
        for label, total in self._sums.items():
            total.merge(other._sums[label])
        self._kept.merge(other._kept)  # type: ignore[arg-type]
        self._note_segments(other.segments, other._references)
        self._versions |= other._versions

    def score(self, label: str | None = None) -> Score:
        """The score of all segments so far.

        Args:
            label: That of the metric; it can be left out if there is one.
        """
        label = self._label(label)
        if self.segments == 0:
            raise InputError(None, "there are no segments yet: an empty corpus has no score")
        made: Score = self.metrics[label].score(self._sums[label].row, references=self._references)
        return made

    def scores(self) -> dict[str, Score]:
        """The scores of all segments so far, under the metrics' labels."""
        return {label: self.score(label) for label in self.metrics}

    def rows(self, label: str | None = None) -> Rows:
        """The rows that are kept: of all segments in the order they came in, or of the sample, as a new array.

        Args:
            label: That of the metric; it can be left out if there is one.
        """
        label = self._label(label)
        if isinstance(self._kept, NoRows):
            raise InputError(
                None, "rows are not kept: make the accumulator with keep='rows', or keep=100_000 for a sample"
            )
        made: Rows = self._kept.arrays()[label].copy()
        return made

    def interval(
        self,
        label: str | None = None,
        *,
        resamples: int = 1000,
        seed: int = 12345,
        confidence: float = 0.95,
        threads: int | None = None,
    ) -> Interval:
        """The bootstrap interval in which a score lies.

        It needs rows. From a sample of n of N segments, the bootstrap of the sample is made narrower by the square root
        of n / N, and put around the score of all segments.

        Args:
            label: That of the metric; it can be left out if there is one.
            resamples: How many corpora to draw.
            seed: What to draw with; the same gives the same interval.
            confidence: How often such intervals hold the true score.
            threads: How many to use; all cores by default.
        """
        from refscore.accumulation.intervals import interval_of

        label = self._label(label)
        settings = {"resamples": resamples, "seed": seed, "confidence": confidence, "threads": threads}
        return interval_of(self.metrics[label], self.rows(label), self.score(label), self.segments, settings)

    def consume(
        self,
        batches: Iterable[tuple[Any, Any]],
        *,
        skip: int = 0,
        save_to: str | os.PathLike[str] | None = None,
        every: float = 60.0,
        threads: int | None = None,
    ) -> None:
        """Score all batches of a stream; unless `threads` is 1, the next one is read meanwhile.

        Args:
            batches: Pairs of hypotheses and references, each as `update` takes them.
            skip: How many segments at the beginning are left out: of a stream that is read again, those that have been
                scored.
            save_to: A file to save to now and then, and at the end.
            every: How many seconds to score between two such times.
            threads: How many to use; all cores by default.
        """
        from refscore.readers import ahead

        last = time.monotonic()
        stream = _without(skip, batches)
        with closing(stream if threads == 1 else ahead(stream)) as left:
            for hypotheses, references in left:
                self.update(hypotheses, references, threads=threads)
                if save_to is not None and time.monotonic() - last >= every:
                    self.save(save_to)
                    last = time.monotonic()
        if save_to is not None:
            self.save(save_to)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save everything to a file; until it is written whole, a file that was there stays.

        The format is described in docs/scale.md: JSON and plain numbers, with a checksum.

        Args:
            path: The file, usually with the ending .refstats.
        """
        save_container(Path(path), *self._contents())

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, metrics: Any = None) -> Accumulator:
        """An accumulator that was saved.

        Args:
            path: The file.
            metrics: What it was made with. Needed only where a signature does not hold all of a metric: for a tokenizer
                that is a function.
        """
        return cls._of(*load_container(Path(path)), str(path), metrics)

    @classmethod
    def resume(
        cls, path: str | os.PathLike[str], metrics: Any, *, keep: Keep = "sums", seed: int = 12345
    ) -> Accumulator:
        """The accumulator that was saved to a file, or a new one if there is no such file.

        Args:
            path: The file.
            metrics: As for a new one; those of the file have to be the same.
            keep: As for a new one.
            seed: As for a new one.
        """
        new = cls(metrics, keep=keep, seed=seed)
        if not os.path.lexists(path):
            return new
        found = cls.load(path, metrics=new.metrics)
        if found.keep != keep:
            raise InputError(None, f"{path} keeps {found.keep}, not {keep}: go on with that, or remove the file")
        return found

    def to_bytes(self) -> bytes:
        """What `save` writes."""
        file = io.BytesIO()
        write_container(file, *self._contents())
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes, *, metrics: Any = None) -> Accumulator:
        """What `to_bytes` gave.

        Args:
            data: The bytes.
            metrics: As for `load`.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise InputError(None, f"an accumulator is read from bytes, not from {type(data).__name__}")
        return cls._of(*read_container(io.BytesIO(data), len(data), "the data"), "the data", metrics)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.to_bytes(), dict(self.metrics))

    def __repr__(self) -> str:
        kept = f", a sample of {self.keep:,}" if isinstance(self.keep, int) else ""
        return f"<accumulator of {self.segments:,} segments by {', '.join(self.metrics)}{kept}>"

    def _label(self, label: str | None) -> str:
        if label is None:
            if len(self.metrics) > 1:
                raise SettingError(f"there are several metrics: name one of {', '.join(self.metrics)}")
            return next(iter(self.metrics))
        if label not in self.metrics:
            raise SettingError(f"there is no metric {label!r} here (there are: {', '.join(self.metrics)})")
        return label

    def _add(self, sums: Mapping[str, Rows], rows: Mapping[str, Rows], count: int, references: Counts | None) -> None:
        if count == 0:
            return
        before = {label: (total.sum, total.lost) for label, total in self._sums.items()}
        try:
            for label, total in self._sums.items():
                total.add(sums[label])
        except InputError:
            for label, total in self._sums.items():
                total.sum, total.lost = before[label]
            raise
        self._kept.add(rows, self.segments)
        self._note_segments(count, references)

    def _note_segments(self, count: int, references: Counts | None) -> None:
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
        listed, weights = described(self.metrics)
        header = {
            "refscore": list(self.versions),
            "segments": self.segments,
            "references": self._references,
            "keep": self.keep,
            "seeds": [str(seed) for seed in self._kept.seeds],  # they may have more digits than JSON's numbers
            "note": self.note,
            "metrics": listed,
        }
        arrays: dict[str, NDArray[Any]] = {}
        for label, total in self._sums.items():
            arrays[f"sum/{label}"] = total.sum
            if total.sum.dtype.kind == "f":
                arrays[f"lost/{label}"] = total.lost
        arrays |= {f"rows/{label}" if label else "keys": own for label, own in self._kept.arrays().items()}
        return header, {**arrays, **weights}

    @classmethod
    def _of(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]], name: str, metrics: Any) -> Accumulator:
        from refscore.accumulation.restored import restored

        given = None if metrics is None else labelled(metrics)
        known = read_described(header.get("metrics"), arrays, given, name)
        state = restored(header, arrays, known, name)
        made = cls(known)
        made.segments = state.segments
        made.note = state.note
        made._versions = {*state.versions}
        made._references = state.references
        made._sums = state.sums
        made._kept = state.kept
        return made


def _without(skip: int, batches: Iterable[tuple[Any, Any]]) -> Generator[tuple[Any, Any], None, None]:
    """The batches without so many segments at the beginning."""
    left = skip
    for hypotheses, references in batches:
        here = min(left, len(hypotheses)) if left else 0
        left -= here
        if here == 0:
            yield hypotheses, references
        elif here < len(hypotheses):
            yield hypotheses[here:], references[here:]
    if left:
        raise InputError(
            None, f"{skip} segments were to be left out, but there are only {skip - left}: another stream?"
        )


def _unpickled(data: bytes, metrics: Mapping[str, Metric[Any]]) -> Accumulator:
    return Accumulator.from_bytes(data, metrics=metrics)


def _kept(metrics: Mapping[str, Metric[Any]], keep: Any, seed: int) -> KeptRows:
    if keep == "sums":
        return NoRows()
    if keep == "rows":
        return AllRows(metrics)
    if isinstance(keep, bool) or not isinstance(keep, (int, np.integer)) or keep < 2:
        raise SettingError(f"keep must be 'sums', 'rows', or the size of a sample, at least 2, not {keep!r}")
    return SampledRows(metrics, whole_number("keep", keep, 2, _MOST_SAMPLED), seed)


def _difference(ours: Mapping[str, Metric[Any]], theirs: Mapping[str, Metric[Any]]) -> str:
    if ours.keys() != theirs.keys():
        return f"this one has {', '.join(ours)}, the other {', '.join(theirs)}"
    label = next((label for label in ours if ours[label] != theirs[label]), next(iter(ours)))
    return f"{ours[label].signature} here, {theirs[label].signature} there"


def _check_counts(references: Any) -> None:
    fits = isinstance(references, tuple) and len(references) == 2 and all(type(count) is int for count in references)
    if not fits or not 1 <= references[0] <= references[1]:
        raise InputError(None, f"references must be the fewest and the most that a segment has, not {references!r}")


def _checked_rows(metric: Metric[Any], rows: Any, label: str) -> Rows:
    given = np.asarray(rows)
    kinds = "iu" if metric.row_type.kind == "i" else "iuf"
    if given.ndim != 2 or given.shape[1] != len(metric.columns) or given.dtype.kind not in kinds:
        kind = "whole numbers" if metric.row_type.kind == "i" else "numbers"
        raise InputError(None, f"rows of {label} have {len(metric.columns)} {kind} each: {', '.join(metric.columns)}")
    if given.size and not (given.min() >= 0 and given.max() < 2**63):  # not a number fails both
        raise InputError(
            None, f"rows of {label} have a number that is not from 0 up: statistics are counts and lengths"
        )
    return given.astype(metric.row_type, copy=False)
