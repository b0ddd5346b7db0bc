"""The drop-in for torchmetrics compared with torchmetrics: numbers to float32, signatures, shapes, errors."""

import inspect
import re
from itertools import chain

import pytest
import torch
import torchmetrics  # noqa: F401
from hypothesis import assume, given, strategies as st

import refscore
from refscore import compat
from refscore.errors import Location
from tests import strategies
from tests.compat.alike import parameters
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
RATES = [name for name in FUNCTIONS if "error" in name or "information" in name or name == "edit_distance"]


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


def questions(texts, groups):
    """Return texts and references as SQuAD's dictionaries."""
    return [{"prediction_text": text, "id": str(i)} for i, text in enumerate(texts)], [
        {"answers": {"text": group, "answer_start": [0] * len(group)}, "id": str(i)} for i, group in enumerate(groups)
    ]


def test_squad():
    """Questions without a prediction, empty answers, one dictionary instead of a list, several batches, mistakes."""
    preds, target = questions(["The Normans", "", "in 1066", "x"], [["Normans"], ["a"], ["1066", "in the"], ["y"]])
    preds[3]["id"] = "none"
    metrics = ours.SQuAD(), their_classes.SQuAD()
    for batch in (slice(0, 2), slice(2, 4)):
        results = [metric(preds[batch], target[batch]) for metric in metrics]
        assert same(*results)
    assert same(*(metric.compute() for metric in metrics))
    assert same(*call("squad", preds[0], target[0])) and same(*call("squad", [], []))
    with pytest.warns(UserWarning, match="Unanswered question 3 will receive score 0"):
        ours.functional.squad(preds, target)
    for wrong in (({"id": "1"}, target), (preds, {"id": "1"}), (preds[0], {"id": "0", "answers": {}})):
        for library in (ours.functional, their_functions):
            with pytest.raises(KeyError, match="Expected keys in"):
                library.squad(*wrong)
    with pytest.raises(refscore.InputError, match=r"target\[0\] has no answers"):
        ours.functional.squad(preds[0], {"id": "0", "answers": {"text": []}})


def sentences(text):
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+", text) if sentence]


@pytest.fixture
def _splitter(monkeypatch):
    """Replace NLTK's sentence splitter, whose data may be missing, by the same function for both sides."""
    monkeypatch.setattr(their_rouge, "_split_sentence", sentences)
    monkeypatch.setattr(our_rouge, "_sentences", sentences)


# The values of options; others are true or false.
VALUES = {
    "n_gram": st.integers(1, 4),
    "tokenize": st.sampled_from(["none", "13a", "zh", "intl", "char"]),
    **{"n_char_order": st.integers(1, 6), "n_word_order": st.integers(0, 3)},
    "beta": st.sampled_from([0, 0.5, 1, 2.0, 3]),
    "language": st.sampled_from(["en", "ja"]),
    **{name: st.sampled_from([0.1, 0.2, 1.0, 2.0]) for name in ("alpha", "rho", "deletion", "insertion")},
    **{"substitution_cost": st.integers(0, 3), "reduction": st.sampled_from(["mean", "sum", "none", None])},
    "accumulate": st.sampled_from(["avg", "best"]),
    "normalizer": st.sampled_from([None, None, str.upper]),
    "tokenizer": st.sampled_from([None, None, lambda text: text.split(" ")]),
    "rouge_keys": st.lists(st.sampled_from(list(their_rouge.ALLOWED_ROUGE_KEYS)), min_size=1, max_size=4, unique=True),
}


@pytest.mark.usefixtures("_splitter")
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.generated
def test_scores(name):
    @given(corpus=strategies.text_corpora, data=st.data())
    @examples(150)
    def check(corpus, data):
        assume("bleu" in name or short(corpus))
        texts, target = corpus
        names = list(inspect.signature(getattr(their_functions, name)).parameters)[2:]
        options = {option: data.draw(VALUES.get(option, st.booleans()), option) for option in names}
        if options.get("weights") is not None:
            orders = options["n_gram"]
            options["weights"] = [(i + 1) / 7 for i in range(orders)] if options["weights"] else None
        if "rouge_keys" in options:
            options["rouge_keys"] = tuple(options["rouge_keys"])
        target = [group[0] for group in target] if name in RATES else target
        if name == "squad":
            texts, target = questions(texts, target)
        actual, expected = call(name, texts, target, **options)
        is_close = same(actual, expected, 2e-5 if "bleu" in name else 2e-6)
        assert is_close or (name in RATES and torch.allclose(actual, expected, rtol=0, atol=1e-6))  # 1 minus almost 1

    check()


def test_the_names_that_torchmetrics_has():
    missing = {"Perplexity", "BERTScore", "InfoLM"}
    assert set(their_classes.__all__) - missing == set(CLASSES)
    for name in CLASSES:
        kind, theirs = getattr(ours, name), getattr(their_classes, name)
        assert kind is getattr(ours.text, name)
        for attribute in ("higher_is_better", "is_differentiable", "plot_lower_bound", "plot_upper_bound"):
            assert getattr(kind, attribute) == getattr(theirs, attribute)
        for method in ("__init__", "update"):
            assert parameters(getattr(kind, method)) == parameters(getattr(theirs, method))
    for name in FUNCTIONS:
        assert parameters(getattr(ours.functional, name)) == parameters(getattr(their_functions, name))


KEYS = {"rouge_keys": ("rouge1", "rougeL")}
CLASS_OF = {"bleu_score": "BLEUScore", "sacre_bleu_score": "SacreBLEUScore", "chrf_score": "CHRFScore"}
CLASS_OF |= {"extended_edit_distance": "ExtendedEditDistance", "edit_distance": "EditDistance"}
CLASS_OF |= {"translation_edit_rate": "TranslationEditRate", "rouge_score": "ROUGEScore"}
ABCD = "a b c d"
NOTHING = [([], []), ([], [[]]), ([], [[], []]), (["python"], [[]]), (["a"], []), (["", "a"], [[], []])]
ONE_OR_MORE = [(ABCD, [ABCD, "a b"]), ([ABCD, "x"], [ABCD, "a b"]), (["", "a"], [["a b"], [""]])]
# Arguments for functions, and those that classes accept too.
SHAPES = {
    "bleu_score": [
        (ABCD, [[ABCD]]),
        ([ABCD], [ABCD]),
        ((ABCD,), ((ABCD, "x"),)),
        ([None, "a b"], [["a"], [None, "a b"]]),
    ],
    "chrf_score": [*ONE_OR_MORE, ([ABCD], [ABCD, "a b"])],
    "translation_edit_rate": ONE_OR_MORE,
    "extended_edit_distance": [*ONE_OR_MORE, ([ABCD], [ABCD, "a b"])],
    "edit_distance": [("a b", "a c"), ("", "abc"), (["x" * 90], ["y" * 40 + "x" * 60]), (["a" * 30], ["b" * 2000])],
    "word_error_rate": [("a b", "a c"), ([], []), ("a", "")],
    "char_error_rate": [(" a b", "a b ")],
    "match_error_rate": [("", "")],
    "word_information_lost": [("a", "")],
    "word_information_preserved": [([], [])],
    "rouge_score": [([], [])],
}
SHAPES_OF_BOTH = {
    "bleu_score": [([], []), ([[]], [[[]]]), (["a b"], [[[]]]), ([[], "a b c d e"], [["a"], [ABCD]])],
    "sacre_bleu_score": [([], []), ([[]], [[[]]])],
    "chrf_score": NOTHING,
    "translation_edit_rate": NOTHING,
    "extended_edit_distance": [([], [[]]), ([], [[], []]), (["python"], [[]]), (["", "a"], [[], []])],
    "edit_distance": [(["a b", "c"], ["a c", ""])],
    "rouge_score": [("a b", "a c"), ("a b", ["a c", "a b"]), (["a b", "c"], ["a c", "c"]), (["a b"], [["a c", "b a"]])],
}


def each(table):
    return [(name, case) for name, cases in table.items() for case in cases]


@pytest.mark.parametrize(("name", "arguments"), [*each(SHAPES), *each(SHAPES_OF_BOTH)])
def test_shapes(name, arguments):
    options = KEYS if name == "rouge_score" else {}
    assert same(*call(name, *arguments, **options))
    if arguments in SHAPES_OF_BOTH.get(name, ()):
        metrics = [getattr(library, CLASS_OF[name])(**options) for library in (ours, their_classes)]
        assert same(*(metric(*arguments) for metric in metrics))


@pytest.mark.parametrize("options", [{}, {"return_sentence_level_score": True}])
@pytest.mark.parametrize("arguments", [([], []), ("a", []), (["a"], [[]]), ([], [[], []])])
def test_eed_of_nothing(arguments, options):
    def outcome(function):
        try:
            return float(function())
        except (IndexError, RuntimeError) as error:
            return next(kind for kind in (IndexError, RuntimeError) if isinstance(error, kind))

    for functions, classes in ((ours.functional, ours), (their_functions, their_classes)):
        results = [
            outcome(lambda functions=functions: functions.extended_edit_distance(*arguments, **options)),
            outcome(lambda classes=classes: classes.ExtendedEditDistance(**options)(*arguments)),
        ]
        assert results == [IndexError if arguments == ([], []) else RuntimeError if options else 0.0] * 2


@pytest.mark.parametrize("name", ["BLEUScore", "SacreBLEUScore"])
@pytest.mark.parametrize("target", [[], [[]], [[], []], ()])
def test_classes_accept_no_predictions(name, target):
    assert same(*(getattr(library, name)()([], target) for library in (ours, their_classes)))


MISTAKES = [
    *((name, (["a"], []), {}) for name in ("bleu_score", "sacre_bleu_score")),
    ("bleu_score", (["a"], [[]]), {}),
    *((name, (["a"], [["a"], ["b"]]), {}) for name in ("chrf_score", "translation_edit_rate")),
    ("bleu_score", (["a"], [["a"]]), {"n_gram": 4, "weights": [0.5, 0.5]}),
    ("sacre_bleu_score", (["a"], [["a"]]), {"tokenize": "14a"}),
    *(
        ("chrf_score", (["a"], [["a"]]), option)
        for option in ({"n_char_order": 0}, {"n_word_order": -1}, {"beta": -1.0})
    ),
    *(("translation_edit_rate", (["a"], [["a"]]), option) for option in ({"normalize": 1}, {"lowercase": "yes"})),
    ("rouge_score", (["a"], [["a"]]), {"rouge_keys": "rouge"}),
    *(
        ("extended_edit_distance", (["a"], [["a"]]), option)
        for option in ({"alpha": 2}, {"rho": -1.0}, {"language": "de"})
    ),
    ("edit_distance", (["a"], ["a", "b"]), {}),
    ("edit_distance", (["a"], [1]), {}),
    ("edit_distance", (["a"], ["a"]), {"reduction": "max"}),
]


@pytest.mark.parametrize(("name", "arguments", "options"), MISTAKES)
def test_mistakes_that_torchmetrics_refuses(name, arguments, options):
    with pytest.raises(ValueError):  # noqa: PT011 - the messages differ
        getattr(their_functions, name)(*arguments, **options)
    with pytest.raises(refscore.RefscoreError) as caught:
        getattr(ours.functional, name)(*arguments, **options)
    assert isinstance(caught.value, ValueError)


# Mistakes with a number in torchmetrics that the drop-in also computes, and others.
SCORED = [
    ("BLEUScore", (["a b"], ["a b"]), Location("target", 0)),
    ("BLEUScore", ("a b", [["a b"]]), Location("preds")),
    ("BLEUScore", (["a b"], [["a b"], ["a"]]), None),
    ("BLEUScore", ([], [["a"]]), None),
    ("SacreBLEUScore", (["a b"], "a b"), Location("target")),
    ("CHRFScore", (["a b", "c"], [["a b"], "c"]), Location("target", 1)),
    ("WordErrorRate", (["a", "b"], ["a"]), None),
    ("ROUGEScore", (["a", "b"], [["a"]]), None),
]
NOT_SCORED = [
    ("BLEUScore", (["a b"], [[]]), Location("target", 0)),
    ("BLEUScore", ([1], [["a"]]), Location("preds", 0)),
    ("TranslationEditRate", (["a b"], [["a b", 3]]), Location("target", 0, 1)),
    ("WordErrorRate", (["a", 3], ["a", "b"]), Location("preds", 1)),
    ("CharErrorRate", (["a"], [["a"]]), Location("target", 0)),
    ("ROUGEScore", (["a", "b"], "a"), Location("target")),
]


@pytest.mark.parametrize(("name", "arguments", "location"), SCORED)
def test_mistakes_that_torchmetrics_scores(name, arguments, location):
    options = KEYS if name == "ROUGEScore" else {}
    expected = getattr(their_classes, name)(**options)(*arguments)
    with pytest.warns(compat.DropInWarning, match="As in torchmetrics, "):
        assert same(getattr(ours, name)(**options)(*arguments), expected)
    compat.install("torchmetrics", strict=True)
    try:
        check_location(name, arguments, location)
    finally:
        compat.uninstall("torchmetrics")


@pytest.mark.parametrize(("name", "arguments", "location"), NOT_SCORED)
def test_mistakes_without_a_number(name, arguments, location):
    check_location(name, arguments, location)


def check_location(name, arguments, location):
    with pytest.raises(refscore.InputError) as caught:
        getattr(ours, name)(**(KEYS if name == "ROUGEScore" else {})).update(*arguments)
    assert caught.value.location == location


@pytest.mark.parametrize(
    ("kind", "options", "suggestion"),
    [
        ("ROUGEScore", {"rouge_keys": "rougel"}, "rougeL"),
        ("ROUGEScore", {"accumulate": "mean", "rouge_keys": "rouge1"}, "mean"),
        ("SacreBLEUScore", {"tokenize": "13"}, "13"),
    ],
)
def test_unknown_names_of_classes(kind, options, suggestion):
    with pytest.raises(refscore.errors.UnknownNameError, match=suggestion):
        getattr(ours, kind)(**options)
    with pytest.raises(refscore.SettingError):
        ours.RowsScore("bleu")


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
    with pytest.raises(refscore.errors.NotInstalledError, match=r"refscore\[sentences\]"):
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

    theirs = ours.bleu._SacreBLEUTokenizer
    monkeypatch.setattr(theirs, "_check_tokenizers_validity", staticmethod(lambda tokenize: None))
    monkeypatch.setattr(theirs, "_tokenize_ja_mecab", staticmethod(lambda line: " ".join(line.replace(" ", ""))))
    score = ours.functional.sacre_bleu_score(["a bc d", ""], [["ab cd"], ["x"]], tokenize="ja-mecab")
    assert score.item() == pytest.approx(refscore.BLEU(tokenizer="char").corpus(["abcd", ""], ["abcd", "x"]).value)
    tokenizer, original = (library.SacreBLEUScore().tokenizer for library in (ours, their_classes))
    assert tokenizer._TOKENIZE_FN is original._TOKENIZE_FN
    assert tokenizer._lower("A", True) == original._lower("A", True)
    assert tokenizer.tokenize("A b.", "13a") == original.tokenize("A b.", "13a")
