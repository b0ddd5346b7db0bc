"""The systems of a command line: files of hypotheses, and what they are called in tables."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from refscore.errors import InputError
from refscore.metrics import METRICS
from refscore.metrics.core.selection import own_names


@dataclass(frozen=True)
class System:
    """A file of hypotheses and its name.

    Example:
        >>> systems(["out/a.txt", "out/b.txt"])
        [System(name='a.txt', file='out/a.txt'), System(name='b.txt', file='out/b.txt')]
        >>> systems(["base=out/a.txt", "new=out/b.txt"])
        [System(name='base', file='out/a.txt'), System(name='new', file='out/b.txt')]
    """

    name: str
    file: str


def systems(arguments: Sequence[str], *, runs: bool = False) -> list[System]:
    """The systems that arguments of the form FILE or NAME=FILE stand for.

    Files without a name are called by as little of their path as tells them apart.

    Args:
        arguments: Those of the command line.
        runs: Whether a name may be given to several files: runs of one system.
    """
    named: list[tuple[str | None, str]] = []
    for argument in arguments:
        given = re.fullmatch(r"([^=/\\]+)=(.+)", argument, re.DOTALL)
        exists = os.path.exists(argument)
        if not exists and given is None and argument.lower() in {*METRICS, *own_names()}:
            raise InputError(
                None, f"there is no file {argument}: metrics are separated by commas, as in -m bleu,{argument}"
            )
        named.append((given[1], given[2]) if given and not exists else (None, argument))
    short = _short_names([file for name, file in named if name is None])
    made = [System(short[file] if name is None else name, file) for name, file in named]
    names = [system.name for system in made]
    for system in made:
        if names.count(system.name) > 1 and not runs:
            raise InputError(None, f"two systems are called {system.name!r}: name them, as in first={system.file}")
        # As with a pattern that takes in the baseline: it would count as two runs, and change every p.
        if made.count(system) > 1:
            raise InputError(
                None,
                f"{system.file} is given twice: give it once, or as another system by another name, as in "
                f"again={system.file}",
            )
    return made


def _short_names(files: Sequence[str]) -> dict[str, str]:
    """The last part of each path, or all of it where that is not enough; of fields of one file, the field."""
    paths = {file.rpartition(":")[0] for file in files}
    if len(files) > 1 and len(paths) == 1 and "" not in paths and not any(map(os.path.exists, files)):
        return {file: file.rpartition(":")[2] for file in files}
    last = [os.path.basename(file) or file for file in files]
    return {
        file: name if last.count(name) == files.count(file) else file for file, name in zip(files, last, strict=True)
    }
