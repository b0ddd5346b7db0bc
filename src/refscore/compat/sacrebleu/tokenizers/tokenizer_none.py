"""sacrebleu's `tokenizers.tokenizer_none`."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import NoneTokenizer as NoneTokenizer  # noqa: PLC0414
