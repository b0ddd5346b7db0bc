"""sacrebleu's tokenizer for Japanese, which is the installed sacrebleu's own."""

from __future__ import annotations

from refscore.compat.sacrebleu.original import original


def __getattr__(name: str) -> object:
    if name == "TokenizerJaMecab":
        return original("tokenizers.tokenizer_ja_mecab", "Japanese tokenizing is done by", "ja").TokenizerJaMecab
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
