"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("chrf")`."""

from refscore.compat.evaluate.hub import ChrF  # noqa: F401
