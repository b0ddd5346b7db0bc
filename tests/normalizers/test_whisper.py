"""Whisper's normalizers equal the original package, character by character."""

import sys
import time
import unicodedata

import pytest
from whisper_normalizer.basic import BasicTextNormalizer
from whisper_normalizer.english import EnglishTextNormalizer

from refscore import normalizers
from tests.normalizers.sentences import sentences


def openai_normalizer():
    """Return the original without the four rules that openai-whisper and transformers lack."""
    original = EnglishTextNormalizer()
    for word in ("kinda", "sorta", "dunno", "cause"):
        del original.replacers[rf"\b{word}\b"]
    return original


ORIGINALS = {
    "whisper-en": EnglishTextNormalizer,
    "whisper-en-openai": openai_normalizer,
    "whisper-basic": BasicTextNormalizer,
    "whisper-basic-nodiacritics": lambda: BasicTextNormalizer(remove_diacritics=True),
    "whisper-basic-letters": lambda: BasicTextNormalizer(split_letters=True),
    "whisper-basic-nodiacritics-letters": lambda: BasicTextNormalizer(remove_diacritics=True, split_letters=True),
    "whisper-basic-marks": lambda: BasicTextNormalizer(preserve_marks=True),
}
REAL = [
    "",
    " ",
    "Mr. Smith won't pay $20 million, he said; that's one hundred and one percent of 1,234,567.89 dollars!",
    "On the twenty-first of May, nineteen sixty-nine, Dr. O'Neill's flight 007 — double oh seven — left at 10:30 a.m.",
    "Two and a half thousand people (mostly women) paid five pounds and fifty pence, or $2 and ¢7, or £0.50.",
    "minus five point five degrees, plus one point two five million, three million and a half, one oh one",
    "He'd been there; she's gone; it's got to be theirs. I'm gonna tell y'all 'cause you kinda oughta know, ma'am.",
    "the one thousand two hundred thirty fourth, nineteen nineties, twenty twenties, one hundred thousandths",
    "Naïve Zoë's façade: the coeliac's œuvre in Łódź cost €1.50 + 5% VAT… “organised” ‘colour’",
    "one " * 30 + "thousand",
    "nine" + " hundred thousand" * 20,
    "point five hundred; 1.5 million; 1.2345 thousand; 0 thousand; zero hundred; 1.5.6 million; .5 thousand; 5. 5",
]


@pytest.mark.parametrize("name", ORIGINALS)
def test_equals_the_original(name):
    original, ours = ORIGINALS[name](), normalizers.get(name)
    texts = REAL + sentences(600 if name.startswith("whisper-en") else 400)
    expected = [original(text) for text in texts]
    assert ours.normalize_all(texts) == expected
    assert [ours.normalize(text) for text in texts[:50]] == expected[:50]


@pytest.mark.slow
@pytest.mark.parametrize("name", ORIGINALS)
def test_equals_the_original_on_every_character(name):
    original, ours = ORIGINALS[name](), normalizers.get(name)
    step = 1 if name == "whisper-basic-nodiacritics" else 23
    codes = [*range(0x3000), *range(0x3000, 0x20000, step), *range(0xFE00, 0x10000), *range(0x1D400, 0x1F000, step)]
    texts = ["a{0}b {0} 1{0}2 {0}um {0}'s".format("".join(map(chr, codes[i : i + 4]))) for i in range(0, len(codes), 4)]
    assert ours.normalize_all(texts) == [original(text) for text in texts]


def test_transformers_and_openai_lack_four_rules():
    text = "I kinda dunno, cause I sorta lost it"
    assert normalizers.normalize(text, "whisper-en") == "i kind of do not know because i sort of lost it"
    assert normalizers.normalize(text, "whisper-en-openai") == "i kinda dunno cause i sorta lost it"


def test_numbers_with_the_most_digits_that_python_reads():
    name, original = "whisper-en", EnglishTextNormalizer()
    assert sys.get_int_max_str_digits() == 4300
    for text in ("9" * 4300, "0" * 4299 + "1", "7" * 4300 + " 5", "one " * 4298 + "hundred", "one " * 4301 + "hundred"):
        assert normalizers.normalize(text, name) == original(text)
    with pytest.raises(AssertionError):  # Python's limit; a longer number stays as it is
        original("9" * 4301)
    assert normalizers.normalize("x " + "9" * 4301 + " y", name) == "x " + "9" * 4301 + " y"


UNITS = [
    *("1", "9", "1,", "1.", "(", ")", "()", "[", "<>", " ", "\n'", "'", "a 1", "and ", "and a half ", "half and a "),
    *("um ", "$0", "$", "¢", "%", ".", "one ", "zero hundred ", "double one ", "million ", "point five ", "é", "😀"),
    *("\u0301", "'s been ", "won't", "thousand one ", "9 thousandth ", "minus ", "per ", "1 s"),
]


@pytest.mark.parametrize("unit", UNITS)
def test_time_is_linear(unit):
    for name in ("whisper-en", "whisper-basic", "whisper-basic-nodiacritics-letters"):
        text = unit * (200_000 // len(unit))
        start = time.process_time()
        normalizers.normalize(text, name)
        assert time.process_time() - start < 2, name  # quadratic time takes minutes


def test_unicode_version_is_pythons():
    new = [chr(code) for code in range(0x1C89, 0x1C8B)]  # letters of Unicode 16
    expected = " ".join("" if unicodedata.category(letter)[0] in "MSP" else letter.lower() for letter in new)
    assert normalizers.normalize(" ".join(new), "whisper-basic") == expected
