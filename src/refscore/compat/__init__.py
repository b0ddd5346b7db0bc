"""Drop-ins: the interfaces of other libraries on refscore, and `install`, which overrides the libraries."""

from refscore.compat.overrides import DropInWarning, install, uninstall
from refscore.data_warnings import keep_silent as _keep_silent

__all__ = ["DropInWarning", "install", "uninstall"]

_MODULES = (
    "evaluate",
    "jiwer",
    "lighteval",
    "lm_eval",
    "nltk",
    "pycocoevalcap",
    "rouge_score",
    "sacrebleu",
    "sacrebleu_r",
    "torchmetrics",
)

_keep_silent(__name__)  # drop-ins warn about what the originals warn about


def __getattr__(name: str) -> object:
    """Import the module of a library on first access."""
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"refscore.compat.{name}")
    raise AttributeError(f"module 'refscore.compat' has no attribute {name!r}")
