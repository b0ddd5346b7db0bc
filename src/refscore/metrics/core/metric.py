"""The contract of all metrics: segments to rows of statistics, rows to scores.

Rows add up. A segment's score is `score(row)`, a corpus' `score(rows.sum(0))`; whatever else is needed is built from
these two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.errors import InputError, LimitError, SettingError, UnknownNameError
from refscore.metrics.core.arrow_columns import columns, listed
from refscore.metrics.core.groups import groups
from refscore.metrics.core.kernel import Kernel
from refscore.metrics.core.prepared import PreparedReferences, Reading, empty_reference, plain_input
from refscore.metrics.core.presets import Preset
from refscore.segments import AsOneSegment, Kind, StringsAreWords, check, check_hypotheses, check_pairs, plain_tokens
from refscore.tokenizers.pipeline import Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps

Rows = NDArray[Any]
Values = NDArray[np.float64]

# Segments that are prepared in Python at a time: few enough that the copies do not add up.
_BLOCK = 4096

# More than any machine has cores.
_MOST_THREADS = 65536


class Score(ABC):
    """A value, and the row of statistics it was computed from. Everything else is derived on demand.

    Example:
        >>> import refscore
        >>> score = refscore.bleu(["the cat sat on a mat"], ["the cat sat on the mat"])
        >>> isinstance(score, refscore.metrics.Score), round(float(score), 4), round(score.percent, 2)
        (True, 0.5373, 53.73)
    """

    __slots__ = ("_references", "metric", "row")

    def __init__(self, metric: Any, row: Rows, references: tuple[int, int] | None = None) -> None:
        row.setflags(write=False)
        object.__setattr__(self, "metric", metric)
        object.__setattr__(self, "row", row)
        object.__setattr__(self, "_references", references)

    metric: Metric[Any]
    row: Rows
    _references: tuple[int, int] | None

    @property
    @abstractmethod
    def value(self) -> float:
        """The score, from 0 to 1 for most metrics."""

    @abstractmethod
    def details(self) -> dict[str, Any]:
        """What the score is made of, ready for JSON."""

    @property
    def percent(self) -> float:
        """The value times 100, as papers print it."""
        return 100 * self.value

    @property
    def signature(self) -> str:
        """The metric's settings, with the number of references where it is known."""
        if self._references is None:
            return self.metric.signature
        fewest, most = self._references
        name, bar, rest = self.metric.signature.partition("|")
        return f"{name}|nrefs:{fewest if fewest == most else 'var'}{bar}{rest}"

    def to_dict(self) -> dict[str, Any]:
        """The score as a dictionary, ready for JSON."""
        return {
            "metric": self.metric.name,
            "value": self.value,
            "percent": self.percent,
            **self.details(),
            "signature": self.signature,
        }

    def _repr_html_(self) -> str:
        from html import escape  # slow to import, and needed in notebooks alone

        def shown(value: Any) -> str:
            if isinstance(value, list):
                return " / ".join(map(shown, value))
            return f"{value:.4f}" if isinstance(value, float) else str(value)

        name, wrap = 'style="text-align:left"', 'style="text-align:left;word-break:break-word"'
        cells = "".join(
            f"<tr><th {name}>{escape(key)}</th><td {wrap}>{escape(shown(value))}</td></tr>"
            for key, value in self.to_dict().items()
        )
        return f"<table>{cells}</table>"

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __float__(self) -> float:
        return self.value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a score cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a score cannot be changed: {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return (
            self.metric == other.metric
            and self._references == other._references
            and np.array_equal(self.row, other.row)
        )

    def __hash__(self) -> int:
        return hash((self.metric, tuple(self.row.tolist())))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.metric, self.row, self._references)

    def __repr__(self) -> str:
        return f"<{self}>"


T = TypeVar("T")
S = TypeVar("S", bound=Score)
M = TypeVar("M", bound="Metric[Any]")


class Metric(ABC, Generic[S]):
    """A metric with its settings: frozen, hashable, picklable. Subclasses are dataclasses.

    Example:
        >>> import refscore
        >>> metric = refscore.BLEU()
        >>> rows = metric.stats(["a b c d e", "a b"], ["a b c d e", "a c"])
        >>> isinstance(metric, refscore.metrics.Metric), rows.shape == (2, len(metric.columns))
        (True, True)
        >>> metric.score(rows.sum(0)).value == metric.corpus(["a b c d e", "a b"], ["a b c d e", "a c"]).value
        True
    """

    name: ClassVar[str]
    score_type: ClassVar[type[Any]]
    higher_is_better: ClassVar[bool] = True
    printed_scale: ClassVar[float] = 100  # what values are multiplied with where they are shown
    presets: ClassVar[Mapping[str, Preset]]

    kernel: Kernel
    pipeline: Pipeline

    @classmethod
    def preset(cls: type[M], name: str, **settings: Any) -> M:
        """The metric with a named set of settings, some of them overridden by keyword."""
        if not isinstance(name, str) or name not in cls.presets:
            raise UnknownNameError.of("preset", name, cls.presets)
        return cls.with_settings({**cls.presets[name], **settings})

    @classmethod
    def with_settings(cls: type[M], settings: Mapping[str, Any]) -> M:
        """The metric with settings by name; an unknown name is an error that suggests the nearest."""
        known = [setting.name for setting in fields(cls)]  # type: ignore[arg-type]
        for name in settings:
            if name not in known:
                raise UnknownNameError.of("setting", name, known)
        return cls(**settings)

    @classmethod
    def of(cls: type[M], settings: Mapping[str, Any]) -> M:
        """The metric with settings by name, a preset's name among them if one is to start from."""
        rest = {name: value for name, value in settings.items() if name != "preset"}
        preset = settings.get("preset")
        return cls.with_settings(rest) if preset is None else cls.preset(preset, **rest)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {setting.name: getattr(self, setting.name) for setting in fields(self)}  # type: ignore[arg-type]
        return _rebuild, (type(self), settings)

    @classmethod
    @abstractmethod
    def from_pairs(cls: type[M], pairs: Mapping[str, str]) -> M:
        """The metric of a signature of refscore's, given as pairs."""

    @property
    @abstractmethod
    def signature(self) -> str:
        """All settings that change the number, as text; `refscore.from_signature` reads it back."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns."""

    @property
    def title(self) -> str:
        """The name that papers print."""
        return self.name.upper()

    @property
    def reading(self) -> Reading:
        """How text is read; metrics that read alike can share prepared references."""
        return Reading(self.pipeline)

    @property
    def strings_are_words(self) -> bool:
        """Whether the metric looks into tokens that are strings, so that they cannot be mixed with others."""
        return False

    @property
    def row_type(self) -> np.dtype[Any]:
        """int64 where the statistics are counts, else float64."""
        return np.dtype(np.int64)

    def _score(self, row: Rows, references: tuple[int, int] | None) -> S:
        made: S = self.score_type(self, row, references)
        return made

    @abstractmethod
    def explain(self, hypothesis: Any, references: Any) -> Steps:
        """The worked steps from one segment to its score."""

    def stats(self, hypotheses: Any, references: Any, *, threads: int | None = None) -> Rows:
        """The rows of statistics, which add up.

        Args:
            hypotheses: The segments: texts, token sequences, or a batch of ids.
            references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
                sequences; or prepared references.
            threads: How many to use; all cores by default.

        Returns:
            An array of shape (segments, len(columns)).
        """
        blocks: list[Rows] = self._run(self.kernel.rows, hypotheses, references, threads)
        rows = blocks[0] if len(blocks) == 1 else np.concatenate(blocks)
        return rows.view(self.row_type)  # NumPy's own int64, not its twin that DLPack gives

    def stats_and_counts(
        self, hypotheses: Any, references: Any, *, threads: int | None = None
    ) -> tuple[Rows, tuple[int, int]]:
        """The rows of `stats`, and the fewest and the most references that a segment has; 0 if there is no segment."""
        blocks: list[tuple[Rows, int, int]] = self._run(self.kernel.counted, hypotheses, references, threads)
        rows = blocks[0][0] if len(blocks) == 1 else np.concatenate([block[0] for block in blocks])
        counts = min(block[1] for block in blocks), max(block[2] for block in blocks)
        return rows.view(self.row_type), counts

    def corpus(self, hypotheses: Any, references: Any, *, threads: int | None = None) -> S:
        """The score of all segments together: of the sum of their rows.

        Args:
            hypotheses: The segments: texts, token sequences, or a batch of ids.
            references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
                sequences; or prepared references.
            threads: How many to use; all cores by default.

        Returns:
            The score.
        """
        row, counts = self.total(hypotheses, references, threads=threads)
        if counts[1] == 0:
            raise InputError("hypotheses is empty: an empty corpus has no score")
        return self._score(row, counts)

    def total(self, hypotheses: Any, references: Any, *, threads: int | None = None) -> tuple[Rows, tuple[int, int]]:
        """The sum of all rows, and the fewest and the most references that a segment has; 0 if there is no segment."""
        blocks: list[tuple[Rows, int, int]] = self._run(self.kernel.total, hypotheses, references, threads)
        row, fewest, most = blocks[0]
        for other, other_fewest, other_most in blocks[1:]:
            row, fewest, most = row + other, min(fewest, other_fewest), max(most, other_most)
        return row, (fewest, most)

    def segment(self, hypothesis: Any, references: Any) -> S:
        """The score of one segment, with these settings: for BLEU, the preset "sacrebleu-sentence" has the usual ones.

        Args:
            hypothesis: Text or tokens.
            references: What one entry of a corpus' references is.

        Returns:
            The score.
        """
        row, fewest, most = self._one(hypothesis, references)
        return self._score(row, (fewest, most))

    def value_and_row(self, hypothesis: Any, references: Any) -> tuple[float, tuple[Any, ...]]:
        """The value and the row of one segment as plain numbers: the quickest way to score one after the other.

        Args:
            hypothesis: Text or tokens.
            references: What one entry of a corpus' references is.

        Returns:
            The value of `segment`, and its row.
        """
        if self.pipeline.prepare is None:
            try:
                return self.kernel.one(hypothesis, references)
            except (_native.NotPlain, _native.EmptyReference, LimitError):
                pass
        score = self.segment(hypothesis, references)
        return score.value, tuple(score.row.tolist())

    def _one(self, hypothesis: Any, references: Any) -> tuple[Rows, int, int]:
        """The row of one segment, and twice its number of references: at once, if the kernel can read the input."""
        if isinstance(references, PreparedReferences):
            if len(references) != 1:
                raise InputError(
                    f"the prepared references are of {len(references)} segments: segment() takes those of one"
                )
        else:
            references = (references,)
            if self.pipeline.prepare is None:
                try:
                    return self.kernel.total((hypothesis,), references, 1)
                except (_native.NotPlain, _native.EmptyReference, LimitError):
                    pass
        with AsOneSegment():
            score = self.corpus((hypothesis,), references, threads=1)
        return score.row, *score._references  # type: ignore[misc]

    def segments(self, hypotheses: Any, references: Any, *, threads: int | None = None) -> Values:
        """The score of each segment, with these settings: for BLEU, the preset "sacrebleu-sentence" has the usual ones.

        Args:
            hypotheses: The segments: texts, token sequences, or a batch of ids.
            references: One entry per hypothesis, as for `corpus`; or prepared references.
            threads: How many to use; all cores by default.

        Returns:
            An array of values, one per segment.
        """
        return self.values(self.stats(hypotheses, references, threads=threads), threads=threads)

    def values(self, rows: Any, *, threads: int | None = None) -> Values:
        """The score of each row, or of each of several sums of rows.

        Args:
            rows: An array of shape (rows, len(columns)).
            threads: How many to use; all cores by default.

        Returns:
            An array of values, one per row.
        """
        given = np.asarray(rows)
        if given.ndim != 2 or given.shape[1] != len(self.columns) or given.dtype.kind not in "iuf":
            raise InputError(f"rows of this metric have {len(self.columns)} numbers each: {', '.join(self.columns)}")
        return self.kernel.values(np.ascontiguousarray(given, dtype=np.float64), kernel_threads(threads))

    def score(self, row: Any, *, references: tuple[int, int] | None = None) -> S:
        """The score of a row, or of a sum of rows.

        Args:
            row: One number for each column.
            references: The fewest and the most references that a segment has, for the score's signature.

        Returns:
            The score.
        """
        try:
            given = np.asarray(row)
        except ValueError:
            given = np.asarray(None)
        fits = given.shape == (len(self.columns),) and given.dtype.kind in "iuf"
        if not fits or not np.isfinite(given).all() or given.min() < 0 or given.max() >= 2**63:
            hint = "; sum several rows first, rows.sum(0)" if given.ndim == 2 else ""
            raise InputError(
                f"a row of this metric has {len(self.columns)} numbers of at least 0: {', '.join(self.columns)}{hint}"
            )
        return self._score(given.astype(self.row_type if given.dtype.kind in "iu" else np.float64), references)

    def prepare(self, references: Any) -> PreparedReferences:
        """References tokenized and numbered once; accepted wherever references are."""
        with StringsAreWords(self.strings_are_words):
            return PreparedReferences.of(self.kernel, self.reading, references)

    def pairwise(self, hypotheses: Any, references: Any, *, tokens: bool = False, threads: int | None = None) -> Any:
        """The segment scores of each hypothesis with each reference.

        Args:
            hypotheses: H texts or token sequences; or a batch of B such groups, of any sizes.
            references: R texts or token sequences, or prepared references; for a batch, B groups.
            tokens: Lists of strings are token sequences, not groups of texts.
            threads: How many to use; all cores by default.

        Returns:
            An array of shape (H, R); for a batch, a list of such arrays.
        """
        count = kernel_threads(threads)
        hypotheses, references = listed(hypotheses, "hypotheses", count), listed(references, "references", count)
        batch = groups(hypotheses, references, tokens)
        if batch is None:
            return self._pairs(hypotheses, references, count)
        return [self._pairs(*group, count, f"references[{i}]") for i, group in enumerate(batch)]

    def _group(self, hypotheses: Any, references: Any) -> tuple[Any, Kind, PreparedReferences]:
        """One group of hypotheses, checked, their kind, and the references that all of them are compared with."""
        if isinstance(references, PreparedReferences):
            return *check_hypotheses(hypotheses), references
        with StringsAreWords(self.strings_are_words):
            segments = check_pairs(hypotheses, references)
        return segments.hypotheses, segments.kind, self.prepare(segments.references)

    def _pairs(self, hypotheses: Any, references: Any, threads: int, where: str = "references") -> NDArray[np.float64]:
        plain, kind, prepared = self._group(hypotheses, references)
        if len(plain) == 0 or len(prepared) == 0:
            return np.zeros((len(plain), len(prepared)))
        with StringsAreWords(self.strings_are_words):
            plain = prepared.match(plain, kind, self.reading, threads)
        try:
            return self.kernel.pairwise(plain, prepared.native, threads)
        except _native.EmptyReference as error:
            raise empty_reference(prepared, error.args[0], error.args[1], where) from None

    def _run(
        self, call: Callable[[Any, Any, int], T], hypotheses: Any, references: Any, threads: int | None
    ) -> list[T]:
        """Calls a kernel: at once if it can read the input, else on what Python makes of it, block by block."""
        count = kernel_threads(threads)
        hypotheses, references = columns(hypotheses, references, count)
        prepared = isinstance(references, PreparedReferences)
        results: list[T] = []
        done = 0
        try:
            if self.pipeline.prepare is None and not (prepared and not references.takes_plain(self.reading)):
                try:
                    return [call(hypotheses, references.native if prepared else references, count)]
                except _native.NotPlain:
                    pass
            for block in self._checked(hypotheses, references, count):
                results.append(call(*block, count))
                done += len(block[0])
            return results
        except _native.EmptyReference as error:
            raise empty_reference(references, done + error.args[0], error.args[1]) from None
        except LimitError as error:
            raise error.after(done) from None
        except _native.NotPlain:
            raise InputError("hypotheses or references were changed while they were being scored") from None

    def _checked(self, hypotheses: Any, references: Any, threads: int) -> Iterator[tuple[Any, Any]]:
        """The input as kernels read it, or the error that says why they cannot."""
        with StringsAreWords(self.strings_are_words):
            yield from self._blocks(hypotheses, references, threads)

    def _blocks(self, hypotheses: Any, references: Any, threads: int) -> Iterator[tuple[Any, Any]]:
        if isinstance(references, PreparedReferences):
            plain, kind = check_hypotheses(hypotheses)
            if len(plain) != len(references):
                raise InputError(f"{len(plain)} hypotheses but references prepared for {len(references)} segments")
            yield references.match(plain, kind, self.reading, threads), references.native
            return
        segments = check(hypotheses, references)
        if segments.kind != "text" or self.pipeline.prepare is None or not segments.hypotheses:
            yield plain_input(segments.hypotheses), plain_input(segments.references)
            return
        assert isinstance(segments.hypotheses, list) and isinstance(segments.references, list)
        for begin in range(0, len(segments.hypotheses), _BLOCK):
            here = slice(begin, begin + _BLOCK)
            texts = self.pipeline.prepare_all(segments.hypotheses[here], threads)
            reference_texts = self.pipeline.prepare_entries(segments.references[here], threads)
            if not isinstance(texts[0], str):
                texts, reference_texts = plain_tokens(texts, reference_texts, begin)
            yield texts, reference_texts


def _rebuild(kind: type[M], settings: dict[str, Any]) -> M:
    return kind(**settings)


def kernel_threads(threads: int | None) -> int:
    """The number for a kernel, where 0 means all cores."""
    if threads is None:
        return 0
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise SettingError(f"threads must be a whole number of at least 1, or None for all cores, not {threads!r}")
    return min(int(threads), _MOST_THREADS)
