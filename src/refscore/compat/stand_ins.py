"""Modules that take the place of a library's which is not installed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def stand_ins(contents: Mapping[str, Mapping[str, Any]]) -> dict[str, ModuleType]:
    """Modules with the given names, and packages around them, which lead from one to the next.

    Args:
        contents: For each module what is in it, by name.

    Example:
        >>> modules = stand_ins({"library.part": {"answer": 42}})
        >>> sorted(modules), modules["library"].part.answer
        (['library', 'library.part'], 42)
    """
    modules: dict[str, ModuleType] = {}
    for name in contents:
        parts = name.split(".")
        for size in range(1, len(parts) + 1):
            place = ".".join(parts[:size])
            if place not in modules:
                modules[place] = _module(place, is_package=any(other.startswith(f"{place}.") for other in contents))
                if size > 1:
                    setattr(modules[".".join(parts[: size - 1])], parts[size - 1], modules[place])
        vars(modules[name]).update(contents[name])
    return modules


def _module(name: str, is_package: bool) -> ModuleType:
    module = ModuleType(name, f"refscore in the place of {name}, which is not installed.")
    module.__spec__ = ModuleSpec(name, None, is_package=is_package)  # looked at by programs that ask what is installed
    if is_package:
        module.__path__ = []
    return module
