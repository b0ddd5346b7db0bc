"""Names that are private to sacrebleu's metrics, from the installed sacrebleu: published clients use some of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refscore.compat.overrides import original_of
from refscore.compat.sacrebleu.original import original


def original_metric(metric: Any) -> Any:
    """Return a metric of the installed sacrebleu with the attributes of one of the drop-in's."""
    kind = next(base for base in type(metric).__mro__ if base.__module__.startswith(__package__))
    module = original(f"metrics.{kind.__module__.rpartition('.')[2]}", "private names are taken from")
    original_kind = original_of(getattr(module, kind.__name__))
    twin = original_kind.__new__(original_kind)
    twin.__dict__.update(metric.__dict__)
    return twin


class ReferenceInfo(dict[str, Any]):
    """The references of one segment, and what sacrebleu knows of them: n-grams, for example."""

    def __init__(self, metric: Any, references: Sequence[str]) -> None:
        super().__init__(references=list(references))
        self._metric = metric

    def __missing__(self, key: str) -> Any:
        info = original_metric(self._metric)._extract_reference_info(self["references"])
        self[key] = info[key]
        return info[key]
