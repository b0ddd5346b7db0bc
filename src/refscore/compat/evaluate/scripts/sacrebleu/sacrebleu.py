from refscore.compat.evaluate.hub import Sacrebleu  # noqa: F401
