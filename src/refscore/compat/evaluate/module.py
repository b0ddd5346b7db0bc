"""Evaluation modules without Hugging Face's packages: the same calls, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from refscore.compat.evaluate.scoring import MODULES, cite, describe_inputs
from refscore.errors import InputError, Location

ONE_REFERENCE = frozenset({"cer", "wer"})
"""The modules whose references are texts, never lists of texts."""


class InMemory:
    """Predictions and references that are added to a module, and the module's result."""

    module: str  # its name
    seed: Any  # of the samples that "rouge" draws

    def __init__(self) -> None:
        self._predictions: list[str] = []
        self._references: list[Any] = []

    def __len__(self) -> int:
        return len(self._predictions)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one segment: a text, and its reference or a list of them, as `predictions` and `references`, too."""
        predictions, references = _inputs("add", {"predictions": prediction, "references": reference, **kwargs})
        self._add([predictions], [references])

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add segments: texts, and for each its reference or a list of them. Nothing else is accepted."""
        self._add(*_inputs("add_batch", {"predictions": predictions, "references": references, **kwargs}))

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        """Return the result, a dictionary or one number, of all segments that were added, and of these.

        `predictions` and `references` are those of `add_batch`, and others the module's options.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        if not self._predictions:
            raise InputError(None, "there is nothing to compute", "pass predictions and references, or add some first")
        texts, groups = self._predictions, self._references
        self._predictions, self._references = [], []
        with _seeded(self.seed) if self.module == "rouge" else nullcontext():
            return MODULES[self.module](texts, groups, **kwargs)

    def _add(self, predictions: Any, references: Any) -> None:
        """Add segments; add none if some of them cannot be scored."""
        texts, groups = _listed("predictions", predictions), _listed("references", references)
        if len(texts) != len(groups):
            raise InputError(
                None,
                f"mismatch in the number of predictions ({len(texts)}) and references ({len(groups)})",
                "each prediction needs its own",
            )
        for i, text in enumerate(texts):
            if not isinstance(text, str):
                raise InputError(Location("predictions", i), f"must be a string, not {text!r}")
        are_lists = [not isinstance(group, str) for group in (*self._references[:1], *groups)]
        if any(are_lists) and self.module in ONE_REFERENCE:
            location = Location("references", are_lists.index(True))
            raise InputError(location, "must be a string", f"{self.module} takes one reference")
        if len(set(are_lists)) > 1:
            raise InputError(None, "references must be strings, or lists of strings", "not some of either")
        for i, group in enumerate(groups if any(are_lists) else ()):
            _check_group(group, i)
        self._predictions += texts
        self._references += [group if isinstance(group, str) else list(group) for group in groups]


class EvaluationModule(InMemory):
    """One of the modules: collects predictions and references, and computes the result.

    Made by `load`.

    Example:
        >>> from refscore.compat import evaluate
        >>> module = evaluate.load("wer")
        >>> module.add(prediction="a cat sat down", reference="the cat sat")
        >>> module.add_batch(predictions=["it rains"], references=["it rains"])
        >>> len(module), module.compute(), len(module)
        (2, 0.4, 0)
    """

    module_type = "metric"

    def __init__(self, name: str, seed: int | None = None, experiment_id: str | None = None) -> None:
        super().__init__()
        self.module = name
        self.name = "chr_f" if name == "chrf" else name  # as evaluate derives it from the class ChrF
        self.experiment_id = experiment_id or "default_experiment"
        self.seed = _default_seed() if seed is None else seed

    @property
    def description(self) -> str:
        """What the module computes."""
        return self.inputs_description.partition("\n")[0]

    @property
    def inputs_description(self) -> str:
        """Its inputs, options and results."""
        return describe_inputs(self.module)

    @property
    def citation(self) -> str:
        """The papers that define the metric, as BibTeX entries."""
        return cite(self.module)

    def __repr__(self) -> str:
        return f'EvaluationModule(name: "{self.name}", module_type: "metric", stored examples: {len(self)})'


def _inputs(method: str, given: dict[str, Any]) -> tuple[Any, Any]:
    """Return the two inputs among keyword arguments, and raise for others."""
    unknown = sorted(set(given) - {"predictions", "references"})
    if unknown:
        raise InputError(None, f"{method} takes predictions and references, not {', '.join(unknown)}")
    return given["predictions"], given["references"]


def _listed(name: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(Location(name), f"must be a list, one entry for each segment, not {values!r}")
    return list(values)


def _check_group(group: Any, i: int) -> None:
    if not isinstance(group, Iterable) or not all(isinstance(text, str) for text in group):
        raise InputError(Location("references", i), f"must be a string or a list of strings, not {group!r}")
    if not list(group):
        raise InputError(Location("references", i), "is empty", "every prediction needs at least one reference")


def _default_seed() -> Any:
    """Return a number out of the state of NumPy's global generator, as evaluate does."""
    state: Any = np.random.get_state()
    numbers, position = state[1], state[2]
    return numbers[position] if position < len(numbers) else numbers[0]


@contextmanager
def _seeded(seed: Any) -> Iterator[None]:
    """Within it NumPy's global generator runs from a seed; afterwards it continues where it was."""
    before = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(before)
