"""The `refscore` command: what its subcommands share."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import NoReturn

import click

from refscore._version import __version__
from refscore.cli.compare import compare
from refscore.cli.conventions import conventions
from refscore.cli.ribes import ribes
from refscore.cli.score import score
from refscore.errors import RefscoreError


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(__version__, message="refscore %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Score generated text against references."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


commands.add_command(compare)
commands.add_command(conventions)
commands.add_command(ribes)
commands.add_command(score)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command; a mistake is one line on stderr and exit status 2.

    Args:
        arguments: Those of the command line by default.
    """
    if sys.stdout is None:
        sys.stdout = _Closed()
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
    except OSError as error:
        # What is left in the buffer cannot be written either.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        _fail(f"refscore: the output cannot be written: {error.strerror or error}")


class _Closed(io.TextIOBase):
    """Stands in for a standard output that is closed, so that writing to it is an error like any other."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def _fail(message: str) -> NoReturn:
    click.echo(message.encode("utf-8", "backslashreplace").decode(), err=True)
    sys.exit(2)
