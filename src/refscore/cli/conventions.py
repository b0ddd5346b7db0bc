from __future__ import annotations

from collections.abc import Iterable

import click

from refscore.cli.help import command
from refscore.cli.input_options import InputOptions, complete_from, input_options
from refscore.cli.metric_options import (
    parse_for_all,
    parse_metric_name,
    parse_settings,
    preset_option,
    settings_option,
)
from refscore.cli.option_group import file_argument
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.systems import parse_systems
from refscore.conventions import compare_conventions
from refscore.conventions.scoring import has_settings, known_conventions
from refscore.data_warnings import UnspacedTextWarning, WrittenFormWarning
from refscore.errors import ALL_METRICS, SettingError
from refscore.metrics import METRICS, check_data
from refscore.tables import Result


def _presets(context: click.Context) -> Iterable[str]:
    metric = METRICS.get(str(context.params.get("metric")))
    return metric.presets if metric else ()


@command(epilog="Example: refscore conventions out.txt -r ref.txt --find 27.3")
@file_argument("hypotheses", metavar="HYP")
@input_options
@click.option(
    "-m",
    "--metric",
    default="bleu",
    metavar="NAME",
    shell_complete=complete_from(lambda _: METRICS),
    help="The metric, such as bleu.",
)
@click.option(
    "--against",
    "presets",
    metavar="NAME",
    multiple=True,
    shell_complete=complete_from(_presets),
    help="A preset to compare with; repeat it for several. All by default.",
)
@preset_option(shell_complete=complete_from(_presets))
@settings_option
@click.option(
    "--find",
    "number",
    metavar="NUMBER",
    help="Find the settings that give this score. 27.30 is more exact than 27.3.",
)
@run_options("table threads quiet")
def conventions(
    hypotheses: str,
    input_options: InputOptions,
    metric: str,
    presets: tuple[str, ...],
    preset: str | None,
    settings: tuple[str, ...],
    number: str | None,
    run: RunOptions,
) -> None:
    """Print the score of HYP under every preset of a metric, and which settings cause each difference.

    Settings that differ from --preset are changed one by one: first the text processing, then the counts, then the
    formula. Each line shows by how many points the score changes, and in how many segments.

    HYP is a file with one segment per line. FILE:FIELD reads a field of a TSV, CSV, JSON, Parquet, XML or SGML
    file, and - is standard input.
    """
    if "," in metric:
        raise SettingError("conventions shows one metric: choose it with -m")
    label, metric_class, named_preset, named_settings = parse_metric_name(metric)
    name, preset = metric_class.name, named_preset or preset
    chosen = metric_class.with_settings({"preset": preset, **named_settings})
    start = None if named_settings else preset
    if presets and start is None:
        start = next(each for each, content in known_conventions(chosen).items() if has_settings(chosen, content))
    parsed = parse_settings(settings)
    for_all = parse_for_all(parsed, metric_class)
    others = sorted(parsed.keys() - {name, label, ALL_METRICS})
    if others:
        raise SettingError(f"--set {others[0]}.… does not fit -m {name}: set {name}.SETTING, or choose -m {others[0]}")
    with input_options.open(parse_systems([hypotheses]), metrics=[chosen]) as inputs:
        with run.progress("reading", "segments") as progress:
            texts = inputs.read_all(progress.show)
        found = check_data([chosen], {"": texts.inputs[0].hypotheses}, texts.inputs[0].references)
        run.warn([each for each in found if isinstance(each, (UnspacedTextWarning, WrittenFormWarning))])
        with run.progress("scoring", "presets") as progress, inputs.errors_located():
            result = compare_conventions(
                texts.hypotheses[0],
                texts.references,
                chosen,
                sources=texts.sources,
                presets=presets or None,
                start=start,
                threads=run.threads,
                progress=progress.show_step,
                **{**for_all, **parsed.get(name, {}), **parsed.get(label, {})},
            )
    shown: Result = result
    if number is not None:
        with run.progress("searching", "settings") as progress:
            shown = result.find(number, progress=progress.show_step)
    run.show(shown, notes=input_options.resegmentation.content)
