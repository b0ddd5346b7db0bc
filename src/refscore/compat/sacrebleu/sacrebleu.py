"""sacrebleu's `sacrebleu.sacrebleu`: the command of the installed sacrebleu with refscore's metrics."""

from __future__ import annotations

import logging
import sys
from argparse import Namespace
from typing import Any

from refscore.compat.overrides import installed
from refscore.compat.sacrebleu.original import original
from refscore.errors import RefscoreError

sacrelogger = logging.getLogger("sacrebleu")


def parse_args() -> Namespace:
    """Return the arguments of the command line, parsed by the installed sacrebleu."""
    arguments: Namespace = _command().parse_args()
    return arguments


def main() -> None:
    """Run the installed sacrebleu's command with refscore's metrics, and restore the originals afterwards.

    If the input cannot be read or scored, exit with a message and status 1.
    """
    try:
        command = _command()
        with installed("sacrebleu"):
            command.main()
    except (RefscoreError, OSError, UnicodeError, LookupError) as error:
        if isinstance(error, (KeyError, IndexError)) and not isinstance(error, RefscoreError):
            raise  # a bug in the program, not an unknown encoding
        sacrelogger.error(error)
        sys.exit(1)


def _command() -> Any:
    return original("sacrebleu", "the command line needs")
