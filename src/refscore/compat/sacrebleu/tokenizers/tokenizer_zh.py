"""sacrebleu's `tokenizers.tokenizer_zh`."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerZh as TokenizerZh  # noqa: PLC0414
