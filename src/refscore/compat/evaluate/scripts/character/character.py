from refscore.compat.evaluate.hub import Character  # noqa: F401
