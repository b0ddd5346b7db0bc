from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.errors import Argument, EmptyReferenceError, InputError, Location
from refscore.inputs import (
    InputKind,
    MixedTokens,
    Side,
    as_list,
    check_references,
    kernel_form,
    listed_hypotheses,
    listed_references,
    number_tokens,
    plain_tokens,
    uniform_tokens,
)
from refscore.metrics.core.score import Rows, Values
from refscore.tokenizers.pipeline import Pipeline


class Kernel(Protocol):
    """A metric's scoring code. Input has plain types. threads=0 means all cores."""

    def counted(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Rows, int, int]:
        """Return one row per segment, and the range of reference counts."""

    def total(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Any, ...]:
        """Return the summed row, and the range of reference counts."""

    def total_into(self, hypotheses: Any, references: Any, threads: int, sums: Any, /) -> tuple[int, int]:
        """Add the rows to exact sums, and return the range of reference counts."""

    def one(self, hypothesis: Any, references: Any, /) -> tuple[float, tuple[Any, ...], int]:
        """Return a segment's score and row, and its reference count."""

    def values(self, rows: NDArray[np.float64], threads: int, /) -> Values: ...

    def prepare(self, references: Any, threads: int, /) -> Any: ...

    def pairwise(self, hypotheses: Any, references: Any, threads: int, /) -> NDArray[np.float64]:
        """Return each hypothesis's score with each reference segment."""


class Reading(NamedTuple):
    """How a metric reads text. Metrics with the same reading can share prepared references."""

    pipeline: Pipeline
    form: str = "tokens"  # the form of prepared references in the native module
    sources: bool = False  # whether the source of each segment comes first


def empty_reference(metric: str, references: Side, segment: int, reference: int) -> EmptyReferenceError:
    entry = references.entry(segment)
    index: int | None = None
    if isinstance(entry, (list, tuple)):
        index = [i for i, item in enumerate(entry) if item is not None][reference]
    elif reference > 0:
        index = reference
    location = Location("references", segment, index)
    setting = Argument("empty_reference", "skip", metric)
    return EmptyReferenceError(location, "has no words", ("add the text, or allow it with ", setting))


class PreparedReferences(Side):
    """References that a metric has tokenized and numbered. Create them with `Metric.prepare`.

    Any metric with the same text settings accepts them instead of references.

    Example:
        >>> import refscore
        >>> metric = refscore.BLEU()
        >>> references = metric.prepare(["the cat sat on the mat", "a dog ran"])
        >>> len(references)
        2
        >>> for system in (["the cat sat on the mat", "a dog"], ["a cat sat on the mat", "dogs"]):
        ...     print(f"{metric.corpus(system, references).percent:.2f}")
        88.25
        54.94
    """

    __slots__ = ("_numbers", "kind", "native", "reading")
    is_prepared = is_read = True

    def __init__(self, native: Any, reading: Reading, kind: InputKind, numbers: dict[Hashable, int] | None) -> None:
        self.native = native
        self.reading = reading
        self.kind = kind
        self._numbers = numbers

    @classmethod
    def prepare(
        cls, kernel: Kernel, reading: Reading, references: Side, mixed: MixedTokens, threads: int
    ) -> PreparedReferences:
        pipeline = reading.pipeline
        if pipeline.prepare is None and mixed != "keep":
            try:
                native = kernel.prepare(references.as_references(None), threads)
                return cls(native, reading, "text" if native.kind == "text" else "tokens", None)
            except _native.UnsupportedInput:
                pass
        plain, kind = check_references(references)
        numbers: dict[Hashable, int] = {}
        if kind == "text" and pipeline.prepare is not None:
            plain = pipeline.prepare_entries(plain, threads)
        if mixed == "keep":
            return cls(kernel.prepare(listed_references(plain), threads), reading, kind, None)
        if kind != "matrix" and any(entry and not isinstance(entry[0], str) for entry in plain):
            _, plain = plain_tokens([], plain, mixed=mixed, numbers=numbers)
        return cls(kernel.prepare(kernel_form(plain), threads), reading, kind, numbers or None)

    def __len__(self) -> int:
        return len(self.native)

    def __repr__(self) -> str:
        return f"<prepared references of {len(self)} segments>"

    @property
    def value(self) -> PreparedReferences:
        return self

    def as_references(self, reading: Any) -> Any:
        """Return the references for a kernel if texts need no preparation and tokens no numbers."""
        if reading != self.reading or self._numbers is not None:
            raise _native.UnsupportedInput
        return self.native

    def sample(self, step: int, most: int) -> Sequence[Any]:
        return []

    def part(self, segments: slice) -> Any:
        """Raise an error: prepared references cannot be split."""
        raise InputError(
            Location("references"),
            f"are prepared, so the first {segments.start} segments of the batch cannot be skipped",
            "pass unprepared references, or end a batch where the skipped segments end",
        )

    def match(self, hypotheses: Any, kind: InputKind, reading: Reading, mixed: MixedTokens, threads: int = 0) -> Any:
        """Return checked hypotheses in the same form as these references, or raise an error if they do not fit."""
        self._check_form(reading)
        if len(hypotheses) == 0:
            return []
        if "text" in (kind, self.kind):
            self._check_text(kind, reading)
            pipeline = reading.pipeline
            if pipeline.prepare is None:
                return hypotheses
            hypotheses = pipeline.prepare_all(hypotheses, threads)
            if isinstance(hypotheses[0], str):
                return hypotheses
        as_ids = self._numbers is None and (self.native.kind == "ids" or self.native.is_empty)
        if as_ids and (kind == "matrix" or all(isinstance(item, np.ndarray) for item in hypotheses)):
            return kernel_form(hypotheses)
        sequences = [*map(as_list, listed_hypotheses(hypotheses))]
        if mixed == "keep":
            return sequences
        if self._numbers is not None:
            return number_tokens(sequences, dict(self._numbers), Location("hypotheses"), mixed)
        uniform = uniform_tokens(sequences)
        if self.native.is_empty:
            return number_tokens(sequences, {}, Location("hypotheses"), mixed) if uniform is None else uniform
        first = next(chain.from_iterable(uniform or []), None)
        if uniform is None or (first is not None and isinstance(first, str) != (self.native.kind == "tokens")):
            kinds = "strings" if self.native.kind == "tokens" else "integers"
            raise InputError(
                None,
                f"the references were prepared from tokens that are {kinds}, but the hypotheses have different tokens",
                f"pass tokens that are {kinds}",
            )
        return uniform

    def _check_form(self, reading: Reading) -> None:
        prepared, problem = self.reading, ""
        if reading.form != prepared.form:
            problem = f"the references were prepared as {prepared.form}, but this metric needs {reading.form}"
        elif reading.sources != prepared.sources:
            problem = f"the references were prepared {'with' if prepared.sources else 'without'} sources"
        elif reading.pipeline.lines != prepared.pipeline.lines and len(self):
            problem = "only one of this metric and the metric that prepared the references separates lines"
        elif reading.pipeline.alternatives != prepared.pipeline.alternatives and len(self):
            problem = "only one of this metric and the metric that prepared the references reads alternatives"
        if problem:
            raise InputError(None, problem, "prepare them with this metric")

    def _check_text(self, kind: InputKind, reading: Reading) -> None:
        if kind != self.kind:
            raise InputError(
                None,
                f"the hypotheses are {noun(kind)} but the references were prepared from {noun(self.kind)}",
                "pass both as text or both as tokens",
            )
        if reading != self.reading:
            raise InputError(
                None,
                "the references were prepared with different text settings "
                f"({self.reading.pipeline} instead of {reading.pipeline})",
                "prepare them with this metric",
            )


def noun(kind: InputKind) -> str:
    return "text" if kind == "text" else "tokens"
