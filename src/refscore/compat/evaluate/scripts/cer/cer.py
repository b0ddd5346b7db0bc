"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("cer")`."""

from refscore.compat.evaluate.hub import CER  # noqa: F401
