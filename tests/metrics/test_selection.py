"""Selection of metrics: names, aliases, presets, objects, external classes; and scores by several metrics."""

import sys

import pytest
import sacrebleu
from nltk.translate.bleu_score import corpus_bleu

import refscore
from refscore.metrics import METRICS, parse_metric, parse_metrics, register
from refscore.metrics.core import registry
from refscore.metrics.core.selection import metric_names, metric_titles, parse_name
from tests.python_metrics import Overlap, Surplus

HYPOTHESES = ["the cat sat on a mat", "it rained for three days"]
REFERENCES = [["the cat sat on the mat", "a cat was on the mat"], "it rained three days long"]


@pytest.fixture(autouse=True)
def no_new_metrics(monkeypatch):
    """Remove metrics that a test registers."""
    monkeypatch.setattr(registry, "_registered", {})


@pytest.mark.parametrize(
    ("choice", "label", "metric"),
    [
        ("bleu", "bleu", refscore.BLEU()),
        ("BLEU", "bleu", refscore.BLEU()),
        ("Chrf", "chrf", refscore.CHRF()),
        ("chrf++", "chrf++", refscore.CHRF(word_order=2)),
        ("CHRF++", "chrf++", refscore.CHRF(word_order=2)),
        ("rougeL", "rougeL", refscore.ROUGE(variant="L")),
        ("rougelsum", "rougeLsum", refscore.ROUGE(variant="Lsum")),
        ("rouge2", "rouge2", refscore.ROUGE(variant="2")),
        ("rouge3", "rouge3", refscore.ROUGE(variant="3")),
        ("ROUGE-12", "rouge12", refscore.ROUGE(variant="12")),
        ("chrF3", "chrf3", refscore.CHRF(beta=3)),
        ("chrF0.5+", "chrf0.5+", refscore.CHRF(beta=0.5, word_order=1)),
        ("BLEU (nltk)", "bleu:nltk", refscore.BLEU.preset("nltk")),
        ("bleu:nltk", "bleu:nltk", refscore.BLEU.preset("nltk")),
        ("BLEU:nltk", "bleu:nltk", refscore.BLEU.preset("nltk")),
        ("chrf:chrf++", "chrf:chrf++", refscore.CHRF(word_order=2)),
        (refscore.BLEU(max_order=2), "bleu", refscore.BLEU(max_order=2)),
        ("tests.python_metrics:Overlap", "overlap", Overlap()),
    ],
)
def test_one_choice(choice, label, metric):
    assert parse_metric(choice) == (label, metric)
    assert parse_metrics(choice) == parse_metrics([choice]) == parse_metrics(iter((choice,))) == {label: metric}
    assert parse_metrics({"mine": choice}) == {"mine": metric}


def test_settings_of_a_choice():
    assert parse_metric("bleu", max_order=2)[1] == refscore.BLEU(max_order=2)
    assert parse_metric("chrf++", beta=1)[1] == refscore.CHRF(word_order=2, beta=1)
    assert parse_metric("bleu", preset="nltk") == ("bleu", refscore.BLEU.preset("nltk"))
    for preset in ("nltk", None):
        assert parse_metric("bleu:nltk", preset=preset)[1] == refscore.BLEU.preset("nltk")
    with pytest.raises(refscore.SettingError, match="preset"):
        parse_metric("bleu:nltk", preset="r")
    with pytest.raises(refscore.SettingError, match="max_order"):
        parse_metric(refscore.BLEU(), max_order=2)
    with pytest.raises(refscore.UnknownNameError, match="'max_order'"):
        parse_metric("bleu", max_orders=2)


def test_settings_for_single_segments_are_of_bare_names():
    sentence = refscore.BLEU.preset("sacrebleu-sentence")
    assert parse_metric("BLEU", for_segments=True)[1] == sentence == refscore.BLEU().for_segments()
    assert parse_metric("bleu", for_segments=True, max_order=2)[1] == refscore.BLEU(max_order=2, effective_order=True)
    assert not parse_metric("bleu", for_segments=True, effective_order=False)[1].effective_order
    for choice in ("bleu:sacrebleu", refscore.BLEU()):
        assert parse_metric(choice, for_segments=True)[1] == refscore.BLEU()
    assert refscore.BLEU(max_order=2).for_segments() == refscore.BLEU(max_order=2)
    chosen = parse_metrics(["bleu", "chrf", "bleu:nltk"], for_segments=True)
    assert chosen == {"bleu": sentence, "chrf": refscore.CHRF(), "bleu:nltk": refscore.BLEU.preset("nltk")}


@pytest.mark.parametrize(
    "choices",
    [[], (), {}, iter(()), None, 5, refscore.BLEU],
    ids=["list", "tuple", "dict", "iterator", "None", "number", "class"],
)
def test_no_metrics(choices):
    for call in (lambda: parse_metrics(choices), lambda: refscore.scores(HYPOTHESES, REFERENCES, choices)):
        with pytest.raises(refscore.SettingError):
            call()


@pytest.mark.parametrize(
    "choices",
    [["bleu", refscore.BLEU(max_order=2)], ["bleu", "BLEU"], ["chrf++", "CHRF++"], ["overlap", Overlap()]],
    ids=repr,
)
def test_two_metrics_of_one_name(choices):
    register(Overlap)
    with pytest.raises(refscore.SettingError, match="two metrics"):
        parse_metrics(choices)
    assert len(parse_metrics(dict(zip(("one", "two"), choices, strict=True)))) == 2


@pytest.mark.parametrize(
    ("choice", "suggestion"),
    [
        ("blue", "'bleu'"),
        ("BLUE", "'bleu'"),
        ("chrf+++", r"'chrf\+\+'"),
        ("rougeM", "'rouge"),
        ("bleuu:nltk", "'bleu'"),
        ("bleu:nltkk", "'nltk'"),
        ("bleu:NLTK", "'nltk'"),
        ("bleu:", ""),
        ("", ""),
        (None, ""),
        (5, ""),
        (b"bleu", ""),
        (refscore.BLEU, ""),
        ([], ""),
    ],
)
def test_unknown_names(choice, suggestion):
    for call in (parse_metric, lambda choice: parse_metrics([choice]), lambda choice: parse_metrics({"a": choice})):
        with pytest.raises(refscore.UnknownNameError, match=suggestion or "there are"):
            call(choice)


@pytest.mark.parametrize("name", ["comet", "COMET-22", "wmt22-comet-da", "bert_score", "BLEURT", "xcomet-xl"])
def test_neural_metrics_are_named_as_such(name):
    with pytest.raises(refscore.UnknownNameError, match="neural"):
        parse_metric(name)


@pytest.mark.parametrize("label", ["", 5, ("a",)])
def test_labels_are_texts(label):
    with pytest.raises(refscore.SettingError, match="label"):
        parse_metrics({label: "bleu"})


def test_all_names():
    names = metric_names()
    assert {*METRICS, "chrf++", "rouge1", "rougeL"} <= {*names}
    for name in names:
        parsed = parse_name(name.upper())
        assert parsed.label == name
        assert issubclass(parsed.metric_class, refscore.metrics.Metric)


def test_printed_headings_are_names():
    labels = [*metric_names(), *(f"bleu:{preset}" for preset in refscore.BLEU.presets)]
    metrics = parse_metrics(labels)
    for label in labels:
        (title,) = metric_titles({label: metrics[label]}).values()
        assert parse_metric(title)[1].title == title
    for label, title in metric_titles(metrics).items():
        assert parse_metric(title)[1] == metrics[label]


# External classes


def test_registered_classes():
    assert "overlap" not in METRICS
    with pytest.raises(refscore.UnknownNameError):
        parse_metric("overlap")
    assert register(Overlap) is Overlap
    assert METRICS["overlap"] is Overlap
    assert "overlap" in METRICS and "overlap" in list(METRICS) and len(METRICS) == len(list(METRICS))
    assert parse_metric("OVERLAP", tokenizer="none") == ("overlap", Overlap(tokenizer="none"))
    assert refscore.from_signature(Overlap().signature) == Overlap()
    with pytest.raises(refscore.UnknownNameError, match="'overlap'"):
        parse_metric("overlapp")
    register(Overlap)  # again


def test_classes_by_their_paths():
    label, metric = parse_metric("tests.python_metrics:Surplus")
    assert (label, metric) == ("surplus", Surplus())
    assert parse_metric("surplus")[1] == metric  # from now on


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("tests.python_metrics:Nothing", "has no 'Nothing'"),
        ("tests.no_such_module:Overlap", "cannot be imported"),
        ("no.such.package:Overlap", "cannot be imported"),
        ("tests.python_metrics:refscore", "subclass"),
        ("collections.abc:Mapping", "subclass"),
        ("json:loads", "subclass"),
        ("refscore.metrics:BLEU", "built in"),
        ("__main__:Nothing", "has no 'Nothing'"),
    ],
)
def test_paths_that_lead_to_no_metric(path, problem):
    with pytest.raises(refscore.SettingError, match=problem):
        parse_metric(path)


def test_a_module_with_the_name_of_its_metric(tmp_path, monkeypatch):
    """The class registers itself under the name that its path begins with."""
    lines = ("from tests.python_metrics import Overlap", "class Named(Overlap):", "    name = 'named_metric'")
    (tmp_path / "named_metric.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for _ in range(2):
        label, metric = parse_metric("named_metric:Named")
        assert (label, type(metric).__name__) == ("named_metric", "Named")
    assert type(parse_metric("named_metric")[1]) is type(metric)
    with pytest.raises(refscore.SettingError, match="has no 'Other'"):
        parse_metric("named_metric:Other")


def test_modules_that_fail_say_why(tmp_path, monkeypatch):
    (tmp_path / "broken_metric.py").write_text("import no_such_package\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(refscore.SettingError, match="no_such_package"):
        parse_metric("broken_metric:Metric")
    assert "broken_metric" not in sys.modules


@pytest.mark.parametrize("name", ["Overlap", "over-lap", "", "1a", "a b", None, "bleu"])
def test_names_that_cannot_be_registered(name):
    with pytest.raises(refscore.SettingError, match=r"name|built in"):
        register(type("Other", (Overlap,), {"name": name}))
    for other in (Overlap(), "overlap", None, dict):
        with pytest.raises(refscore.SettingError, match="subclass"):
            register(other)


# Several metrics in one call


def test_every_metric_by_its_name():
    builtin = [name for name in METRICS if METRICS[name].__module__.startswith("refscore.")]
    scores = refscore.scores(HYPOTHESES, REFERENCES, builtin)
    assert list(scores) == builtin
    for name, score in scores.items():
        alone = getattr(refscore, name)(HYPOTHESES, REFERENCES)
        assert (score.row.tolist(), score.signature) == (alone.row.tolist(), alone.signature)


def test_one_metric_alone_and_labels():
    metric = refscore.BLEU(max_order=2)
    expected = metric.corpus(HYPOTHESES, REFERENCES)
    assert refscore.scores(HYPOTHESES, REFERENCES, metric)["bleu"] == expected
    metrics = {"two": metric, "four": refscore.BLEU(), "order": "ribes"}
    scores = refscore.scores(HYPOTHESES, REFERENCES, metrics, threads=1)
    assert list(scores) == ["two", "four", "order"]
    assert scores["two"] == expected


def test_the_default_metrics():
    scores = refscore.scores(iter(HYPOTHESES), iter(REFERENCES))  # iterators serve all metrics
    assert scores == refscore.scores(HYPOTHESES, REFERENCES, ["bleu", "chrf", "ter"])


def test_wrong_input_of_several_metrics():
    with pytest.raises(refscore.InputError, match=r"2 .* 1"):
        refscore.scores(HYPOTHESES, REFERENCES[:1])


def test_names_with_presets():
    references = ["the cat sat on the mat", "it rained three days long"]
    scores = refscore.scores(HYPOTHESES, references, ["chrf++", "bleu:nltk", "rougeL", "TER"])
    assert list(scores) == ["chrf++", "bleu:nltk", "rougeL", "ter"]
    original = sacrebleu.corpus_chrf(HYPOTHESES, [references], word_order=2).score
    assert scores["chrf++"].percent == pytest.approx(original, rel=1e-12)
    original = corpus_bleu([[text.split()] for text in references], [text.split() for text in HYPOTHESES])
    assert scores["bleu:nltk"].value == pytest.approx(original, rel=1e-12)
