"""`refscore meeting`: word error rates of meetings with several speakers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import click

from refscore.cli.input_options import complete_file
from refscore.cli.option_group import Size, add_options, as_option
from refscore.cli.output import digits_option, quiet_option, show, table_options
from refscore.cli.progress import ProgressBar
from refscore.errors import Argument, InputError, Location, SettingError
from refscore.meetings import (
    MEETING_METRICS,
    ORCWER,
    TCPWER,
    MeetingMetric,
    MeetingScore,
    MeetingWarning,
    assign_speakers,
    read_turns,
    score,
)
from refscore.meetings.metric import meeting_metric
from refscore.meetings.readers import FORMATS
from refscore.meetings.utterances import parse_side
from refscore.settings import Setting, alternatives
from refscore.tables import Result, Table
from refscore.text_display import visible

F = TypeVar("F", bound=Callable[..., Any])

# The declaration of each setting, by name. tcpWER is last: it has the most orders of words.
SETTINGS: Mapping[str, Setting] = {**ORCWER.settings(), **TCPWER.settings()}


class _Seconds(click.ParamType):  # type: ignore[type-arg]
    """A number of seconds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number of seconds", param, ctx)


def setting_options(command: F) -> F:
    """Add an option for each setting of an error rate."""
    types: dict[str, Any] = {"collar": _Seconds(), "memory": Size(), "normalize": str}
    metavars = {"collar": "SECONDS", "memory": "SIZE", "normalize": "NAME"}
    options = [
        click.option(
            as_option(Argument(name)),
            type=types.get(name) or click.Choice(declared.values),
            metavar=metavars.get(name),
            help=declared.meaning.replace("`", ""),
        )
        for name, declared in SETTINGS.items()
        if name != "lowercase"
    ]
    lowercase = click.option("--lowercase", is_flag=True, default=None, help="Lowercase the words of both sides.")
    return add_options(command, *options, lowercase)


@click.command(epilog="Example: refscore meeting system.stm -r reference.stm -m cpwer,tcpwer --collar 5 --by-speaker")
@click.argument("hypotheses", metavar="FILE...", nargs=-1, required=True, shell_complete=complete_file)
@click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    required=True,
    metavar="FILE",
    shell_complete=complete_file,
    help="A file of the reference. Repeat it for several files.",
)
@click.option("-m", "--metric", "names", multiple=True, metavar="NAME", help=f"Any of {', '.join(MEETING_METRICS)}.")
@setting_options
@click.option(
    "--turns",
    multiple=True,
    metavar="FILE",
    shell_complete=complete_file,
    help="Give hypothesis words the speakers of an RTTM file, by their times.",
)
@click.option("--partial", is_flag=True, help="Ignore sessions that only the hypothesis has.")
@click.option(
    "--max-missing",
    type=click.FloatRange(0, 1),
    default=0.1,
    metavar="SHARE",
    help="The share of sessions that the hypothesis may lack.",
)
@click.option("--input-format", "file_format", type=click.Choice([*FORMATS]), help="The format of all files.")
@click.option("--by-speaker", is_flag=True, help="Show the errors of each pair of speakers or of each stream.")
@digits_option
@table_options
@quiet_option
def meeting(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    names: tuple[str, ...],
    turns: tuple[str, ...],
    partial: bool,
    max_missing: float,
    file_format: str | None,
    by_speaker: bool,
    digits: int | None,
    form: str,
    quiet: bool,
    **settings: Any,
) -> None:
    """Print the word error rates of each session and in total. The speakers of FILE need not have the same names.

    Files are STM, CTM (one speaker per file), SegLST (.json) or JSON Lines, and may be compressed. cpwer assigns whole
    speakers, and orcwer assigns each reference utterance to a speaker of FILE. tcpwer and tcorcwer only compare words
    at similar times.
    """
    metrics = _parse_metrics(names, {name: value for name, value in settings.items() if value is not None})
    reference = parse_side("reference", [*references], file_format)
    hypothesis: Any = parse_side("hypothesis", [*hypotheses], file_format)
    if turns:
        hypothesis = assign_speakers(hypothesis, read_turns(*turns))
    results = []
    files = {"reference": references, "hypothesis": hypotheses}
    with (
        _errors_located(files),
        warnings.catch_warnings(record=True) as caught,
        ProgressBar("scoring", "sessions", quiet=quiet) as progress,
    ):
        warnings.simplefilter("always", MeetingWarning)
        for metric in metrics:
            count = progress.show_count
            results.append(
                score(reference, hypothesis, metric, partial=partial, max_missing=max_missing, progress=count)
            )
    messages = {str(each.message): None for each in caught if issubclass(each.category, MeetingWarning)}
    for message in () if quiet else messages:
        click.echo(visible(f"refscore: warning: {message}"), err=True)
    show(_Scores(results, by_speaker), form, digits=digits)


@contextmanager
def _errors_located(files: Mapping[str, tuple[str, ...]]) -> Iterator[None]:
    """Name the files of a side in errors raised in a `with` block."""
    try:
        yield
    except InputError as error:
        location = error.location
        if location is not None and location.file is None and location.side in files:
            location = Location(file=", ".join(files[location.side]))
        raise error.at(location) from None


def _parse_metrics(names: tuple[str, ...], settings: Mapping[str, Any]) -> list[MeetingMetric]:
    """Return the chosen metrics, each with those of the settings that it has."""
    chosen = [name.strip().lower() for text in names for name in text.split(",") if name.strip()] or ["cpwer"]
    for name in chosen:
        if chosen.count(name) > 1:
            raise SettingError(f"-m names {name!r} twice")
    metrics = [meeting_metric(name) for name in chosen]
    for name in settings:
        if not any(name in metric.settings() for metric in metrics):
            able = [other for other, kind in MEETING_METRICS.items() if name in kind.settings()]
            raise SettingError(
                f"{as_option(Argument(name))} changes nothing in {', '.join(chosen)}: add {alternatives(able)}"
            )
    return [
        replace(metric, **{name: settings[name] for name in settings if _has(metric, name, settings)})
        for metric in metrics
    ]


def _has(metric: MeetingMetric, name: str, settings: Mapping[str, Any]) -> bool:
    """Return whether a metric has a setting. Only those with times can sort words, and the others keep their order."""
    can_sort = metric.is_timed or not name.endswith("_sort") or settings[name] != "word"
    return name in metric.settings() and can_sort


@dataclass(frozen=True)
class _Scores(Result):
    """The scores of several metrics."""

    schema: ClassVar[str] = "meeting"

    scores: Sequence[MeetingScore]
    by_speaker: bool

    def tables(self, *, digits: int | None = None) -> list[Table]:
        return [score.table(by_speaker=self.by_speaker, digits=digits) for score in self.scores]

    def flat_table(self) -> Table:
        tables = [score.flat_table(by_speaker=self.by_speaker) for score in self.scores]
        return Table("", tables[0].columns, [row for table in tables for row in table.rows])

    @property
    def all_signatures(self) -> list[str]:
        return [score.signature for score in self.scores]

    def to_dict(self) -> dict[str, Any]:
        return {"metrics": [score.to_dict() for score in self.scores]}
