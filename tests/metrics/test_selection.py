"""Selection of metrics: names, aliases, presets, objects, external classes; and scores by several metrics."""

import sys

import pytest
import sacrebleu
from nltk.translate.bleu_score import corpus_bleu

import refscore
from refscore.metrics import METRICS, metric_names, metric_titles, parse_metric, parse_metrics, parse_name, register
from tests.derived_sources import function_of, sources_of
from tests.python_metrics import Overlap, Surplus

HYPOTHESES = ["the cat sat on a mat", "it rained for three days"]
REFERENCES = [["the cat sat on the mat", "a cat was on the mat"], "it rained three days long"]


@pytest.mark.parametrize(
    ("choice", "label", "metric"),
    [
        ("BLEU", "bleu", refscore.BLEU()),
        ("CHRF++", "chrf++", refscore.CHRF(word_order=2)),
        ("CharacTER", "character_ter", refscore.CharacTER()),
        ("CharacTER:cer", "character_ter:cer", refscore.CharacTER()),
        ("rougelsum", "rougeLsum", refscore.ROUGE(variant="Lsum")),
        ("rouge2", "rouge2", refscore.ROUGE(variant="2")),
        ("ROUGE-12", "rouge12", refscore.ROUGE(variant="12")),
        ("chrF0.5+", "chrf0.5+", refscore.CHRF(beta=0.5, word_order=1)),
        ("BLEU (nltk)", "bleu:nltk", refscore.BLEU.preset("nltk")),
        ("BLEU:nltk", "bleu:nltk", refscore.BLEU.preset("nltk")),
        ("chrf:chrf++", "chrf:chrf++", refscore.CHRF(word_order=2)),
        (refscore.BLEU(max_order=2), "bleu", refscore.BLEU(max_order=2)),
        ("tests.python_metrics:Overlap", "overlap", Overlap()),
    ],
)
def test_one_choice(choice, label, metric):
    assert parse_metric(choice) == (label, metric)
    assert parse_metrics(choice) == parse_metrics(iter((choice,))) == {label: metric}
    assert parse_metrics({"mine": choice}) == {"mine": metric}


def test_settings_of_a_choice():
    assert parse_metric("chrf++", beta=1)[1] == refscore.CHRF(word_order=2, beta=1)
    assert parse_metric("bleu:nltk")[1] is refscore.BLEU.preset("nltk") is not refscore.BLEU.preset("textbook")
    assert parse_metric("bleu", preset="nltk") == ("bleu", refscore.BLEU.preset("nltk"))
    for preset in ("nltk", None):
        assert parse_metric("bleu:nltk", preset=preset)[1] == refscore.BLEU.preset("nltk")
    for choice, settings in [("bleu:nltk", {"preset": "r"}), (refscore.BLEU(), {"max_order": 2})]:
        with pytest.raises(refscore.SettingError, match=next(iter(settings))):
            parse_metric(choice, **settings)
    with pytest.raises(refscore.errors.UnknownNameError, match="'max_order'"):
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


def test_no_metrics_and_no_labels():
    for choices in ([], {}, iter(()), None, 5, refscore.BLEU, {"": "bleu"}, {5: "bleu"}):
        with pytest.raises(refscore.SettingError):
            refscore.scores(HYPOTHESES, REFERENCES, choices)


def test_two_metrics_of_one_name():
    register(Overlap)
    for choices in (["bleu", refscore.BLEU(max_order=2)], ["chrf++", "CHRF++"], ["overlap", Overlap()]):
        with pytest.raises(refscore.SettingError, match="two metrics"):
            parse_metrics(choices)
        assert len(parse_metrics(dict(zip(("one", "two"), choices, strict=True)))) == 2


@pytest.mark.parametrize(
    ("choice", "suggestion"),
    [
        ("BLUE", "'bleu'"),
        ("chrf+++", r"'chrf\+\+'"),
        ("rougeM", "'rouge"),
        ("bleuu:nltk", "'bleu'"),
        ("bleu:NLTK", "'nltk'"),
        ("MER", r"as in refscore.wer\(…\).mer"),
        *((name, "choose bleu with tokenizer='flores200'$") for name in ("spBLEU", "spbleu-200")),
        ("bleu:intl", "it is a tokenizer, so use tokenizer='intl'$"),
        ("wer:whisper-en", "it is a normalizer, so use normalize='whisper-en'$"),
        ("bleu, chrf", r"pass a list of names, as in \['bleu', 'chrf'\]"),
        ("bleu|nrefs:1|case:mixed", "it is a signature, so pass it to refscore.from_signature"),
        ("my_metric.py:NumberRecall", "name the module without .py, as in my_metric:NumberRecall"),
        ("tests.python_metrics:Overlp", "did you mean 'Overlap'"),
        *((name, "neural") for name in ("comet", "COMET-22", "wmt22-comet-da", "bert_score", "BLEURT", "xcomet-xl")),
        *((choice, "there are") for choice in ("bleu:", "", None, 5, b"bleu", refscore.BLEU, [])),
    ],
)
def test_unknown_names(choice, suggestion):
    with pytest.raises(refscore.errors.UnknownNameError, match=suggestion):
        parse_metrics([choice])


def test_all_names_and_printed_headings():
    names = metric_names()
    assert {*METRICS, "chrf++", "rouge1", "rougeL"} <= {*names}
    for name in names:
        parsed = parse_name(name.upper())
        assert parsed.label == name
        assert issubclass(parsed.metric_class, refscore.metrics.Metric)
    labels = [*names, *(f"bleu:{preset}" for preset in refscore.BLEU.presets)]
    metrics = parse_metrics(labels)
    for label in labels:
        (title,) = metric_titles({label: metrics[label]}).values()
        assert parse_metric(title)[1].title == title
    for label, title in metric_titles(metrics).items():
        assert parse_metric(title)[1] == metrics[label]


# External classes


def test_registered_classes_and_their_paths():
    assert "overlap" not in METRICS
    with pytest.raises(refscore.errors.UnknownNameError):
        parse_metric("overlap")
    assert register(Overlap) is Overlap
    assert METRICS["overlap"] is Overlap
    assert "overlap" in METRICS and "overlap" in list(METRICS) and len(METRICS) == len(list(METRICS))
    assert parse_metric("OVERLAP", tokenizer="none") == ("overlap", Overlap(tokenizer="none"))
    assert refscore.from_signature(Overlap().signature) == Overlap()
    with pytest.raises(refscore.errors.UnknownNameError, match="'overlap'"):
        parse_metric("overlapp")
    register(Overlap)  # again
    assert parse_metric("tests.python_metrics:Surplus") == ("surplus", Surplus())
    assert parse_metric("surplus")[1] == Surplus()  # from now on


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("tests.python_metrics:Nothing", "'Nothing'"),
        ("tests.no_such_module:Overlap", "no_such_module"),
        ("no.such.package:Overlap", "'no'"),
        ("tests.python_metrics:refscore", "subclass"),
        ("collections.abc:Mapping", "subclass"),
        ("json:loads", "subclass"),
        ("refscore.metrics:BLEU", "built in"),
        ("__main__:Nothing", "'Nothing'"),
    ],
)
def test_paths_that_lead_to_no_metric(path, problem):
    with pytest.raises(refscore.SettingError, match=problem) as caught:
        parse_metric(path)
    assert path.partition(":")[0] in str(caught.value)


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("em:squad_v2", "exact_match:squad_v2", refscore.ExactMatch.preset("squad_v2")),
        ("F1:squad", "token_f1:squad", refscore.TokenF1.preset("squad")),
        ("rougeL:rouge-score", "rougeL", refscore.ROUGE(variant="L")),
        ("rougeL:rougescore", "rougeL", refscore.ROUGE(variant="L")),
        ("rougeL:rouge-1.5.5", "rougeL:rouge-1.5.5", refscore.ROUGE.preset("rouge-1.5.5", variant="L")),
        ("chrF2++:nltk", "chrf++:nltk", refscore.CHRF.preset("nltk", word_order=2)),
    ],
)
def test_presets_of_other_names(text, label, expected):
    assert parse_metric(text) == (label, expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rougeL:nltk", "unknown preset of rouge 'nltk'"),
        ("my_metric:NumberRecall", "no module 'my_metric'; name an installed module"),
        ("bleuu:nltk", "did you mean 'bleu'"),
    ],
)
def test_names_with_unknown_parts(text, message):
    with pytest.raises(refscore.errors.UnknownNameError, match=message):
        parse_metric(text)


@pytest.mark.parametrize("raised", ["RuntimeError('boom')", "SystemExit(3)", "KeyError('boom')"])
def test_modules_that_raise_other_errors(tmp_path, monkeypatch, raised):
    (tmp_path / "raising_metric.py").write_text(f"raise {raised}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    kind = raised.partition("(")[0]
    with pytest.raises(refscore.SettingError, match=f"'raising_metric:X' cannot be imported: {kind}: "):
        parse_metric("raising_metric:X")


def test_a_class_without_methods():
    lacking = type("Lacking", (refscore.metrics.PythonMetric,), {"name": "lacking"})
    with pytest.raises(refscore.SettingError, match="'lacking' lacks columns, row, value"):
        register(lacking)


def test_modules_of_metrics(tmp_path, monkeypatch):
    """One has the name of its metric, which the class registers; the other cannot be imported."""
    lines = ("from tests.python_metrics import Overlap", "class Named(Overlap):", "    name = 'named_metric'")
    (tmp_path / "named_metric.py").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "broken_metric.py").write_text("import no_such_package\n")
    monkeypatch.syspath_prepend(tmp_path)
    for _ in range(2):
        label, metric = parse_metric("named_metric:Named")
        assert (label, type(metric).__name__) == ("named_metric", "Named")
    assert type(parse_metric("named_metric")[1]) is type(metric)
    for path, problem in [("named_metric:Other", "'Other'"), ("broken_metric:Metric", "no_such_package")]:
        with pytest.raises(refscore.SettingError, match=problem):
            parse_metric(path)
    assert "broken_metric" not in sys.modules


def test_classes_that_cannot_be_registered():
    for name in ("Overlap", "over-lap", "", "1a", "a b", None, "bleu"):
        with pytest.raises(refscore.SettingError, match=r"name|built in"):
            register(type("Other", (Overlap,), {"name": name}))
    for other in (Overlap(), "overlap", None, dict):
        with pytest.raises(refscore.SettingError, match="subclass"):
            register(other)


# Several metrics in one call


def test_every_metric_by_its_name():
    builtin = [name for name in METRICS if METRICS[name].__module__.startswith("refscore.")]
    scores = refscore.scores(HYPOTHESES, REFERENCES, builtin, sources=sources_of(REFERENCES))
    assert list(scores) == builtin
    for name, score in scores.items():
        single = function_of(METRICS[name])(HYPOTHESES, REFERENCES)
        assert (score.row.tolist(), score.signature) == (single.row.tolist(), single.signature)


def test_labels_presets_and_threads():
    references = ["the cat sat on the mat", "it rained three days long"]
    choices = {"two": refscore.BLEU(max_order=2), "chrf++": "chrf++", "nltk": "bleu:nltk"}
    scores = refscore.scores(HYPOTHESES, references, choices, threads=1)
    assert list(scores) == [*choices]
    assert scores["two"] == refscore.bleu(HYPOTHESES, references, max_order=2)
    original = sacrebleu.corpus_chrf(HYPOTHESES, [references], word_order=2).score
    assert scores["chrf++"].percent == pytest.approx(original, rel=1e-12)
    original = corpus_bleu([[text.split()] for text in references], [text.split() for text in HYPOTHESES])
    assert scores["nltk"].value == pytest.approx(original, rel=1e-12)


def test_the_default_metrics():
    scores = refscore.scores(iter(HYPOTHESES), iter(REFERENCES))  # iterators serve all metrics
    assert scores == refscore.scores(HYPOTHESES, REFERENCES, ["bleu", "chrf", "ter"])
    with pytest.raises(refscore.InputError, match=r"2 .* 1"):
        refscore.scores(HYPOTHESES, REFERENCES[:1])
