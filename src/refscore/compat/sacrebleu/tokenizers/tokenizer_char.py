"""sacrebleu's `tokenizers.tokenizer_char`."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import TokenizerChar as TokenizerChar  # noqa: PLC0414
