"""Install drop-ins in child processes, through inherited environment variables.

REFSCORE_COMPAT has the names of the libraries, REFSCORE_COMPAT_STRICT is 0 for `strict=False`, and
REFSCORE_COMPAT_RESAMPLES is the value of `resamples`. PYTHONPATH begins with the folder `startup`, so each Python
process imports its `sitecustomize` at startup. Processes started with -I, -E or -S ignore these variables.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping

from refscore.errors import SettingError

VARIABLE = "REFSCORE_COMPAT"
STRICT_VARIABLE = "REFSCORE_COMPAT_STRICT"
RESAMPLES_VARIABLE = "REFSCORE_COMPAT_RESAMPLES"
STARTUP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "startup")

Choices = Mapping[str, str | None]
"""The version to reproduce for each library, None for the default."""


def parse_choices(text: str) -> dict[str, str | None]:
    """Parse a text such as "sacrebleu,nltk==3.9.1" into libraries and versions.

    Example:
        >>> from refscore.compat.children import parse_choices
        >>> parse_choices("sacrebleu,nltk==3.9.1")
        {'sacrebleu': None, 'nltk': '3.9.1'}
    """
    pairs = (choice.strip().partition("==") for choice in text.split(",") if choice.strip())
    return {library: version or None for library, _, version in pairs}


def hand_down(choices: Choices, environment: MutableMapping[str, str] = os.environ) -> None:
    """Make processes with this environment install these drop-ins, in addition to those already named."""
    _write({**_read(environment), **choices}, environment)


def withdraw(library: str) -> None:
    """Make new child processes use the original again."""
    choices = _read(os.environ)
    if library in choices:
        _write({name: version for name, version in choices.items() if name != library}, os.environ)


def hand_down_strictness(strict: bool) -> None:
    """Make new child processes reject inputs of different lengths or, if not `strict`, truncate them."""
    if strict:
        os.environ.pop(STRICT_VARIABLE, None)
    else:
        os.environ[STRICT_VARIABLE] = "0"


def hand_down_resamples(resamples: int | None) -> None:
    """Make new child processes draw this number of samples for standard errors; None for the library's number."""
    if resamples is None:
        os.environ.pop(RESAMPLES_VARIABLE, None)
    else:
        os.environ[RESAMPLES_VARIABLE] = str(resamples)


def install_inherited(library: str) -> None:
    """Install a drop-in with the version, strictness and number of samples in the environment."""
    from refscore.compat.overrides import LIBRARIES, install

    cuts = os.environ.get(STRICT_VARIABLE) == "0" and LIBRARIES[library].can_cut
    resamples = os.environ.get(RESAMPLES_VARIABLE) if LIBRARIES[library].can_resample else None
    install(
        library,
        version=_read(os.environ)[library],
        strict=not cuts,
        resamples=None if resamples is None else _number(resamples),
    )


def _number(text: str) -> int:
    if not text.isdecimal():
        raise SettingError(f"the environment variable {RESAMPLES_VARIABLE} must be a whole number, not {text!r}")
    return int(text)


def check_inheritance() -> None:
    """Raise a SettingError if child processes, such as multiprocessing's, would ignore the environment."""
    if sys.flags.ignore_environment or sys.flags.no_site:
        raise SettingError(
            "children=True has no effect if Python was started with -I, -E or -S, because its children ignore "
            "PYTHONPATH: start Python without these options, or call install in each child"
        )


def _read(environment: Mapping[str, str]) -> dict[str, str | None]:
    return parse_choices(environment.get(VARIABLE, ""))


def _write(choices: Choices, environment: MutableMapping[str, str]) -> None:
    names = ",".join(library if version is None else f"{library}=={version}" for library, version in choices.items())
    others = [folder for folder in environment.get("PYTHONPATH", "").split(os.pathsep) if folder != STARTUP]
    path = os.pathsep.join([STARTUP, *others] if names else others).rstrip(os.pathsep)
    for variable, value in ((VARIABLE, names), ("PYTHONPATH", path)):
        if value:
            environment[variable] = value
        else:
            environment.pop(variable, None)
