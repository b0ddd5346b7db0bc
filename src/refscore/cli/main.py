"""The `refscore` command: the table of its subcommands, and its exit status."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import NoReturn

import click

from refscore._version import __version__
from refscore.cli.group import Group
from refscore.errors import RefscoreError

SECTIONS = {
    "Scores": {
        "score": "Score systems against references by several metrics.",
        "compare": "Test whether systems differ from a baseline.",
        "mbr": "Choose among candidates by minimum Bayes risk.",
        "report": "Write a page that shows how systems differ, with charts and segments.",
        "serve": "Show that page in a browser while files change, and a form for texts.",
        "ribes": "RIBES with the options and the lines of the official RIBES.py.",
    },
    "Parts of a corpus": {
        "stats": "Save the statistics of a part of the segments.",
        "merge": "Add up what stats saved, and print the scores of the whole.",
    },
    "A closer look": {
        "explain": "Show how the score of one segment is computed, step by step.",
        "conventions": "Show the score under every convention, and why they differ.",
        "tokenize": "Split text into the tokens that metrics compare.",
        "metrics": "List the metrics, or a metric's settings, presets and papers.",
    },
    "First steps": {
        "demo": "Score, compare and explain example data.",
        "completion": "Print the script that lets a shell complete commands and options.",
    },
}


@click.group(
    cls=Group,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    invoke_without_command=True,
    epilog="refscore COMMAND --help says more about a command.",
)
@click.version_option(__version__, message="refscore %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Score generated text against references, say what the numbers mean, and whether a difference is real."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command; a mistake is one line on stderr and exit status 2."""
    if sys.stdout is None:
        sys.stdout = _Closed()
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # characters that its encoding lacks become escapes
    try:
        status = commands.main(arguments, prog_name="refscore", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status)
    except RefscoreError as error:
        _fail(f"refscore: {error}")
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "refscore"
        _fail(f"{where}: {error.format_message().removesuffix('.')} (see {where} --help)")
    except click.Abort:
        sys.exit(130)
    except MemoryError:
        _fail("refscore: there is not enough memory: score fewer segments at a time, or none so long (--max-tokens)")
    except OSError as error:
        # What is left in the buffer cannot be written either.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        if error.errno == errno.EPIPE:  # the reader has seen enough, as in `| head`
            sys.exit(1)
        _fail(f"refscore: the output cannot be written: {error.strerror or error}")


class _Closed(io.TextIOBase):
    """A closed standard output: writing to it raises an OSError."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def _fail(message: str) -> NoReturn:
    # A file's name may have line ends and codes that move the cursor; the message stays one line.
    line = "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in message)
    click.echo(line, err=True)
    sys.exit(2)
