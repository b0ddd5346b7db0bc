"""Warnings about data on the command line: one line each on stderr, and a list in JSON."""

from __future__ import annotations

from collections.abc import Iterable

import click

from refscore.cli.option_group import F, add_options
from refscore.data_warnings import KINDS, DataWarning
from refscore.text_display import visible

ALL = "all"


def warning_options(command: F) -> F:
    """Add --no-warn and --quiet. The command gets `no_warn`, a tuple of kinds, and `quiet`."""
    kinds = click.option(
        "--no-warn",
        multiple=True,
        type=click.Choice([*KINDS, ALL]),
        metavar="KIND",
        help=f"Do not warn about a kind of data: {', '.join(KINDS)}, or all. Repeat it for several kinds.",
    )
    quiet = click.option("-q", "--quiet", is_flag=True, help="Do not show progress or warnings.")
    return add_options(command, kinds, quiet)


def ignored(no_warn: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds of warnings that --no-warn names."""
    return (*KINDS,) if ALL in no_warn else no_warn


def show_warnings(found: Iterable[DataWarning], *, quiet: bool = False) -> None:
    """Print a line per warning on stderr, unless `quiet`."""
    for warning in () if quiet else found:
        click.echo(visible(f"refscore: warning: {warning} [{warning.kind}]"), err=True)
