"""The installed sacrebleu, for its command, its test sets and the download of models."""

from __future__ import annotations

import builtins
import signal
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType, SimpleNamespace
from typing import Any

from refscore.errors import NotInstalledError


def original(module: str, purpose: str) -> Any:
    """Return a module of the installed sacrebleu. The error without sacrebleu begins with the purpose."""
    try:
        imported = _import_command() if module == "sacrebleu" else import_module(f"sacrebleu.{module}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "sacrebleu":  # a dependency of sacrebleu is missing
            raise
    else:
        if not imported.__name__.startswith("refscore."):  # otherwise the drop-in is installed
            return imported
    raise NotInstalledError(
        f"{purpose} the sacrebleu package, which is not installed: pip install 'refscore[testsets]'", name="sacrebleu"
    )


def _import_command() -> ModuleType:
    """Import `sacrebleu.sacrebleu` without its call of `signal.signal`, which would fail in a thread."""
    finder = _CommandFinder()
    sys.meta_path.insert(0, finder)
    try:
        return import_module("sacrebleu.sacrebleu")
    finally:
        sys.meta_path.remove(finder)


class _CommandFinder:
    """Finds and loads `sacrebleu.sacrebleu` with a `signal` of its own; no other code sees a difference."""

    loader: Any

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name == "sacrebleu.sacrebleu" else None
        if spec is not None:
            self.loader = spec.loader
            spec.loader = self  # type: ignore[assignment]
        return spec

    def create_module(self, spec: ModuleSpec) -> Any:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        namespace = vars(module)
        namespace["__loader__"] = namespace["__spec__"].loader = self.loader
        silent = SimpleNamespace(**{**vars(signal), "signal": lambda *_: None})

        def import_name(name: str, *arguments: Any) -> Any:
            namespace["__builtins__"] = vars(builtins)  # functions that the module defines later get these
            return silent if name == "signal" else __import__(name, *arguments)

        namespace["__builtins__"] = {**vars(builtins), "__import__": import_name}
        self.loader.exec_module(module)
