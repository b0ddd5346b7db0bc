"""The installed sacrebleu, for its command, its test sets and model downloads."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from refscore.errors import NotInstalledError


def original(module: str, purpose: str) -> Any:
    """Return a module from the installed sacrebleu. The error without sacrebleu begins with the purpose."""
    try:
        imported = import_module(f"sacrebleu.{module}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "sacrebleu":  # a dependency of sacrebleu is missing
            raise
    else:
        if not imported.__name__.startswith("refscore."):  # otherwise the drop-in is installed
            return imported
    raise NotInstalledError(
        f"{purpose} the sacrebleu package, which is not installed: pip install 'refscore[testsets]'", name="sacrebleu"
    )
