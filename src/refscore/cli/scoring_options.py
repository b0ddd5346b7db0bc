"""The options of commands that score: intervals, limits on segments, and warnings about data."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

import click

from refscore.cli.declared_options import setting_options
from refscore.cli.option_group import F, add_options, count_option, file_option, is_given, option_group
from refscore.data_warnings import KINDS, DataWarning
from refscore.metrics import limits
from refscore.significance import Resampling, Tests
from refscore.text_display import visible


@dataclass(frozen=True, kw_only=True)
class TestOptions(Tests):
    """The settings of significance tests, and the file with the resampled units."""

    units: str | None = field(default=None, compare=False)


_DRAWING = setting_options(Resampling, *Resampling.settings())
_UNITS = file_option(
    "--units",
    help="A file with one label per segment, such as its document. Resample these units instead of segments.",
)

resampling_options = (_DRAWING, _UNITS)
# The command gets a `TestOptions` as `tests`.
bootstrap_options = option_group("tests", TestOptions, *resampling_options)
bootstrap_options_without_units = option_group("tests", TestOptions, _DRAWING)
test_options = option_group(
    "tests",
    TestOptions,
    setting_options(Tests, "test", "trials"),
    *resampling_options,
    setting_options(Tests, "holm", "alpha", "formulas"),
    click.option(
        "--power",
        is_flag=True,
        flag_value=0.8,
        default=None,
        help="Add the smallest differences that this test set shows with a probability of 80 %.",
    ),
)


def reject_without_ci() -> None:
    """Raise a usage error for options of intervals without --ci."""
    for entry in fields(TestOptions):
        if is_given(entry.name):
            raise click.UsageError(f"--{entry.name} needs --ci", click.get_current_context())


def limits_options(command: F) -> F:
    """Add --max-tokens and --max-references, which apply to all segments that the command scores."""

    @functools.wraps(command)
    def call_within_limits(*, max_tokens: int | None, max_references: int | None, **values: Any) -> Any:
        with limits(max_tokens=max_tokens, max_references=max_references):
            return command(**values)

    return add_options(  # type: ignore[return-value]
        call_within_limits,
        count_option(
            "--max-tokens",
            help="Refuse segments with more than N tokens (characters for chrF and CER).",
        ),
        count_option("--max-references", help="Refuse segments with more than N references."),
    )


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
