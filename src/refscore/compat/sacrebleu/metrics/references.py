"""References, and the information about them that sacrebleu's private methods return."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from refscore import metrics
from refscore.cached import cached_property
from refscore.compat.overrides import original_of
from refscore.compat.sacrebleu import inputs
from refscore.compat.sacrebleu.original import original


class ReferenceInfo(UserDict[str, Any]):
    """One segment's references, and sacrebleu's information about them (n-grams, …), computed when first read."""

    def __init__(self, metric: Any, references: Sequence[str]) -> None:
        self.references = list(references)
        self._metric = metric

    @cached_property
    def data(self) -> dict[str, Any]:
        items: dict[str, Any] = original_metric(self._metric)._extract_reference_info(self.references)
        return items

    def copy(self) -> Any:
        return self.data.copy()

    __copy__ = copy

    def __or__(self, other: Any) -> Any:
        return self.data | other

    def __ror__(self, other: Any) -> Any:
        return other | self.data


class CachedReferences:
    """Tokenized references and their texts. A pickle has only the texts and tokenizes them again."""

    def __init__(self, metric: Any, segments: inputs.Segments) -> None:
        self._arguments = metric, segments
        self._information: dict[int, dict[str, Any]] = {}
        if not {*map(type, segments.references)} <= {str}:
            len(self.prepared)  # raises errors for invalid references now

    @cached_property
    def prepared(self) -> metrics.PreparedReferences:
        metric, segments = self._arguments
        prepared: metrics.PreparedReferences = metric._metric().prepare(segments.references)
        return prepared

    def single(self, metric: metrics.Metric[Any]) -> list[str] | None:
        """Return the only reference, which a metric with the same settings can read, or None."""
        settings, (references, number) = self._arguments
        if len(references) == number == 1 and settings._metric() is metric:
            return references
        return None

    def __len__(self) -> int:
        return len(self._arguments[1].references)

    def __getitem__(self, index: int | slice) -> Any:
        metric, segments = self._arguments
        if isinstance(index, slice):
            return CachedReferences(metric, segments._replace(references=segments.references[index]))
        known = self._information.get(index)
        if known is None:
            texts = segments._replace(references=[segments.references[index]]).lists()[0]
            known = metric._extract_reference_info([metric._preprocess_segment(text) for text in texts])
            self._information[index] = known
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments


def segment_row(metric: Any, hypothesis: str, info: Mapping[str, Any]) -> list[int]:
    """Return a segment's statistics: by refscore's metric, or by sacrebleu for its own dictionaries."""
    if isinstance(info, ReferenceInfo):
        row: list[int] = metric._metric_of_sums().segment(hypothesis, info.references).row.tolist()
    else:
        row = original_metric(metric)._compute_segment_statistics(hypothesis, info)
    return row


def original_metric(metric: Any) -> Any:
    """Return the installed sacrebleu's metric with a drop-in metric's attributes. Some clients use private names."""
    kind = _original_kind(metric.__class__)
    twin = kind.__new__(kind)
    twin.__dict__ = metric.__dict__  # shared: a copy takes longer than most calls
    return twin


@cache
def _original_kind(kind: type) -> Any:
    ours = own_kind(kind)
    module = original(f"metrics.{ours.__module__.rpartition('.')[2]}", "private names need")
    return original_of(getattr(module, ours.__name__))


def own_kind(kind: type) -> type:
    return next(base for base in kind.__mro__ if base.__module__.startswith(__package__))
