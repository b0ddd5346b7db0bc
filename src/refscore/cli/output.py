"""The output of commands: styled on a terminal, plain in a pipe; and files that are written whole or not at all."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from refscore._version import __version__
from refscore.cli.option_group import count_option
from refscore.errors import InputError, Location
from refscore.readers.source import STANDARD_INPUT
from refscore.tables import Table, render
from refscore.tables.terminal import TerminalTable
from refscore.text_display import visible
from refscore.writing import written_text

FORMS = ("table", "json", "tsv", "markdown", "latex")

output_option = click.option(
    "--output",
    "form",
    type=click.Choice(FORMS),
    default="table",
    help="What is printed: a table, JSON with all numbers, values separated by tabs, Markdown or LaTeX.",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
digits_option = click.option(
    "--digits", type=click.IntRange(0, 15), default=2, metavar="N", help="Digits after the point in tables."
)
threads_option = count_option("--threads", help="How many threads score; all cores by default.")


def show_tables(tables: Sequence[Table], form: str, lines: Iterable[str] = ()) -> None:
    """Print tables in one of `FORMS` except JSON, and lines below them: comments in LaTeX, left out of TSV."""
    if form == "table" and sys.stdout.isatty():
        console = Console()
        for table in tables:
            console.print(TerminalTable(table), "", sep="\n")
        for line in lines:
            console.print(Text(visible(line), "dim"), soft_wrap=True)
        return
    shown = ("\n" if form == "tsv" else "\n\n").join(
        render(table, "plain" if form == "table" else form) for table in tables
    )
    under = {
        "table": "".join(f"\n{visible(line)}" for line in lines),
        "markdown": "".join(f"\n- `{visible(line)}`" for line in lines),
        "latex": "".join(f"\n% {visible(line)}" for line in lines),
    }.get(form, "")
    write(shown + ("\n" + under if under and form != "latex" else under))


def show_json(schema: str, content: dict[str, Any]) -> None:
    """Print an object that begins with the name of its schema (docs/schemas/index.md lists them) and this version."""
    write(json.dumps({"schema": f"refscore.{schema}/1", "version": __version__, **content}, indent=2))


def write(text: str) -> None:
    """Print text; characters that stdout cannot encode become escapes."""
    click.echo(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace").decode(sys.stdout.encoding or "utf-8"))


def check_output(path: Path, inputs: Iterable[str]) -> None:
    """Raise an error if a file cannot be written, in most cases, or if it is one of the command's inputs.

    Inputs are compared by what they refer to, so links and standard input count. Neither file is touched.
    """
    location = Location(file=str(path))
    if path.is_dir():
        raise InputError(location, "is a directory", "name a file")
    if not path.parent.is_dir():
        raise InputError(location, "cannot be written", f"there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(location, "cannot be written", "permission denied")
    if path.is_file() and any(os.path.samestat(path.stat(), status) for status in filter(None, map(_status, inputs))):
        raise InputError(location, "is an input and would be overwritten", "name another file")


def _status(file: str) -> os.stat_result | None:
    try:
        return os.fstat(sys.stdin.fileno()) if file == STANDARD_INPUT else os.stat(file)
    except (OSError, ValueError, AttributeError):  # there is no such file, or standard input is not a file
        return None


def write_file(path: Path, pieces: Iterable[str], errors: str = "backslashreplace") -> None:
    """Write a file as a whole, so an error never leaves half of it; `errors` is that of `open`."""
    with written_text(path, errors) as file:
        file.writelines(pieces)
