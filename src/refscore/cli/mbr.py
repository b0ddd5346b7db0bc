"""`refscore mbr`: the best of several candidates, for each line of a JSON lines file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from refscore.cli.inputs import complete_file
from refscore.cli.limiting import limit_options
from refscore.cli.options import MetricChoice, metric_options
from refscore.cli.output import check_writable, quiet_option, threads_option, write_file
from refscore.cli.progress import Work
from refscore.errors import EmptyReferenceError, InputError, SettingError
from refscore.mbr import choose
from refscore.metrics import Metric
from refscore.readers.json_lines import JSONObjects, value_at

_ADDED = "mbr"


@click.command(
    epilog="Example: refscore mbr samples.jsonl --field candidates -m chrf",
)
@click.argument("file", metavar="FILE", shell_complete=complete_file)
@click.option(
    "--field",
    default="candidates",
    metavar="NAME",
    help="The field with the list of candidates; 'candidates' by default. samples.text is the text of each sample.",
)
@click.option("--references", metavar="NAME", help="The field with the references; by default, the candidates.")
@click.option("--weights", metavar="NAME", help="A field with the weight of each reference.")
@click.option("--log-probabilities", metavar="NAME", help="A field with logarithms of such weights.")
@metric_options
@click.option("--aggregate", is_flag=True, help="Score each candidate once, with the mean of all references.")
@click.option("--output", "target", metavar="FILE", help="Write there instead of to standard output.")
@limit_options
@threads_option
@quiet_option
def mbr(
    file: str,
    field: str,
    references: str | None,
    weights: str | None,
    log_probabilities: str | None,
    choice: MetricChoice,
    aggregate: bool,
    target: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Choose the candidate with the best expected score, for each line of FILE, or of standard input (-).

    Each line of FILE is a JSON object with a list of candidates: texts, or lists of tokens. It is printed again with a
    field 'mbr' that has the best candidate, its index from 0, the order of all candidates from the best to the worst
    and their expected scores, from 0 to 1. The metric is chrF unless -m says otherwise.
    """
    metric = _metric(choice)
    fields = {"references": references, "weights": weights, "log_probabilities": log_probabilities}
    if target is not None:
        check_writable(Path(target))
    with JSONObjects(file) as objects, Work("choosing", "lines", quiet=quiet or _is_shown(target)) as work:
        lines = _lines(objects, work, field, fields, {"metric": metric, "aggregate": aggregate, "threads": threads})
        if target is not None:
            write_file(Path(target), lines)
            return
        for line in lines:
            click.echo(line.encode("utf-8", "backslashreplace"), nl=False)


def _is_shown(target: str | None) -> bool:
    return target is None and sys.stdout.isatty()


def _metric(choice: MetricChoice) -> Metric[Any]:
    metrics = choice.segment_metrics(choice.metrics(["chrf"]))
    if len(metrics) != 1:
        raise SettingError(f"mbr chooses by one metric, not by {', '.join(metrics)}")
    (metric,) = metrics.values()
    return metric


def _lines(
    objects: JSONObjects, work: Work, field: str, fields: dict[str, str | None], settings: dict[str, Any]
) -> Iterator[str]:
    """The lines with what was chosen, as they are printed."""
    for done, (place, item) in enumerate(objects, 1):
        candidates = _listed(item, field, place)
        given: dict[str, Any] = {name: _listed(item, own, place) for name, own in fields.items() if own is not None}
        if _ADDED in item:
            raise InputError(None, f"{place} has a field {_ADDED!r} already: rename it, or take it out")
        try:
            chosen = choose(candidates, tokens=True, **given, **settings)
        except EmptyReferenceError as error:
            raise InputError(None, f"{place}: {error}; as in --set ribes.empty_reference=zero") from None
        except InputError as error:
            raise InputError(None, f"{place}: {error}") from None
        if isinstance(chosen, list):
            raise InputError(
                None, f"{place}, field {field!r} has lists in lists: candidates are texts or lists of tokens"
            )
        found = {"candidate": candidates[chosen.best], **chosen.to_dict()}
        yield json.dumps({**item, _ADDED: found}, ensure_ascii=False) + "\n"
        work.show(done, objects.fraction)


def _listed(item: dict[str, Any], field: str, place: str) -> list[Any]:
    value = value_at(item, field, place, in_lists=True)
    if not isinstance(value, list):
        raise InputError(None, f"{place}, field {field!r} is no list")
    return value
