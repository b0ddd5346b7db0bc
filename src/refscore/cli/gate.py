from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refscore.cli.declared_options import setting_option, setting_options
from refscore.cli.given_options import GivenOptions, given_options
from refscore.cli.help import command
from refscore.cli.input_options import BY, InputOptions, by_option, input_options
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import file_argument, file_option, is_given
from refscore.cli.output import OutputFile, check_output, write
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.stats import check_ending
from refscore.cli.systems import parse_systems
from refscore.errors import InputError, Location
from refscore.gate.criteria import BY_METRIC, Configuration, Criteria
from refscore.readers.records import choose_metrics, match_logs
from refscore.text_display import visible
from refscore.writing import append_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refscore.evaluation import Evaluation
    from refscore.gate import Gate
    from refscore.readers.system_scores import System


class _Points(click.ParamType):  # type: ignore[type-arg]
    """A number of points, or METRIC=POINTS. The value is a pair of the label and the number."""

    name = "points"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, tuple):
            return value
        label, _, number = value.rpartition("=")
        try:
            return label, float(number)
        except ValueError:
            self.fail(f"{value!r} is not a number or METRIC=NUMBER", param, ctx)


_points = {"type": _Points(), "multiple": True, "metavar": "[METRIC=]N", "default": None}
_ALONE = ("alpha", "power", "worst", "resamples", "seed", "confidence", "undecided")


@command(epilog="Example: refscore gate new.txt --baseline main.refscore -r ref.txt")
@file_argument("hypotheses", metavar="NEW", nargs=-1, required=True)
@file_option("--baseline", help="The record or the texts of the baseline. Required.")
@file_option("--oldest", help="An older record, to find a slow decline. --update creates it if it does not exist.")
@file_option("--config", help="A TOML or JSON file of options, or else pyproject.toml.")
@input_options
@metric_options
@given_options
@by_option
@setting_option(Criteria, "margin", **_points)
@setting_option(Criteria, "floor", **_points)
@setting_option(Criteria, "max_empty", type=click.FloatRange(0, 1), metavar="SHARE")
@setting_option(Criteria, "max_loops", type=click.FloatRange(0, 1), metavar="SHARE")
@setting_options(Criteria, "only_margin", "allow_warnings", "holm", *_ALONE)
@click.option("--update", is_flag=True, help="Write NEW as the baseline if it passed.")
@click.option("--texts", is_flag=True, help="Save the texts too with --update.")
@click.option(
    "--history",
    type=OutputFile(),
    metavar="FILE",
    help="Append this run to FILE, for `report --history`.",
)
@click.option(
    "--summary",
    type=OutputFile(),
    metavar="FILE",
    help="Append the result in Markdown to FILE, such as $GITHUB_STEP_SUMMARY.",
)
@run_options("table digits limits threads warnings", "github", "junit")
def gate(
    hypotheses: tuple[str, ...],
    baseline: str | None,
    oldest: str | None,
    config: str | None,
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    by: str | None,
    update: bool,
    texts: bool,
    history: str | None,
    summary: str | None,
    run: RunOptions,
    **settings: Any,
) -> int:
    """Test whether the outputs NEW are worse than a baseline. Exit with 0 if they passed, and with 1 if not.

    NEW is FILE or NAME=FILE, with one segment per line, or a record. By default, the metrics are the baseline's. A
    metric fails if it is significantly worse, by the paired bootstrap.
    """
    from refscore.gate import check
    from refscore.gate.formats import render_github, render_junit
    from refscore.gate.history import History, Run

    argument, *others = hypotheses
    if baseline is None:
        files = f"{others[0]} --baseline {argument}" if others else f"{argument} --baseline FILE"
        raise click.UsageError(f"Missing option '--baseline': write refscore gate {files}", click.get_current_context())
    if others:
        raise InputError(Location(file=others[0]), "is a second system", "name only one besides the baseline")
    configuration = _configure(config, settings, run)
    if update:
        check_ending(baseline)
    for file in (history, summary):
        if file is not None:
            check_output(Path(file))
    if configuration.metrics and not metric_options.names:
        metric_options = replace(metric_options, names=configuration.metrics)
    (system,) = _one(argument)
    records = {name: _record(name, file, update) for name, file in (("baseline", baseline), ("oldest", oldest))}
    # --update also saves the samples of a log that the baseline does not have.
    accepted, matched = system, iter(match_logs([system, *filter(None, records.values())]))
    system = next(matched)
    records = {name: None if each is None else next(matched) for name, each in records.items()}
    metric_options = metric_options.with_record([*filter(None, records.values()), system])
    metrics = given_options.text_metrics(metric_options, input_options.languages)
    single = given_options.text_options(metric_options).segment_metrics(metrics, input_options.languages)

    def evaluate(each: System, by: str | None) -> Evaluation:
        with (
            input_options.open([each], by=by, metrics=metrics.values()) as inputs,
            run.progress("scoring", "segments") as progress,
        ):
            return inputs.evaluate(
                metrics,
                single,
                given=given_options.read([each], metric_options, metrics),
                with_texts=each.record is None,
                threads=run.threads,
                progress=progress.show,
            )

    new = evaluate(system, by)
    new.ignored_warnings = run.ignored_warnings
    found = {
        name: None if each is None else evaluate(each, None) if each.record is None else choose_metrics(each, new)
        for name, each in records.items()
    }
    with run.progress("testing", "draws") as progress, _located(baseline):
        result = check(
            new,
            found["baseline"],
            configuration,
            oldest=found["oldest"],
            by=None if by is None else BY,
            threads=run.threads,
            progress=progress.show_step,
        )
    run.warn(new.warnings)
    _show(result, run, {"github": render_github, "junit": render_junit}, summary)
    if history is not None:
        History.append(history, Run.describe(result, new))
    if summary is not None:
        append_line(summary, result.render("markdown", digits=run.digits), "backslashreplace")
    if update and result.passed:
        saved = new if accepted is system else evaluate(accepted, by)
        saved.save(baseline, texts=texts)
        if oldest is not None and records["oldest"] is None:
            saved.save(oldest, texts=texts)
    return 0 if result.passed else 1


def _configure(config: str | None, settings: Mapping[str, Any], run: RunOptions) -> Configuration:
    """Return the configuration of the file, with the options of the command line in place of its own."""
    file = Configuration.find(".") if config is None else Path(config)
    configuration = Configuration() if file is None else Configuration.read(file)
    if file is not None and config is None and not run.quiet:
        note = f"the options include those of [tool.refscore.gate] in {os.path.relpath(file)}"
        click.echo(visible(f"refscore: note: {note}"), err=True)
    chosen = {name: value for name, value in settings.items() if name not in BY_METRIC and is_given(name)}
    by_metric = {label: {**own} for label, own in configuration.by_metric.items()}
    for name in BY_METRIC:
        for label, points in settings[name] or ():
            if label:
                by_metric.setdefault(label, {})[name] = points
            else:
                chosen[name] = points
    return replace(configuration, criteria=replace(configuration.criteria, **chosen), by_metric=by_metric)


def _one(argument: str) -> list[System]:
    systems = parse_systems([argument])
    if len(systems) > 1:
        names = ", ".join(system.name for system in systems)
        raise InputError(Location(file=argument), f"has {len(systems)} systems: {names}", "choose one with FILE:NAME")
    return systems


def _record(name: str, file: str | None, update: bool) -> System | None:
    """Return the baseline or the oldest record, or None for a file that --update creates."""
    if file is None:
        return None
    if not os.path.exists(file.partition("=")[2] or file) and update:
        return None
    if not os.path.exists(file) and file.endswith(".refscore"):
        raise InputError(Location(file=file), "does not exist", "create it from these outputs with --update")
    (system,) = _one(file)
    # The files of --given may have the name of a system of texts.
    return replace(system, name=name, record=system.record.choose({name: system.name})) if system.record else system


@contextmanager
def _located(file: str) -> Iterator[None]:
    """Name the baseline in errors about the evaluation, such as different references."""
    try:
        yield
    except InputError as error:
        is_located = error.location is not None and error.location.side != "evaluation"
        raise error if is_located else error.at(Location(file=file)) from None


def _show(result: Gate, run: RunOptions, forms: Mapping[str, Callable[[Gate], str]], summary: str | None) -> None:
    if run.form not in forms:
        run.show(result)
        return
    write(forms[run.form](result))
    if run.form == "github" and summary is None:
        write("\n" + result.render("markdown", digits=run.digits))
