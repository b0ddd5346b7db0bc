"""The `refscore` command: its subcommands and exit status."""

from __future__ import annotations

import errno
import io
import os
import sys
import warnings
from typing import Any, NoReturn

import click

from refscore._version import __version__
from refscore.cli.group import Group
from refscore.data_warnings import unchecked
from refscore.errors import Argument, RefscoreError, arguments_shown_as

SECTIONS = {
    "Score": {
        "score": "Score systems against references with several metrics.",
        "compare": "Test whether systems differ from a baseline.",
        "gate": "Fail if new outputs are worse than a baseline.",
        "meta": "Rank metrics by their agreement with people.",
        "select": "Select the segments that people should rate.",
        "spans": "Score predicted error spans against those of people.",
        "mbr": "Choose the best of several candidates by minimum Bayes risk.",
        "report": "Write an HTML page that shows how systems differ.",
        "serve": "Serve that page and a form for texts in a browser.",
        "meeting": "Print word error rates of meetings with several speakers.",
        "resegment": "Cut a system's text into the segments of references.",
        "overlap": "Find out how much of a test set occurs in a corpus.",
    },
    "Score a large corpus in parts": {
        "stats": "Save the statistics of one part of a corpus.",
        "merge": "Add up saved statistics and print the scores of the whole.",
        "show": "Print what a record of `stats` holds.",
        "verify": "Compute a record again from its texts, and print what differs.",
    },
    "Understand a score": {
        "errors": "Print the most frequent errors of a system, and alignments.",
        "explain": "Show how the score of one segment is computed, step by step.",
        "conventions": "Show the score under every convention and why they differ.",
        "tokenize": "Split text into the tokens that metrics compare.",
        "metrics": "List metrics, or show their settings, presets and papers.",
    },
    "Get started": {
        "demo": "Score, compare and explain example data.",
        "completion": "Print the completion script for your shell.",
    },
}


def print_citation(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    """Print the BibTeX entry to stdout, a note about further citations to stderr, and exit."""
    if not wanted or context.resilient_parsing:
        return
    from refscore.citation import bibtex

    click.echo(bibtex())
    note = "cite the papers of your metrics too (`refscore metrics NAME` lists them) and report each signature"
    click.echo(f"refscore: note: {note}", err=True)
    context.exit()


@click.group(
    cls=Group,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    invoke_without_command=True,
    epilog="Run `refscore COMMAND --help` for the options of a command.",
)
@click.version_option(__version__, message="refscore %(version)s")
@click.option(
    "--citation",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_citation,
    help="Show a BibTeX entry for refscore and exit.",
)
@click.pass_context
def commands(context: click.Context) -> None:
    """Score generated text against references, explain the scores, and test whether differences are real."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit.

    An error prints one line to stderr and exits with status 2.
    """
    if sys.stdout is None:
        sys.stdout = _Closed()
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without UTF-8 must not end the command
    try:
        # Commands print the warnings about data themselves.
        with unchecked(), warnings.catch_warnings(), arguments_shown_as(_as_option):
            warnings.showwarning = _show_warning
            status = commands.main(arguments, prog_name="refscore", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status)
    except RefscoreError as error:
        with arguments_shown_as(_as_option):
            _fail(f"refscore: {error}")
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "refscore"
        _fail(f"{where}: {error.format_message().removesuffix('.')}{_advice(error)} (see {where} --help)")
    except click.Abort:
        sys.exit(130)
    except MemoryError:
        _fail("refscore: out of memory: score fewer segments at a time, or refuse long ones with --max-tokens")
    except OSError as error:
        # Python flushes stdout at exit, which would fail again.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        if error.errno == errno.EPIPE:  # the reader closed the pipe, as `head` does
            sys.exit(1)
        _fail(f"refscore: cannot write the output: {error.strerror or error}")


def _advice(error: click.UsageError) -> str:
    """Return what to write instead of a second file for a command with one system."""
    has_references = error.ctx is not None and any("-r" in option.opts for option in error.ctx.command.params)
    is_second_file = "unexpected extra argument" in error.format_message() and has_references
    return ": name one system, and write -r before a file of references" if is_second_file else ""


def _as_option(argument: Argument) -> str:
    from refscore.cli.option_group import as_option  # not needed for --help

    return as_option(argument)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    click.echo(f"refscore: warning: {message}", err=True)


class _Closed(io.TextIOBase):
    """A stand-in for a closed standard output. Writing to it raises an OSError."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def _fail(message: str) -> NoReturn:
    # File names may contain line breaks and codes that move the cursor. The message must stay one line.
    line = "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in message)
    click.echo(line, err=True)
    sys.exit(2)
