from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import click

from refscore.cli.help import command
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import file_argument
from refscore.cli.progress import ProgressBar
from refscore.cli.run_options import RunOptions, run_options
from refscore.errors import InputError, Location, SettingError
from refscore.mbr import choose
from refscore.metrics import Given, Metric, RowMetric
from refscore.readers.json_lines import JSONObjects, value_at

_ADDED = "mbr"
_METRIC = "chrf"


@command(epilog="Example: refscore mbr samples.jsonl --field candidates -m chrf", default_metric=_METRIC)
@file_argument("file", metavar="FILE")
@click.option(
    "--field",
    default="candidates",
    metavar="NAME",
    help="The field with the list of candidates. samples.text reads the text of each sample.",
)
@click.option(
    "--reference-field",
    metavar="NAME",
    help="The field with the references; the candidates by default.",
)
@click.option("--source-field", metavar="NAME", help="The field with the source, for metrics that need it.")
@click.option("--weights", metavar="NAME", help="The field with the weight of each reference.")
@click.option("--log-probabilities", metavar="NAME", help="The field with the logarithm of each weight.")
@metric_options
@click.option(
    "--utilities",
    metavar="NAME",
    help="The field with scores of a different program: a list per candidate, with one number per reference.",
)
@click.option("--aggregate", is_flag=True, help="Score each candidate once, against the mean of all references.")
@run_options("output limits threads quiet")
def mbr(
    file: str,
    field: str,
    reference_field: str | None,
    source_field: str | None,
    weights: str | None,
    log_probabilities: str | None,
    metric_options: MetricOptions,
    utilities: str | None,
    aggregate: bool,
    run: RunOptions,
) -> None:
    """Choose the candidate with the best expected score, for each line of FILE (- is standard input).

    Each line of FILE, or each item of a JSON array, is an object with a list of candidates: texts or lists of tokens.
    The command prints the object with an additional field 'mbr': the best candidate, its index (from 0), the order of
    all candidates from best to worst, and their expected scores (0 to 1). The default metric is chrF.
    """
    metric: RowMetric[Any] = _metric(metric_options) if utilities is None else _given(metric_options, utilities)
    if utilities is not None and (reference_field is not None or aggregate):
        raise click.UsageError("--utilities has the scores already: leave out --reference-field and --aggregate")
    named = {
        "references": reference_field,
        "source": source_field,
        "weights": weights,
        "log_probabilities": log_probabilities,
    }
    fields = {"candidates": field, **{name: other for name, other in named.items() if other is not None}}
    settings = {"metric": metric, "aggregate": aggregate, "threads": run.threads}
    fields |= {} if utilities is None else {"utilities": utilities}
    with JSONObjects(file) as objects, run.progress("choosing", "lines", quiet=sys.stdout.isatty()) as progress:
        for line in _lines(objects, progress, fields, settings):
            click.echo(line.encode("utf-8", "backslashreplace"), nl=False)


def _metric(options: MetricOptions) -> Metric[Any]:
    metrics = options.metrics([_METRIC], for_segments=True)
    if len(metrics) != 1:
        raise SettingError(f"mbr needs one metric, not {', '.join(metrics)}: choose one with -m")
    return next(iter(metrics.values()))


def _given(options: MetricOptions, field: str) -> Given:
    if options != MetricOptions():
        raise click.UsageError("--utilities has the scores already: leave out the options of metrics")
    return Given(field)


def _lines(
    objects: JSONObjects, progress: ProgressBar, fields: Mapping[str, str], settings: Mapping[str, Any]
) -> Iterator[str]:
    for done, (location, item) in enumerate(objects, 1):
        if _ADDED in item:
            raise InputError(location, f"has a field {_ADDED!r} already", "rename or remove it")
        try:
            values: dict[str, Any] = {name: _value_at(item, name, field) for name, field in fields.items()}
            matrix = values.pop("utilities", None)
            if matrix is not None and len(matrix) != len(values["candidates"]):
                problem = f"has {len(matrix)} lists for {len(values['candidates'])} candidates"
                raise InputError(Location(field=fields["utilities"]), problem, "write one list per candidate")
            compared = values if matrix is None else {**values, "candidates": matrix}
            choice = choose(**compared, tokens=True, **settings)
            if isinstance(choice, list):
                place = Location(field=fields["candidates"])
                raise InputError(place, "has nested lists", "candidates must be texts or lists of tokens")
        except InputError as error:
            sides = {**fields, "candidates": fields.get("utilities", fields["candidates"])}
            raise error.at(_in_line(error.location, location, sides)) from None
        added = {"candidate": values["candidates"][choice.best], **choice.to_dict()}
        try:
            line = json.dumps({**item, _ADDED: added}, ensure_ascii=False, allow_nan=False)
        except ValueError:
            problem = "has a number that JSON cannot represent (NaN, or beyond 1.8e308)"
            raise InputError(location, problem, "write it as a string or as null") from None
        yield line + "\n"
        progress.show(done, objects.fraction)


def _value_at(item: dict[str, Any], name: str, field: str) -> Any:
    """Return the value of a field, which must be a list unless it is the source."""
    value = value_at(item, field, in_lists=True)
    if name != "source" and not isinstance(value, list):
        raise InputError(Location(field=field), "is not a list", "put the items into a JSON array")
    return value


def _in_line(location: Location | None, line: Location, fields: Mapping[str, str]) -> Location:
    """Return the location in a line of the file. Arguments of `choose` become the fields that they were read from."""
    if location is None:
        return line
    field = location.field or str(location.on_sides(**fields)) or None
    if line.field is not None:  # the file is a JSON array
        field = line.field if field is None else f"{field} of {line.field}"
    return replace(location, file=line.file, line=line.line, field=field)
