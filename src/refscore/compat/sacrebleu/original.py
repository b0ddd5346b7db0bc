"""The installed sacrebleu, for its command, its test sets and model downloads."""

from __future__ import annotations

from typing import Any

from refscore.compat.overrides import original_module
from refscore.errors import NotInstalledError


def original(name: str, purpose: str) -> Any:
    """Return a module from the installed sacrebleu. The error without sacrebleu begins with the purpose."""
    module = original_module(f"sacrebleu.{name}")
    if module is None:
        message = f"{purpose} the sacrebleu package, which is not installed: pip install 'refscore[testsets]'"
        raise NotInstalledError(message, name="sacrebleu")
    return module
