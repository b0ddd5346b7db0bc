"""sacrebleu's tokenizers: callables that return a line's tokens, separated by spaces."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
