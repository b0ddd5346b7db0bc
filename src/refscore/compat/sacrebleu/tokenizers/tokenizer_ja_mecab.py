"""sacrebleu's `tokenizers.tokenizer_ja_mecab`."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerJaMecab as TokenizerJaMecab  # noqa: PLC0414
