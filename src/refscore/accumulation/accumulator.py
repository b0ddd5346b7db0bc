"""The accumulator: add batches of segments, and get the scores at any time."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Generator, Iterable, Mapping
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
from refscore.data_warnings import is_checked, issue
from refscore.errors import InputError, Location, SettingError, relocated
from refscore.inputs import Input, check_sizes
from refscore.metrics import (
    Metric,
    MetricChoices,
    Rows,
    RowSum,
    Score,
    add_rows,
    check_data,
    kernel_threads,
    parse_metrics,
    rows_and_counts,
    sum_rows,
)
from refscore.settings import whole_number
from refscore.writing import written_whole

if TYPE_CHECKING:
    from refscore.significance import Interval

_MOST_SEED = (1 << 128) - 1


class Accumulator:
    """A running sum of rows that scores segments in batches, with one or several metrics.

    The scores are the same to the last bit for every split into batches, processes and machines.

    An accumulator is not thread-safe. Use one per thread, and merge them.

    Args:
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        keep: "sums" retains only one sum per metric. For `interval`, "rows" retains the rows of all segments, and a
            number those of a random sample of this size.
        seed: The seed of the random numbers. Accumulators to be merged need different seeds for their samples.

    Attributes:
        metrics: The metrics by label.
        segments: The number of segments so far.
        note: A dictionary of JSON values for your own use. It is saved with the sums, and `merge` does not change it.

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
        self._references: Counts | None = None  # None if unknown for some segments
        self._sums = {label: RowSum(len(metric.columns), metric.row_type) for label, metric in self.metrics.items()}
        self._retained = retain_rows(self.metrics, keep, whole_number("seed", seed, 0, _MOST_SEED))

    @property
    def keep(self) -> Keep:
        """What the accumulator retains: "sums", "rows" or the size of the sample."""
        return "sums" if self._retained is None else self._retained.keep

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of refscore that computed the rows, including those of loaded and merged accumulators."""
        return tuple(sorted(self._versions))

    def update(
        self,
        hypotheses: Any,
        references: Any,
        *,
        sources: Any = None,
        rows: Mapping[str, Any] | None = None,
        threads: int | None = None,
    ) -> None:
        """Score a batch and add it. An error leaves the accumulator unchanged.

        Args:
            hypotheses: One text or token sequence per segment, or a padded batch of token ids. May be empty.
            references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
            sources: The source of each segment, for metrics that need it.
            rows: One row of statistics per segment, as an array of shape (segments, columns). A dictionary from labels
                of metrics to their rows. These metrics do not score the batch.
            threads: The number of threads; all cores by default.

        Example:
            >>> import refscore
            >>> comet = refscore.Given("comet")
            >>> accumulator = refscore.Accumulator(["wer", comet])
            >>> accumulator.update(["a cat", "a dog"], ["the cat", "a dog"], rows={"comet": comet.stats([0.7, 0.9])})
            >>> {label: round(score.value, 4) for label, score in accumulator.scores().items()}
            {'wer': 0.25, 'comet': 0.8}
        """
        texts = Input(hypotheses, references, sources)
        texts.read(kernel_threads(threads))
        given = {} if rows is None else self._check_given(rows, texts)
        is_first = self.segments == 0
        self._update(texts, given, threads)
        if is_first and is_checked():
            scoring = [metric for label, metric in self.metrics.items() if label not in given]
            issue(check_data(scoring, {"": texts.hypotheses.value}, texts.references.value))

    def _update(self, texts: Input, given: Mapping[str, Rows], threads: int | None) -> None:
        """Add the `given` rows of some metrics, and score the batch by the others."""
        counts: list[Counts] = []
        if self._retained is not None:
            all_rows = {}
            for label, metric in self.metrics.items():
                if label in given:
                    all_rows[label] = given[label]
                    continue
                all_rows[label], count = rows_and_counts(metric, texts, threads)
                counts += [count] * metric.needs_references
            self._add_rows(all_rows, counts[0] if counts else None)
            return

        def increase(label: str, total: RowSum) -> None:
            if label in given:
                total.add(given[label])
            else:
                count = add_rows(self.metrics[label], texts, threads, total)
                counts.extend([count] * self.metrics[label].needs_references)

        self._sums = self._increased(increase)
        self._count_segments(texts.hypotheses.size or 0, counts[0] if counts else None)

    def _check_given(self, rows: Mapping[str, Any], texts: Input) -> dict[str, Rows]:
        """Return the rows that the caller computed for some metrics, each with one row per segment."""
        checked = {}
        for label, array in rows.items():
            checked[self._label(label)] = check_rows(label, self.metrics[self._label(label)], array)
            if len(checked[label]) != texts.hypotheses.size:
                problem = f"has {len(checked[label])} rows for {texts.hypotheses.size} segments"
                raise InputError(Location(f"rows[{label!r}]"), problem, "pass one row per segment")
        return checked

    def update_rows(self, rows: Any, *, references: Counts | None = None) -> None:
        """Add rows of `Metric.stats`, for example from a different process.

        Args:
            rows: One row of statistics per segment, as an array of shape (segments, columns). For several metrics, a
                dictionary with one array per label.
            references: The smallest and largest number of references per segment, if known. Signatures name them.
        """
        by_label = rows if isinstance(rows, Mapping) else {self._label(None): rows}
        if by_label.keys() != self.metrics.keys():
            raise InputError(
                None, f"rows must have one array each for {', '.join(self.metrics)}, not for {', '.join(by_label)}"
            )
        checked = {label: check_rows(label, metric, by_label[label]) for label, metric in self.metrics.items()}
        lengths = {len(array) for array in checked.values()}
        if len(lengths) > 1:
            raise InputError(None, f"the arrays in rows have different lengths, {sorted(lengths)}")
        self._add_rows(checked, check_counts(references))

    def merge(self, other: Accumulator) -> None:
        """Add the segments of a different accumulator with the same metrics and `keep`. `other` stays unchanged."""
        if not isinstance(other, Accumulator):
            raise InputError(None, f"other must be an accumulator, not {type(other).__name__}")
        if other is self:
            raise InputError(None, "an accumulator cannot be merged with itself", "its segments would count twice")
        if self.metrics != other.metrics:
            raise InputError(
                None, f"accumulators must have the same metrics: {_difference(self.metrics, other.metrics)}"
            )
        if self.keep != other.keep:
            raise InputError(
                None, f"accumulators must have the same keep: this one has {self.keep!r}, the other {other.keep!r}"
            )
        sums = self._increased(lambda label, total: total.merge(other._sums[label]))
        if self._retained is not None:
            self._retained.merge(other._retained)  # raises an error for samples that cannot be merged
        self._sums = sums
        self._count_segments(other.segments, other._references)
        self._versions |= other._versions

    def score(self, label: str | None = None) -> Score:
        """Return the score of all segments so far. With several metrics, `label` chooses one."""
        label = self._label(label)
        if self.segments == 0:
            raise InputError(None, "there are no segments yet", "an empty corpus has no score")
        score: Score = self.metrics[label].score(self._sums[label].row, references=self._references)
        return score

    def scores(self) -> dict[str, Score]:
        """Return the scores of all segments so far, by label."""
        return {label: self.score(label) for label in self.metrics}

    def rows(self, label: str | None = None) -> Rows:
        """Return a copy of the retained rows: of all segments in order, or of the sample."""
        label = self._label(label)
        if self._retained is None:
            raise InputError(
                None, "rows are not retained", "create the accumulator with keep='rows', or keep=100_000 for a sample"
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
        """Return the bootstrap confidence interval of a score. This needs retained rows.

        The interval of a sample is centred on the score of all segments and scaled to their number: the error of a
        score shrinks with the square root of the number of segments. The options are those of
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
            mean=value + scale * scale * (drawn.mean - sample_value),  # the bias shrinks with the number of segments
            low=value + scale * (drawn.low - sample_value),
            high=value + scale * (drawn.high - sample_value),
            sample=len(rows),
        )

    def consume(
        self,
        batches: Iterable[tuple[Any, ...]],
        *,
        skip: int = 0,
        save_to: str | os.PathLike[str] | None = None,
        every: float = 60.0,
        threads: int | None = None,
    ) -> None:
        """Score all batches of a stream. Unless `threads` is 1, the next batch is prefetched.

        Errors count segments from the beginning of the stream.

        Args:
            batches: Pairs of hypotheses and references, as for `update`. Or triples with the sources last.
            skip: The number of segments to skip, to continue a stream that was scored partly.
            save_to: A file to save to regularly and at the end.
            every: The seconds between saves.
            threads: The number of threads; all cores by default.
        """
        from refscore.readers import prefetch

        skip = whole_number("skip", skip, 0, None)
        begin, last = self.segments - skip, time.monotonic()
        stream = _skip(skip, batches)
        with closing(stream if threads == 1 else prefetch(stream)) as stream_left:
            for hypotheses, references, *sources in stream_left:
                with relocated(lambda location: location.after(self.segments - begin)):
                    self.update(hypotheses, references, sources=next(iter(sources), None), threads=threads)
                if save_to is not None and time.monotonic() - last >= every:
                    self.save(save_to)
                    last = time.monotonic()
        if save_to is not None:
            self.save(save_to)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the accumulator to a statistics file, usually with the ending .refstats.

        An existing file is replaced once the new one is complete. docs/reference/statistics-files.md describes the
        format.
        """
        with written_whole(Path(path)) as file:
            write_statistics(file, *self._contents())

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, metrics: MetricChoices | None = None) -> Accumulator:
        """Load an accumulator from a file.

        Args:
            path: The file.
            metrics: The metrics of the saved accumulator. Needed if a signature cannot describe a metric completely,
                for example if its tokenizer is a function.
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
        """Load the accumulator from a file, or return a new one if the file does not exist.

        The options are those of a new accumulator. The file must have the same metrics and the same `keep`.
        """
        new = cls(metrics, keep=keep, seed=seed)
        if not os.path.lexists(path):
            return new
        saved = cls.load(path, metrics=new.metrics)
        if saved.keep != keep:
            raise InputError(
                Location(file=str(path)),
                f"has keep={saved.keep!r}, not {keep!r}",
                "use the same value, or remove the file",
            )
        return saved

    def to_bytes(self) -> bytes:
        """Return the bytes that `save` writes."""
        file = io.BytesIO()
        write_statistics(file, *self._contents())
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes, *, metrics: MetricChoices | None = None) -> Accumulator:
        """Load an accumulator from the bytes of `to_bytes`. `metrics` is as for `load`."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise InputError(None, f"data must be bytes, not {type(data).__name__}")
        return cls._load(bytes(data), Location("data"), metrics)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self).from_bytes, metrics=dict(self.metrics)), (self.to_bytes(),)

    def __repr__(self) -> str:
        sample = f", a sample of {self.keep:,}" if isinstance(self.keep, int) else ""
        return f"<accumulator of {self.segments:,} segments by {', '.join(self.metrics)}{sample}>"

    def _label(self, label: str | None) -> str:
        if label is None:
            if len(self.metrics) > 1:
                raise SettingError(f"there are several metrics: choose one of {', '.join(self.metrics)}")
            return next(iter(self.metrics))
        if label not in self.metrics:
            raise SettingError(f"there is no metric {label!r} (there are: {', '.join(self.metrics)})")
        return label

    def _add_rows(self, rows: Mapping[str, Rows], references: Counts | None) -> None:
        self._sums = self._increased(lambda label, total: total.add(rows[label]))
        if self._retained is not None:
            self._retained.add(rows, self.segments)
        self._count_segments(len(next(iter(rows.values()))), references)

    def _increased(self, increase: Callable[[str, RowSum], None]) -> dict[str, RowSum]:
        """Return copies of the sums to which `increase` has added. An error leaves the sums unchanged."""
        sums = {label: total.copy() for label, total in self._sums.items()}
        for label, total in sums.items():
            increase(label, total)
            self.metrics[label].score(total.row)  # raises an error if counts exceed 64 bits
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
            "seeds": [str(seed) for seed in seeds],  # as strings: they may exceed the precision of JSON's numbers
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


def _skip(count: int, batches: Iterable[tuple[Any, ...]]) -> Generator[tuple[Any, ...], None, None]:
    """Yield the batches without the first `count` segments."""
    left = count
    for batch in batches:
        if left == 0:
            yield batch
            continue
        texts = Input(*batch)
        texts.read(1)
        size = check_sizes(texts)
        skipped = min(left, size)
        left -= skipped
        if skipped < size:
            yield (*texts.after(skipped),)
    if left:
        raise InputError(
            None, f"cannot skip {count} segments: there are only {count - left}", "pass the same stream again"
        )


def _difference(metrics: Mapping[str, Metric[Any]], others: Mapping[str, Metric[Any]]) -> str:
    if metrics.keys() != others.keys():
        return f"this one has {', '.join(metrics)}, the other {', '.join(others)}"
    label = next((label for label in metrics if metrics[label] != others[label]), next(iter(metrics)))
    return f"this one has {metrics[label].signature}, the other {others[label].signature}"
