"""sacrebleu's `dataset`, from the installed sacrebleu."""

from __future__ import annotations

from typing import Any

from refscore.compat.sacrebleu.original import original


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(original("dataset"), name)
