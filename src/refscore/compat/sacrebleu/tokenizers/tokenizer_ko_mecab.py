"""sacrebleu's `tokenizers.tokenizer_ko_mecab`."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerKoMecab as TokenizerKoMecab  # noqa: PLC0414
