"""The conventions of each version of NLTK."""

from __future__ import annotations

import re
from functools import lru_cache

from refscore.compat.overrides import installed_version
from refscore.errors import SettingError

# Since this version, tau counts all ascending pairs. Before, it counted only pairs inside runs of consecutive ranks.
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


def set_version(version: str | None) -> None:
    global _followed  # noqa: PLW0603
    check(version)
    _followed = version


def check(version: str | None) -> list[str]:
    """Raise a SettingError for an invalid version. Return a warning about one newer than refscore knows."""
    ribes_preset(version)
    followed = version or _installed_version()
    if _release(followed) <= _release(_NEWEST_KNOWN):
        return []
    chosen = "is installed" if version is None else "is asked for"
    return [f"refscore reproduces nltk up to {_NEWEST_KNOWN}, but {followed} {chosen}: numbers may differ"]


def ribes_preset(version: str | None) -> str:
    """Return the name of the RIBES preset for a version of NLTK. None means the default version."""
    if version is None:
        return _preset(_followed or _installed_version())
    if not isinstance(version, str):
        raise SettingError(f"version must be a string such as '3.9.1', not {version!r}")
    return _preset(version)


@lru_cache(maxsize=64)
def _preset(version: str) -> str:
    return "nltk-3.9" if _release(version) < _release(_ALL_PAIRS_SINCE) else "nltk"


def _release(version: str) -> tuple[int, ...]:
    """Return four numbers of a version, and a fifth that sorts pre-releases before the release."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise SettingError(f"version must be a version of NLTK, such as '3.9.1' or '3.10.4', not {version!r}")
    numbers = [int(number) for number in match["release"].split(".")[:4]]
    return (*numbers, *[0] * (4 - len(numbers)), 0 if match["before"] or match["development"] else 1)


@lru_cache(maxsize=1)
def _installed_version() -> str:
    return installed_version("nltk") or _NEWEST_KNOWN
