"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("sari")`."""

from refscore.compat.evaluate.hub import Sari  # noqa: F401
