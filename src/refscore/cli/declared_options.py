from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from refscore.cli.option_group import Decorator, F, add_options
from refscore.settings import Choice, HasSettings, OrNone, Setting, Share, WholeNumber

# The help lists more values than fit in a line after the option's meaning.
_LINE = 60


def setting_option(kind: type[HasSettings], name: str, **changes: Any) -> Decorator:
    """Return the option for a setting of a class.

    Args:
        kind: The class.
        name: The name of the setting.
        **changes: Arguments of `click.option` that override the declaration.
    """
    declared = kind.settings()[name]
    option = {"default": declared.default, "help": declared.meaning, **_type_of(declared), **changes}
    return click.option(f"--{name.replace('_', '-')}", name, **option)


def setting_options(kind: type[HasSettings], *names: str) -> Callable[[F], F]:
    return lambda command: add_options(command, *(setting_option(kind, name) for name in names))


def _type_of(declared: Setting) -> dict[str, Any]:
    """Return the arguments of `click.option` for the values of a setting. If it is off by default, it is a flag."""
    kind = declared.kind.kind if isinstance(declared.kind, OrNone) else declared.kind
    if isinstance(kind, WholeNumber):
        return {"type": click.IntRange(min=kind.least), "metavar": "N"}
    if isinstance(kind, Share):
        return {"type": click.FloatRange(0, 1, min_open=True, max_open=not kind.may_be_1), "metavar": "NUMBER"}
    if isinstance(kind, Choice):
        if declared.default is False:
            return {"is_flag": True}
        names = ", ".join(kind.values)
        long = {"metavar": "NAME", "help": f"{declared.meaning} {names}."} if len(names) > _LINE else {}
        return {"type": click.Choice(kind.values), **long}
    return {"metavar": "NAME"}
