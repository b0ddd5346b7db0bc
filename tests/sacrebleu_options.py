"""The options of sacrebleu's metrics as refscore's settings."""

from refscore.metrics.ter.metric import tercom_tokenizer


def ter_settings(*, case_sensitive=False, **options):
    return {"tokenizer": tercom_tokenizer(**options), "lowercase": not case_sensitive}


def chrf_settings(*, eps_smoothing=False, **options):
    return {"smoothing": "epsilon" if eps_smoothing else "none", **options}
