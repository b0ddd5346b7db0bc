"""Tokenizers: what they are, which there are, and how to add one."""

from refscore.tokenizers.base import TokenizeFunction, Tokenizer
from refscore.tokenizers.registry import available, get, register, tokenize

__all__ = ["TokenizeFunction", "Tokenizer", "available", "get", "register", "tokenize"]
