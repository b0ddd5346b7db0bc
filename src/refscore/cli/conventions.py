"""`refscore conventions`: why implementations disagree, and whose number one is."""

from __future__ import annotations

from typing import Any

import click

from refscore.cli.inputs import InputChoice, complete_file, input_options
from refscore.cli.options import parsed_settings, settings_option
from refscore.cli.output import output_option, quiet_option, show_json, show_tables, threads_option
from refscore.cli.progress import Work
from refscore.cli.systems import systems
from refscore.conventions import compare_conventions
from refscore.errors import EmptyReferenceError, InputError, SettingError
from refscore.metrics import METRICS


def _complete_preset(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    kind = METRICS.get(str(context.params.get("metric")))
    return [name for name in (kind.presets if kind else ()) if name.startswith(incomplete)]


@click.command(
    epilog="Example: refscore conventions out.txt -r ref.txt --find 27.3",
)
@click.argument("hypotheses", metavar="HYP", shell_complete=complete_file)
@input_options
@click.option(
    "-m",
    "--metric",
    type=click.Choice(list(METRICS), case_sensitive=False),
    default="bleu",
    help="The metric; bleu by default.",
)
@click.option(
    "--preset",
    "presets",
    metavar="NAME",
    multiple=True,
    shell_complete=_complete_preset,
    help="A preset to look at; several times for several. All by default.",
)
@click.option(
    "--start",
    metavar="NAME",
    shell_complete=_complete_preset,
    help="The preset that the others are compared with; the default settings' by default.",
)
@settings_option
@click.option(
    "--find",
    "number",
    metavar="NUMBER",
    help="Say which presets, with common settings switched, give this score; 27.30 is more exact than 27.3.",
)
@output_option
@threads_option
@quiet_option
def conventions(
    hypotheses: str,
    sources: InputChoice,
    metric: str,
    presets: tuple[str, ...],
    start: str | None,
    metric_settings: tuple[str, ...],
    number: str | None,
    form: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Print the score of HYP under every preset of a metric, and what makes each difference.

    From one preset to another, the settings that differ are switched over one by one: first those that act on the text,
    then what is counted, then the formula. Each line says how many points it makes, and how many segments it touches.
    """
    settings = parsed_settings(metric_settings)
    others = sorted(settings.keys() - {metric})
    if others:
        raise SettingError(f"--set {others[0]}.… sets a metric that is not chosen: this is about {metric}")
    with sources.open(systems([hypotheses])) as inputs:
        texts: list[str] = []
        references: list[Any] = []
        with Work("reading", "segments", quiet=quiet) as work:
            for block in inputs.blocks():
                texts += block.hypotheses[0]
                references += block.references
                work.show(inputs.segments, block.fraction)
        try:
            with Work("scoring", "presets", quiet=quiet) as work:
                result = compare_conventions(
                    texts,
                    references,
                    metric,
                    presets=presets or None,
                    start=start,
                    threads=threads,
                    progress=lambda done, total: work.show(done, done / total),
                    **settings.get(metric, {}),
                )
        except EmptyReferenceError as error:
            assert error.location is not None and error.location.segment is not None
            place = inputs.place_of_reference(error.location.segment, error.location.reference or 0)
            raise InputError(
                None,
                f"{place} is empty, and this preset needs words in references: "
                f"leave empty ones out with --set {metric}.empty_reference=skip, or fill it in",
            ) from None
    if number is not None:
        with Work("searching", "settings", quiet=quiet) as work:
            found = result.find(number, progress=lambda done, total: work.show(done, done / total))
        if form == "json":
            show_json("find", found.to_dict())
        else:
            show_tables([found.table()], form)
    elif form == "json":
        show_json("conventions", result.to_dict())
    else:
        show_tables([result.flat_table()] if form == "tsv" else result.tables(), form)
