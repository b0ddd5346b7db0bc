from refscore.compat.evaluate.hub import Sari  # noqa: F401
