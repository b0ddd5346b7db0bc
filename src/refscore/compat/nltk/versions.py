"""Which of NLTK's conventions a version of it follows."""

from __future__ import annotations

import re
from functools import lru_cache

from refscore.errors import SettingError

# From this version on tau counts all ascending pairs; before, only those inside runs of consecutive ranks.
_ALL_PAIRS_SINCE = "3.10.4"
_NEWEST_KNOWN = "3.10.4"

_VERSION = re.compile(
    r"\s*v?(?P<release>\d{1,9}(\.\d{1,9})*)"
    r"(?P<before>([-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?)"
    r"([-_.]?(post|rev|r)[-_.]?\d*|-\d+)?"
    r"(?P<development>([-_.]?dev[-_.]?\d*)?)"
    r"(\+[a-z0-9]+([-_.][a-z0-9]+)*)?\s*",
    re.IGNORECASE | re.ASCII,
)


_followed: str | None = None


def follow(version: str | None) -> None:
    """Set the version that RIBES follows by default; None for the installed NLTK's, or the newest known."""
    global _followed  # noqa: PLW0603
    check(version)
    _followed = version


def check(version: str | None) -> list[str]:
    """Raise a SettingError for a version that cannot be read; return the remark on one that is not known yet."""
    ribes_preset(version)
    followed = version or _installed_version()
    if _release(followed) <= _release(_NEWEST_KNOWN):
        return []
    chosen = "is installed" if version is None else "is asked for"
    return [f"refscore follows nltk up to {_NEWEST_KNOWN}, but {followed} {chosen}: numbers may differ"]


def ribes_preset(version: str | None) -> str:
    """Return the name of the preset of RIBES that a version of NLTK follows; None for the default version."""
    if version is None:
        version = _followed or _installed_version()
    elif not isinstance(version, str):
        raise SettingError(f"version must be a string such as '3.9.1', not {version!r}")
    return _preset(version)


@lru_cache(maxsize=64)
def _preset(version: str) -> str:
    return "nltk-3.9" if _release(version) < _release(_ALL_PAIRS_SINCE) else "nltk"


def _release(version: str) -> tuple[int, ...]:
    """Return four numbers of a version, and a fifth that puts what precedes a release before it."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise SettingError(f"version must be one of NLTK's, such as '3.9.1' or '3.10.4', not {version!r}")
    numbers = [int(number) for number in match["release"].split(".")[:4]]
    return (*numbers, *[0] * (4 - len(numbers)), 0 if match["before"] or match["development"] else 1)


@lru_cache(maxsize=1)
def _installed_version() -> str:
    from importlib import metadata  # slow to import

    try:
        return metadata.version("nltk")
    except metadata.PackageNotFoundError:
        return _NEWEST_KNOWN
