"""The options that name references and say how files are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from refscore.cli.inputs import Inputs
from refscore.cli.option_group import option_group
from refscore.cli.systems import System
from refscore.cli.test_sets import reference_files
from refscore.readers import FORMATS


@dataclass(frozen=True)
class InputOptions:
    """The references that a command line names, and how files are read."""

    references: tuple[str, ...] = ()
    test_set: str | None = None
    languages: str | None = None
    file_format: str | None = None
    blank_reference: str = "empty"

    def files(self) -> list[str]:
        """Return the reference files: those given, and those of the test set."""
        context = click.get_current_context(silent=True)
        if self.languages is not None and self.test_set is None:
            raise click.UsageError("-l needs -t with the name of a test set", context)
        files = [*self.references]
        if self.test_set is not None:
            files += reference_files(self.test_set, self.languages)
        if not files:
            raise click.UsageError("Missing option '-r': name a file of references, or a test set with -t and -l")
        return files

    def open(self, systems: Sequence[System], units: str | None = None, source: str | None = None) -> Inputs:
        """Open all files."""
        is_missing = self.blank_reference == "missing"
        return Inputs(systems, self.files(), self.file_format, is_missing, units, source)


def complete_file(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Let the shell complete the names of files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def complete_from(names: Callable[[click.Context], Iterable[str]]) -> Callable[..., list[str]]:
    """Return a function that lets the shell complete names; they are asked for only then."""
    return lambda context, _, incomplete: [name for name in names(context) if name.startswith(incomplete)]


input_format_option = click.option(
    "--input-format",
    "file_format",
    type=click.Choice([*FORMATS]),
    help="The format of all files, if their names do not tell it.",
)

# The command gets an `InputOptions` as `input_options`.
input_options = option_group(
    "input_options",
    InputOptions,
    click.option(
        "-r",
        "--reference",
        "references",
        metavar="REF",
        multiple=True,
        shell_complete=complete_file,
        help="A file of references, one per line like HYP; -r a.txt -r b.txt for two references. Files: plain text, "
        "also compressed; FILE:FIELD of TSV, CSV, JSON, Parquet, WMT XML or SGML; - for stdin.",
    ),
    click.option("-t", "--test-set", metavar="NAME", help="A test set that sacrebleu knows, as in wmt23."),
    click.option("-l", "--languages", metavar="PAIR", help="The language pair of the test set, as in en-de."),
    input_format_option,
    click.option(
        "--blank-reference",
        type=click.Choice(["empty", "missing"]),
        default="empty",
        help="What an empty line in a reference file means: a reference without words, as in sacrebleu, or that "
        "there is none.",
    ),
)
