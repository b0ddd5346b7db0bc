from refscore.compat.evaluate.hub import SquadV2  # noqa: F401
