"""The options of bootstrap intervals and significance tests."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import click

from refscore.cli.option_group import AT_LEAST_0, count_option, is_given, option_group, share_option


@dataclass(frozen=True)
class BootstrapOptions:
    """The number of resamples, their seed and units, and the confidence of intervals."""

    resamples: int = 1000
    seed: int = 12345
    confidence: float = 0.95
    units: str | None = None

    @property
    def draws(self) -> dict[str, Any]:
        """The arguments of significance tests that these options set."""
        return {"resamples": self.resamples, "seed": self.seed, "confidence": self.confidence}


_DRAWING = (
    count_option("--resamples", default=1000, help="The number of resamples of the bootstrap."),
    click.option("--seed", type=AT_LEAST_0, default=12345, metavar="N", help="The seed of the random numbers."),
    share_option("--confidence", default=0.95, help="The confidence of intervals."),
)
_UNITS = click.option(
    "--units",
    metavar="FILE",
    help="A file with one label per segment, such as its document. Resample these units instead of segments.",
)

# The command gets a `BootstrapOptions` as `bootstrap`.
bootstrap_options = option_group("bootstrap", BootstrapOptions, *_DRAWING, _UNITS)
bootstrap_options_without_units = option_group("bootstrap", BootstrapOptions, *_DRAWING)

holm_option = click.option("--holm", is_flag=True, help="Correct p-values for the number of systems, by Holm's method.")
alpha_option = share_option("--alpha", default=0.05, help="The largest significant p-value.")


def reject_without_ci() -> None:
    """Raise a usage error for options of intervals without --ci."""
    for field in fields(BootstrapOptions):
        if is_given(field.name):
            raise click.UsageError(f"--{field.name} needs --ci", click.get_current_context())
