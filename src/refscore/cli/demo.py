from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from refscore.cli.help import command
from refscore.cli.output import write
from refscore.errors import InputError, Location

FOLDER = Path(__file__).parent / "example"

_REFERENCES = ("-r", "reference.a.txt", "-r", "reference.b.txt")

# A title, a note on the output, and the command.
PARTS = (
    (
        "Score three systems",
        "Three metrics, two references per segment. A star marks the best score.",
        ("score", "alder.txt", "birch.txt", "clover.txt", *_REFERENCES, "-m", "bleu,chrf,ter"),
    ),
    (
        "Compare them",
        "alder is the baseline. birch scores lower, but with 36 segments that could be chance. clover is worse.",
        ("compare", "alder.txt", "birch.txt", "clover.txt", *_REFERENCES, "-m", "bleu"),
    ),
    (
        "Explain one segment",
        "Line 11 of clover.txt against line 11 of both references.",
        ("explain", "clover.txt:11", *_REFERENCES, "-m", "ter"),
    ),
    (
        "See why two libraries disagree",
        "Settings change one by one from sacrebleu's BLEU to NLTK's. Each line shows the effect on the score.",
        ("conventions", "birch.txt", *_REFERENCES, "--against", "nltk"),
    ),
)


@command()
@click.option("--copy", "folder", metavar="FOLDER", help="Copy the example data to a new folder instead.")
@click.pass_context
def demo(context: click.Context, folder: str | None) -> None:
    """Show the main commands on example data: three systems that translated 36 short segments."""
    if folder is not None:
        _copy(Path(folder))
        return
    group = context.find_root().command
    console = Console(highlight=False)

    def say(text: str, style: str = "") -> None:
        console.print(Text(text, style), soft_wrap=True)

    say("The example data: 36 invented segments, two references for each, and the outputs of three systems.")
    say(f"$ cd {shlex.quote(str(FOLDER))}", "bold cyan")
    for number, (title, note, arguments) in enumerate(PARTS, 1):
        say(f"\n{number}. {title}", "bold underline")
        say(note)
        say(f"$ refscore {shlex.join(arguments)}\n", "bold cyan")
        with _inside(FOLDER):
            group.main(list(arguments), prog_name="refscore", standalone_mode=False)
    say("\nTry more commands in that folder. Its README.md describes the files; refscore --help lists the commands.")


def _copy(target: Path) -> None:
    try:
        shutil.copytree(FOLDER, target)
    except FileExistsError:
        raise InputError(Location(file=str(target)), "exists already", "name a new folder") from None
    except OSError as error:
        raise InputError(Location(file=str(target)), "cannot be written", str(error.strerror).lower()) from None
    write(f"Copied. Try: cd {shlex.quote(str(target))} && refscore score alder.txt -r reference.a.txt")


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Change to a folder and back, so tables show the short file names of the printed commands."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
