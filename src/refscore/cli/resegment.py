from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from refscore.cli.help import command
from refscore.cli.input_options import input_format_option, reference_option
from refscore.cli.metric_options import settings_option
from refscore.cli.option_group import file_argument
from refscore.cli.output import write
from refscore.cli.resegment_options import ResegmentOptions
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.systems import parse_systems
from refscore.errors import SettingError
from refscore.readers.files import SegmentFiles
from refscore.tables import Result


@command(epilog="Example: refscore resegment hyp.txt -r ref.txt -o segments.txt")
@file_argument("hypotheses", metavar="HYP")
@reference_option(required=True)
@input_format_option
@settings_option
@run_options("output quiet", "text", "json")
def resegment(
    hypotheses: str,
    references: tuple[str, ...],
    file_format: str | None,
    settings: tuple[str, ...],
    run: RunOptions,
) -> None:
    """Print the text of HYP in as many lines as REF has, cut where the edit distance to REF is least.

    The lines of HYP need not be segments. FILE:FIELD reads a field of a TSV, CSV, JSON, Parquet, XML or SGML file,
    and - is standard input. `refscore score --resegment` does the same before it scores.
    """
    systems = parse_systems([hypotheses])
    for text in settings:
        if not text.startswith("resegment."):
            raise SettingError(
                f"--set {text} is not a setting of resegment: write, for example, resegment.tokenizer=char"
            )
    cuts = ResegmentOptions(True, settings).cuts(systems)
    with (
        SegmentFiles(systems, references, format=file_format, cuts=cuts) as inputs,
        run.progress("reading", "segments") as progress,
    ):
        texts = inputs.read_all(progress.show)
    if run.form == "json":
        run.show(_Segments(str(inputs.resegmentation), texts.hypotheses[0]))
        return
    for line in texts.hypotheses[0]:
        # A line break of another kind would end the line.
        write(" ".join(line.splitlines()))


@dataclass(frozen=True)
class _Segments(Result):
    schema: ClassVar[str] = "resegment"

    signature: str
    segments: Sequence[str]
