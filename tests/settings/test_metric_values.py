"""Valid values of settings, for all metrics: rejected values, suggestions, and signatures."""

import pickle

import pytest

import refscore
from refscore.metrics import METRICS
from refscore.settings import join, split
from tests.derived_sources import derive_sources, function_of
from tests.metrics.example_values import NEEDED, every_class, every_setting, valid_values, wrong_values


@every_setting
def test_wrong_values(kind, name):
    for value in wrong_values(kind, name):
        with pytest.raises(refscore.SettingError, match=name.rpartition("_")[2]):
            kind(**{name: value, **NEEDED.get((kind.name, name), {})})


@pytest.mark.parametrize(
    ("kind", "name", "value", "near"),
    [
        ("bleu", "smoothing", "add_k", "add-k"),
        ("bleu", "tokenizer", "13b", "13a"),
        ("bleu", "normalize", "nfc", "NFC"),
        ("chrf", "characters", "grapheme", "graphemes"),
        ("ribes", "correlation", "tau_nltk", "tau-nltk"),
        ("ter", "tokenizer", "tercom-nrm", "tercom-norm"),
    ],
)
def test_the_nearest_value_is_suggested(kind, name, value, near):
    with pytest.raises(refscore.errors.UnknownNameError, match=f"{name}r? '{value}'.*'{near}'"):
        METRICS[kind](**{name: value})


@pytest.mark.parametrize(
    ("kind", "name", "meant"),
    [
        (refscore.BLEU, "smooth_method", "smoothing"),  # sacrebleu
        (refscore.BLEU, "smooth_value", "smoothing_value"),
        (refscore.BLEU, "smoothing_function", "smoothing"),  # NLTK
        (refscore.BLEU, "max_ngram_order", "max_order"),
        (refscore.BLEU, "n_gram", "max_order"),  # torchmetrics
        (refscore.CHRF, "eps_smoothing", "smoothing"),
        (refscore.TER, "case_sensitive", "lowercase"),
        (refscore.TER, "asian_support", "tokenizer"),
        (refscore.ROUGE, "use_stemmer", "stem"),
        (refscore.ROUGE, "rouge_types", "variant"),
    ],
)
def test_settings_of_other_libraries(kind, name, meant):
    with pytest.raises(refscore.errors.UnknownNameError, match=f"'{meant}'"):
        kind(**{name: 1})


@every_class
def test_unknown_settings_and_presets(kind):
    name, preset = list(kind.settings())[-1], next(iter(kind.presets), "none")
    for create in (
        kind,
        lambda **settings: kind.preset(preset, **settings) if kind.presets else kind(**settings),
        lambda **settings: function_of(kind)(["a"], ["a"], **settings),
    ):
        for settings, suggestion in [({f"{name}s": "x"}, f"'{name}'"), ({"": 1}, "''")]:
            with pytest.raises(refscore.errors.UnknownNameError, match=suggestion):
                create(**settings)
    for wrong, suggestion in [(f"{preset}x", f"'{preset}"), (preset.title(), ""), ("", ""), ([preset], ""), (None, "")]:
        with pytest.raises(refscore.errors.UnknownNameError, match=f"preset of {kind.name} .*{suggestion}"):
            kind.preset(wrong)
    with pytest.raises(refscore.errors.UnknownNameError, match="preset"):
        function_of(kind)(["a"], ["a"], preset="")


@every_class
def test_numbers_of_threads(kind):
    metric = derive_sources(kind().fit(["a"]))
    for threads in (0, -1, True, "2", 1.0):
        for call in (metric.stats, metric.corpus, metric.segments, metric.pairwise, function_of(kind)):
            with pytest.raises(refscore.SettingError, match="threads"):
                call(["a"], ["a"], threads=threads)
    for threads in (3, 2**31, 2**70, None):  # more than there is work
        assert metric.corpus(["a"], ["a"], threads=threads).value == metric.segment("a", "a").value


@every_class
def test_metrics_are_frozen(kind):
    metric = kind()
    for name in (*kind.settings(), "kernel", "pipeline", "something"):
        with pytest.raises(AttributeError):
            setattr(metric, name, "none")
        with pytest.raises(AttributeError):
            delattr(metric, name)
    with pytest.raises(TypeError, match="by name"):
        kind("none")


# Signatures


@every_setting
def test_every_value_is_in_the_signature(kind, name):
    metrics = [kind(**{name: value, **NEEDED.get((kind.name, name), {})}) for value in valid_values(kind, name)]
    assert len({metric.signature for metric in metrics}) == len({*metrics}) == len(metrics)
    for metric in metrics:
        again = refscore.from_signature(f" {metric.signature}\n")
        assert (again, again.signature, hash(again)) == (metric, metric.signature, hash(metric))
        assert pickle.loads(pickle.dumps(metric)) == metric
        assert eval(repr(metric), {kind.__name__: kind}) == metric
        assert metric.signature.isascii()
        assert metric.signature.endswith(f"|version:{refscore.__version__}")


@every_class
def test_broken_signatures(kind):
    name, pairs = split(kind().signature)
    keys = {setting.key for setting in kind.settings().values() if setting.key and not setting.is_rare}
    assert keys == set(pairs) - {"version"}
    for key in keys:
        for value in ("surprise", "", "-1", "1e999", "True", "1.5.1"):
            with pytest.raises(refscore.errors.SignatureError):
                refscore.from_signature(join(name, {**pairs, key: value}))
        with pytest.raises(refscore.errors.SignatureError, match=f"'{key}'"):
            refscore.from_signature(join(name, {other: value for other, value in pairs.items() if other != key}))
        with pytest.raises(refscore.errors.SignatureError, match="twice"):
            refscore.from_signature(f"{kind().signature}|{key}:{pairs[key]}")
    with pytest.raises(refscore.errors.SignatureError, match="'surprise'"):
        refscore.from_signature(f"{kind().signature}|surprise:1")


@every_class
def test_signatures_of_scores_count_the_references(kind):
    metric = derive_sources(kind().fit([["a a", "b"]]))
    if not metric.needs_references:
        assert metric.corpus(["a"], ["a"]).signature == metric.segment("a", "a").signature == metric.signature
        return
    for references, count in [(["a"], "1"), ([["a"]], "1"), ([["a", "b", None]], "2")]:
        score = metric.corpus(["a"], references)
        assert score.signature == metric.signature.replace("|", f"|nrefs:{count}|", 1)
        assert metric.segment("a", references[0]).signature == score.signature
    score = metric.corpus(["a", "b"], [["a", "b"], ["b"]])
    assert score.signature.startswith(f"{kind.name}|nrefs:var|")
    assert metric.score(score.row).signature == metric.signature
    many = metric.corpus(["a"] * 5000, [["a"]] * 4999 + [["a", "b"]])  # more than one block
    assert "|nrefs:var|" in many.signature
