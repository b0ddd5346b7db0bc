"""Load modules by name, combine several into one, or find their scripts for Hugging Face's `evaluate.load`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from refscore.compat.evaluate.module import EvaluationModule
from refscore.compat.evaluate.scoring import MODULES
from refscore.errors import SettingError, UnknownNameError


def load(
    path: str,
    config_name: str | None = None,
    module_type: str | None = None,
    process_id: int = 0,
    num_process: int = 1,
    cache_dir: str | None = None,
    experiment_id: str | None = None,
    keep_in_memory: bool = False,
    download_config: Any = None,
    download_mode: Any = None,
    revision: Any = None,
    *,
    seed: int | None = None,
) -> EvaluationModule:
    """Return a module by its name on the Hub, such as "bleu"; the package's documentation lists them.

    `seed` is for the samples of "rouge", and by default comes from NumPy's global generator. Arguments for
    configurations, downloads and files have no effect. For several processes, load the path from `script` by evaluate.

    Example:
        >>> from refscore.compat import evaluate
        >>> bleu = evaluate.load("bleu")
        >>> bleu.compute(predictions=["a b c d"], references=[["a b c d", "a b c"]])["bleu"]
        1.0
    """
    if path not in MODULES:
        raise UnknownNameError.suggest("evaluation module", path, MODULES)
    if module_type not in (None, "metric"):
        raise SettingError(f"{path} is a metric, not a {module_type}")
    if num_process != 1 or process_id != 0:
        raise SettingError(
            "num_process above 1 needs evaluate: pip install 'refscore[evaluate]', and call "
            f"evaluate.load(refscore.compat.evaluate.script({path!r}))"
        )
    return EvaluationModule(path, seed, experiment_id)


def script(name: str) -> str:
    """Return the path to a module's script in this package, for `evaluate.load`.

    Example:
        >>> from refscore.compat import evaluate
        >>> evaluate.script("bleu").endswith("bleu.py")
        True
    """
    if name not in MODULES:
        raise UnknownNameError.suggest("evaluation module", name, MODULES)
    return str(Path(__file__).parent / "scripts" / name / f"{name}.py")


class CombinedEvaluations:
    """Several modules that act as one. `combine` returns it.

    Example:
        >>> from refscore.compat import evaluate
        >>> both = evaluate.combine(["chrf", "ter"])
        >>> sorted(both.compute(predictions=["a cat"], references=[["a cat"]]))
        ['beta', 'char_order', 'chr_f_score', 'num_edits', 'ref_length', 'ter_score', 'word_order']
    """

    def __init__(self, evaluation_modules: Sequence[Any] | Mapping[str, Any], force_prefix: bool = False) -> None:
        if isinstance(evaluation_modules, str) or not isinstance(evaluation_modules, (Sequence, Mapping)):
            raise SettingError(f"combine needs a list or a dictionary of modules, not {evaluation_modules!r}")
        is_named = isinstance(evaluation_modules, Mapping)
        given = evaluation_modules.values() if isinstance(evaluation_modules, Mapping) else evaluation_modules
        self.evaluation_modules = [load(module) if isinstance(module, str) else module for module in given]
        names = evaluation_modules if is_named else [module.name for module in self.evaluation_modules]
        self.evaluation_module_names = list(names)
        self.force_prefix = force_prefix

    def add(self, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        for module in self.evaluation_modules:
            module.add(prediction=prediction, reference=reference, **kwargs)

    def add_batch(self, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        for module in self.evaluation_modules:
            module.add_batch(predictions=predictions, references=references, **kwargs)

    def compute(self, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any]:
        """Return all modules' results. Names that several modules use get the module's name as a prefix."""
        results = [
            module.compute(predictions=predictions, references=references, **kwargs)
            for module in self.evaluation_modules
        ]
        for name, result in zip(self.evaluation_module_names, results, strict=True):
            if not isinstance(result, Mapping):
                raise SettingError(f"{name} returns a number, not a dictionary: compute it separately")
        often = Counter(key for result in results for key in result)
        names = Counter(self.evaluation_module_names)
        seen: Counter[str] = Counter()
        merged = {}
        for name, result in zip(self.evaluation_module_names, results, strict=True):
            prefix = f"{name}_{seen[name]}" if names[name] > 1 else name
            seen[name] += 1
            for key, value in result.items():
                merged[f"{prefix}_{key}" if self.force_prefix or often[key] > 1 else key] = value
        return merged


def combine(evaluations: Sequence[Any] | Mapping[str, Any], force_prefix: bool = False) -> CombinedEvaluations:
    """Combine modules, or modules by name, into one with `add`, `add_batch` and `compute`.

    Example:
        >>> from refscore.compat import evaluate
        >>> evaluate.combine(["google_bleu", "bleu"]).compute(predictions=["a b"], references=["a b"])["google_bleu"]
        1.0
    """
    return CombinedEvaluations(evaluations, force_prefix)
