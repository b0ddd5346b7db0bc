"""sacrebleu's `tokenizers.tokenizer_13a`."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import Tokenizer13a as Tokenizer13a  # noqa: PLC0414
