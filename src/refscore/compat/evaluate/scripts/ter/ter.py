from refscore.compat.evaluate.hub import Ter  # noqa: F401
