"""Loaded by evaluate from its path, `refscore.compat.evaluate.script("squad_v2")`."""

from refscore.compat.evaluate.hub import SquadV2  # noqa: F401
