"""`python -m refscore.compat.sacrebleu`: the installed sacrebleu's command with refscore's metrics."""

import logging
import runpy
import sys

from refscore.compat.overrides import install
from refscore.compat.sacrebleu.original import original
from refscore.errors import RefscoreError


def main() -> None:
    """Run the command. If the input cannot be read or scored, exit with a message and status 1."""
    try:
        original("metrics", "the command line needs")
        install("sacrebleu")
        runpy.run_module("sacrebleu", run_name="__main__", alter_sys=True)
    except (RefscoreError, OSError, UnicodeError, LookupError) as error:
        if isinstance(error, (KeyError, IndexError)) and not isinstance(error, RefscoreError):
            raise  # a bug in the program, not an unknown encoding
        logging.getLogger("sacrebleu").error(error)
        sys.exit(1)


if __name__ == "__main__":
    main()
