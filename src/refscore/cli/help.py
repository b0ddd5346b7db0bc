"""The help of commands: options by section, and the rare ones only with --help-all."""

from __future__ import annotations

import functools
from typing import Any

import click

# The sections of the help, each with its frequent options and its rare ones. All other options come first.
SECTIONS: dict[str, tuple[str, str]] = {
    "Input": (
        "--reference --test-set --languages --source",
        "--input-format --blank-reference --resegment --max-missing --partial --turns",
    ),
    "Metrics": (
        "--metric --set --preset --given",
        "--average-by --signature --reference-timing --hypothesis-timing "
        "--reference-sort --hypothesis-sort --zero-if-undefined --resample --with-human --without "
        "--all-metrics --level --collar-sides --self-overlap --extent --mapped-time --trim --without-reference "
        "--mapping --step --silence --timeline",
    ),
    "Tests": (
        "--ci --compare --by --test --margin --floor",
        "--trials --resamples --seed --confidence --units --holm --alpha --formulas --power --sample --save-every "
        "--max-empty --max-loops --only-margin --allow-warnings --judgments --undecided --worst --oldest",
    ),
    "Output": (
        "--format --output --digits --segments --quiet",
        "--summary --speakers --audio --quote-formulas --no-warn --max-segments --style --width --labels",
    ),
    "Limits": (
        "",
        "--max-tokens --max-references --memory --max-documents --max-size --max-seconds --threads --engine --master",
    ),
    "Help": ("--help-all --help", ""),
}
_RARE = {spelling for _, rare in SECTIONS.values() for spelling in rare.split()}
_SECTION_OF = {spelling: title for title, groups in SECTIONS.items() for group in groups for spelling in group.split()}
# One screen.
LINES = 50


class Command(click.Command):
    """A command whose help fits one screen of 80 columns. --help-all lists all options.

    `default_metric` is the metric without -m, if it is not the usual one.
    """

    def __init__(self, *args: Any, default_metric: str | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.default_metric = default_metric

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        everything = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=self._print_all,
            help="Show all options and exit.",
        )
        *params, brief = super().get_params(ctx)
        return [*params, everything, brief]

    def make_parser(self, ctx: click.Context) -> Any:
        """Return a parser that takes -:FIELD, a field of standard input, as an argument."""
        parser: Any = super().make_parser(ctx)
        process_option = parser._process_opts

        def process(text: str, state: Any) -> None:
            if text.startswith("-:"):
                state.largs.append(text)
            else:
                process_option(text, state)

        parser._process_opts = process
        return parser

    def get_help(self, ctx: click.Context) -> str:
        full = self._help(ctx, is_full=True)
        return full if full.count("\n") < LINES else self._help(ctx, is_full=False)

    def _print_all(self, ctx: click.Context, option: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            click.echo(self._help(ctx, is_full=True), color=ctx.color)
            ctx.exit()

    def _help(self, ctx: click.Context, *, is_full: bool) -> str:
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in ("Options", *SECTIONS)}
        for parameter in self.get_params(ctx):
            spelling = max(parameter.opts, key=len)
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None and (is_full or spelling not in _RARE):
                sections[_SECTION_OF.get(spelling, "Options")].append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        self.format_epilog(ctx, formatter)
        return formatter.getvalue().rstrip("\n")


command = functools.partial(click.command, cls=Command)
