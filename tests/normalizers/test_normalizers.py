"""Normalizers by name, as functions, and as a setting of metrics."""

import copy
import pickle
import unicodedata

import jiwer
import numpy as np
import pytest

import refscore
from refscore import normalizers
from refscore.metrics import METRICS
from refscore.normalizers import registry
from refscore.normalizers.builtin import BUILTIN
from tests.normalizers.sentences import sentences

TEXTS = sentences(200, seed=3)


def dashes(text):
    """Replace hyphens."""
    return text.replace("-", " ")


def numbers(text):
    return len(text)


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
def test_unicode_forms(form):
    assert normalizers.get(form).normalize_all(TEXTS) == [unicodedata.normalize(form, text) for text in TEXTS]


def test_punctuation_is_jiwers():
    original = jiwer.RemovePunctuation()
    texts = [*TEXTS[:40], "".join(map(chr, range(0x3100))), "".join(map(chr, range(0xFE00, 0x11100)))]
    assert normalizers.get("nopunct").normalize_all(texts) == original(texts)
    assert normalizers.normalize("a_b-c $5+1 «d»…", "nopunct") == "abc $5+1 d"


def test_register():
    normalizers.register("dashes", dashes)
    assert normalizers.available() == sorted([*BUILTIN, "dashes"])
    assert normalizers.get("dashes").summary == "Replace hyphens."
    metric = refscore.WER(normalize="dashes")
    assert "|norm:dashes|" in metric.signature and refscore.from_signature(metric.signature) == metric
    assert metric.segment("a b", "a-b").value == 0
    assert refscore.WER(normalize=normalizers.get("dashes")) == metric
    normalizers.register("again", normalizers.get("whisper-en"))
    assert normalizers.get("again")("Colour") == "color"


@pytest.mark.parametrize("name", [*BUILTIN, "", "a b", "a|b", "custom(x)", 5, None])
def test_bad_names(name):
    with pytest.raises(refscore.SettingError):
        normalizers.register(name, dashes)


def test_mistakes():
    for value in (None, 5, ["NFC"]):
        with pytest.raises(refscore.SettingError, match="a name or a function"):
            normalizers.get(value)
        with pytest.raises(refscore.SettingError, match="function"):
            normalizers.register("mine", value)
    with pytest.raises(refscore.errors.UnknownNameError, match="did you mean 'whisper-en'"):
        normalizers.get("whisper")
    with pytest.raises(refscore.InputError, match=r"text must be a string"):
        normalizers.normalize(b"a", "NFC")
    with pytest.raises(refscore.InputError, match=r"returned 3.*return a string"):
        refscore.wer(["a b"], ["a b"], normalize=numbers)


def test_entry_points(monkeypatch):
    class Point:
        name, value = "theirs", "package:dashes"

        def load(self):
            return dashes

    class Broken(Point):
        name = "broken"

        def load(self):
            raise ImportError("no such package")

    monkeypatch.setattr(registry, "entry_points_of", lambda group: {"theirs": Point(), "broken": Broken()})
    assert normalizers.normalize("a-b", "theirs") == "a b" and "theirs" in normalizers.available()
    with pytest.raises(refscore.SettingError, match="'broken' cannot be loaded"):
        normalizers.get("broken")


def test_functions_as_settings():
    metric = refscore.WER(normalize=dashes)
    assert metric == refscore.WER(normalize=dashes) != refscore.WER(normalize=str.lower)
    assert hash(metric) == hash(refscore.WER(normalize=dashes))
    assert pickle.loads(pickle.dumps(metric)) == metric == copy.deepcopy(metric)
    assert f"|norm:custom({__name__}.dashes)|" in metric.signature
    with pytest.raises(refscore.errors.SignatureError):
        refscore.from_signature(metric.signature)
    assert "dashes" in str(metric.explain("a b", "a-b"))


HYPOTHESES = ["It's one hundred and one dollars!", "the colour (red) of naïve Zoë", "uh, 1,234 people"]
REFERENCES = ["it is $101", "The color of naive Zoe", "1234 persons"]


@pytest.mark.parametrize("name", sorted(set(METRICS) - {"given", "nist", "cider", "crystalbleu"}))
def test_every_metric_reads_normalized_text(name):
    """The score of texts is that of texts that were normalized before, in all ways to compute it."""
    metric, plain = METRICS[name](normalize="whisper-en"), METRICS[name]()
    hypotheses = normalizers.get("whisper-en").normalize_all(HYPOTHESES)
    references = normalizers.get("whisper-en").normalize_all(REFERENCES)
    sources = references if metric.needs_sources else None
    expected = plain.segments(hypotheses, references, sources=sources)
    given = {"sources": REFERENCES} if metric.needs_sources else {}
    assert np.array_equal(metric.segments(HYPOTHESES, REFERENCES, **given), expected)
    prepared = metric.prepare(REFERENCES, **given)
    assert np.array_equal(metric.segments(HYPOTHESES, prepared), expected)
    assert metric.corpus(HYPOTHESES, prepared).value == plain.corpus(hypotheses, references, sources=sources).value
    assert refscore.from_signature(metric.signature) == metric


def test_explanations_show_normalized_text():
    text = str(refscore.WER(normalize="whisper-en").explain(HYPOTHESES[0], REFERENCES[0]))
    assert "$101" in text and "whisper-en" in text


def test_lowercase_and_python_tokenizers_follow():
    metric = refscore.WER(normalize="nopunct", lowercase=True, tokenizer=str.split)
    assert metric.corpus(["The CAT.", "Ä, b"], ["the cat", "ä B!"]).value == 0
    assert refscore.WER(normalize="NFKC", lowercase=True).corpus(["ＡB"], ["ab"]).value == 0
