"""Modules that inherit from `evaluate.Metric`, for `evaluate.load`, `combine` and evaluators."""

from __future__ import annotations

from functools import wraps
from typing import Any

from refscore.compat.evaluate.loading import script
from refscore.compat.evaluate.module import InMemory
from refscore.compat.evaluate.scoring import MODULES, cite
from refscore.compat.overrides import needs

with needs("evaluate.hub", "datasets", "evaluate", names="Hugging Face's evaluate", install="'refscore[evaluate]'"):
    import datasets
    import evaluate

__all__ = ["HubModule", "load"]

_load = evaluate.load


@wraps(_load)
def load(path: str, *args: Any, **kwargs: Any) -> Any:
    """Load refscore's module with this name, or else evaluate's."""
    return _load(script(path) if isinstance(path, str) and path in MODULES else path, *args, **kwargs)


class HubModule(InMemory, evaluate.Metric):
    """A module that evaluate can load. Each subclass is named like its module."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        InMemory.__init__(self)
        evaluate.Metric.__init__(self, *args, **kwargs)

    def _info(self) -> Any:
        description = MODULES[self.module].description
        return evaluate.MetricInfo(
            description=description.partition("\n")[0],
            citation=cite(self.module),
            inputs_description=description,
            features=self._features(),
        )

    def _features(self) -> Any:
        text, accepted = datasets.Value("string"), MODULES[self.module].references
        if accepted == "questions":
            prediction = {"id": text, "prediction_text": text}
            if self.module == "squad_v2":
                prediction["no_answer_probability"] = datasets.Value("float32")
            answers = datasets.Sequence({"text": text, "answer_start": datasets.Value("int32")})
            return datasets.Features({"predictions": prediction, "references": {"id": text, "answers": answers}})
        columns = dict.fromkeys(MODULES[self.module].inputs, text)
        single, several = map(datasets.Features, (columns, {**columns, "references": datasets.Sequence(text)}))
        if "sources" in columns:
            return several
        return single if accepted == "text" else [several, single]

    def _base(self) -> Any:
        return InMemory if self.num_process == 1 else evaluate.Metric

    def __len__(self) -> int:
        length: int = self._base().__len__(self)
        return length

    # evaluate reads these docstrings.
    def add(self, **kwargs: Any) -> None:
        """Add one segment."""
        self._base().add(self, **kwargs)

    def add_batch(self, **kwargs: Any) -> None:
        """Add segments."""
        self._base().add_batch(self, **kwargs)

    def compute(self, **kwargs: Any) -> Any:
        """Add these segments, and return the result of all segments."""
        return self._base().compute(self, **kwargs)

    def _compute(self, **kwargs: Any) -> Any:
        return MODULES[self.module].compute(**kwargs)


def __getattr__(name: str) -> type[HubModule]:
    if name in _CLASSES:
        return _CLASSES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_CLASSES = {
    module.class_name: type(
        module.class_name, (HubModule,), {"module": name, "__module__": __name__, "__doc__": module.compute.__doc__}
    )
    for name, module in MODULES.items()
}
