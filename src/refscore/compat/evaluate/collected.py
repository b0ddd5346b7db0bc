"""What is added to a module before it is computed: predictions and references, checked as they come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from refscore.errors import InputError

NAMES = ("predictions", "references")
ONE_REFERENCE = frozenset({"cer", "wer"})
"""The modules whose references are texts, never lists of texts."""


class Collected:
    """Predictions and references so far, as a module of this name takes them."""

    def __init__(self, module: str) -> None:
        self._module = module
        self.predictions: list[str] = []
        self.references: list[Any] = []

    def __len__(self) -> int:
        return len(self.predictions)

    def add(self, predictions: Any, references: Any) -> None:
        """Adds segments; nothing is added if some of them cannot be."""
        texts, groups = self._listed("predictions", predictions), self._listed("references", references)
        if len(texts) != len(groups):
            raise InputError(
                None,
                f"mismatch in the number of predictions ({len(texts)}) and references ({len(groups)}): "
                "each prediction needs its own",
            )
        for i, text in enumerate(texts):
            if not isinstance(text, str):
                raise InputError(None, f"predictions[{i}] must be a string, not {text!r}")
        lists = [not isinstance(group, str) for group in (*self.references[:1], *groups)]
        if any(lists) and self._module in ONE_REFERENCE:
            raise InputError(
                None, f"references[{lists.index(True)}] must be a string: {self._module} takes one reference"
            )
        if len(set(lists)) > 1:
            raise InputError(None, "references must be strings, or lists of strings: not some of either")
        for i, group in enumerate(groups if any(lists) else ()):
            self._check_group(group, i)
        self.predictions += texts
        self.references += [group if isinstance(group, str) else list(group) for group in groups]

    def _listed(self, name: str, values: Any) -> list[Any]:
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise InputError(None, f"{name} must be a list, one entry for each segment, not {values!r}")
        return list(values)

    def _check_group(self, group: Any, i: int) -> None:
        if not isinstance(group, Iterable) or not all(isinstance(text, str) for text in group):
            raise InputError(None, f"references[{i}] must be a string or a list of strings, not {group!r}")
        if not list(group):
            raise InputError(None, f"references[{i}] is empty: every prediction needs at least one reference")

    def taken(self) -> tuple[list[str], list[Any]]:
        """All of them, which are then forgotten."""
        if not self.predictions:
            raise InputError(None, "there is nothing to compute: pass predictions and references, or add some first")
        both = self.predictions, self.references
        self.predictions, self.references = [], []
        return both


def inputs(where: str, given: dict[str, Any]) -> tuple[Any, Any]:
    """The two inputs among keyword arguments, and an error for others."""
    unknown = sorted(set(given) - set(NAMES))
    if unknown:
        raise InputError(None, f"{where} takes predictions and references, not {', '.join(unknown)}")
    return given["predictions"], given["references"]
