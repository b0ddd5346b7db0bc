from refscore.compat.evaluate.hub import Bleu  # noqa: F401
