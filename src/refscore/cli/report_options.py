from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from refscore.cli.declared_options import setting_options
from refscore.cli.errors import read_labels
from refscore.cli.given_options import GivenOptions, given_options
from refscore.cli.input_options import BY, InputOptions, by_option, input_options
from refscore.cli.judgment_files import human_option, read_judgments
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import F, file_argument, file_option, option_group
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.scoring_options import resampling_options
from refscore.cli.systems import parse_systems, split_name
from refscore.data_warnings import unchecked
from refscore.metrics import Metric, RowMetric
from refscore.readers.files import SegmentFiles
from refscore.readers.system_scores import GivenScores, HumanScores, System
from refscore.report import Reporting

if TYPE_CHECKING:
    from refscore.report import Report


@dataclass(frozen=True, kw_only=True)
class ReportingOptions(Reporting):
    units: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ReportOptions:
    hypotheses: tuple[str, ...]
    input_options: InputOptions
    metric_options: MetricOptions
    given_options: GivenOptions
    by: str | None
    human: tuple[str, ...]
    speakers: str | None
    audio: str | None
    title: str
    notes: str
    reporting: ReportingOptions
    run: RunOptions

    def systems(self) -> list[System]:
        return parse_systems(self.hypotheses)

    def open(self, systems: Sequence[System], metrics: Iterable[RowMetric[Any]]) -> SegmentFiles:
        metrics = [*metrics]
        has_texts = any(system.record is None for system in systems)
        only_given = not any(metric.scores_text for metric in metrics)
        return self.input_options.open(
            systems, self.reporting.units, by=self.by, metrics=metrics, needs_references=has_texts and only_given
        )

    def specs(self) -> list[str]:
        """Return the input files as the user wrote them, with fields."""
        options = self.input_options
        named = (options.source, self.reporting.units, self.by, self.speakers, self.audio)
        others = [file for file in named if file is not None]
        others += options.resegmentation.files
        return [*(split_name(text)[1] for text in self.hypotheses), *options.references, *others]

    def given_scores(self, systems: Sequence[System], metrics: Mapping[str, Metric[Any]]) -> GivenScores | None:
        return self.given_options.read(systems, self.metric_options, metrics)

    def human_scores(self, systems: Sequence[System]) -> list[HumanScores]:
        return [HumanScores(file, systems) for file in self.human]

    def build(self, *, quiet: bool = False) -> Report:
        """Read the files and return their report. `quiet` hides the progress even without --quiet."""
        run = replace(self.run, quiet=quiet or self.run.quiet)
        systems = self.systems()
        metric_options = self.metric_options.with_record(systems)
        text_metrics = self.given_options.text_metrics(metric_options)
        given = self.given_scores(systems, text_metrics)
        metrics: dict[str, Any] = {**text_metrics, **({} if given is None else given.metrics)}
        single = self.given_options.text_options(metric_options).segment_metrics(metrics)
        human = self.human_scores(systems)
        with self.open(systems, metrics.values()) as inputs:
            with run.progress("reading", "segments") as progress:
                evaluation = inputs.evaluate(
                    text_metrics, single, given=given, with_texts=True, threads=self.run.threads, progress=progress.show
                )
            evaluation.ignored_warnings = self.run.ignored_warnings
            with (
                run.progress("comparing", "resamples") as progress,
                inputs.errors_located(),
                unchecked(),  # the command prints the warnings of the report
            ):
                return evaluation.report(
                    reporting=self.reporting,
                    segment_metrics=evaluation.segment_metrics,
                    by=None if self.by is None else BY,
                    human=read_judgments(self.human, human, inputs.segments) if human else None,
                    speakers=None if self.speakers is None else read_labels(self.speakers, inputs.segments),
                    audio=None if self.audio is None else read_labels(self.audio, inputs.segments),
                    title=self.title,
                    notes="\n".join(filter(None, [self.notes, inputs.resegmentation])),
                    threads=self.run.threads,
                    progress=progress.show_step,
                )


def report_options(*, required: bool) -> Callable[[F], F]:
    """Return a decorator that adds the options of a report. `required` makes at least one system mandatory.

    The command gets a `ReportOptions` as `report_options`.
    """
    return option_group(
        "report_options",
        ReportOptions,
        file_argument(
            "hypotheses",
            metavar="BASELINE [SYSTEM]..." if required else "[BASELINE [SYSTEM]...]",
            nargs=-1,
            required=required,
        ),
        input_options,
        metric_options,
        given_options,
        by_option,
        human_option,
        file_option(
            "--speakers",
            help="A file with the speaker of each segment. Error rates are shown by speaker.",
        ),
        file_option(
            "--audio",
            help="A file with the audio of each segment: a path or an address. Segments with errors link to it.",
        ),
        click.option("--title", default="", show_default=False, metavar="TEXT", help="The heading of the page."),
        click.option("--notes", default="", show_default=False, metavar="TEXT", help="Text below the heading."),
        option_group(
            "reporting",
            ReportingOptions,
            *resampling_options,
            setting_options(Reporting, "holm", "alpha", "max_segments"),
        ),
        run_options("limits threads warnings"),
    )
