"""sacrebleu's tokenizers: objects that are called with a line and give its tokens separated by spaces."""

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
