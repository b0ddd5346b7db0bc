from refscore.compat.evaluate.hub import Squad  # noqa: F401
