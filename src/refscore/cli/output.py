"""What commands print: pretty on a terminal, plain in a pipe; and files that are written whole or not at all."""

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
from refscore.errors import InputError
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
    help="What is printed: a table (the default), JSON with all numbers, values separated by tabs, Markdown or LaTeX.",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
digits_option = click.option(
    "--digits",
    type=click.IntRange(0, 15),
    default=2,
    metavar="N",
    help="Digits after the point in tables; 2 by default.",
)
threads_option = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="How many threads score; all cores by default."
)


def show_tables(tables: Sequence[Table], form: str, lines: Iterable[str] = ()) -> None:
    """Prints tables, and lines under them where the form has room for any.

    Args:
        tables: What to show.
        form: One of `FORMS` but JSON.
        lines: What stands under the tables: signatures and notes. In LaTeX they become comments.
    """
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
    """Prints an object with the name of its schema and this version first.

    Args:
        schema: The name of the command; docs/json.md describes the schema.
        content: What the command found.
    """
    write(json.dumps({"schema": f"refscore.{schema}/1", "version": __version__, **content}, indent=2))


def write(text: str) -> None:
    """Prints text, with what stdout cannot encode written as escapes."""
    click.echo(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace").decode(sys.stdout.encoding or "utf-8"))


def check_writable(path: Path) -> None:
    """Finds most reasons why a file cannot be written, without touching it."""
    if path.is_dir():
        raise InputError(None, f"{path} is a directory: name a file")
    if not path.parent.is_dir():
        raise InputError(None, f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(None, f"{path} cannot be written: permission denied")


def write_file(path: Path, pieces: Iterable[str], errors: str = "backslashreplace") -> None:
    """Writes a file beside its place and moves it there, so that what was there is never half replaced.

    Args:
        path: The file; something that is no plain file, such as a pipe, is written as it is.
        pieces: Its text.
        errors: How what is not UTF-8 is written.
    """
    with written_text(path, errors) as file:
        file.writelines(pieces)
