from refscore.compat.evaluate.hub import ExactMatch  # noqa: F401
