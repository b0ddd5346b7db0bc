"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("bleu")`."""

from refscore.compat.evaluate.hub import Bleu  # noqa: F401
