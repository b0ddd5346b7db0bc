"""Tokenizers of Hugging Face's package as settings."""

import pytest
import tokenizers.models

import refscore
from refscore import tokenizers
from tests.tokenizers.subword_models import hugging_face, imported_tokenizers

pytestmark = pytest.mark.usefixtures("nothing_loaded")


def test_tokens_of_hugging_face():
    encoder = hugging_face()
    text = "the cat <s> naïve 東京"
    assert refscore.tokenize(text, encoder) == encoder.encode(text, add_special_tokens=False).tokens
    expected = refscore.tokenize(text, encoder)
    encoder.enable_truncation(2)
    encoder.enable_padding(length=50)
    assert refscore.tokenize(text, encoder) == expected
    assert tokenizers.get(encoder).tokenize_all([text, "a"])[0] == expected


def test_what_hugging_face_cannot_copy():
    encoder = hugging_face()
    package = imported_tokenizers()
    encoder.pre_tokenizer = package.pre_tokenizers.PreTokenizer.custom(object())
    with pytest.raises(refscore.SettingError, match="function"):
        refscore.BLEU(tokenizer=encoder)


def test_a_tokenizer_json(tmp_path):
    encoder = hugging_face()
    path = tmp_path / "tokenizer.json"
    encoder.save(str(path))
    metric = refscore.BLEU(tokenizer=f"hf:{path}")
    assert refscore.from_signature(metric.signature) == metric
    assert refscore.tokenize("the cat", f"hf:{path}") == refscore.tokenize("the cat", encoder)


def test_transformers():
    """With classes of the same shape, because the package is large."""
    encoder = hugging_face()
    fast = type("Fast", (), {"__module__": "transformers.x", "tokenize": None, "backend_tokenizer": encoder})()
    assert refscore.tokenize("the cat", fast) == refscore.tokenize("the cat", encoder)
    slow = type("Slow", (), {"__module__": "transformers.x", "tokenize": lambda self, text: text.split()})()
    with pytest.raises(refscore.SettingError, match="tokenize"):
        refscore.BLEU(tokenizer=slow)


@pytest.mark.parametrize(
    ("setting", "message"),
    [("hf:.", "is a directory"), ("hf:pyproject.toml", r"pyproject\.toml is not a Hugging Face tokenizer")],
)
def test_mistakes(setting, message, request, monkeypatch):
    monkeypatch.chdir(request.config.rootpath)
    with pytest.raises(refscore.SettingError, match=message):
        refscore.BLEU(tokenizer=setting)
