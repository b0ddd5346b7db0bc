"""The installed sacrebleu, for its command, its test sets and the download of models."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from refscore.errors import NotInstalledError


def original(module: str, purpose: str = "test sets need") -> Any:
    """Return a module of the installed sacrebleu. The error without sacrebleu begins with the purpose."""
    try:
        with _same_signal_handlers():
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


@contextmanager
def _same_signal_handlers() -> Iterator[None]:
    """Ignore changes to the handler of SIGPIPE. Importing `sacrebleu.sacrebleu` sets it, which fails in threads."""
    set_handler = signal.signal

    def set_other_handler(number: Any, handler: Any) -> Any:
        return None if number == getattr(signal, "SIGPIPE", None) else set_handler(number, handler)

    signal.signal = set_other_handler  # type: ignore[assignment]
    try:
        yield
    finally:
        signal.signal = set_handler
