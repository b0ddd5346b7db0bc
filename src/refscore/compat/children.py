"""Drop-ins in child processes, through environment variables that they inherit.

REFSCORE_COMPAT has the names of the libraries, and REFSCORE_COMPAT_STRICT is 0 for `strict=False`. PYTHONPATH begins
with the folder `startup`, whose `sitecustomize` each Python imports when it starts. Processes that are started with -I,
-E or -S read none of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping

from refscore.errors import SettingError

VARIABLE = "REFSCORE_COMPAT"
STRICT_VARIABLE = "REFSCORE_COMPAT_STRICT"
STARTUP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "startup")

Choices = Mapping[str, str | None]
"""The version that is followed for each library, None for the default one."""


def parse_choices(text: str) -> dict[str, str | None]:
    """Return libraries and versions of a text such as "sacrebleu,nltk==3.9.1".

    Example:
        >>> from refscore.compat.children import parse_choices
        >>> parse_choices("sacrebleu,nltk==3.9.1")
        {'sacrebleu': None, 'nltk': '3.9.1'}
    """
    pairs = (choice.strip().partition("==") for choice in text.split(",") if choice.strip())
    return {library: version or None for library, _, version in pairs}


def hand_down(choices: Choices, environment: MutableMapping[str, str] = os.environ) -> None:
    """Let processes with this environment install these drop-ins, in addition to those that it names already."""
    _write({**_read(environment), **choices}, environment)


def withdraw(library: str) -> None:
    """Let new child processes use the original again."""
    choices = _read(os.environ)
    if library in choices:
        _write({name: version for name, version in choices.items() if name != library}, os.environ)


def hand_down_strictness(strict: bool) -> None:
    """Let new child processes refuse inputs of different lengths, or cut them as the library does."""
    if strict:
        os.environ.pop(STRICT_VARIABLE, None)
    else:
        os.environ[STRICT_VARIABLE] = "0"


def install_inherited(library: str) -> None:
    """Install a drop-in as the environment says."""
    from refscore.compat.overrides import LIBRARIES, install

    cuts = os.environ.get(STRICT_VARIABLE) == "0" and LIBRARIES[library].can_cut
    install(library, version=_read(os.environ)[library], strict=not cuts)


def check_inheritance() -> None:
    """Raise a SettingError if the children of this process would not read the environment, as multiprocessing's."""
    if sys.flags.ignore_environment or sys.flags.no_site:
        raise SettingError(
            "children=True has no effect in a Python that was started with -I, -E or -S: its children ignore "
            "PYTHONPATH. Start it without, or call install in each child"
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
