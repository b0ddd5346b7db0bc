"""Evaluation modules without Hugging Face's packages: the same calls, kept in memory."""

from __future__ import annotations

from typing import Any

from refscore.compat.evaluate.collected import Collected, inputs
from refscore.compat.evaluate.scoring import MODULES
from refscore.compat.evaluate.seeding import seed_of, seeding


class EvaluationModule:
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
        self._module = name
        self._scoring = MODULES[name]
        self._collected = Collected(name)
        self.name = "chr_f" if name == "chrf" else name  # as evaluate makes it of the class ChrF
        self.experiment_id = experiment_id or "default_experiment"
        self.seed = seed_of(seed)

    @property
    def description(self) -> str:
        """What the module computes."""
        return (self._scoring.__doc__ or "").partition("\n")[0]

    @property
    def inputs_description(self) -> str:
        """Its inputs, options and results."""
        return self._scoring.__doc__ or ""

    def __len__(self) -> int:
        return len(self._collected)

    def __repr__(self) -> str:
        return f'EvaluationModule(name: "{self.name}", module_type: "metric", stored examples: {len(self)})'

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Adds one segment.

        Args:
            prediction: A text.
            reference: A text, or a list of texts.
            **kwargs: `predictions` and `references` in their place.
        """
        both = inputs("add", {"predictions": prediction, "references": reference, **kwargs})
        self._collected.add(*([one] for one in both))

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Adds segments.

        Args:
            predictions: Texts.
            references: For each a text, or a list of texts.
            **kwargs: Nothing else is taken.
        """
        self._collected.add(*inputs("add_batch", {"predictions": predictions, "references": references, **kwargs}))

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        """The result of all segments that were added, and of these.

        Args:
            predictions: Texts.
            references: For each a text, or a list of texts.
            **kwargs: The module's options.

        Returns:
            What the module returns: a dictionary, or one number.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        with seeding(self._module, self.seed):
            return self._scoring(*self._collected.taken(), **kwargs)
