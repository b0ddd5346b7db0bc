"""The installed sacrebleu, for what is not scoring: its test sets, and the fetching of models."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from refscore.errors import NotInstalledError


def original(module: str, purpose: str) -> ModuleType:
    """A module of the installed sacrebleu.

    Args:
        module: Its name within sacrebleu.
        purpose: What it is needed for, as the beginning of a message.

    Returns:
        The module.
    """
    try:
        found = import_module(f"sacrebleu.{module}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "sacrebleu":  # something that sacrebleu itself needs
            raise
    else:
        if not found.__name__.startswith("refscore."):  # else this package stands in for one that is not there
            return found
    raise NotInstalledError(
        f"{purpose} the sacrebleu package, which is not installed: pip install 'refscore[testsets]'", name="sacrebleu"
    )
