"""How commands choose metrics and settings."""

from dataclasses import fields

import pytest

import refscore
from refscore.cli.options import MetricChoice, parsed, titles
from refscore.metrics import METRICS


def chosen(*names, **options):
    return MetricChoice(tuple(names), **options).metrics(["bleu"])


def test_names_presets_and_names_of_presets():
    made = chosen("bleu,chrf++", "rouge1,rougel", "bleu:nltk")
    assert made == {
        "bleu": refscore.BLEU(),
        "chrf++": refscore.CHRF(word_order=2),
        "rouge1": refscore.ROUGE(variant="1"),
        "rougeL": refscore.ROUGE(variant="L"),
        "bleu:nltk": refscore.BLEU.preset("nltk"),
    }
    assert list(titles(made).values()) == ["BLEU", "chrF2++", "ROUGE-1", "ROUGE-L", "BLEU (nltk)"]


def test_capitals_are_the_same_names():
    choice = MetricChoice(("BLEU,Chrf",))
    made = choice.metrics(())
    assert list(made) == ["bleu", "chrf"]
    assert choice.segment_metrics(made)["bleu"] == refscore.BLEU.preset("sacrebleu-sentence")
    with pytest.raises(refscore.SettingError, match="-m names 'bleu' twice"):
        chosen("BLEU,bleu")


def test_settings_reach_every_metric_of_their_name():
    made = chosen("bleu,bleu:nltk,ter", settings=("bleu.max_order=2", "ter.normalized=yes"))
    assert made["bleu"] == refscore.BLEU(max_order=2)
    assert made["bleu:nltk"] == refscore.BLEU.preset("nltk", max_order=2)
    assert made["ter"] == refscore.TER(normalized=True)


def test_a_preset_for_all():
    made = chosen("bleu,chrf", preset="nltk")
    assert made == {"bleu": refscore.BLEU.preset("nltk"), "chrf": refscore.CHRF.preset("nltk")}


@pytest.mark.parametrize(
    ("options", "pair", "tokenizer"),
    [
        ({}, "en-zh", "zh-sacrebleu"),
        ({}, "en-de", "13a"),
        ({}, None, "13a"),
        ({"names": ("ter,BLEU",)}, "en-zh", "zh-sacrebleu"),
        ({"settings": ("bleu.tokenizer=char",)}, "en-zh", "char"),
        ({"preset": "sacrebleu"}, "en-zh", "13a"),
        ({"signatures": (refscore.BLEU().signature,)}, "en-zh", "13a"),
    ],
)
def test_the_tokenizer_of_a_test_set_s_language(options, pair, tokenizer):
    choice = MetricChoice(**options).for_languages(pair, ["bleu"])
    assert choice.metrics(["bleu"])["bleu"].tokenizer == tokenizer


def test_signatures_stand_beside_names_or_alone(capsys):
    text = refscore.BLEU(max_order=2).signature
    assert chosen(signatures=(text,)) == {"bleu": refscore.BLEU(max_order=2)}
    made = chosen("bleu", signatures=(text, text))
    assert list(made) == ["bleu", "bleu-2", "bleu-3"]
    chosen(signatures=("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",))
    assert "assumed max_order=4" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "setting", "text", "value"),
    [
        ("bleu", "max_order", "2", 2),
        ("bleu", "lowercase", "yes", True),
        ("bleu", "lowercase", "ascii", "ascii"),
        ("bleu", "weights", "0.5,0.25,0.25", (0.5, 0.25, 0.25)),
        ("bleu", "weights", "none", None),
        ("bleu", "tokenizer", "none", "none"),
        ("bleu", "smoothing_value", "0.01", 0.01),
        ("bleu", "effective_order", "False", False),
        ("chrf", "beta", "3", 3.0),
        ("chrf", "eps_smoothing", "nltk", "nltk"),
        ("rouge", "variant", "L", "L"),
        ("meteor", "synonyms", "none", None),
    ],
)
def test_values_by_the_type_of_the_setting(kind, setting, text, value):
    made = parsed(METRICS[kind], setting, text)
    assert made == value
    assert type(made) is type(value)


@pytest.mark.parametrize("name", METRICS)
def test_every_setting_of_every_metric_has_a_type_that_can_be_read(name):
    for field in fields(METRICS[name]):
        if field.name != "information":
            text = {"True": "yes", "False": "no", "None": "none"}.get(str(field.default), str(field.default))
            assert parsed(METRICS[name], field.name, text) == field.default


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ("blue",)}, "unknown metric 'blue'; did you mean 'bleu'"),
        ({"names": ("bleu:nlkt",)}, "unknown preset of bleu 'nlkt'; did you mean 'nltk'"),
        ({"names": ("bleu,bleu",)}, "-m names 'bleu' twice"),
        ({"names": (" , ",)}, "-m names no metric"),
        ({"names": ("ter",), "preset": "nltk"}, "ter has no preset 'nltk', only bleu, "),
        ({"names": ("ter",), "preset": "sacreblue"}, "unknown preset 'sacreblue'; did you mean 'sacrebleu'"),
        ({"signatures": (refscore.BLEU().signature,), "preset": "nltk"}, "--preset needs metrics"),
        ({"settings": ("ter.normalized=yes",)}, r"--set ter\.… sets a metric that is not chosen: add -m ter"),
        ({"settings": ("bleu.smothing=floor",)}, "unknown setting of bleu 'smothing'; did you mean 'smoothing'"),
        ({"settings": ("blue.smoothing=floor",)}, "unknown metric 'blue'"),
        ({"settings": ("smoothing=floor",)}, "takes METRIC.SETTING=VALUE"),
        ({"settings": ("bleu.smoothing",)}, "takes METRIC.SETTING=VALUE"),
        ({"settings": ("bleu.max_order=two",)}, "takes a whole number, not 'two'"),
        ({"settings": ("bleu.effective_order=2",)}, "takes yes or no, not '2'"),
        ({"settings": ("bleu.weights=a,b",)}, "takes numbers with commas between, not 'a,b'"),
        ({"settings": ("bleu.normalize=NFD",)}, "takes none or NFC or NFKC, not 'NFD'"),
        ({"settings": ("bleu.smoothing=flor",)}, "unknown smoothing 'flor'; did you mean 'floor'"),
        ({"names": ("nist",), "settings": ("nist.information=x",)}, "takes no text"),
        ({"signatures": ("what?",)}, "is no signature"),
    ],
)
def test_mistakes(options, message):
    with pytest.raises(refscore.RefscoreError, match=message):
        MetricChoice(**options).metrics(["bleu"])
