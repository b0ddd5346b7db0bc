from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import click

from refscore.cli.help import command
from refscore.cli.input_options import InputOptions, reference_option
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import file_argument, file_option
from refscore.cli.run_options import RunOptions, run_options
from refscore.errors import InputError, Location, relocated
from refscore.metrics import Metric, Score
from refscore.readers import Value, open_segments
from refscore.readers.files import at_place
from refscore.steps import Steps
from refscore.tables import Result
from refscore.text_display import counted


@command(epilog="Example: refscore explain hyp.txt:3 -r ref.txt -m bleu,chrf")
@file_argument("hypothesis", metavar="HYP")
@file_argument("more_references", metavar="[REF]...", nargs=-1)
@reference_option()
@click.option("--text", "are_texts", is_flag=True, help="Read all arguments as texts, not as files.")
@file_option(
    "--source",
    metavar="SOURCE",
    help="The source of the segment, written like HYP, for metrics that need it.",
)
@metric_options
@run_options("output", "text", "html", "json")
def explain(
    hypothesis: str,
    more_references: tuple[str, ...],
    references: tuple[str, ...],
    are_texts: bool,
    source: str | None,
    metric_options: MetricOptions,
    run: RunOptions,
) -> None:
    """Show how the score of one segment is computed, step by step.

    HYP and REF are texts, lines of a file (FILE:LINE) or values of a field (FILE:FIELD:LINE). Without LINE, a REF has
    the same line as HYP. References are given with -r, or after HYP.

    The default metric is BLEU. Without a preset, it has the settings of sacrebleu's sentence_bleu.
    """
    references = (*more_references, *references)
    metrics = metric_options.metrics(["bleu"], for_segments=True)
    if not references and any(metric.needs_references for metric in metrics.values()):
        raise click.UsageError("Missing option '-r': name a reference, written like HYP", click.get_current_context())
    InputOptions(source=source).check_source(metrics.values())
    segment = (
        _Segment(hypothesis, None, list(references), [None] * len(references), source)
        if are_texts
        else _read(hypothesis, references, source)
    )
    text, texts = segment.hypothesis, segment.references
    scores, steps = {}, {}
    for label, metric in metrics.items():
        with relocated(segment.locate):
            fitted = _fit(metric, texts)
            entries = texts if metric.needs_references else None
            steps[label] = fitted.explain(text, entries, source=segment.source)
            scores[label] = fitted.segment(text, entries, source=segment.source)
    run.show(_Explanations(segment, scores, steps))


@dataclass(frozen=True)
class _Explanations(Result):
    schema: ClassVar[str] = "explain"
    head: ClassVar[str] = "<title>A score, step by step</title>"

    segment: _Segment
    scores: Mapping[str, Score]
    steps: Mapping[str, Steps]

    @property
    def details(self) -> list[Steps]:
        return [*self.steps.values()]

    def to_dict(self) -> dict[str, Any]:
        segment = self.segment
        return {
            "hypothesis": segment.hypothesis,
            "references": segment.references,
            **({} if segment.source is None else {"source": segment.source}),
            "explanations": [
                {"label": label, "score": score.to_dict(), "steps": self.steps[label].to_dict()}
                for label, score in self.scores.items()
            ],
        }


def _fit(metric: Metric[Any], references: Sequence[str]) -> Metric[Any]:
    if not metric.needs_fit:
        return metric
    click.echo(f"refscore: note: {metric.title} takes its weights from only these references", err=True)
    return metric.fit([list(references)])


@dataclass(frozen=True)
class _Segment:
    """The texts of a segment, and the place of each text that was read from a file."""

    hypothesis: str
    hypothesis_place: Location | None
    references: list[str]
    reference_places: list[Location | None]
    source: str | None = None
    source_place: Location | None = None

    def locate(self, location: Location) -> Location:
        """Return the location of an error with the file and line of the text."""
        place = self.hypothesis_place
        if location.side == "references":
            place = self.reference_places[location.reference or 0]
        elif location.side == "source":
            place = self.source_place
        return location if place is None else at_place(location, place)


# A text that looks like a file name is more often a misspelled name than a text.
_LIKE_A_PLACE = re.compile(
    r"\S+\.[a-zA-Z]\w*(:\S+)?:[0-9]+|\S+\.(txt|tsv|csv|jsonl?|ndjson|parquet|xml|sgml?|gz|xz|zst|bz2)"
)


def _read_line(spec: str, line: int) -> tuple[Value, Location]:
    if line < 1:
        raise InputError(Location(file=spec, line=line), "does not exist", "the first line is 1")
    with open_segments(spec) as reader:
        for block in reader:
            if reader.count >= line:
                return block[line - 1 - reader.count + len(block)], reader.location(line - 1)
        problem = f"has only {counted(reader.count, reader.unit)}, so there is no {reader.unit} {line}"
        raise InputError(Location(file=reader.name), problem)


def _read(hypothesis: str, references: Sequence[str], source: str | None) -> _Segment:
    _, line = _parse_place(hypothesis)
    text, text_location = _read_argument(hypothesis, None, "is a file", "it is the text")
    no_line = "is a file, but the hypothesis is a text"
    origin, origin_location = (None, None) if source is None else _read_argument(source, line, no_line, "all are texts")
    for name, value, location in (("hypothesis", text, text_location), ("source", origin, origin_location)):
        if not isinstance(value, str) and not (name == "source" and source is None):
            problem = "has a list of texts" if isinstance(value, list) else "has no text"
            raise InputError(location, problem, f"a {name} must be one text")
    segment = _Segment(str(text), text_location, [], [], None if origin is None else str(origin), origin_location)
    for reference in references:
        value, location = _read_argument(reference, line, no_line, "all are texts")
        texts = [item for item in (value if isinstance(value, list) else [value]) if item is not None]
        segment.references.extend(texts)
        segment.reference_places.extend([location] * len(texts))
    if references and not segment.references:
        raise InputError(Location(file=", ".join(references), line=line), "has no reference")
    return segment


def _read_argument(argument: str, line: int | None, problem: str, if_text: str) -> tuple[Value, Location | None]:
    """Return the text and location of an argument. A file without a line number is read at `line`."""
    spec, named_line = _parse_place(argument)
    line = line if named_line is None else named_line
    if spec is None:
        return argument, None
    if line is None:
        fix = f"name a line, as in {argument}:1, or add --text if {if_text}"
        raise InputError(Location(file=argument), problem, fix)
    return _read_line(spec, line)


def _parse_place(argument: str) -> tuple[str | None, int | None]:
    """Return the file (or its field) and the line number that an argument names, or None for each that is missing."""
    if os.path.isfile(argument):
        return argument, None
    spec, _, number = argument.rpartition(":")
    if re.fullmatch("[0-9]{1,18}", number) and _names_a_file(spec):
        return spec, int(number)
    if _names_a_file(argument):
        return argument, None
    if _LIKE_A_PLACE.fullmatch(argument):
        raise InputError(Location(file=argument), "does not exist", "add --text if all arguments are texts")
    return None, None


def _names_a_file(spec: str) -> bool:
    parts = spec.split(":")
    return any(os.path.isfile(":".join(parts[:end])) for end in range(1, len(parts) + 1))
