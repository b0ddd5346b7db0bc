"""sacrebleu's `tokenizers.tokenizer_intl`."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerV14International as TokenizerV14International  # noqa: PLC0414
