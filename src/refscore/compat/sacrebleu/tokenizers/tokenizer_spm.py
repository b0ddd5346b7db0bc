"""sacrebleu's tokenizers by SentencePiece models, which are the installed sacrebleu's own."""

from __future__ import annotations

from refscore.compat.sacrebleu.original import original

_NAMES = ("SPM_MODELS", "TokenizerSPM", "Flores101Tokenizer", "Flores200Tokenizer", "spBLEU1KTokenizer")


def __getattr__(name: str) -> object:
    if name in _NAMES:
        value: object = getattr(original("tokenizers.tokenizer_spm", "SentencePiece models are loaded by", "spm"), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
