"""The `refscore` command: what its subcommands share."""

from __future__ import annotations

import sys

import click

from refscore._version import __version__
from refscore.cli.score import score
from refscore.errors import RefscoreError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="refscore %(version)s")
def commands() -> None:
    """Score generated text against references."""


commands.add_command(score)


def main(arguments: list[str] | None = None) -> None:
    """Run the command; a mistake in the input is one line on stderr and exit status 2.

    Args:
        arguments: Those of the command line by default.
    """
    try:
        commands.main(arguments, prog_name="refscore")
    except RefscoreError as error:
        click.echo(f"refscore: {error}", err=True)
        sys.exit(2)
