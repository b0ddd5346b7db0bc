"""What stands in for what in Hugging Face's evaluate."""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from importlib.util import find_spec
from typing import Any

from refscore.compat.evaluate.loading import script
from refscore.compat.evaluate.scoring import MODULES
from refscore.errors import SettingError


def replacements(version: str | None) -> Mapping[str, Mapping[str, Any]]:
    """`evaluate.load`, which gives refscore's modules by their names and leaves the others to evaluate."""
    if version is not None:
        raise SettingError(f"no versions of evaluate are told apart: leave version={version!r} out")
    if find_spec("evaluate") is None:
        return {}
    from evaluate import loading

    theirs = getattr(loading.load, "__wrapped__", loading.load)

    @wraps(theirs)
    def load(path: str, *args: Any, **kwargs: Any) -> Any:
        return theirs(script(path) if isinstance(path, str) and path in MODULES else path, *args, **kwargs)

    return {"evaluate.loading": {"load": load}}
