"""Options that refuse segments which would take too long."""

from __future__ import annotations

import functools
from typing import Any

import click

from refscore.cli.option_group import AT_LEAST_1, F, add_options
from refscore.metrics.core.limits import limits


def limits_options(command: F) -> F:
    """Add --max-tokens and --max-references, which hold for everything that the command scores."""

    @functools.wraps(command)
    def call_within_limits(*, max_tokens: int | None, max_references: int | None, **values: Any) -> Any:
        with limits(max_tokens=max_tokens, max_references=max_references):
            return command(**values)

    return add_options(  # type: ignore[return-value]
        call_within_limits,
        click.option(
            "--max-tokens",
            type=AT_LEAST_1,
            metavar="N",
            help="Refuse segments of more tokens than N: words after the tokenizer, characters for chrF and CER.",
        ),
        click.option(
            "--max-references", type=AT_LEAST_1, metavar="N", help="Refuse segments with more references than N."
        ),
    )
