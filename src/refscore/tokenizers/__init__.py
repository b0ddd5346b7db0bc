"""Tokenizers: list, look up, apply and register them."""

from refscore.tokenizers.base import Tokenizer
from refscore.tokenizers.registry import available, get, register, tokenize

__all__ = ["Tokenizer", "available", "get", "register", "tokenize"]
