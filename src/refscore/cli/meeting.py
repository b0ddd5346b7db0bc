"""`refscore meeting`: word error rates of meetings with several speakers."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar

import click

from refscore.cli.input_options import complete_file
from refscore.cli.option_group import Size
from refscore.cli.output import digits_option, quiet_option, show, table_options
from refscore.cli.progress import ProgressBar
from refscore.errors import InputError, Location, SettingError
from refscore.meetings import (
    MEETING_METRICS,
    MeetingMetric,
    MeetingScore,
    MeetingWarning,
    assign_speakers,
    read_turns,
    score,
)
from refscore.meetings.metric import SORTS
from refscore.meetings.readers import FORMATS
from refscore.meetings.timings import STRATEGIES
from refscore.meetings.utterances import parse_side
from refscore.tables import Result, Table
from refscore.text_display import visible


class _Seconds(click.ParamType):  # type: ignore[type-arg]
    """A number of seconds, as an exact decimal number."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        try:
            return Decimal(value)
        except (InvalidOperation, TypeError, ValueError):
            self.fail(f"{value!r} is not a number of seconds", param, ctx)


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
@click.option("--collar", type=_Seconds(), default="5", metavar="SECONDS", help="Extend the times of hypothesis words.")
@click.option(
    "--reference-timing", type=click.Choice([*STRATEGIES]), help="How to estimate the times of reference words."
)
@click.option(
    "--hypothesis-timing", type=click.Choice([*STRATEGIES]), help="How to estimate those of hypothesis words."
)
@click.option("--reference-sort", type=click.Choice(SORTS), help="The order of the words of the reference.")
@click.option("--hypothesis-sort", type=click.Choice(SORTS), help="The order of the words of the hypothesis.")
@click.option("--lowercase", is_flag=True, help="Lowercase the words of both sides.")
@click.option("--normalize", metavar="NAME", help="The normalization of the words of both sides, such as whisper-en.")
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
@click.option("--memory", type=Size(), default="2G", metavar="SIZE", help="The largest tables of ORC-WER.")
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
    chosen = {name: value for name, value in settings.items() if value not in (None, False)}
    metrics = [MeetingMetric(name, **_settings_of(name, chosen)) for name in _metric_names(names)]
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
    """Name the files of a side, and options instead of arguments, in errors raised in a `with` block."""
    try:
        yield
    except InputError as error:
        location = error.location
        if location is not None and location.file is None and location.side in files:
            location = Location(file=", ".join(files[location.side]))
        fix = re.sub(
            r"\b(partial|max_missing|collar|memory)\b", lambda name: f"--{name[0].replace('_', '-')}", error.fix
        )
        raise error.at(location, fix=fix) from None


def _metric_names(names: tuple[str, ...]) -> list[str]:
    chosen = [name.strip().lower() for text in names for name in text.split(",") if name.strip()] or ["cpwer"]
    for name in chosen:
        if chosen.count(name) > 1:
            raise SettingError(f"-m names {name!r} twice")
    return chosen


def _settings_of(name: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """Return the settings without those that the metric does not have: a sorting by words needs times."""
    if name.startswith("tc"):
        return chosen
    return {key: value for key, value in chosen.items() if not (key.endswith("_sort") and value == "word")}


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
