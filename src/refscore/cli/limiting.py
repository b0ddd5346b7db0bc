"""Options that refuse segments which would take too long."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from refscore.metrics.core.limits import limits

F = TypeVar("F", bound=Callable[..., Any])


def limit_options(command: F) -> F:
    """Adds --max-tokens and --max-references, which hold for all that the command scores."""

    @functools.wraps(command)
    def limited(*arguments: Any, max_tokens: int | None, max_references: int | None, **rest: Any) -> Any:
        with limits(max_tokens=max_tokens, max_references=max_references):
            return command(*arguments, **rest)

    options = [
        click.option(
            "--max-tokens",
            type=click.IntRange(min=1),
            metavar="N",
            help="Refuse segments of more tokens than N: words after the tokenizer, characters for chrF and CER.",
        ),
        click.option(
            "--max-references",
            type=click.IntRange(min=1),
            metavar="N",
            help="Refuse segments with more references than N.",
        ),
    ]
    wrapped: Any = limited
    for option in reversed(options):
        wrapped = option(wrapped)
    made: F = wrapped
    return made
