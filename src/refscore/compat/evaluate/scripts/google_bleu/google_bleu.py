from refscore.compat.evaluate.hub import GoogleBleu  # noqa: F401
