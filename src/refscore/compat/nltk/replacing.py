"""What stands in for what in NLTK's modules."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from refscore.compat.nltk import ribes, translate
from refscore.compat.nltk.versions import ribes_preset

# The modules of NLTK that score; refscore.compat.nltk.translate has those of the same names.
_MODULES = ("bleu_score", "chrf_score", "gleu_score", "meteor_score", "nist_score", "ribes_score")
# NLTK gives one function of each module a short name as well.
_SHORT = {
    "bleu": ("bleu_score", "sentence_bleu"),
    "chrf": ("chrf_score", "sentence_chrf"),
    "gleu": ("gleu_score", "sentence_gleu"),
    "meteor": ("meteor_score", "meteor_score"),
    "nist": ("nist_score", "sentence_nist"),
    "ribes": ("ribes_score", "sentence_ribes"),
}


def replacements(version: str | None) -> Mapping[str, Mapping[str, Any]]:
    """For NLTK's modules, the names to replace and refscore's objects; RIBES as `version` of NLTK has it."""
    ribes_preset(version)  # a version that cannot be read is refused now, not when something is scored
    modules = {
        module: {name: getattr(getattr(translate, module), name) for name in getattr(translate, module).__all__}
        for module in _MODULES
    }
    for function in (ribes.corpus_ribes, ribes.kendall_tau, ribes.sentence_ribes):
        modules["ribes_score"][function.__name__] = _of_version(function, version)
    short = {name: modules[module][function] for name, (module, function) in _SHORT.items()}
    return {
        "nltk": short,
        "nltk.translate": short,
        **{f"nltk.translate.{module}": names for module, names in modules.items()},
    }


def _of_version(function: Callable[..., float], version: str | None) -> Callable[..., float]:
    """The function without its argument `version`: called as NLTK's is."""

    @wraps(function)
    def bound(*args: Any, **kwargs: Any) -> float:
        return function(*args, **kwargs, version=version)

    signature = inspect.signature(function)
    del bound.__wrapped__
    bound.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[parameter for name, parameter in signature.parameters.items() if name != "version"]
    )
    bound.__module__ = "nltk.translate.ribes_score"  # where it is found, by pickle too
    return bound
