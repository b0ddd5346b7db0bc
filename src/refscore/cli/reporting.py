"""What `report` and `serve` share: the options of a report, and the way from files to it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from refscore.cli.inputs import InputChoice, complete_file, input_options
from refscore.cli.limiting import limit_options
from refscore.cli.options import MetricChoice, metric_options, titles
from refscore.cli.output import quiet_option, threads_option
from refscore.cli.progress import Work
from refscore.cli.resampling import Resampling, resampling_options
from refscore.cli.score import DEFAULT_METRICS
from refscore.cli.systems import systems
from refscore.errors import EmptyReferenceError, InputError
from refscore.metrics import Metric

if TYPE_CHECKING:
    from refscore.report import Report

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class ReportChoice:
    """What the options of a command line say about a report."""

    hypotheses: tuple[str, ...]
    sources: InputChoice
    source: str | None
    choice: MetricChoice
    title: str
    notes: str
    resampling: Resampling
    holm: bool
    alpha: float
    max_segments: int
    threads: int | None
    quiet: bool

    def metrics(self) -> dict[str, Metric[Any]]:
        """The metrics under the labels that they were asked for by."""
        return self.choice.metrics(DEFAULT_METRICS)

    def named_files(self) -> list[str]:
        """The files that the report is made of, as they are named: with fields."""
        others = [file for file in (self.source, self.resampling.units) if file is not None]
        return [*(system.file for system in systems(self.hypotheses)), *self.sources.references, *others]

    def files(self) -> list[str]:
        """The paths of the files that the report is made of."""
        with self.sources.open(systems(self.hypotheses), self.resampling.units, self.source) as inputs:
            return inputs.files

    def build(self, *, quiet: bool = False) -> Report:
        """The report on what is in the files now.

        Args:
            quiet: Show no progress, whatever the options say.
        """
        from refscore.report import Resampling as Settings
        from refscore.report import build_report

        quiet = quiet or self.quiet
        metrics = self.metrics()
        names = titles(metrics)
        named = systems(self.hypotheses)
        outputs: dict[str, list[str]] = {system.name: [] for system in named}
        references: list[Any] = []
        source_texts: list[str] = []
        units: list[Any] = []
        with self.sources.open(named, self.resampling.units, self.source) as inputs:
            with Work("reading", "segments", quiet=quiet) as work:
                for block in inputs.blocks():
                    for name, texts in zip(outputs, block.hypotheses, strict=True):
                        outputs[name] += texts
                    references += block.references
                    source_texts += block.source or []
                    units += block.units or []
                    work.show(len(references), block.fraction)
            with Work("comparing", "resamples", quiet=quiet) as work:

                def show(what: str, done: int, total: int) -> None:
                    work.show(done, done / total)

                single = self.choice.segment_metrics(metrics)
                drawn = self.resampling
                try:
                    return build_report(
                        outputs,
                        references,
                        source=None if self.source is None else source_texts,
                        metrics={names[label]: metric for label, metric in metrics.items()},
                        segment_metrics={names[label]: metric for label, metric in single.items()},
                        title=self.title,
                        notes=self.notes,
                        resampling=Settings(
                            drawn.resamples, drawn.seed, drawn.confidence, units or None, self.alpha, self.holm
                        ),
                        max_segments=self.max_segments,
                        threads=self.threads,
                        progress=show,
                    )
                except EmptyReferenceError as error:
                    place = inputs.place_of_reference(error.segment, error.reference)
                    metric = next(one for one in metrics.values() if getattr(one, "empty_reference", "") == "error")
                    raise InputError(
                        None,
                        f"{place} is empty, and {metric.title} needs words in references: "
                        f"leave empty ones out with --set {metric.name}.empty_reference=skip, or fill it in",
                    ) from None


def report_options(*, required: bool) -> Callable[[F], F]:
    """Adds the arguments and options of a report; the command gets a `ReportChoice` as `wanted`.

    Args:
        required: Whether there must be a system.
    """

    def add(command: F) -> F:
        @functools.wraps(command)
        def with_report(
            hypotheses: tuple[str, ...],
            sources: InputChoice,
            source: str | None,
            choice: MetricChoice,
            title: str,
            notes: str,
            resampling: Resampling,
            holm: bool,
            alpha: float,
            max_segments: int,
            threads: int | None,
            quiet: bool,
            **rest: Any,
        ) -> Any:
            wanted = ReportChoice(
                hypotheses,
                sources,
                source,
                choice,
                title,
                notes,
                resampling,
                holm,
                alpha,
                max_segments,
                threads,
                quiet,
            )
            return command(wanted=wanted, **rest)

        options: list[Callable[[Any], Any]] = [
            click.argument(
                "hypotheses",
                metavar="BASELINE [SYSTEM]..." if required else "[BASELINE [SYSTEM]...]",
                nargs=-1,
                required=required,
                shell_complete=complete_file,
            ),
            input_options,
            click.option(
                "--source", metavar="FILE", shell_complete=complete_file, help="A file of source texts, to be shown."
            ),
            metric_options,
            click.option("--title", default="", metavar="TEXT", help="The heading of the page."),
            click.option("--notes", default="", metavar="TEXT", help="Text under the heading."),
            resampling_options,
            click.option("--holm", is_flag=True, help="Correct p-values for the number of systems, metric by metric."),
            click.option(
                "--alpha",
                type=click.FloatRange(0, 1, min_open=True, max_open=True),
                default=0.05,
                metavar="NUMBER",
                help="The largest p that is called significant, 0.05 by default.",
            ),
            click.option(
                "--max-segments",
                type=click.IntRange(1, 100_000),
                default=10_000,
                metavar="N",
                help="How many segments can be looked at, 10,000 by default; of more, a random sample is shown.",
            ),
            limit_options,
            threads_option,
            quiet_option,
        ]
        wrapped: Any = with_report
        for option in reversed(options):
            wrapped = option(wrapped)
        made: F = wrapped
        return made

    return add
