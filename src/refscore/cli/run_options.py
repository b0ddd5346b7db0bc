from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import click

from refscore.cli.option_group import Decorator, F, add_options, count_option, is_given
from refscore.cli.output import (
    BY_ENDING,
    FLAT,
    FORMATS,
    check_output,
    format_option,
    output_file_option,
    quotes_formulas,
    write,
)
from refscore.cli.progress import ProgressBar
from refscore.data_warnings import KINDS, DataWarning
from refscore.metrics import limits
from refscore.tables import Result, render
from refscore.text_display import visible
from refscore.writing import written_text

ALL = "all"


@dataclass(frozen=True)
class RunOptions:
    form: str = "text"
    digits: int | None = None
    threads: int | None = None
    no_warn: tuple[str, ...] = ()
    quiet: bool = False

    @property
    def ignored_warnings(self) -> tuple[str, ...]:
        return (*KINDS,) if ALL in self.no_warn else self.no_warn

    def show(self, result: Result, **options: Any) -> None:
        """Print a result, in colour on a terminal. Takes the same further arguments as `refscore.tables.render`."""
        if self.form == "text" and sys.stdout.isatty():
            from refscore.tables.terminal import print_result

            print_result(result, digits=self.digits, **options)
            return
        quotes = self.form in FLAT and quotes_formulas()
        text = render(result, self.form, digits=self.digits, quote_formulas=quotes, **options)
        if self.form == "html":
            from refscore.tables.html import page

            click.echo(page(result.head, text).encode())
        else:
            write(text)

    def warn(self, found: Iterable[DataWarning | str]) -> None:
        """Print a line per warning on stderr, unless --quiet is given."""
        for warning in () if self.quiet else found:
            kind = f" [{warning.kind}]" if isinstance(warning, DataWarning) else ""
            click.echo(visible(f"refscore: warning: {warning}{kind}"), err=True)

    def progress(self, task: str, unit: str, *, quiet: bool = False) -> ProgressBar:
        return ProgressBar(task, unit, quiet=quiet or self.quiet)


_DIGITS = click.option("--digits", type=click.IntRange(0, 15), metavar="N", help="Decimals, often 2; CSV has all.")
_KINDS = click.option(
    "--no-warn",
    multiple=True,
    type=click.Choice([*KINDS, ALL]),
    metavar="KIND",
    help=f"Do not warn about a kind of data: {', '.join(KINDS)}, or all. Repeat it for several kinds.",
)
# Files that would not be tables of text, whatever is in them.
_OTHER_FORMATS = {".docx", ".gz", ".ods", ".parquet", ".pdf", ".xls", ".xlsx", ".xz", ".yaml", ".yml", ".zst"}
_OPTIONS: dict[str, tuple[Decorator, ...]] = {
    "digits": (_DIGITS,),
    "limits": (
        count_option("--max-tokens", help="Refuse segments with more than N tokens (characters for chrF and CER)."),
        count_option("--max-references", help="Refuse segments with more than N references."),
    ),
    "threads": (count_option("--threads", help="The number of threads, by default all cores."),),
    "warnings": (_KINDS, click.option("-q", "--quiet", is_flag=True, help="Do not show progress or warnings.")),
    "quiet": (click.option("-q", "--quiet", is_flag=True, help="Do not show progress."),),
    "output": (output_file_option(help="Write to FILE. Its ending sets the format."),),
}


def run_options(names: str, *formats: str) -> Callable[[F], F]:
    """Return a decorator that adds options. The command gets a `RunOptions` as `run`.

    Args:
        names: Some of format (for tables), output, table (both of them), digits, limits, threads, warnings and quiet.
            With -o/--output, everything that the command prints is written to the file.
        *formats: Further values of --format. The first one is the default.
    """
    parts = names.replace("table", "format output").split()
    if "format" in parts:
        parts.remove("format")
        formats = (*FORMATS, *formats)
    options = [*([format_option(*formats)] if formats else []), *(each for part in parts for each in _OPTIONS[part])]
    values_of_run = [field.name for field in fields(RunOptions)]

    def add(command: F) -> F:
        @functools.wraps(command)
        def call_with_run(**values: Any) -> Any:
            run = RunOptions(**{name: values.pop(name) for name in values_of_run if name in values})
            target = values.pop("target") if "output" in parts else None
            if target is not None and formats and not is_given("form"):
                ending = Path(target).suffix.lower()
                if ending in _OTHER_FORMATS:
                    known = ", ".join(known for known, form in BY_ENDING.items() if form in formats)
                    raise click.UsageError(f"-o cannot write {ending} files: end the name in one of {known}")
                form = BY_ENDING.get(ending)
                run = replace(run, form=form) if form in formats else run
            with ExitStack() as stack:
                if target is not None:
                    check_output(Path(target))
                    file = stack.enter_context(written_text(Path(target), "surrogateescape"))
                    stack.enter_context(redirect_stdout(file))
                if "limits" in parts:
                    stack.enter_context(limits(**{name: values.pop(name) for name in ("max_tokens", "max_references")}))
                return command(**values, run=run)

        return add_options(call_with_run, *options)  # type: ignore[return-value]

    return add
