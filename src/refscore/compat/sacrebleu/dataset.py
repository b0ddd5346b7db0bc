"""sacrebleu's `dataset`, from the installed sacrebleu."""

from __future__ import annotations

from typing import Any

from refscore.compat.sacrebleu.original import original_member

_TEST_SET_NAMES = frozenset({"COUNTRIES", "DATASETS", "DOMAINS", "SUBSETS"})


def __getattr__(name: str) -> Any:
    return original_member("dataset", name, _TEST_SET_NAMES)
