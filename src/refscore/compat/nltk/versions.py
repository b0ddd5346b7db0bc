"""Which of NLTK's conventions a version of it follows."""

from __future__ import annotations

import re
from functools import lru_cache

from refscore.errors import SettingError

# From this version on tau counts all ascending pairs; before, only those inside runs of consecutive ranks.
_ALL_PAIRS_SINCE = (3, 10, 4)
_NEWEST_KNOWN = "3.10.4"

_VERSION = re.compile(
    r"\s*v?(?P<release>\d{1,9}(\.\d{1,9})*)"
    r"(?P<before>([-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?)"
    r"([-_.]?(post|rev|r)[-_.]?\d*|-\d+)?"
    r"(?P<development>([-_.]?dev[-_.]?\d*)?)"
    r"(\+[a-z0-9]+([-_.][a-z0-9]+)*)?\s*",
    re.IGNORECASE | re.ASCII,
)


def ribes_preset(version: str | None) -> str:
    """The name of the preset of RIBES that an NLTK version follows; None: the installed NLTK's, or the newest known."""
    return _preset(_installed_version() if version is None else _text(version))


def _text(version: object) -> str:
    if not isinstance(version, str):
        raise SettingError(f"version must be a string such as '3.9.1', not {version!r}")
    return version


@lru_cache(maxsize=64)
def _preset(version: str) -> str:
    match = _VERSION.fullmatch(version)
    if match is None:
        raise SettingError(f"version must be one of NLTK's, such as '3.9.1' or '3.10.4', not {version!r}")
    numbers = [int(number) for number in match["release"].split(".")[:4]]
    release = tuple((numbers + [0] * 3)[:3])
    early = release == _ALL_PAIRS_SINCE and bool(match["before"] or match["development"]) and not any(numbers[3:])
    return "nltk-3.9" if release < _ALL_PAIRS_SINCE or early else "nltk"


@lru_cache(maxsize=1)
def _installed_version() -> str:
    from importlib import metadata  # slow to import

    try:
        return metadata.version("nltk")
    except metadata.PackageNotFoundError:
        return _NEWEST_KNOWN
