"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("sacrebleu")`."""

from refscore.compat.evaluate.hub import Sacrebleu  # noqa: F401
