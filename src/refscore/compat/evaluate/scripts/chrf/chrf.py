from refscore.compat.evaluate.hub import ChrF  # noqa: F401
