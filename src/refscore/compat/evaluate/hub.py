"""The modules as Hugging Face's own kind: classes of `evaluate.Metric`, for `evaluate.load`, `combine` and evaluators.

In one process predictions and references stay in memory; in several, evaluate's files bring them together.
"""

from __future__ import annotations

from typing import Any, ClassVar

from refscore.compat.evaluate.collected import ONE_REFERENCE, Collected, inputs
from refscore.compat.evaluate.scoring import MODULES
from refscore.compat.evaluate.seeding import seeding
from refscore.errors import NotInstalledError

try:
    import datasets
    import evaluate
except ModuleNotFoundError as error:
    if error.name not in ("datasets", "evaluate"):  # something that they need themselves
        raise
    raise NotInstalledError(
        "refscore.compat.evaluate.hub needs Hugging Face's evaluate: pip install 'refscore[evaluate]'", name=error.name
    ) from None


class HubModule(evaluate.Metric):
    """What the classes share; each has the name of its module."""

    module: ClassVar[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._collected = Collected(self.module)
        super().__init__(*args, **kwargs)

    def _info(self) -> Any:
        scoring = MODULES[self.module]
        text = datasets.Value("string")
        single = datasets.Features({"predictions": text, "references": text})
        several = datasets.Features({"predictions": text, "references": datasets.Sequence(text)})
        return evaluate.MetricInfo(
            description=(scoring.__doc__ or "").partition("\n")[0],
            citation="",
            inputs_description=scoring.__doc__ or "",
            features=single if self.module in ONE_REFERENCE else [several, single],
        )

    def __len__(self) -> int:
        return len(self._collected) if self.num_process == 1 else super().__len__()

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Adds one segment."""
        if self.num_process > 1:
            super().add(prediction=prediction, reference=reference, **kwargs)
            return
        both = inputs("add", {"predictions": prediction, "references": reference, **kwargs})
        self._collected.add(*([one] for one in both))

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Adds segments."""
        if self.num_process > 1:
            super().add_batch(predictions=predictions, references=references, **kwargs)
            return
        self._collected.add(*inputs("add_batch", {"predictions": predictions, "references": references, **kwargs}))

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        """The result of all segments that were added, and of these."""
        if self.num_process > 1:
            return super().compute(predictions=predictions, references=references, **kwargs)
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        texts, groups = self._collected.taken()
        with seeding(self.module, self.seed):
            return self._compute(predictions=texts, references=groups, **kwargs)

    def _compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        return MODULES[self.module](predictions, references, **kwargs)


# evaluate makes a module's name of its class'.
_NAMES = {
    "bleu": "Bleu",
    "cer": "CER",
    "chrf": "ChrF",
    "google_bleu": "GoogleBleu",
    "meteor": "Meteor",
    "nist_mt": "NistMt",
    "rouge": "Rouge",
    "sacrebleu": "Sacrebleu",
    "ter": "Ter",
    "wer": "WER",
}


def module_class(name: str, of: str = __name__) -> type[HubModule]:
    """The class of a module, as if it had been written in the Python module `of`."""
    return type(_NAMES[name], (HubModule,), {"module": name, "__module__": of, "__doc__": MODULES[name].__doc__})
