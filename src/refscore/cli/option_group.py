"""Groups of options that several commands share. A command gets each group as one object."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any, TypeAlias, TypeVar

import click
from click.core import ParameterSource

from refscore.errors import Argument
from refscore.settings import show_value

AT_LEAST_0 = click.IntRange(min=0)


def complete_file(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


# An option for a number of at least 1, and an option and an argument for the name of an input file.
count_option = functools.partial(click.option, type=click.IntRange(min=1), metavar="N")
file_option = functools.partial(click.option, metavar="FILE", shell_complete=complete_file)
file_argument = functools.partial(click.argument, shell_complete=complete_file)

# The options of arguments with a different name.
_OTHER_NAMES = {"format": "input_format", "resegmenter": "resegment"}

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

F = TypeVar("F", bound=Callable[..., Any])
Decorator: TypeAlias = "Callable[[Any], Any]"


class Size(click.ParamType):  # type: ignore[type-arg]
    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        parts = re.fullmatch(r"([0-9]{1,18})([KMGT]?)(i?B)?", str(value), re.IGNORECASE)
        if parts is None:
            self.fail(f"{value!r} is not a size: write a number and K, M, G or T, as in 512M", param, ctx)
        return int(parts[1]) * _UNITS[parts[2].upper()]


def add_options(command: F, *options: Decorator) -> F:
    """Add options to a command, in the order in which its help lists them."""
    decorated: Any = command
    for option in reversed(options):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def as_option(argument: Argument) -> str:
    """Return an argument or setting as it is written on the command line.

    >>> as_option(Argument("max_missing")), as_option(Argument("empty_reference", "skip", metric="ribes"))
    ('--max-missing', '--set ribes.empty_reference=skip')
    """
    if argument.metric:
        value = "VALUE" if argument.value is None else show_value(argument.value)
        text = f"{argument.metric}.{argument.name}={value}"
        return f"--set {text if argument.metric.isidentifier() else repr(text)}"  # a shell would expand *
    value = "" if argument.value in (None, True) else show_value(argument.value)
    name = _OTHER_NAMES.get(argument.name, argument.name)
    return f"--{name.replace('_', '-')} {value}".rstrip()


def is_given(name: str) -> bool:
    """Return whether the user gave a parameter of the running command on the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def first_given(names: Iterable[str]) -> str | None:
    """Return the first of these parameters that the user gave on the command line."""
    return next(filter(is_given, names), None)


def option_group(argument: str, group: type[Any], *options: Decorator) -> Callable[[F], F]:
    """Return a decorator that adds options to a command and passes their values as one argument.

    `group` is a dataclass with one field per option, named like the option's parameter. Fields without an option get
    their default.
    """
    names = [field.name for field in fields(group)]

    def add(command: F) -> F:
        @functools.wraps(command)
        def call_with_group(**values: Any) -> Any:
            given = {name: values.pop(name) for name in names if name in values}
            return command(**values, **{argument: group(**given)})

        return add_options(call_with_group, *options)  # type: ignore[return-value]

    return add
