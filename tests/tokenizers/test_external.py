"""Tokenizers with dependencies: their names, and errors if something is missing."""

import sys

import pytest

import refscore
from refscore import tokenizers
from refscore.tokenizers.external import FORMS, OFFERS

pytestmark = pytest.mark.usefixtures("nothing_loaded")

SACREBLEU = ("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K")


@pytest.fixture
def _nothing_installed(monkeypatch, tmp_path):
    for package in {*(package for offer in OFFERS.values() for package in offer.packages), "tokenizers", "tiktoken"}:
        monkeypatch.setitem(sys.modules, package, None)
    folder = tmp_path / "models"
    folder.mkdir()
    for offer in OFFERS.values():
        if offer.model is not None:
            (folder / offer.model.file).write_bytes(b"a model")
    (tmp_path / "file").write_text("{}")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def test_names():
    assert {*SACREBLEU, "icu", "th-newmm"} == set(OFFERS)
    assert set(OFFERS) <= set(tokenizers.available()) & set(refscore.BLEU.settings()["tokenizer"].words)
    for name in OFFERS:
        with pytest.raises(refscore.SettingError, match="cannot be replaced"):
            tokenizers.register(name, str.split)


@pytest.mark.parametrize("setting", [*OFFERS, "spm:file", "hf:file", "tiktoken:gpt2"])
@pytest.mark.usefixtures("_nothing_installed")
def test_missing_packages(setting):
    forms = {"spm:file": "spm:PATH", "hf:file": "hf:PATH", "tiktoken:gpt2": "tiktoken:NAME"}
    extra = OFFERS[setting].extra if setting in OFFERS else FORMS[forms[setting]][1]
    for call in (lambda: refscore.BLEU(tokenizer=setting), lambda: refscore.tokenize("a", setting)):
        with pytest.raises(refscore.errors.NotInstalledError, match=rf"pip install 'refscore\[{extra}\]'"):
            call()


@pytest.mark.usefixtures("_nothing_installed")
def test_signatures_of_what_is_missing():
    with pytest.raises(refscore.errors.NotInstalledError, match=r"refscore\[ja\]"):
        refscore.from_signature("nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.996-IPA|smooth:exp|version:2.6.0")


def test_a_tokenizer_object_as_setting():
    assert refscore.BLEU(tokenizer=tokenizers.get("13a")) == refscore.BLEU()
    mine = tokenizers.Tokenizer("mine", str.split)
    metric = refscore.BLEU(tokenizer=mine, max_order=1)
    assert metric.segment("a b,", "b, c").counts == (1,)
    assert mine("a b") == ["a", "b"]


def test_extras_are_declared(request):
    text = (request.config.rootpath / "pyproject.toml").read_text(encoding="utf-8")
    for extra in {*(offer.extra for offer in OFFERS.values()), *(extra for _, extra in FORMS.values())}:
        assert f"\n{extra} = [" in text
