"""The options of resampling: how often, from which seed, over which units."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Resampling:
    """What the options of a command line say about resampling."""

    resamples: int
    seed: int
    confidence: float
    units: str | None


def resampling_options(command: F) -> F:
    """Adds the options of resampling; the command gets a `Resampling` as `resampling`."""

    @functools.wraps(command)
    def with_resampling(
        *arguments: Any, resamples: int, seed: int, confidence: float, units: str | None, **rest: Any
    ) -> Any:
        return command(*arguments, resampling=Resampling(resamples, seed, confidence, units), **rest)

    options = [
        click.option(
            "--resamples",
            type=click.IntRange(min=1),
            default=1000,
            metavar="N",
            help="How many resamples the bootstrap draws; 1000 by default.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=12345,
            metavar="N",
            help="The seed of all draws, 12345 by default: the same seed gives the same result everywhere.",
        ),
        click.option(
            "--confidence",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=0.95,
            metavar="NUMBER",
            help="The confidence of intervals, 0.95 by default.",
        ),
        click.option(
            "--units",
            metavar="FILE",
            help="A file with a label for each segment, such as its document: units are then resampled, not segments.",
        ),
    ]
    wrapped: Any = with_resampling
    for option in reversed(options):
        wrapped = option(wrapped)
    made: F = wrapped
    return made
