from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from refscore.cli.help import command
from refscore.cli.input_options import complete_from
from refscore.cli.metric_options import parse_metric_name
from refscore.cli.run_options import RunOptions, run_options
from refscore.errors import NotInstalledError
from refscore.meetings import MEETING_METRICS
from refscore.metrics import METRICS, Description, Preset, RowMetric, describe
from refscore.settings import Setting
from refscore.tables import Result


@command(epilog="Example: refscore metrics bleu")
@click.argument("names", metavar="[NAME]...", nargs=-1, shell_complete=complete_from(lambda _: METRICS))
@run_options("output", "text", "json")
def metrics(names: tuple[str, ...], run: RunOptions) -> None:
    """List all metrics, or show the settings, defaults, presets and papers of the metrics NAME."""
    # The signatures of names with settings, such as chrf++, by class.
    classes: dict[type[RowMetric[Any]], dict[str, str]] = {}
    for name in names or METRICS:
        if name.lower() in MEETING_METRICS:
            classes[MEETING_METRICS[name.lower()]] = {}
            continue
        label, metric_class, preset, settings = parse_metric_name(name)
        signatures = classes.setdefault(metric_class, {})
        if preset is not None or settings:
            with suppress(NotInstalledError):  # a description needs no data
                signatures[label] = metric_class.with_settings({"preset": preset, **settings}).signature
    descriptions = [describe(metric_class) for metric_class in classes]
    if run.form == "json":
        more = [{"signatures": signatures} if signatures else {} for signatures in classes.values()]
        shown = [{**description.to_dict(), **each} for description, each in zip(descriptions, more, strict=True)]
        run.show(_Metrics(shown))
        return
    console = Console(highlight=False)
    with console.capture() as capture:
        if not names:
            console.print(_definitions(map(_summary, descriptions)), "", Text(_note(classes), "dim"), sep="\n")
        for index, signatures in enumerate(classes.values() if names else ()):
            if index:
                console.print()
            _print(console, descriptions[index], signatures)
    # rich pads lines with spaces, which would show up in copied text.
    click.echo("\n".join(line.rstrip(" ") for line in capture.get().splitlines()), color=console.is_terminal)


@dataclass(frozen=True)
class _Metrics(Result):
    schema: ClassVar[str] = "metrics"

    metrics: Sequence[Mapping[str, Any]]


def _note(classes: Iterable[type[RowMetric[Any]]]) -> str:
    unscaled = [metric_class.display_name for metric_class in classes if metric_class.printed_scale == 1]
    exceptions = f", except {' and '.join(unscaled)}" if unscaled else ""
    details = "`refscore metrics NAME` shows the settings, presets and papers of a metric."
    return f"Scores are printed in percent{exceptions}. {details}"


def _summary(description: Description) -> tuple[Text, Text]:
    return Text(description.name, "bold"), Text.assemble(description.summary, (f" {description.scale}.", "dim"))


def _print(console: Console, description: Description, signatures: Mapping[str, str]) -> None:
    name = description.name
    console.print(Text(description.summary, "bold"))
    console.print(Text(f"{description.scale}."))
    for paragraph in description.details:
        console.print()
        console.print(Text(paragraph))
    options = f"--set {name}.NAME=VALUE" if name in METRICS else "options of `refscore meeting`"
    _section(console, f"Settings ({options})", _definitions(map(_setting, description.settings)))
    if description.presets:
        rows = (_preset(description, *preset) for preset in description.presets.items())
        _section(console, f"Presets (-m {name}:NAME)", _definitions(rows))
    if description.papers:
        _section(console, "Papers", Text("\n".join(description.papers)))
    for label, signature in {"the default settings": description.signature, **signatures}.items():
        _heading(console, f"Signature of {label}")
        console.print(Text(f"  {signature}"), soft_wrap=True)


def _setting(setting: Setting) -> tuple[Text, Text]:
    values = setting.values
    choice = values[0] if len(values) == 1 else f"{', '.join(values[:-1])} or {values[-1]}"
    return Text(setting.name, "bold"), Text.assemble(
        setting.explanation, " ", (f"({choice}; {setting.show(setting.default)} by default)", "dim")
    )


def _preset(description: Description, name: str, preset: Preset) -> tuple[Text, Text]:
    declared = {setting.name: setting for setting in description.settings}
    differing = ", ".join(f"{setting}={declared[setting].show(value)}" for setting, value in preset.items())
    note = f" ({preset.note})" if preset.note else ""
    return Text(name, "bold"), Text.assemble(f"{preset.source}{note}: ", (differing or "the default settings", "dim"))


def _definitions(rows: Iterable[tuple[Text, Text]]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for row in rows:
        grid.add_row(*row)
    return grid


def _section(console: Console, title: str, content: Table | Text) -> None:
    _heading(console, title)
    console.print(Padding(content, (0, 0, 0, 2)))


def _heading(console: Console, title: str) -> None:
    console.print()
    console.print(Text(title, "bold underline"))
