"""The options that name references and set how files are read."""

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
    """The references, and how files are read."""

    references: tuple[str, ...] = ()
    test_set: str | None = None
    languages: str | None = None
    file_format: str | None = None
    blank_reference: str = "empty"

    def files(self, *, required: bool = True) -> list[str]:
        """Return the files of -r and of the test set. There must be one if they are `required`."""
        context = click.get_current_context(silent=True)
        if self.languages is not None and self.test_set is None:
            raise click.UsageError("-l needs -t: add -t with the name of a test set", context)
        files = [*self.references]
        if self.test_set is not None:
            files += reference_files(self.test_set, self.languages)
        if not files and required:
            raise click.UsageError("Missing option '-r': name a file of references, or use -t and -l for a test set")
        return files

    def open(
        self,
        systems: Sequence[System],
        units: str | None = None,
        source: str | None = None,
        by: str | None = None,
        *,
        needs_references: bool = True,
    ) -> Inputs:
        """Open the files of the systems, references, units, sources and groups."""
        is_missing = self.blank_reference == "missing"
        files = self.files(required=needs_references)
        return Inputs(systems, files, self.file_format, is_missing, units, source, by)


def complete_file(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Tell the shell to complete file names."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def complete_from(names: Callable[[click.Context], Iterable[str]]) -> Callable[..., list[str]]:
    """Return a completion function that calls `names` for the possible values."""
    return lambda context, _, incomplete: [name for name in names(context) if name.startswith(incomplete)]


input_format_option = click.option(
    "--input-format",
    "file_format",
    type=click.Choice([*FORMATS]),
    help="The format of all files. By default it follows from their names.",
)

by_option = click.option(
    "--by",
    metavar="FILE",
    shell_complete=complete_file,
    help="A file with one label per segment, such as its domain. Show each group of segments beside the whole.",
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
        help="A file of references, one per line. Repeat -r for several references per segment.",
    ),
    click.option("-t", "--test-set", metavar="NAME", help="A test set of sacrebleu, such as wmt23."),
    click.option("-l", "--languages", metavar="PAIR", help="The language pair of the test set, such as en-de."),
    input_format_option,
    click.option(
        "--blank-reference",
        type=click.Choice(["empty", "missing"]),
        default="empty",
        help="Read an empty reference line as an empty reference (as sacrebleu does) or as no reference.",
    ),
)
