"""The drop-in for torchmetrics compared with torchmetrics: numbers to float32, signatures, shapes, errors."""

import inspect
import re
from itertools import chain

import pytest
import torch
import torchmetrics  # noqa: F401
from hypothesis import assume, given
from hypothesis import strategies as st

import refscore
from refscore.errors import Location
from tests import strategies
from tests.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore")  # from torchmetrics, about missing packages and logarithms of 0

import torchmetrics.functional.text as their_functions  # noqa: E402
import torchmetrics.text as their_classes  # noqa: E402
from torchmetrics.functional.text import rouge as their_rouge  # noqa: E402

import refscore.compat.torchmetrics as ours  # noqa: E402
from refscore.compat.torchmetrics import rouge as our_rouge  # noqa: E402

PREDS = ["the cat is on the mat", "it is raining"]
TARGET = [["there is a cat on the mat", "a cat is on the mat"], ["it rains"]]
FUNCTIONS = [name for name in ours.functional.__all__ if name != "ribes_score"]
CLASSES = [name for name in ours.text.__all__ if name not in ("RIBESScore", "RowsScore")]
RATES = [name for name in FUNCTIONS if "error" in name or "information" in name]


def same(actual, expected, tolerance=2e-6):
    """Check equal type, equal shape, and values to float32 precision."""
    assert type(actual) is type(expected)
    if isinstance(expected, dict):
        assert list(actual) == list(expected)
        return all(same(actual[key], expected[key]) for key in expected)
    if isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected)
        return all(same(*pair) for pair in zip(actual, expected, strict=True))
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    return torch.allclose(actual, expected, rtol=tolerance, atol=1e-37, equal_nan=True)


def short(corpus):
    """Return text short enough for torchmetrics, whose time grows with the square of the length."""
    return all(len(text) < 200 for text in chain(corpus[0], *corpus[1]))


def call(name, *args, **kwargs):
    return getattr(ours.functional, name)(*args, **kwargs), getattr(their_functions, name)(*args, **kwargs)


@given(
    corpus=strategies.text_corpora,
    n_gram=st.integers(1, 4),
    smooth=st.booleans(),
    weighted=st.booleans(),
    tokenize=st.sampled_from([None, "none", "13a", "zh", "intl", "char"]),
    lowercase=st.booleans(),
)
@examples(300)
def test_bleu(*, corpus, n_gram, smooth, weighted, tokenize, lowercase):
    weights = [(i + 1) / 7 for i in range(n_gram)] if weighted else None
    if tokenize is None:
        assert same(*call("bleu_score", *corpus, n_gram, smooth, weights), 2e-5)
    else:
        assert same(*call("sacre_bleu_score", *corpus, n_gram, smooth, tokenize, lowercase, weights), 2e-5)


@given(
    corpus=strategies.text_corpora,
    orders=st.tuples(st.integers(1, 6), st.integers(0, 3)),
    beta=st.sampled_from([0, 0.5, 1, 2.0, 3]),
    flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
@examples(150)
def test_chrf(*, corpus, orders, beta, flags):
    assume(short(corpus))
    assert same(*call("chrf_score", *corpus, *orders, beta, *flags))


@given(corpus=strategies.text_corpora, flags=st.tuples(*[st.booleans()] * 5))
@examples(150)
def test_ter(*, corpus, flags):
    assume(short(corpus))
    assert same(*call("translation_edit_rate", *corpus, *flags))


def sentences(text):
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+", text) if sentence]


@pytest.fixture
def _splitter(monkeypatch):
    """Replace NLTK's sentence splitter, whose data may be missing, by the same function for both sides."""
    monkeypatch.setattr(their_rouge, "_split_sentence", sentences)
    monkeypatch.setattr(our_rouge, "_sentences", sentences)


@pytest.mark.usefixtures("_splitter")
def test_rouge():
    @given(
        corpus=strategies.text_corpora,
        accumulate=st.sampled_from(["avg", "best"]),
        stem=st.booleans(),
        normalizer=st.sampled_from([None, None, str.upper]),
        tokenizer=st.sampled_from([None, None, lambda text: text.split(" ")]),
        keys=st.lists(st.sampled_from(list(their_rouge.ALLOWED_ROUGE_KEYS)), min_size=1, max_size=4, unique=True),
    )
    @examples(200)
    def check(*, corpus, accumulate, stem, normalizer, tokenizer, keys):
        options = (accumulate, stem, normalizer, tokenizer, tuple(keys))
        assert same(*call("rouge_score", *corpus, *options))

    check()


@given(corpus=strategies.text_corpora, name=st.sampled_from(RATES))
@examples(200)
def test_error_rates(*, corpus, name):
    texts, references = corpus[0], [group[0] for group in corpus[1]]
    assume(short(corpus))
    actual, expected = call(name, texts, references)
    assert same(actual, expected) or torch.allclose(actual, expected, rtol=0, atol=1e-6)  # 1 minus a number close to 1


def test_the_names_that_torchmetrics_has():
    missing = {"EditDistance", "ExtendedEditDistance", "Perplexity", "SQuAD", "BERTScore", "InfoLM"}
    assert set(their_classes.__all__) - missing == set(CLASSES)
    for name in CLASSES:
        kind, theirs = getattr(ours, name), getattr(their_classes, name)
        assert kind is getattr(ours.text, name)
        assert kind.higher_is_better == theirs.higher_is_better
        assert kind.is_differentiable == theirs.is_differentiable
        assert (kind.plot_lower_bound, kind.plot_upper_bound) == (theirs.plot_lower_bound, theirs.plot_upper_bound)


def parameters(function):
    return [(p.name, p.default, p.kind) for p in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures_of_functions(name):
    assert parameters(getattr(ours.functional, name)) == parameters(getattr(their_functions, name))


@pytest.mark.parametrize("name", CLASSES)
def test_signatures_of_classes(name):
    kind, theirs = getattr(ours, name), getattr(their_classes, name)
    assert parameters(kind.__init__) == parameters(theirs.__init__)
    assert parameters(kind.update) == parameters(theirs.update)


SHAPES = [
    ("bleu_score", ("a b c d", [["a b c d"]])),
    ("bleu_score", (["a b c d"], ["a b c d"])),
    ("bleu_score", ([], [])),
    ("bleu_score", (("a b c d",), (("a b c d", "x"),))),
    ("sacre_bleu_score", ([], [])),
    ("chrf_score", ("a b c d", ["a b c d", "a b"])),
    ("chrf_score", (["a b c d", "x"], ["a b c d", "a b"])),
    ("chrf_score", (["a b c d"], ["a b c d", "a b"])),
    ("chrf_score", ([], [])),
    ("translation_edit_rate", ("a b c d", ["a b c d", "a b"])),
    ("translation_edit_rate", (["a b c d", "x"], ["a b c d", "a b"])),
    ("translation_edit_rate", ([], [])),
    ("translation_edit_rate", (["", "a"], [["a b"], [""]])),
    ("word_error_rate", ("a b", "a c")),
    ("word_error_rate", ([], [])),
    ("word_error_rate", ("a", "")),
    ("char_error_rate", (" a b", "a b ")),
    ("match_error_rate", ("", "")),
    ("word_information_lost", ("a", "")),
    ("word_information_preserved", ([], [])),
]


@pytest.mark.parametrize(("name", "arguments"), SHAPES)
def test_shapes(name, arguments):
    assert same(*call(name, *arguments))


@pytest.mark.parametrize(
    "arguments",
    [("a b", "a c"), ("a b", ["a c", "a b"]), (["a b", "c"], ["a c", "c"]), (["a b"], [["a c", "b a"]]), ([], [])],
)
def test_shapes_of_rouge(arguments):
    keys = ("rouge1", "rougeL")
    assert same(*call("rouge_score", *arguments, rouge_keys=keys))
    if arguments[0]:
        metrics = [library.ROUGEScore(rouge_keys=keys) for library in (ours, their_classes)]
        assert same(metrics[0](*arguments), metrics[1](*arguments))


MISTAKES = [
    ("bleu_score", (["a"], []), {}),
    ("bleu_score", (["a"], [[]]), {}),
    ("bleu_score", (["a"], [["a"]]), {"n_gram": 4, "weights": [0.5, 0.5]}),
    ("sacre_bleu_score", (["a"], []), {}),
    ("sacre_bleu_score", (["a"], [["a"]]), {"tokenize": "14a"}),
    ("chrf_score", (["a"], [["a"], ["b"]]), {}),
    ("chrf_score", (["a"], [["a"]]), {"n_char_order": 0}),
    ("chrf_score", (["a"], [["a"]]), {"n_word_order": -1}),
    ("chrf_score", (["a"], [["a"]]), {"beta": -1.0}),
    ("translation_edit_rate", (["a"], [["a"], ["b"]]), {}),
    ("translation_edit_rate", (["a"], [["a"]]), {"normalize": 1}),
    ("translation_edit_rate", (["a"], [["a"]]), {"lowercase": "yes"}),
    ("rouge_score", (["a"], [["a"]]), {"rouge_keys": "rouge"}),
]


@pytest.mark.parametrize(("name", "arguments", "options"), MISTAKES)
def test_mistakes_that_torchmetrics_refuses(name, arguments, options):
    for library in (ours.functional, their_functions):
        with pytest.raises(ValueError):  # noqa: PT011 - the messages differ
            getattr(library, name)(*arguments, **options)
    with pytest.raises(refscore.RefscoreError):
        getattr(ours.functional, name)(*arguments, **options)


@pytest.mark.parametrize(
    ("name", "arguments", "location"),
    [
        ("BLEUScore", (["a b"], ["a b"]), Location("target", 0)),
        ("BLEUScore", ("a b", [["a b"]]), Location("preds")),
        ("BLEUScore", (["a b"], [["a b"], ["a"]]), None),
        ("SacreBLEUScore", (["a b"], "a b"), Location("target")),
        ("BLEUScore", (["a b"], [[]]), Location("target", 0)),
        ("BLEUScore", ([1], [["a"]]), Location("preds", 0)),
        ("CHRFScore", (["a b", "c"], [["a b"], "c"]), Location("target", 1)),
        ("TranslationEditRate", (["a b"], [["a b", 3]]), Location("target", 0, 1)),
        ("WordErrorRate", (["a", 3], ["a", "b"]), Location("preds", 1)),
        ("WordErrorRate", (["a", "b"], ["a"]), None),
        ("CharErrorRate", (["a"], [["a"]]), Location("target", 0)),
        ("ROUGEScore", (["a", "b"], "a"), Location("target")),
    ],
)
def test_mistakes_that_torchmetrics_scores(name, arguments, location):
    options = {"rouge_keys": "rouge1"} if name == "ROUGEScore" else {}
    with pytest.raises(refscore.InputError) as caught:
        getattr(ours, name)(**options).update(*arguments)
    assert caught.value.location == location


def test_unknown_names_of_classes():
    with pytest.raises(refscore.UnknownNameError, match="did you mean 'rougeL'"):
        ours.ROUGEScore(rouge_keys="rougel")
    with pytest.raises(refscore.UnknownNameError, match="unknown accumulate 'mean'"):
        ours.ROUGEScore(accumulate="mean", rouge_keys="rouge1")
    with pytest.raises(refscore.UnknownNameError, match="unknown tokenizer '13'"):
        ours.SacreBLEUScore(tokenize="13")
    with pytest.raises(refscore.SettingError, match="one of refscore's"):
        ours.RowsScore("bleu")


def test_missing_texts_are_empty():
    assert same(*call("bleu_score", [None, "a b"], [["a"], [None, "a b"]], 2))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *((f"{kind}bleu_score", arguments) for kind in ("", "sacre_") for arguments in (([], []), ([[]], [[[]]]))),
        ("bleu_score", (["a b"], [[[]]])),
        ("bleu_score", ([[], "a b c d e"], [["a"], ["a b c d"]])),
        *(
            (name, arguments)
            for name in ("chrf_score", "translation_edit_rate")
            for arguments in (
                ([], []),
                ([], [[]]),
                ([], [[], []]),
                (["python"], [[]]),
                (["a"], []),
                (["", "a"], [[], []]),
            )
        ),
    ],
)
def test_empty_inputs(name, arguments):
    assert same(*call(name, *arguments))
    classes = {
        "bleu": "BLEUScore",
        "sacre": "SacreBLEUScore",
        "chrf": "CHRFScore",
        "translation": "TranslationEditRate",
    }
    metrics = [getattr(library, classes[name.partition("_")[0]])() for library in (ours, their_classes)]
    assert same(*(metric(*arguments) for metric in metrics))


@pytest.mark.parametrize("name", ["BLEUScore", "SacreBLEUScore"])
@pytest.mark.parametrize("target", [[], [[]], [[], []], ()])
def test_classes_accept_no_predictions(name, target):
    assert same(*(getattr(library, name)()([], target) for library in (ours, their_classes)))
    with pytest.raises(refscore.InputError):
        getattr(ours, name)()([], [["a"]])


def test_sentence_splitting_needs_data(monkeypatch):
    import nltk

    def fail(*args, **kwargs):
        raise LookupError

    def refuse(*args, **kwargs):
        raise ValueError("no network")

    monkeypatch.setattr(nltk.data, "find", fail)
    monkeypatch.setattr(nltk, "download", refuse)
    with pytest.raises(OSError, match=r"python -m nltk\.downloader punkt_tab"):
        ours.functional.rouge_score("a b", "a b", rouge_keys="rougeLsum")


def test_sentence_splitting_needs_nltk(monkeypatch):
    monkeypatch.setattr(our_rouge, "find_spec", lambda name: None)
    with pytest.raises(refscore.NotInstalledError, match=r"refscore\[sentences\]"):
        ours.ROUGEScore()
    ours.ROUGEScore(rouge_keys=("rouge1", "rougeL"), use_stemmer=True)


def test_ribes():
    preds = ["the book was read by the boy", "Bob hit John yesterday"]
    references = [["the boy read the book"], ["John hit Bob yesterday", "yesterday John was hit by Bob"]]
    for preset in refscore.RIBES.presets:
        expected = refscore.RIBES.preset(preset, alpha=0.3, beta=0.2).corpus(preds, references).value
        metric = ours.RIBESScore(0.3, 0.2, preset)
        metric.update(preds[:1], references[:1])
        metric.update(preds[1:], references[1:])
        assert metric.compute().item() == pytest.approx(expected, rel=1e-6)
        assert ours.functional.ribes_score(preds, references, 0.3, 0.2, preset).item() == pytest.approx(expected)
        assert metric.higher_is_better


@pytest.mark.parametrize("metric", [refscore.GLEU(), refscore.CHRF(average="macro"), refscore.TER(), refscore.BLEU()])
def test_any_metric(metric):
    module = ours.RowsScore(metric)
    assert module(PREDS, TARGET).item() == pytest.approx(metric.corpus(PREDS, TARGET).value)
    assert module.row.dtype == (torch.int64 if metric.row_type.kind == "i" else torch.float64)
    assert module.higher_is_better == metric.higher_is_better


def test_tokenizers_of_torchmetrics(monkeypatch):
    """Metrics that need packages are torchmetrics' own."""

    class Theirs:
        def __init__(self, tokenize, lowercase):
            assert tokenize == "ja-mecab"

        def __call__(self, line):
            return list(line.replace(" ", ""))

    from torchmetrics.functional.text import sacre_bleu

    monkeypatch.setattr(sacre_bleu, "_SacreBLEUTokenizer", Theirs)
    score = ours.functional.sacre_bleu_score(["a bc d", ""], [["ab cd"], ["x"]], tokenize="ja-mecab")
    assert score.item() == pytest.approx(refscore.BLEU(tokenizer="char").corpus(["abcd", ""], ["abcd", "x"]).value)
