from __future__ import annotations

import os
import re
from collections.abc import Sequence

from refscore.errors import InputError, Location
from refscore.metrics import metric_names
from refscore.readers.records import expand_records
from refscore.readers.system_scores import System


def parse_systems(arguments: Sequence[str], *, runs: bool = False) -> list[System]:
    """Return the systems for arguments of the form FILE or NAME=FILE. A FILE may be a record of several systems.

    Files without a name get the shortest part of their path that is unique. With `runs`, files with the same name are
    runs of one system.
    """
    named = [*map(split_name, arguments)]
    for name, file in named:
        if name is None and not os.path.exists(file) and file.lower() in map(str.lower, metric_names()):
            fix = f"separate metrics by commas, as in -m bleu,{file}"
            raise InputError(Location(file=file), "is not a file", fix)
    short = _short_names([file for name, file in named if name is None])
    files = [System(short[file] if name is None else name, file) for name, file in named]
    systems = expand_records(files, [name is not None for name, _ in named])
    names = [system.name for system in systems]
    for system in systems:
        location = Location(file=system.file)
        if names.count(system.name) > 1 and not runs:
            problem = f"has the same system name as another file, {system.name!r}"
            raise InputError(location, problem, f"name the systems, as in first={system.file}")
        # A shell pattern may include the baseline again. It would count as two runs and change every p-value.
        if systems.count(system) > 1:
            fix = f"give it once, or name it, as in again={system.file}"
            raise InputError(location, "is given twice", fix)
    return systems


def split_name(argument: str) -> tuple[str | None, str]:
    """Return the name and the file of an argument of the form FILE or NAME=FILE. An existing file has no name."""
    match = re.fullmatch(r"([^=/\\]+)=(.+)", argument, re.DOTALL)
    return (match[1], match[2]) if match and not os.path.exists(argument) else (None, argument)


def _short_names(files: Sequence[str]) -> dict[str, str]:
    """Return a name for each file: the field if all are fields of one file, else the file name if it is unique."""
    paths = {file.rpartition(":")[0] for file in files}
    if len(files) > 1 and len(paths) == 1 and "" not in paths and not any(map(os.path.exists, files)):
        return {file: file.rpartition(":")[2] for file in files}
    last = [os.path.basename(file) or file for file in files]
    return {
        file: name if last.count(name) == files.count(file) else file for file, name in zip(files, last, strict=True)
    }
