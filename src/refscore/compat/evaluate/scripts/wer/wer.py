from refscore.compat.evaluate.hub import WER  # noqa: F401
