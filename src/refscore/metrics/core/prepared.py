"""Prepared references: tokenized and numbered once, for many hypotheses."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from refscore import _native
from refscore.errors import Argument, EmptyReferenceError, InputError, Location
from refscore.metrics.core.arrow_columns import reference_column
from refscore.segments import (
    Kind,
    MixedTokens,
    Padded,
    as_list,
    check_references,
    in_hypotheses,
    in_references,
    number_tokens,
    uniform_tokens,
    unpadded,
)
from refscore.tokenizers.pipeline import Pipeline

if TYPE_CHECKING:
    from refscore.metrics.core.kernel import Kernel


class Reading(NamedTuple):
    """How a metric reads text. Metrics with the same reading can share prepared references."""

    pipeline: Pipeline
    form: str = "tokens"  # the form of prepared references in the native module
    sources: bool = False  # whether the source of each segment comes first


def plain_input(value: Any) -> Any:
    """Return checked segments in a type that the native module accepts."""
    return _native.IdMatrix(value.array, value.lengths, value.pad_id) if isinstance(value, Padded) else value


def empty_reference(metric: str, references: Any, segment: int, reference: int) -> EmptyReferenceError:
    """Return the error for a reference without tokens, for a metric that needs tokens."""
    is_column = isinstance(references, _native.ArrowColumns)
    entry = references[segment] if is_column or isinstance(references, (list, tuple)) else None
    index: int | None = None
    if isinstance(entry, (list, tuple)) and not (is_column and len(entry) == 1):
        index = [i for i, item in enumerate(entry) if item is not None][reference]
    elif reference > 0:
        index = reference
    location = Location("references", segment, index)
    setting = Argument("empty_reference", "skip", metric)
    return EmptyReferenceError(location, "has no words", ("add the text, or allow it with ", setting))


class PreparedReferences:
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

    def __init__(self, native: Any, reading: Reading, kind: Kind, numbers: dict[Hashable, int] | None) -> None:
        self.native = native
        self.reading = reading
        self.kind = kind
        self._numbers = numbers

    @classmethod
    def read(
        cls, kernel: Kernel, reading: Reading, references: Any, mixed: MixedTokens, threads: int
    ) -> PreparedReferences:
        """Check, tokenize and number references."""
        pipeline = reading.pipeline
        references = reference_column(references, threads)
        if pipeline.prepare is None and mixed != "keep":
            try:
                native = kernel.prepare(references, threads)
                return cls(native, reading, "text" if native.kind == "text" else "tokens", None)
            except _native.UnsupportedInput:
                pass
        plain, kind = check_references(references)
        numbers: dict[Hashable, int] | None = None
        if kind == "text" and pipeline.prepare is not None:
            plain = pipeline.prepare_entries(plain, threads)
        if mixed == "keep":
            entries = unpadded(plain) if isinstance(plain, Padded) else plain
            return cls(kernel.prepare(entries, threads), reading, kind, None)
        if kind != "matrix" and any(entry and not isinstance(entry[0], str) for entry in plain):
            plain, numbers = _one_kind(plain, mixed)
        return cls(kernel.prepare(plain_input(plain), threads), reading, kind, numbers)

    def __len__(self) -> int:
        return len(self.native)

    def __repr__(self) -> str:
        return f"<prepared references of {len(self)} segments>"

    def takes_plain(self, reading: Reading) -> bool:
        """Return whether a kernel can read unchecked hypotheses, without preparing texts or numbering tokens."""
        return reading == self.reading and self._numbers is None

    def match(self, hypotheses: Any, kind: Kind, reading: Reading, mixed: MixedTokens, threads: int = 0) -> Any:
        """Return checked hypotheses in the form of these references, or raise an error if they do not fit."""
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
        if as_ids and (isinstance(hypotheses, Padded) or all(isinstance(item, np.ndarray) for item in hypotheses)):
            return plain_input(hypotheses)
        if isinstance(hypotheses, Padded):
            hypotheses = [rows[0] for rows in unpadded(hypotheses)]
        sequences = [*map(as_list, hypotheses)]
        if mixed == "keep":
            return sequences
        if self._numbers is not None:
            return number_tokens(sequences, dict(self._numbers), in_hypotheses, mixed)
        uniform = uniform_tokens(sequences)
        if self.native.is_empty:
            return number_tokens(sequences, {}, in_hypotheses, mixed) if uniform is None else uniform
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

    def _check_text(self, kind: Kind, reading: Reading) -> None:
        if kind != self.kind:
            raise InputError(
                None,
                f"the hypotheses are {_noun(kind)} but the references were prepared from {_noun(self.kind)}",
                "pass both as text or both as tokens",
            )
        if reading != self.reading:
            raise InputError(
                None,
                "the references were prepared with different text settings "
                f"({self.reading.pipeline} instead of {reading.pipeline})",
                "prepare them with this metric",
            )


def _one_kind(references: list[list[Any]], mixed: MixedTokens) -> tuple[list[list[Any]], dict[Hashable, int] | None]:
    """Return tokens that the native module can read: arrays, strings or integers, or other tokens numbered."""
    flat = list(chain.from_iterable(references))
    if all(isinstance(item, np.ndarray) for item in flat):
        return references, None
    uniform = uniform_tokens([*map(as_list, flat)])
    if uniform is None:
        numbers: dict[Hashable, int] = {}
        return [number_tokens(entry, numbers, in_references(i), mixed) for i, entry in enumerate(references)], numbers
    rest = iter(uniform)
    return [[next(rest) for _ in entry] for entry in references], None


def _noun(kind: Kind) -> str:
    return "text" if kind == "text" else "tokens"
