"""Tokenizers: what they are, which there are, and how to add one."""

from refscore.tokenizers.base import Tokenizer
from refscore.tokenizers.registry import available, get, register, tokenize

__all__ = ["Tokenizer", "available", "get", "register", "tokenize"]
