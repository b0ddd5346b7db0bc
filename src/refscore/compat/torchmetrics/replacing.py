"""What stands in for what in torchmetrics' modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from refscore.compat.torchmetrics import functional, text
from refscore.errors import SettingError

_OWN = {"RIBESScore", "RowsScore", "ribes_score"}
# The modules that define them; each is there under torchmetrics.text and torchmetrics.functional.text.
_MODULES = {
    "bleu": ("BLEUScore", "bleu_score"),
    "sacre_bleu": ("SacreBLEUScore", "sacre_bleu_score"),
    "chrf": ("CHRFScore", "chrf_score"),
    "ter": ("TranslationEditRate", "translation_edit_rate"),
    "rouge": ("ROUGEScore", "rouge_score"),
    "wer": ("WordErrorRate", "word_error_rate"),
    "cer": ("CharErrorRate", "char_error_rate"),
    "mer": ("MatchErrorRate", "match_error_rate"),
    "wip": ("WordInfoPreserved", "word_information_preserved"),
    "wil": ("WordInfoLost", "word_information_lost"),
}


def _derived(kind: type) -> type:
    """A class that differs from another in where it is found, by pickle too."""
    return type(kind.__name__, (kind,), {"__module__": "torchmetrics", "__doc__": kind.__doc__})


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    wrapped.__module__ = "torchmetrics.functional"
    return wrapped


def replacements(version: str | None) -> Mapping[str, Mapping[str, Any]]:
    """For torchmetrics' modules, the names to replace and refscore's objects; no version of it is told apart."""
    if version is not None:
        raise SettingError(f"no versions of torchmetrics are told apart: leave version={version!r} out")
    classes = {name: getattr(text, name) for name in text.__all__ if name not in _OWN}
    functions = {name: getattr(functional, name) for name in functional.__all__ if name not in _OWN}
    found: dict[str, Mapping[str, Any]] = {
        # Names that torchmetrics still has at its root are wrappers of their own: so are they here, to be told apart.
        "torchmetrics": {name: _derived(kind) for name, kind in classes.items()},
        "torchmetrics.functional": {name: _wrapped(function) for name, function in functions.items()},
        "torchmetrics.text": classes,
        "torchmetrics.functional.text": functions,
    }
    for module, (name, function) in _MODULES.items():
        found[f"torchmetrics.text.{module}"] = {name: classes[name]}
        found[f"torchmetrics.functional.text.{module}"] = {function: functions[function]}
    return found
