"""Whisper's normalizers equal those of transformers."""

import pytest

from refscore import normalizers
from tests.normalizers.sentences import sentences


@pytest.fixture(scope="module")
def texts():
    return ["I kinda dunno, cause I sorta paid £2.50 for the grey colour", *sentences(300)]


def test_english(texts):
    from transformers.models.whisper.english_normalizer import EnglishTextNormalizer
    from whisper_normalizer.english import EnglishTextNormalizer as WithSpellings

    original = EnglishTextNormalizer(WithSpellings().standardize_spellings.mapping)
    assert normalizers.get("whisper-en-openai").normalize_all(texts) == [original(text) for text in texts]


@pytest.mark.parametrize("name", ["whisper-basic", "whisper-basic-nodiacritics"])
def test_basic(name, texts):
    from transformers.models.whisper.english_normalizer import BasicTextNormalizer

    original = BasicTextNormalizer(remove_diacritics="nodiacritics" in name)
    assert normalizers.get(name).normalize_all(texts) == [original(text) for text in texts]
