"""`refscore explain`: the worked steps from one segment to its score."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import click
from rich.console import Console

from refscore.cli.inputs import complete_file
from refscore.cli.options import MetricChoice, metric_options
from refscore.cli.output import show_json, write
from refscore.errors import InputError
from refscore.metrics import NIST, Metric
from refscore.readers import open_segments
from refscore.readers.base import Value
from refscore.steps import Steps


@click.command(
    epilog="Example: refscore explain hyp.txt:3 ref.a.txt ref.b.txt -m bleu,chrf",
)
@click.argument("hypothesis", metavar="HYP", shell_complete=complete_file)
@click.argument("references", metavar="REF...", nargs=-1, required=True, shell_complete=complete_file)
@click.option("--text", "are_texts", is_flag=True, help="All arguments are texts, even where a file is called so.")
@metric_options
@click.option(
    "--output",
    type=click.Choice(["text", "html", "json"]),
    default="text",
    help="text by default; html is a whole page.",
)
def explain(hypothesis: str, references: tuple[str, ...], are_texts: bool, choice: MetricChoice, output: str) -> None:
    """Show how the score of one segment comes about, step by step.

    HYP and each REF are texts, or places: FILE:LINE, or FILE:FIELD:LINE for a column. A REF that is a FILE or
    FILE:FIELD alone takes the line of HYP.

    The metric is BLEU unless -m says otherwise, with sacrebleu's settings for single segments unless a preset is given.
    """
    metrics = choice.segment_metrics(choice.metrics(["bleu"]))
    text, texts = (hypothesis, list(references)) if are_texts else _read(hypothesis, references)
    fitted = {label: _fitted(metric, texts) for label, metric in metrics.items()}
    explained = {label: metric.explain(text, texts) for label, metric in fitted.items()}
    if output == "json":
        explanations = [
            {"label": label, "score": metric.segment(text, texts).to_dict(), "steps": explained[label].to_dict()}
            for label, metric in fitted.items()
        ]
        show_json("explain", {"hypothesis": text, "references": texts, "explanations": explanations})
    elif output == "html":
        click.echo(_page(explained.values()).encode())
    elif sys.stdout.isatty():
        console = Console(highlight=False)
        for index, steps in enumerate(explained.values()):
            console.print(*([""] if index else []), steps, sep="\n")
    else:
        write("\n\n".join(map(str, explained.values())))


def _fitted(metric: Metric[Any], references: Sequence[str]) -> Metric[Any]:
    if not isinstance(metric, NIST) or metric.information is not None:
        return metric
    click.echo("refscore: note: NIST's weights are fitted on these references alone", err=True)
    return metric.fit([list(references)])


def _page(explained: Iterable[Steps]) -> str:
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
            "<title>A score, step by step</title></head>",
            "<body>",
            *(steps.to_html() for steps in explained),
            "</body>",
            "</html>",
        ]
    )


# A text that has the look of a place is more often a name that was mistyped.
_LIKE_A_PLACE = re.compile(
    r"\S+\.[a-zA-Z]\w*(:\S+)?:[0-9]+|\S+\.(txt|tsv|csv|jsonl?|ndjson|parquet|xml|sgml?|gz|xz|zst|bz2)"
)


@dataclass(frozen=True)
class _Place:
    """A file or a field of one, and the number of a line in it if one is given."""

    spec: str
    line: int | None


def _read(hypothesis: str, references: Sequence[str]) -> tuple[str, list[str]]:
    """The texts that the arguments stand for."""
    place = _place(hypothesis)
    if place is not None and place.line is None:
        raise InputError(
            None, f"{hypothesis} is a file: say which line of it, as in {hypothesis}:1, or add --text if it is the text"
        )
    line = None if place is None else place.line
    text = hypothesis if place is None else _value(place.spec, line)
    if not isinstance(text, str):
        what = "a list of texts" if isinstance(text, list) else "nothing"
        raise InputError(None, f"{hypothesis} has {what}: a hypothesis is one text")
    texts: list[str] = []
    for reference in references:
        value = _reference(reference, line)
        texts += [item for item in (value if isinstance(value, list) else [value]) if item is not None]
    if not texts:
        raise InputError(None, f"{', '.join(references)}: no reference is there")
    return text, texts


def _reference(argument: str, line: int | None) -> Value:
    place = _place(argument)
    if place is None:
        return argument
    if place.line is None and line is None:
        raise InputError(
            None,
            f"{argument} is a file, but the hypothesis is a text: say which line of it, as in {argument}:1, or add "
            "--text if all are texts",
        )
    return _value(place.spec, place.line if place.line is not None else line)


def _place(argument: str) -> _Place | None:
    """The place that an argument names; None if there is no such file, and it is a text."""
    if os.path.isfile(argument):
        return _Place(argument, None)
    spec, _, number = argument.rpartition(":")
    if re.fullmatch("[0-9]{1,18}", number) and _names_a_file(spec):
        return _Place(spec, int(number))
    if _names_a_file(argument):
        return _Place(argument, None)
    if _LIKE_A_PLACE.fullmatch(argument):
        raise InputError(None, f"{argument}: there is no such file; add --text if all arguments are texts")
    return None


def _names_a_file(spec: str) -> bool:
    """Whether this is a file, or one with a field behind a colon."""
    parts = spec.split(":")
    return any(os.path.isfile(":".join(parts[:end])) for end in range(1, len(parts) + 1))


def _value(spec: str, line: int | None) -> Value:
    assert line is not None
    if line < 1:
        raise InputError(None, f"{spec}:{line}: lines are counted from 1")
    with open_segments(spec) as reader:
        for block in reader:
            if reader.count >= line:
                return block[line - 1 - reader.count + len(block)]
        count = f"{reader.count:,} {reader.unit}{'' if reader.count == 1 else 's'}"
        raise InputError(None, f"{reader.name} has {count}: there is no {reader.unit} {line}")
