from refscore.compat.evaluate.hub import NistMt  # noqa: F401
