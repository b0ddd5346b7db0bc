"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("character")`."""

from refscore.compat.evaluate.hub import Character  # noqa: F401
