"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("nist_mt")`."""

from refscore.compat.evaluate.hub import NistMt  # noqa: F401
