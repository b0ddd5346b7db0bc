"""The options of bootstrap intervals."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import click

from refscore.cli.declared_options import setting_options
from refscore.cli.option_group import file_option, is_given, option_group
from refscore.settings import settings_by_name
from refscore.significance import Resampling


@dataclass(frozen=True, kw_only=True)
class BootstrapOptions(Resampling):
    """The settings of resampling, and the file with the resampled units."""

    units: str | None = field(default=None, compare=False)

    @property
    def draws(self) -> dict[str, Any]:
        """The arguments of significance tests that these options set."""
        return settings_by_name(self)


_DRAWING = setting_options(Resampling, *Resampling.settings())
_UNITS = file_option(
    "--units",
    help="A file with one label per segment, such as its document. Resample these units instead of segments.",
)

# The command gets a `BootstrapOptions` as `bootstrap`.
bootstrap_options = option_group("bootstrap", BootstrapOptions, _DRAWING, _UNITS)
bootstrap_options_without_units = option_group("bootstrap", BootstrapOptions, _DRAWING)


def reject_without_ci() -> None:
    """Raise a usage error for options of intervals without --ci."""
    for entry in fields(BootstrapOptions):
        if is_given(entry.name):
            raise click.UsageError(f"--{entry.name} needs --ci", click.get_current_context())
