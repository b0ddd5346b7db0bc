from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial as partial_function
from typing import Any, ClassVar, TypeVar

import click

from refscore.cli.declared_options import setting_option, setting_options
from refscore.cli.help import command
from refscore.cli.input_options import reference_option
from refscore.cli.option_group import Size, add_options, as_option, file_argument, file_option, is_given, option_group
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.score import show_summary
from refscore.cli.systems import split_name
from refscore.errors import Argument, InputError, Location, SettingError, relocated
from refscore.evaluation.evaluation import UNNAMED
from refscore.meetings import (
    MEETING_METRICS,
    MeetingWarning,
    SessionMetric,
    SessionScores,
    TimedMeetingMetric,
    assign_speakers,
    read_turns,
    read_uem,
    split_errors,
    timeline,
)
from refscore.meetings.choices import meeting_metric
from refscore.meetings.evaluate import evaluation_of, score_systems
from refscore.meetings.readers import FORMATS
from refscore.meetings.utterances import parse_side
from refscore.settings import alternatives
from refscore.significance import Resampling, Tests
from refscore.tables import Result, Table
from refscore.text_display import visible

F = TypeVar("F", bound=Callable[..., Any])

# The metric whose declaration of a setting has the most values, by setting: later metrics replace earlier ones, and
# tcPWER has the most orders of words.
KINDS: Mapping[str, type[SessionMetric[Any]]] = {
    name: kind
    for kind in (*reversed([*MEETING_METRICS.values()]), MEETING_METRICS["tcpwer"])
    for name in kind.settings()
}


_CHANGES: Mapping[str, dict[str, Any]] = {
    "normalize": {"help": "The normalizer of the words of both sides."},
    "lowercase": {"help": "Lowercase the words of both sides."},
    "collar": {
        "type": float,
        "metavar": "SECONDS",
        "help": "The tolerance around words or turns.",
    },
    "skip_overlap": {"help": "Do not score overlapping speech, for der and jer."},
    "step": {"type": float, "metavar": "SECONDS"},
    "memory": {"type": Size(), "metavar": "SIZE"},
}


def metric_settings(command: F) -> F:
    return add_options(
        command,
        *(setting_option(kind, name, default=None, **_CHANGES.get(name, {})) for name, kind in KINDS.items()),
    )


@command(epilog="Example: refscore meeting system.stm -r reference.stm -m cpwer,tcpwer --collar 5 --by-speaker")
@file_argument("hypotheses", metavar="[NAME=]FILE...", nargs=-1, required=True)
@reference_option(required=True, metavar="FILE", help="A file of the reference. Repeat it for several files.")
@click.option("-m", "--metric", "names", multiple=True, metavar="NAME", help="An error rate, such as cpwer or der.")
@metric_settings
@file_option("--turns", multiple=True, help="Take the speakers of words from an RTTM file.")
@file_option("--uem", multiple=True, help="Score the time in a UEM file, for der and jer.")
@click.option("--partial", is_flag=True, help="Ignore sessions that only the hypothesis has, or that UEM files lack.")
@click.option(
    "--max-missing",
    type=click.FloatRange(0, 1),
    default=0.1,
    metavar="SHARE",
    help="The share of sessions that the hypothesis may lack.",
)
@click.option("--input-format", "file_format", type=click.Choice([*FORMATS]), help="The format of all files.")
@click.option("--by-speaker", is_flag=True, help="Show the errors of each pair of speakers.")
@click.option("--sources", "by_source", is_flag=True, help="Split errors into recognition and speakers.")
@click.option("--timeline", "session", metavar="SESSION", help="Show who spoke when in a session, by der or jer.")
@click.option("--ci", "with_intervals", is_flag=True, help="Print totals with bootstrap intervals.")
@click.option("--compare", "compares", is_flag=True, help="Test whether systems differ from the first.")
@option_group("tests", Tests, setting_options(Tests, *(name for name in Tests.settings() if name != "power")))
@run_options("table digits quiet", "html")
def meeting(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    names: tuple[str, ...],
    turns: tuple[str, ...],
    uem: tuple[str, ...],
    partial: bool,
    max_missing: float,
    file_format: str | None,
    by_speaker: bool,
    by_source: bool,
    session: str | None,
    with_intervals: bool,
    compares: bool,
    tests: Tests,
    run: RunOptions,
    **settings: Any,
) -> None:
    """Print error rates of each session and in total. Speakers may have any names.

    Files are STM, CTM (one speaker per file), SegLST (.json) or JSON Lines. cpwer assigns whole speakers, and orcwer
    assigns each reference utterance to a speaker of FILE. tcpwer and tcorcwer only compare words at similar times. der
    and jer compare the times of speakers, also in RTTM files.

    NAME=FILE names a system. Files without a name, or with the same name, are one system. Several systems, or
    --ci, print totals. --compare tests differences from the first.
    """
    if not names and (by_source or session is not None):
        names = ("cpwer", "dicpwer") if by_source else ("der",)
    metrics = _parse_metrics(names, {name: value for name, value in settings.items() if value is not None})
    files = _parse_systems(hypotheses)
    _check_options(with_intervals, compares, by_speaker, by_source, len(files))
    parse = partial_function(parse_side, needs_words=any(metric.needs_words for metric in metrics.values()))
    reference = parse("reference", [*references], file_format)
    sides = {name: parse(_side(name), [*paths], file_format) for name, paths in files.items()}
    regions = read_uem(*uem) if uem else None
    if turns:
        found = read_turns(*turns)
        sides = {name: parse_side(side.name, assign_speakers(side, found)) for name, side in sides.items()}
    if session is not None:
        if len(files) > 1 or by_source or by_speaker or compares or with_intervals:
            raise click.UsageError(
                "--timeline needs a single system, without other results", click.get_current_context()
            )
        if len(metrics) > 1:
            raise click.UsageError("--timeline needs one metric", click.get_current_context())
        (hypothesis,), (metric,) = sides.values(), metrics.values()
        run.show(timeline(reference, hypothesis, session, metric, uem=regions))
        return
    by_side = {"reference": references, **{_side(name): paths for name, paths in files.items()}}
    with (
        relocated(lambda location: _located(location, by_side)),
        warnings.catch_warnings(record=True) as caught,
        run.progress("scoring", "sessions") as progress,
    ):
        warnings.simplefilter("always", MeetingWarning)
        missing: Any = {"partial": partial, "max_missing": max_missing}
        scores = score_systems(sides, reference, metrics, uem=regions, progress=progress.show_step, **missing)
    messages = {str(each.message): None for each in caught if issubclass(each.category, MeetingWarning)}
    for message in () if run.quiet else messages:
        click.echo(visible(f"refscore: warning: {message}"), err=True)
    if not compares and not with_intervals and not by_source and len(files) == 1:
        results = [score for by_system in scores.values() for score in by_system.values()]
        run.show(_Scores(results, by_speaker))
        return
    evaluation = evaluation_of(scores, reference, regions)
    evaluation.notes["files"] = [", ".join(paths) for paths in files.values()]
    if by_source:
        run.show(split_errors(evaluation))
    elif compares:
        run.show(evaluation.compare(tests=tests))
    else:
        show_summary(evaluation.summary(tests, intervals=with_intervals), run)


def _parse_systems(arguments: Sequence[str]) -> dict[str, tuple[str, ...]]:
    files: dict[str, tuple[str, ...]] = {}
    named = [*map(split_name, arguments)]
    if any(name is None for name, _ in named) and any(name is not None for name, _ in named):
        fix = "write NAME=FILE for each, or for none if all are one system"
        raise InputError(None, "some files have the name of a system and some do not", fix)
    for name, file in named:
        files[name or UNNAMED] = (*files.get(name or UNNAMED, ()), file)
    return files


def _check_options(with_intervals: bool, compares: bool, by_speaker: bool, by_source: bool, systems: int) -> None:
    context = click.get_current_context()
    if by_source and (with_intervals or compares or by_speaker):
        raise click.UsageError("--sources cannot be combined with --ci, --compare or --by-speaker", context)
    if compares and systems == 1:
        raise InputError(None, "there is only one system", "name a baseline and at least one other, as in base=FILE")
    if by_speaker and (with_intervals or compares or systems > 1):
        raise click.UsageError("--by-speaker needs a single system, without --ci", context)
    for name in filter(is_given, Tests.settings()):
        if not compares and (not with_intervals or name not in Resampling.settings()):
            option = "--ci or --compare" if name in Resampling.settings() else "--compare"
            raise click.UsageError(f"{as_option(Argument(name))} needs {option}", context)


def _side(name: str) -> str:
    return "hypothesis" if name == UNNAMED else f"system {name}"


def _located(location: Location, files: Mapping[str, tuple[str, ...]]) -> Location:
    """Return the location of an error with the files of its side."""
    is_known = location.file is None and location.side in files
    return Location(file=", ".join(files[location.side])) if is_known else location


def _parse_metrics(names: tuple[str, ...], settings: Mapping[str, Any]) -> dict[str, SessionMetric[Any]]:
    """Return the chosen metrics by name, each with the settings that it has."""
    chosen = [name.strip().lower() for text in names for name in text.split(",") if name.strip()] or ["cpwer"]
    for name in chosen:
        if chosen.count(name) > 1:
            raise SettingError(f"-m names {name!r} twice")
    metrics = {name: meeting_metric(name) for name in chosen}
    for name in settings:
        if not any(name in metric.settings() for metric in metrics.values()):
            able = [other for other, kind in MEETING_METRICS.items() if name in kind.settings()]
            raise SettingError(
                f"{as_option(Argument(name))} changes nothing in {', '.join(chosen)}: add {alternatives(able)}"
            )
    return {
        label: replace(metric, **{name: settings[name] for name in settings if _has(metric, name, settings)})
        for label, metric in metrics.items()
    }


def _has(metric: SessionMetric[Any], name: str, settings: Mapping[str, Any]) -> bool:
    """Return whether a metric has a setting. Only those with times can sort words, and the others keep their order."""
    can_sort = isinstance(metric, TimedMeetingMetric) or not name.endswith("_sort") or settings[name] != "word"
    return name in metric.settings() and can_sort


@dataclass(frozen=True)
class _Scores(Result):
    schema: ClassVar[str] = "meeting"

    scores: Sequence[SessionScores[Any]]
    by_speaker: bool

    def tables(self, *, digits: int | None = None) -> list[Table]:
        return [score.table(by_speaker=self.by_speaker, digits=digits) for score in self.scores]

    def flat_table(self) -> Table:
        tables = [score.flat_table(by_speaker=self.by_speaker) for score in self.scores]
        columns = {column.title: column for table in tables for column in table.columns}
        rows = []
        for table in tables:
            for row in table.rows:
                cells = dict(zip((column.title for column in table.columns), row.cells, strict=True))
                rows.append([cells.get(title, "") for title in columns])
        return Table("", [*columns.values()], rows)

    @property
    def all_signatures(self) -> list[str]:
        return [score.signature for score in self.scores]

    def to_dict(self) -> dict[str, Any]:
        return {"metrics": [score.to_dict() for score in self.scores]}
