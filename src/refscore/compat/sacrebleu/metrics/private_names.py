"""Private names of sacrebleu's metrics, from the installed sacrebleu. Some published clients use them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refscore.compat.overrides import original_of
from refscore.compat.sacrebleu.original import original


def original_metric(metric: Any) -> Any:
    """Return a metric of the installed sacrebleu with the attributes of a drop-in metric."""
    kind = next(base for base in type(metric).__mro__ if base.__module__.startswith(__package__))
    module = original(f"metrics.{kind.__module__.rpartition('.')[2]}", "private names need")
    original_kind = original_of(getattr(module, kind.__name__))
    twin = original_kind.__new__(original_kind)
    twin.__dict__.update(metric.__dict__)
    return twin


class ReferenceInfo(dict[str, Any]):
    """The references of one segment, and sacrebleu's information about them, such as n-grams."""

    def __init__(self, metric: Any, references: Sequence[str]) -> None:
        super().__init__(references=list(references))
        self._metric = metric

    def __missing__(self, key: str) -> Any:
        info = original_metric(self._metric)._extract_reference_info(self["references"])
        self[key] = info[key]
        return info[key]
