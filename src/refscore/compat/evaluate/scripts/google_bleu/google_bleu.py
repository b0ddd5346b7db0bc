"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("google_bleu")`."""

from refscore.compat.evaluate.hub import GoogleBleu  # noqa: F401
