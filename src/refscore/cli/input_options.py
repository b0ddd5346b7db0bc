from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import click

from refscore.cli.option_group import file_option, option_group
from refscore.cli.resegment_options import ResegmentOptions, resegment_options
from refscore.cli.test_sets import reference_files
from refscore.errors import InputError, Location
from refscore.metrics import RowMetric
from refscore.readers import FORMATS
from refscore.readers.files import SegmentFiles
from refscore.readers.manifests import references_of
from refscore.readers.passages import Timing
from refscore.readers.system_scores import System
from refscore.text_display import visible

# The name of the grouping of --by.
BY = "group"

AnyMetric: TypeAlias = "RowMetric[Any] | type[RowMetric[Any]]"


@dataclass(frozen=True)
class InputOptions:
    references: tuple[str, ...] = ()
    test_set: str | None = None
    languages: str | None = None
    file_format: Any = None
    blank_reference: str = "empty"
    source: str | None = None
    resegmentation: ResegmentOptions = field(default_factory=ResegmentOptions)

    def files(self, *, required: bool = True, systems: Sequence[System] = ()) -> list[str]:
        """Return the files of -r and of the test set. There must be one if they are `required`."""
        context = click.get_current_context(silent=True)
        if self.languages is not None and self.test_set is None:
            raise click.UsageError("-l needs -t: add -t with the name of a test set", context)
        files = [*self.references]
        if self.test_set is not None:
            files += reference_files(self.test_set, self.languages)
        if not files and required:
            files = references_of(systems)
        if not files and required:
            named = [system.file for system in systems if "ref" in os.path.basename(system.file).lower()]
            example = f", as in -r {named[-1]}" if named and len(systems) > 1 else ""
            fix = f"name a file of references{example}, or use -t and -l for a test set"
            raise click.UsageError(f"Missing option '-r': {fix}", context)
        for file in files:
            parts = file.split(",")
            if len(parts) > 1 and all(map(os.path.exists, parts)):
                fix = f"write -r before each file, as in {' '.join(f'-r {part}' for part in parts)}"
                raise InputError(Location(file=file), "is not a file", fix)
        return files

    def check_source(self, metrics: Iterable[AnyMetric]) -> None:
        needing = next((metric for metric in metrics if metric.needs_sources), None)
        if needing is not None and self.source is None:
            problem = f"{needing.display_name} needs the source of each segment: name a file with --source"
            raise click.UsageError(problem, click.get_current_context(silent=True))

    def open(
        self,
        systems: Sequence[System],
        units: str | None = None,
        by: str | None = None,
        *,
        metrics: Iterable[AnyMetric],
        needs_references: bool = False,
    ) -> SegmentFiles:
        """Open the files of the systems, references, units, sources and groups. The metrics may need some of them."""
        metrics = [*metrics]
        texts = [system for system in systems if system.record is None]
        metrics_of_texts = metrics if texts else []
        needs_files = needs_references or any(metric.needs_references for metric in metrics_of_texts)
        files = self.files(required=needs_files, systems=texts)
        if self.references:
            _note_references(texts)
        self.check_source(metrics_of_texts)
        cuts = self.resegmentation.cuts(texts)
        if cuts is not None and not files:
            raise click.UsageError("--resegment needs references: name them with -r")
        return SegmentFiles(
            systems,
            files,
            sources=self.source,
            units=units,
            groups=None if by is None else {BY: by},
            format=self.file_format,
            blank_is_missing=self.blank_reference == "missing",
            may_lack_answers=any(metric.compares_answers for metric in metrics),
            timing=Timing.of_metrics(metrics),
            cuts=cuts,
        )


def _note_references(systems: Sequence[System]) -> None:
    """Print a note if a system without a chosen name seems to be a file of references, as after -r REF REF."""
    context = click.get_current_context(silent=True)
    if context is not None and context.params.get("quiet"):
        return
    for system in systems:
        if os.path.basename(system.file).lower().startswith("ref") and system.file.endswith(system.name):
            note = f"{system.file} is scored as a system: write -r before it if it has references"
            click.echo(visible(f"refscore: note: {note}"), err=True)


def complete_from(names: Callable[[click.Context], Iterable[str]]) -> Callable[..., list[str]]:
    return lambda context, _, incomplete: [name for name in names(context) if name.startswith(incomplete)]


class _InputFormat(click.Choice):  # type: ignore[type-arg]
    """A format, or FILE=FORMAT. The value is a pair of the file and its format; the file is empty for all files."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, tuple):
            return value
        file, _, name = value.rpartition("=")
        return file, super().convert(name, param, ctx)


reference_option = partial(
    file_option,
    "-r",
    "--reference",
    "references",
    metavar="REF",
    multiple=True,
    help="A file of references. Repeat it for several.",
)

input_format_option = click.option(
    "--input-format",
    "file_format",
    type=_InputFormat([*FORMATS]),
    metavar="[FILE=]FORMAT",
    multiple=True,
    callback=lambda _context, _option, formats: dict(formats) or None,
    help=f"The format of all files, or of FILE: {', '.join(FORMATS)}. By default, the names decide.",
)

by_option = file_option(
    "--by",
    help="A file with a label per segment. Show each group of segments too.",
)

# The command gets an `InputOptions` as `input_options`.
input_options = option_group(
    "input_options",
    InputOptions,
    reference_option(),
    click.option("-t", "--test-set", metavar="NAME", help="A test set of sacrebleu, such as wmt23."),
    click.option("-l", "--languages", metavar="PAIR", help="The language pair of the test set, such as en-de."),
    file_option(
        "--source",
        help="A file of sources, one per line, for metrics and reports.",
    ),
    input_format_option,
    click.option(
        "--blank-reference",
        type=click.Choice(["empty", "missing"]),
        default="empty",
        help="Read an empty reference line as an empty reference (as sacrebleu does) or as no reference.",
    ),
    resegment_options,
)
