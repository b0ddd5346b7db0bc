from refscore.compat.evaluate.hub import Rouge  # noqa: F401
