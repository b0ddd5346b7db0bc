"""What stands in for what in NLTK's modules."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from refscore.compat.nltk import bleu, counts, ribes, smoothing
from refscore.compat.nltk.versions import ribes_preset

_BLEU = "nltk.translate.bleu_score"
_RIBES = "nltk.translate.ribes_score"


def replacements(version: str | None) -> Mapping[str, Mapping[str, Any]]:
    """For NLTK's modules, the names to replace and refscore's objects; RIBES as `version` of NLTK has it."""
    ribes_preset(version)  # a version that cannot be read is refused now, not when something is scored
    return {
        _BLEU: {
            "SmoothingFunction": smoothing.SmoothingFunction,
            "brevity_penalty": counts.brevity_penalty,
            "closest_ref_length": counts.closest_ref_length,
            "corpus_bleu": bleu.corpus_bleu,
            "modified_precision": counts.modified_precision,
            "sentence_bleu": bleu.sentence_bleu,
        },
        _RIBES: {
            "corpus_ribes": _of_version(ribes.corpus_ribes, version),
            "find_increasing_sequences": ribes.find_increasing_sequences,
            "kendall_tau": _of_version(ribes.kendall_tau, version),
            "position_of_ngram": ribes.position_of_ngram,
            "sentence_ribes": _of_version(ribes.sentence_ribes, version),
            "spearman_rho": ribes.spearman_rho,
            "word_rank_alignment": ribes.word_rank_alignment,
        },
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
    bound.__module__ = _RIBES  # where it is found, by pickle too
    return bound
