"""What stands in for what in an installed sacrebleu; what concerns test sets stays its own."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from refscore.compat.sacrebleu.metrics import METRICS
from refscore.compat.sacrebleu.version import __version__
from refscore.errors import SettingError

_OURS = "refscore.compat.sacrebleu"
_MODULES = (
    "compat",
    "metrics.base",
    "metrics.bleu",
    "metrics.chrf",
    "metrics.helpers",
    "metrics.lib_ter",
    "metrics.ter",
    "sacrebleu",
    "significance",
    "tokenizers.tokenizer_13a",
    "tokenizers.tokenizer_base",
    "tokenizers.tokenizer_char",
    "tokenizers.tokenizer_intl",
    "tokenizers.tokenizer_ja_mecab",
    "tokenizers.tokenizer_ko_mecab",
    "tokenizers.tokenizer_none",
    "tokenizers.tokenizer_re",
    "tokenizers.tokenizer_spm",
    "tokenizers.tokenizer_ter",
    "tokenizers.tokenizer_zh",
    "utils",
)


def replacements(version: str | None) -> Mapping[str, Mapping[str, Any]]:
    """For sacrebleu's modules, the names to replace and refscore's objects: all functions and classes made there."""
    if version is not None and version != __version__:
        raise SettingError(f"version must be {__version__!r}, whose numbers are followed, or None, not {version!r}")
    found: dict[str, Mapping[str, Any]] = {"sacrebleu.metrics": {"METRICS": METRICS}}
    for name in _MODULES:
        module = import_module(f"{_OURS}.{name}")
        found[f"sacrebleu.{name}"] = {
            member: value
            for member, value in vars(module).items()
            if (inspect.isfunction(value) or inspect.isclass(value))
            and value.__module__ == module.__name__
            and not member.startswith("__")
        }
    return found
