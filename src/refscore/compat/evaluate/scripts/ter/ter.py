"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("ter")`."""

from refscore.compat.evaluate.hub import Ter  # noqa: F401
