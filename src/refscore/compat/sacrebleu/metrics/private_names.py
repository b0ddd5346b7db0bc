"""Private names in sacrebleu's metrics, from the installed sacrebleu. Some published clients use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from typing import Any

from refscore.compat.overrides import original_of
from refscore.compat.sacrebleu.original import original


def original_metric(metric: Any) -> Any:
    """Return the installed sacrebleu's metric with a drop-in metric's attributes."""
    kind = _original_kind(metric.__class__)
    twin = kind.__new__(kind)
    twin.__dict__ = metric.__dict__  # shared: a copy takes longer than most calls
    return twin


@cache
def _original_kind(kind: type) -> Any:
    ours = next(base for base in kind.__mro__ if base.__module__.startswith(__package__))
    module = original(f"metrics.{ours.__module__.rpartition('.')[2]}", "private names need")
    return original_of(getattr(module, ours.__name__))


class ReferenceInfo(dict[str, Any]):
    """One segment's references, and sacrebleu's information about them (n-grams, …), computed when first read."""

    def __init__(self, metric: Any, references: Sequence[str]) -> None:
        super().__init__()
        self.references = list(references)
        self._metric = metric  # None once the items are computed

    def __reduce__(self) -> tuple[Any, ...]:
        return ReferenceInfo, (self._metric, self.references), None, None, iter([*dict.items(self)])


def _reading(name: str) -> Callable[..., Any]:
    """Return a dictionary method that first fills a `ReferenceInfo`."""
    method = getattr(dict, name)

    @wraps(method)
    def read(info: ReferenceInfo, *arguments: Any, **options: Any) -> Any:
        if info._metric is not None:
            items = original_metric(info._metric)._extract_reference_info(info.references)
            dict.update(info, {**items, **dict(dict.items(info))})
            info._metric = None
        return method(info, *arguments, **options)

    return read


for _name in (
    *("__contains__", "__delitem__", "__eq__", "__getitem__", "__ior__", "__iter__", "__len__", "__ne__", "__or__"),
    *("__repr__", "__reversed__", "__ror__", "clear", "copy", "get", "items", "keys", "pop", "popitem", "setdefault"),
    "values",
):
    setattr(ReferenceInfo, _name, _reading(_name))


def segment_row(metric: Any, counting: Any, hypothesis: str, info: Mapping[str, Any]) -> list[int]:
    """Return a segment's statistics: by refscore's metric, or by sacrebleu for its own dictionaries."""
    if isinstance(info, ReferenceInfo):
        row: list[int] = counting.segment(hypothesis, info.references).row.tolist()
    else:
        row = original_metric(metric)._compute_segment_statistics(hypothesis, info)
    return row
