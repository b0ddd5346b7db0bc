"""Load modules by name, or find their scripts for Hugging Face's `evaluate.load`."""

from __future__ import annotations

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
    """Return a module by its name on the Hub, such as "bleu"; the documentation of this package lists them.

    `seed` is the seed of the samples of "rouge", by default a number from the state of NumPy's generator.
    `experiment_id` names the experiment. To use several processes, install evaluate and load the path from `script`.
    The other arguments have no effect, because there are no configurations, downloads or files.

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
    """Return the path of a module's script in this package, for `evaluate.load`.

    Example:
        >>> from refscore.compat import evaluate
        >>> evaluate.script("bleu").endswith("bleu.py")
        True
    """
    if name not in MODULES:
        raise UnknownNameError.suggest("evaluation module", name, MODULES)
    return str(Path(__file__).parent / "scripts" / name / f"{name}.py")
