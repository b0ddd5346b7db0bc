"""Evaluation modules without Hugging Face's packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from refscore.compat.evaluate.scoring import MODULES, check_questions, cite
from refscore.errors import InputError, Location


class InMemory:
    """Collect predictions and references, and compute a module's result."""

    module: str  # the name of the module
    seed: Any  # the seed of the samples of "rouge"

    def __init__(self) -> None:
        self._columns: dict[str, list[Any]] = {name: [] for name in MODULES[self.module].inputs}

    def __len__(self) -> int:
        return len(self._columns["predictions"])

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one segment: a text, and one or several references. `sari` also needs its `sources`."""
        given = {**dict.fromkeys(self._columns), "predictions": prediction, "references": reference, **kwargs}
        self._add("add", {name: [value] for name, value in given.items()})

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add segments: texts, and for each text one or several references, and for `sari` its source."""
        self._add("add_batch", {"predictions": predictions, "references": references, **kwargs})

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        """Add these segments, and return the result for all segments: a dictionary or a number."""
        batch = {"predictions": predictions, "references": references}
        batch |= {name: kwargs.pop(name, None) for name in self._columns if name not in batch}
        if any(value is not None for value in batch.values()):
            self.add_batch(**batch)
        if not len(self):
            raise InputError(None, "there are no segments", "pass predictions and references, or add some first")
        columns, self._columns = self._columns, {name: [] for name in self._columns}
        with _seeded(self.seed) if self.module == "rouge" else nullcontext():
            return MODULES[self.module].compute(**columns, **kwargs)

    def _add(self, method: str, batch: dict[str, Any]) -> None:
        """Add segments. Add none if some cannot be scored."""
        names = [*self._columns]
        unknown = sorted({*batch} - {*names})
        if unknown:
            accepted = f"{', '.join(names[:-1])} and {names[-1]}"
            raise InputError(None, f"{method} accepts {accepted}, not {', '.join(unknown)}")
        columns = {name: _listed(name, batch.get(name)) for name in names}
        texts, groups = columns["predictions"], columns["references"]
        for name, column in columns.items():
            if len(column) != len(texts):
                problem = f"mismatch in the number of predictions ({len(texts)}) and {name} ({len(column)})"
                raise InputError(None, problem, f"pass one entry in {name} per prediction")
        if MODULES[self.module].references == "questions":
            check_questions(self.module, texts, groups)
        else:
            for name in {*names} - {"references"}:
                for i, text in enumerate(columns[name]):
                    if not isinstance(text, str):
                        raise InputError(Location(name, i), f"must be a string, not {text!r}")
            columns["references"] = self._checked_references(groups)
        for name, column in columns.items():
            self._columns[name] += column

    def _checked_references(self, groups: list[Any]) -> list[Any]:
        are_lists = [not isinstance(group, str) for group in (*self._columns["references"][:1], *groups)]
        if any(are_lists) and MODULES[self.module].references == "text":
            location = Location("references", are_lists.index(True))
            raise InputError(location, "must be a string", f"{self.module} accepts only one reference per prediction")
        if len(set(are_lists)) > 1:
            raise InputError(None, "references mix strings and lists", "pass only strings, or only lists of strings")
        if not any(are_lists):
            return groups
        for i, group in enumerate(groups):
            if not isinstance(group, Iterable) or not all(isinstance(text, str) for text in group):
                raise InputError(Location("references", i), f"must be a string or a list of strings, not {group!r}")
            if not list(group):
                raise InputError(Location("references", i), "is empty", "pass at least one reference per prediction")
        return [list(group) for group in groups]


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
        self.module = name
        super().__init__()
        self.name = "chr_f" if name == "chrf" else name  # evaluate derives this name from its class ChrF
        self.experiment_id = experiment_id or "default_experiment"
        self.seed = _default_seed() if seed is None else seed

    @property
    def description(self) -> str:
        return self.inputs_description.partition("\n")[0]

    @property
    def inputs_description(self) -> str:
        return MODULES[self.module].description

    @property
    def citation(self) -> str:
        return cite(self.module)

    def __repr__(self) -> str:
        return f'EvaluationModule(name: "{self.name}", module_type: "metric", stored examples: {len(self)})'


def _listed(name: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(Location(name), f"must be a list with one entry per segment, not {values!r}")
    return list(values)


def _default_seed() -> Any:
    """Return a number from NumPy's global generator's state, as evaluate does."""
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
