"""Evaluation modules without Hugging Face's packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from refscore.compat.evaluate.answers import QUESTIONS, check_questions
from refscore.compat.evaluate.scoring import MODULES, SOURCED, cite, describe_inputs
from refscore.errors import InputError, Location

ONE_REFERENCE = frozenset({"cer", "exact_match", "wer"})
"""The modules that accept one reference per segment, not a list."""


class InMemory:
    """Collect predictions and references, and compute the result of a module."""

    module: str  # the name of the module
    seed: Any  # the seed of the samples of "rouge"

    def __init__(self) -> None:
        self._predictions: list[Any] = []
        self._references: list[Any] = []
        self._sources: list[Any] = []

    def __len__(self) -> int:
        return len(self._predictions)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one segment: a text, and its reference or a list of references. `sari` also needs its `sources`.

        The arguments may also be called `predictions` and `references`.
        """
        given = self._inputs("add", {"predictions": prediction, "references": reference, **kwargs})
        self._add(*([value] for value in given))

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add segments: texts, and for each text its reference or a list of references, and for `sari` its source."""
        self._add(*self._inputs("add_batch", {"predictions": predictions, "references": references, **kwargs}))

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        """Add these segments, and return the result of all segments: a dictionary or a number.

        `predictions` and `references` are as for `add_batch`. Other arguments are the module's options.
        """
        batch = {"predictions": predictions, "references": references}
        if self.module in SOURCED:
            batch["sources"] = kwargs.pop("sources", None)
        if any(value is not None for value in batch.values()):
            self.add_batch(**batch)
        if not self._predictions:
            raise InputError(None, "there are no segments", "pass predictions and references, or add some first")
        texts, groups = self._predictions, self._references
        if self.module in SOURCED:
            kwargs["sources"] = self._sources
        self._predictions, self._references, self._sources = [], [], []
        with _seeded(self.seed) if self.module == "rouge" else nullcontext():
            return MODULES[self.module](texts, groups, **kwargs)

    def _inputs(self, method: str, given: dict[str, Any]) -> list[Any]:
        """Return predictions, references and perhaps sources from keyword arguments. Raise an error for others."""
        names = ["predictions", "references", *(["sources"] if self.module in SOURCED else [])]
        unknown = sorted({*given} - {*names})
        if unknown:
            accepted = f"{', '.join(names[:-1])} and {names[-1]}"
            raise InputError(None, f"{method} accepts {accepted}, not {', '.join(unknown)}")
        return [given.get(name) for name in names]

    def _add(self, predictions: Any, references: Any, sources: Any = ()) -> None:
        """Add segments. Add none if some of them cannot be scored."""
        texts, groups = _listed("predictions", predictions), _listed("references", references)
        origins = _listed("sources", sources)
        if len(texts) != len(groups):
            raise InputError(
                None,
                f"mismatch in the number of predictions ({len(texts)}) and references ({len(groups)})",
                "pass one entry in references per prediction",
            )
        if self.module in QUESTIONS:
            check_questions(self.module, texts, groups)
            self._predictions += texts
            self._references += groups
            return
        if self.module in SOURCED and len(origins) != len(texts):
            problem = f"mismatch in the number of predictions ({len(texts)}) and sources ({len(origins)})"
            raise InputError(None, problem, "pass one source per prediction")
        for name, column in (("predictions", texts), ("sources", origins)):
            for i, text in enumerate(column):
                if not isinstance(text, str):
                    raise InputError(Location(name, i), f"must be a string, not {text!r}")
        are_lists = [not isinstance(group, str) for group in (*self._references[:1], *groups)]
        if any(are_lists) and self.module in ONE_REFERENCE:
            location = Location("references", are_lists.index(True))
            raise InputError(location, "must be a string", f"{self.module} accepts only one reference per prediction")
        if len(set(are_lists)) > 1:
            raise InputError(None, "references mix strings and lists", "pass only strings, or only lists of strings")
        for i, group in enumerate(groups if any(are_lists) else ()):
            _check_group(group, i)
        self._predictions += texts
        self._sources += origins
        self._references += [group if isinstance(group, str) else list(group) for group in groups]


class EvaluationModule(InMemory):
    """Collect predictions and references, and compute the result. `load` returns it.

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
        self.name = "chr_f" if name == "chrf" else name  # evaluate derives this name from its class ChrF
        self.experiment_id = experiment_id or "default_experiment"
        self.seed = _default_seed() if seed is None else seed

    @property
    def description(self) -> str:
        """The description of the module."""
        return self.inputs_description.partition("\n")[0]

    @property
    def inputs_description(self) -> str:
        """The description of its inputs, options and results."""
        return describe_inputs(self.module)

    @property
    def citation(self) -> str:
        """The papers that define the metric, as BibTeX entries."""
        return cite(self.module)

    def __repr__(self) -> str:
        return f'EvaluationModule(name: "{self.name}", module_type: "metric", stored examples: {len(self)})'


def _listed(name: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(Location(name), f"must be a list with one entry per segment, not {values!r}")
    return list(values)


def _check_group(group: Any, i: int) -> None:
    if not isinstance(group, Iterable) or not all(isinstance(text, str) for text in group):
        raise InputError(Location("references", i), f"must be a string or a list of strings, not {group!r}")
    if not list(group):
        raise InputError(Location("references", i), "is empty", "pass at least one reference per prediction")


def _default_seed() -> Any:
    """Return a number from the state of NumPy's global generator, as evaluate does."""
    state: Any = np.random.get_state()
    numbers, position = state[1], state[2]
    return numbers[position] if position < len(numbers) else numbers[0]


@contextmanager
def _seeded(seed: Any) -> Iterator[None]:
    """Seed NumPy's global generator for a `with` block, and restore its state afterwards."""
    before = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(before)
