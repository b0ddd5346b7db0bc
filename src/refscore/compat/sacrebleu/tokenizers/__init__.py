"""sacrebleu's tokenizers: callables that return the tokens of a line, separated by spaces."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
