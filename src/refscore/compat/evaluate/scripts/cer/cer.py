from refscore.compat.evaluate.hub import CER  # noqa: F401
