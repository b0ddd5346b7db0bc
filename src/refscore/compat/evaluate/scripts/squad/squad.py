"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("squad")`."""

from refscore.compat.evaluate.hub import Squad  # noqa: F401
