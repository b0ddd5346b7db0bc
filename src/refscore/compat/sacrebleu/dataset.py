"""sacrebleu's `dataset`, which is the installed sacrebleu's own."""

from __future__ import annotations

from refscore.compat.sacrebleu import testsets


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(testsets.dataset(), name)
    return value
