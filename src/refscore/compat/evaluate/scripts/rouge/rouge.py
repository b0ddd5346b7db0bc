"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("rouge")`."""

from refscore.compat.evaluate.hub import Rouge  # noqa: F401
