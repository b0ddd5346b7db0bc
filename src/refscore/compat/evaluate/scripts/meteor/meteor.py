"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("meteor")`."""

from refscore.compat.evaluate.hub import Meteor  # noqa: F401
