"""The installed sacrebleu, for what is not scoring: its command, its test sets, and the download of models."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from refscore.errors import NotInstalledError


def original(module: str, purpose: str = "test sets are downloaded and read by") -> Any:
    """Return a module of the installed sacrebleu; a message for one that is missing begins with the purpose."""
    try:
        with _same_signal_handlers():
            imported = import_module(f"sacrebleu.{module}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "sacrebleu":  # something that sacrebleu itself needs
            raise
    else:
        if not imported.__name__.startswith("refscore."):  # else this package is installed in its place
            return imported
    raise NotInstalledError(
        f"{purpose} the sacrebleu package, which is not installed: pip install 'refscore[testsets]'", name="sacrebleu"
    )


@contextmanager
def _same_signal_handlers() -> Iterator[None]:
    """Ignore calls that set the handler of SIGPIPE: importing `sacrebleu.sacrebleu` does, and fails in a thread."""
    set_handler = signal.signal

    def set_other_handler(number: Any, handler: Any) -> Any:
        return None if number == getattr(signal, "SIGPIPE", None) else set_handler(number, handler)

    signal.signal = set_other_handler  # type: ignore[assignment]
    try:
        yield
    finally:
        signal.signal = set_handler
