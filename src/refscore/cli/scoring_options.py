from __future__ import annotations

from dataclasses import dataclass, field, fields

import click

from refscore.cli.declared_options import setting_options
from refscore.cli.option_group import file_option, first_given, option_group
from refscore.significance import Resampling, Tests


@dataclass(frozen=True, kw_only=True)
class TestOptions(Tests):
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
    given = first_given([entry.name for entry in fields(TestOptions)])
    if given is not None:
        raise click.UsageError(f"--{given} needs --ci", click.get_current_context())
