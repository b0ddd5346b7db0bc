"""The output of commands: styled on a terminal, plain in a pipe. Files are written completely or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from refscore.cli.option_group import F, add_options, complete_file, is_given
from refscore.errors import InputError, Location
from refscore.writing import written_text

FORMATS = ("text", "markdown", "latex", "json", "csv", "tsv")
# The formats for programs have one table, with full precision.
FLAT = ("csv", "tsv")
# The formats of files without --format.
BY_ENDING = {
    ".csv": "csv",
    ".htm": "html",
    ".html": "html",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".tsv": "tsv",
}


def _option(context: click.Context | None, spelling: str) -> click.Parameter | None:
    options = () if context is None else context.command.params
    return next((option for option in options if spelling in option.opts), None)


class OutputFile(click.ParamType):  # type: ignore[type-arg]
    """The name of a file. A format's name is an error, because `--output json` once meant `--format json`."""

    name = "file"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in (*FORMATS, "table", "html"):
            form = "text" if value == "table" else value
            format_type = getattr(_option(ctx, "--format"), "type", None)
            advice = f"--format {form}, or " if form in getattr(format_type, "choices", ()) else ""
            self.fail(f"{value!r} is a format: write {advice}./{value} for a file", param, ctx)
        return value


class _Format(click.Choice):  # type: ignore[type-arg]
    """An output format. The error for an input format names --input-format."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from refscore.readers import FORMATS as INPUT_FORMATS

        if value not in self.choices and value in INPUT_FORMATS and _option(ctx, "--input-format") is not None:
            self.fail(f"{value!r} is an input format: write --input-format {value}", param, ctx)
        return str(super().convert(value, param, ctx))


def output_file_option(**settings: Any) -> Callable[[F], F]:
    """Return the option -o/--output FILE. The command gets the name as `target`; click gets the `settings`."""
    return click.option("-o", "--output", "target", type=OutputFile(), metavar="FILE", **settings)


def format_option(*formats: str) -> Callable[[F], F]:
    """Return the option --format, and --quote-formulas for CSV and TSV. The command gets the format as `form`."""
    form = _Format(formats)
    options = [click.option("--format", "form", type=form, default=formats[0], help="The format of the output.")]
    if {*FLAT} & {*formats}:
        help_text = "In CSV and TSV, quote names that a spreadsheet would run as formulas."
        options.append(click.option("--quote-formulas", is_flag=True, expose_value=False, help=help_text))
    return lambda command: add_options(command, *options)


def quotes_formulas() -> bool:
    return is_given("quote_formulas")


def write(text: str, *, newline: bool = True) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=newline)


def check_output(path: Path) -> None:
    """Raise an error if a file cannot be written or is an input of the command. The file stays unchanged.

    The check follows links and includes standard input. It may miss some reasons for failure, such as a full disk.
    """
    location = Location(file=str(path))
    if path.is_dir():
        raise InputError(location, "is a directory", "name a file")
    if not path.parent.is_dir():
        raise InputError(location, "cannot be written", f"create the folder {path.parent} first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(location, "cannot be written", "permission denied")
    context = click.get_current_context()
    outputs = [os.path.realpath(file) for file in map(context.params.get, ("target", "segment_file")) if file]
    if outputs.count(os.path.realpath(path)) > 1:
        raise InputError(location, "is given for two outputs", "name another file for one of them")
    inputs = _named_files(context) if path.is_file() else ()
    if any(os.path.samestat(path.stat(), status) for status in map(_status, inputs) if status is not None):
        raise InputError(location, "is an input and would be overwritten", "name a different file")


def names_inputs(parameter: click.Parameter) -> bool:
    """Return whether a parameter names input files. It declares this with `shell_complete=complete_file`."""
    # Calling `parameter.shell_complete` would import every metric.
    return parameter._custom_shell_complete is complete_file and not isinstance(parameter.type, OutputFile)


def _named_files(context: click.Context) -> Iterator[str]:
    """Yield all possible file names in the inputs, which may be FILE, NAME=FILE or FILE:FIELD."""
    for parameter in context.command.params:
        if not names_inputs(parameter) and parameter.name != "settings":  # --set resegment.documents=FILE
            continue
        value = context.params[str(parameter.name)]
        texts = (value,) if isinstance(value, str) else value or ()
        for text in texts or ("-",):  # commands without a file read standard input
            for spec in (text, text.partition("=")[2]):
                parts = spec.split(":")
                yield from (":".join(parts[:end]) for end in range(1, len(parts) + 1))


def _status(file: str) -> os.stat_result | None:
    try:
        return os.fstat(sys.stdin.fileno()) if file == "-" else os.stat(file)
    except (OSError, ValueError, AttributeError):  # no such file, or standard input is not a file
        return None


def write_file(name: str, pieces: Iterable[str]) -> None:
    """Write a file completely or, after an error, not at all. - is standard output."""
    if name == "-":
        for piece in pieces:
            write(piece, newline=False)
        return
    with written_text(Path(name), "backslashreplace") as file:
        file.writelines(pieces)
