"""sacrebleu's tokenizer for Korean, which is the installed sacrebleu's own."""

from __future__ import annotations

from refscore.compat.sacrebleu.original import original


def __getattr__(name: str) -> object:
    if name == "TokenizerKoMecab":
        return original("tokenizers.tokenizer_ko_mecab", "Korean tokenizing is done by", "ko").TokenizerKoMecab
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
