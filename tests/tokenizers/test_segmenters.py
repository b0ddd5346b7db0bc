"""Words of languages without spaces, with ICU and PyThaiNLP."""

import importlib
import pickle

import pytest
from hypothesis import given

import refscore
from refscore import tokenizers
from tests import strategies
from tests.examples import examples

for package in ("icu4py", "pythainlp"):
    importlib.import_module(package)

NAMES = ("icu", "th-newmm")


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


# Sentences of common words, split as in a dictionary.
@pytest.mark.parametrize(
    "words",
    [
        pytest.param("ภาษา ไทย เป็น ภาษา", id="Thai"),
        pytest.param("ພາສາ ລາວ ເປັນ ພາສາ", id="Lao"),
        pytest.param("ខ្ញុំ ស្រឡាញ់ សាលារៀន", id="Khmer"),
        pytest.param("ကျွန်တော် ကျောင်း သွား တယ်", id="Burmese"),
    ],
)
def test_icu(words):
    expected = words.split()
    for joined in ("".join(expected), words, "\u200b".join(expected), "  \n".join(expected)):
        assert refscore.tokenize(joined, "icu") == expected
    assert refscore.tokenize(f"{expected[0]} (3.50), e.g. {expected[1]}!", "icu") == [
        expected[0], "(", "3.50", ")", ",", "e.g", ".", expected[1], "!",
    ]  # fmt: skip


def test_thai():
    from pythainlp.tokenize import word_tokenize

    text = "ฉันรักภาษาไทย และ แมว 3.5 ตัว\n\u200bABC"
    words = refscore.tokenize(text, "th-newmm")
    assert words == [word for word in word_tokenize(text, engine="newmm") if word.strip(" \n\u200b")]
    assert "แมว" in words


def test_signatures_have_the_version(name):
    metric = refscore.BLEU(tokenizer=name)
    full = tokenizers.get(name).name
    assert full.startswith(f"{name}-")
    assert f"|tok:{full}|" in metric.signature
    assert refscore.from_signature(metric.signature) == metric == refscore.BLEU(tokenizer=tokenizers.get(name))
    assert pickle.loads(pickle.dumps(metric)) == metric
    with pytest.raises(refscore.errors.SignatureError, match=f"{name}-1.0"):
        refscore.from_signature(metric.signature.replace(full, f"{name}-1.0"))


@given(text=strategies.lines())
@examples(200)
@pytest.mark.parametrize("language", NAMES)
def test_awkward_text(language, text):
    tokens = refscore.tokenize(text, language)
    assert all(token.strip() for token in tokens)
    readable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert "".join("".join(tokens).split()).replace("\u200b", "") == "".join(readable.split()).replace("\u200b", "")


def test_scores(name):
    hypotheses, references = ["ภาษาไทย เป็นภาษา", "แมว"], ["ภาษาไทยเป็นภาษา", "แมวและหมา"]
    metric = refscore.BLEU(tokenizer=name, max_order=1)
    assert metric.segments(hypotheses, references)[0] == 1
    assert metric.segments(hypotheses, metric.prepare(references))[1] == metric.segment("แมว", "แมวและหมา").value
