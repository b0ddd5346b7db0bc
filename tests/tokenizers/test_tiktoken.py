"""Encodings of tiktoken as settings."""

import importlib

import pytest
import tiktoken  # noqa: F401

import refscore
from tests.tokenizers.subword_models import tiktoken_encoding

pytestmark = pytest.mark.usefixtures("nothing_loaded")


def test_tokens_of_tiktoken():
    encoder = tiktoken_encoding()
    assert refscore.tokenize("the café <|end|>", encoder) == ["the", " ca", "f", "é", " ", *"<|end|>"]
    assert refscore.tokenize("ñ", encoder) == ["\udcc3", "\udcb1"]
    metric = refscore.BLEU(tokenizer=encoder, max_order=1)
    assert metric.segment("ñ", "ò").counts == (1,)  # the first byte is the same
    assert str(metric.explain("ñ", "ò"))


def test_encodings_that_tiktoken_knows(monkeypatch):
    registry = importlib.import_module("tiktoken.registry")
    encoder = tiktoken_encoding()
    encoder.name = "gpt2"
    assert "|tok:tiktoken@" in refscore.BLEU(tokenizer=encoder).signature  # the signature has only its name
    monkeypatch.setitem(registry.ENCODINGS, "gpt2", encoder)
    metric = refscore.BLEU(tokenizer=encoder)
    assert "|tok:tiktoken:gpt2|" in metric.signature
    assert refscore.from_signature(metric.signature).signature == metric.signature
    assert refscore.tokenize("the cat", "tiktoken:gpt2") == refscore.tokenize("the cat", encoder)


def test_an_unknown_encoding():
    with pytest.raises(refscore.SettingError, match=r"tiktoken has no encoding 'o200k' \(.*gpt2"):
        refscore.BLEU(tokenizer="tiktoken:o200k")
