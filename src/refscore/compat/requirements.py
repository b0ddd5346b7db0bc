"""The error for a drop-in whose library is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from refscore.errors import NotInstalledError


@contextmanager
def needs(drop_in: str, *packages: str, names: str = "", install: str) -> Iterator[None]:
    """Raise a NotInstalledError for a drop-in if one of these packages is missing in a `with` block of imports."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in packages:  # a dependency of these packages is missing
            raise
        message = f"refscore.compat.{drop_in} needs {names or ' and '.join(packages)}: pip install {install}"
        raise NotInstalledError(message, name=error.name) from None
