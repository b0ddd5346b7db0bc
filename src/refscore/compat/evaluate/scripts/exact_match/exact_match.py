"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("exact_match")`."""

from refscore.compat.evaluate.hub import ExactMatch  # noqa: F401
