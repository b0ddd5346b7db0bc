"""The command line: one module per command."""

from refscore.cli.main import main

__all__ = ["main"]
