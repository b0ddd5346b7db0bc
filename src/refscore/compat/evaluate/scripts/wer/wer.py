"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("wer")`."""

from refscore.compat.evaluate.hub import WER  # noqa: F401
