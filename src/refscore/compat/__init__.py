"""Drop-ins: the interfaces of other libraries on refscore, and `install`, which overrides the libraries."""

from refscore.compat.overrides import DropInWarning, install, uninstall

__all__ = ["DropInWarning", "install", "uninstall"]

_MODULES = ("evaluate", "jiwer", "nltk", "rouge_score", "sacrebleu", "sacrebleu_r", "torchmetrics")


def __getattr__(name: str) -> object:
    """Import the module of a library on first access."""
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"refscore.compat.{name}")
    raise AttributeError(f"module 'refscore.compat' has no attribute {name!r}")
