"""The group of all commands, which lists them by section and imports each one only when it is called."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Group(click.Group):
    """Commands by section, each with a line of help. The command NAME is `refscore.cli.NAME.NAME`.

    Help and shell completion use only the sections, so they import no command.
    """

    def __init__(self, *args: Any, sections: Mapping[str, Mapping[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.sections = sections
        self.lines = {name: line for section in sections.values() for name, line in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lines:
            return None
        command: click.Command = getattr(import_module(f"refscore.cli.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments begin with.

        Errors suggest similar commands, and equivalents for options of other tools.
        """
        if args[0] not in self.lines and not args[0].startswith("-") and not ctx.resilient_parsing:
            from refscore.cli.migration_hints import without_command  # not needed for --help

            near = difflib.get_close_matches(args[0], self.lines, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]!r}?" if near else f" (there are: {', '.join(self.lines)})"
            raise click.UsageError(f"there is no command {args[0]!r}{without_command(args) or hint}", ctx)
        name, command, arguments = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:
            from refscore.cli.migration_hints import check_options  # not needed for --help

            check_options(command, click.Context(command, ctx, name), arguments)
        return name, command, arguments

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.lines))
        for title, section in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{width}}", line) for name, line in section.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        items = [CompletionItem(name, help=line) for name, line in self.lines.items() if name.startswith(incomplete)]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]
