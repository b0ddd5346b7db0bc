"""Metrics in pure Python: input of all kinds, invalid rows, settings and fitting. test_common.py checks the rest."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import refscore
from refscore.data_warnings import TokenizedTextWarning
from refscore.metrics import METRICS, PythonMetric
from refscore.metrics.core import registry
from refscore.settings import Choice, WholeNumber, setting
from tests.locations import raises_at
from tests.python_metrics import Overlap, Surplus


@dataclass(frozen=True, kw_only=True)
class Shared(PythonMetric):
    """The share of the references' tokens that are in the hypothesis, with settings of its own."""

    name = "shared"
    display_name = "Shared"
    columns = ("shared", "all")
    at_least: int = setting(1, "The shortest tokens that count.", WholeNumber(1), key="min")
    side: str = setting("best", "Which reference counts.", Choice(["best", "first"]), key="side", title="reference")
    weight: float = 1.0

    def row(self, hypothesis, references):
        assert type(hypothesis) is tuple
        assert type(references) is tuple and {*map(type, references)} == {tuple}
        seen.append((hypothesis, references))
        counts = [
            (sum(token in hypothesis for token in tokens), self.weight * len(tokens))
            for tokens in ([token for token in tokens if len(str(token)) >= self.at_least] for tokens in references)
        ]
        return max(counts, key=self.value) if self.side == "best" else counts[0]

    def value(self, row):
        return row[0] / row[1] if row[1] else 0.0


seen = []


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch):
    """Remove registered metrics and recorded calls after a test."""
    monkeypatch.setattr(registry, "_registered", {"shared": Shared})
    seen.clear()


HYPOTHESES = ["the cat sat", "a dog", ""]
REFERENCES = [["the cat sat down", "the cat"], "a cat", ["x", None]]


def test_scores():
    metric = Shared(tokenizer="none")
    assert metric.stats(HYPOTHESES, REFERENCES).tolist() == [[2, 2], [1, 2], [0, 1]]
    assert metric.segments(HYPOTHESES, REFERENCES).tolist() == [1.0, 0.5, 0.0]
    score = metric.corpus(HYPOTHESES, REFERENCES)
    assert score.to_dict() == {
        **{"metric": "shared", "value": 0.6, "percent": 60.0, "shared": 3, "all": 5},
        "signature": metric.signature.replace("shared|", "shared|nrefs:var|", 1),
    }
    assert str(score) == "Shared = 60.00 (shared = 3 all = 5)"


def test_text_is_prepared():
    assert Shared(tokenizer="none", lowercase=True, normalize="NFKC").segment("ＴＨＥ Cat", "the cat").value == 1
    assert Shared().segment("cat.", "cat .").value == 1
    metric = Shared(tokenizer=lambda text: [len(word) if word.isdigit() else word for word in text.split(",")])
    assert metric.segment("a b,12", "34,a b").value == 1
    assert seen[-1] == (("a b", 2), ((2, "a b"),))


TOKENS = {
    "tuples": (("a", "b"), ("b", "c")),
    "integers": ([1, 2], [2, 3]),
    "large integers": ([1, 2**70], [2**70, 3]),
    "mixed": (["a", (1, 2)], [None, (1, 2)]),
    "strings and integers": (["a", 1], [1, "b"]),
    "floats": ([1.5, 2.5], [2.5, 3.5]),
    "arrays": (np.array([1, 2]), np.array([2, 3], "int16")),
}


@pytest.mark.parametrize(("hypothesis", "reference"), TOKENS.values(), ids=TOKENS)
def test_tokens_stay_as_they_are(hypothesis, reference):
    metric = Shared()
    assert metric.stats([hypothesis], [[reference, reference]]).tolist() == [[1, 2]]
    assert seen[-1] == ((*hypothesis,), ((*reference,),) * 2)
    assert not any(isinstance(token, np.generic) for token in seen[-1][0])
    assert metric.segment(hypothesis, metric.prepare([[reference]])).value == 0.5
    assert metric.pairwise([hypothesis], [reference], tokens=True).tolist() == [[0.5]]


def test_padded_ids():
    hypotheses = refscore.inputs.padded(np.array([[1, 2, 0], [3, 0, 0], [0, 0, 0]]), pad_id=0)
    references = refscore.inputs.padded(np.array([[2, 1, 5], [4, 0, 0], [9, 9, 0]]), lengths=[3, 1, 2])
    metric = Shared()
    for given in (references, metric.prepare(references)):
        assert metric.stats(hypotheses, given).tolist() == [[2, 3], [0, 1], [0, 2]]
    assert seen[:3] == [((1, 2), ((2, 1, 5),)), ((3,), ((4,),)), ((), ((9, 9),))]
    several = np.array([[[1, 7], [1, 2]], [[3, 3], [8, 8]], [[1, 1], [2, 2]]])
    assert metric.stats(hypotheses, several).tolist() == [[2, 2], [2, 2], [0, 2]]
    assert metric.pairwise(hypotheses, references).tolist() == [[2 / 3, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_references_prepared_by_other_metrics():
    metric = Shared(tokenizer="none")
    prepared = metric.prepare(REFERENCES)
    assert replace(metric, at_least=2).stats(HYPOTHESES, prepared).tolist() == [[2, 2], [0, 1], [0, 0]]
    assert Overlap(tokenizer="none").segments(HYPOTHESES, prepared).tolist() == [0.75, 1 / 3, 0.0]
    bleu = refscore.BLEU(tokenizer="none")
    for user, others in [(Shared(), prepared), (metric, bleu.prepare(REFERENCES)), (bleu, prepared)]:
        with pytest.raises(refscore.InputError):
            user.stats(HYPOTHESES, others)
    with pytest.raises(refscore.InputError):
        metric.stats([["a"]] * 3, prepared)
    with pytest.raises(refscore.InputError):
        metric.explain("a", metric.prepare(["a"]))


@pytest.mark.parametrize("tokenizer", ["none", str.split], ids=["builtin", "function"])
def test_more_than_one_block(tokenizer):
    metric = Surplus(tokenizer=tokenizer)
    lengths = np.arange(5000) % 5
    hypotheses, references = ["w " * length for length in lengths], ["a b"] * 5000
    for given in (references, metric.prepare(references)):
        assert metric.stats(hypotheses, given).tolist() == [[length - 2, 1] for length in lengths]
    assert metric.corpus(hypotheses, references).row.tolist() == [sum(lengths - 2), 5000]
    hypotheses[4500] = None
    with raises_at(refscore.InputError, side="hypotheses", segment=4500):
        metric.stats(hypotheses, references)
    hypotheses[4500] = "w " * 50
    with refscore.metrics.limits(max_tokens=40), raises_at(refscore.errors.LimitError, side="hypotheses", segment=4500):
        metric.corpus(hypotheses, references)


def metric_with(result):
    class Given(PythonMetric):
        """A metric with this row."""

        name = "given"
        columns = ("shared", "all")

        def row(self, hypothesis, references):
            return result

        def value(self, row):
            return 0.0

    return Given()


ROWS = {
    "short": (1,),
    "long": (1, 2, 3),
    "one number": 5,
    "nested": ((1, 2),),
    "ragged": ((1, 2), 3),
    "NaN": (float("nan"), 1),
    "infinite": (1, float("inf")),
    "text": ("a", "b"),
    "nothing": None,
    "missing": (1, None),
    "complex": (1j, 1),
    "a dictionary": {"shared": 1, "all": 2},
    "too large": (10**400, 1),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_wrong_rows(row):
    metric = metric_with(row)
    for method, wrap in [("corpus", list), ("stats", list), ("pairwise", list), ("segment", str), ("explain", str)]:
        with pytest.raises(refscore.SettingError, match=r"Given\.row .*shared, all"):
            getattr(metric, method)(wrap("a"), wrap("a"))


@pytest.mark.parametrize("row", [[1, 2], np.array([1, 2]), np.array([1, 2], "f4"), (True, np.int8(2))], ids=repr)
def test_rows_of_all_types(row):
    assert metric_with(row).corpus(["a", "b"], ["a", "b"]).row.tolist() == [2, 4]


def test_negative_rows():
    metric = Surplus(tokenizer="none")
    score = metric.corpus(["a", "a b"], ["a b c", "a"])
    assert (score.row.tolist(), score.value) == ([-1, 2], -0.5)
    assert str(score) == "SURPLUS = -0.50 (surplus = -1 segments = 2)"
    assert metric.score([-3, 2]).value == metric.values([[-3, 2]])[0] == -1.5
    for row in ([1], [1, 2, 3], [float("nan"), 1], None):
        with pytest.raises(refscore.InputError, match="surplus, segments"):
            metric.score(row)


def test_input_is_checked_before_any_row():
    metric = Shared()
    for hypotheses, references, location in [
        (["a", None], ["a", "a"], {"side": "hypotheses", "segment": 1}),
        (["a", "b"], ["a", []], {"side": "references", "segment": 1}),
        (["a", "b"], ["a", [["b"]]], {"side": "references", "segment": 1, "reference": 0}),
        (["a"], ["a", "b"], {}),
        ("a", ["a"], {"side": "hypotheses"}),
    ]:
        for call in (metric.corpus, metric.stats, metric.segments):
            with raises_at(refscore.InputError, **location):
                call(hypotheses, references)
    with raises_at(refscore.InputError, side="references", reference=1):
        metric.segment("a", ["a", 5])
    assert not seen


def test_abstract_classes_cannot_be_used():
    for methods in ({}, {"row": Overlap.row}, {"value": Overlap.value}):
        with pytest.raises(TypeError, match="abstract"):
            type("Incomplete", (PythonMetric,), {"name": "incomplete", "columns": ("a",), **methods})()


# Settings and signatures


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"at_least": 2, "side": "first", "weight": 0.1},
        {"tokenizer": "none", "lowercase": "ascii", "normalize": "NFC"},
        {"weight": 1 / 3},
    ],
    ids=str,
)
def test_settings(settings):
    metric = Shared(**settings)
    assert refscore.from_signature(metric.signature) == metric
    assert eval(repr(metric), {"Shared": Shared}) == metric
    assert Shared.with_settings(settings) == metric
    assert (metric == Shared()) == (not settings)


def test_the_signature():
    assert Shared().signature == (
        f"shared|case:mixed|norm:none|tok:13a|min:1|side:best|weight:1.0|version:{refscore.__version__}"
    )
    for old, new in [("min:1", "min:0"), ("min:1", "min:x"), ("side:best|", ""), ("weight:1.0", "weight:1.0|a:b")]:
        with pytest.raises(refscore.errors.SignatureError):
            refscore.from_signature(Shared().signature.replace(old, new))


def test_wrong_settings():
    for settings in ({"at_least": 0}, {"side": "last"}, {"weight": "x"}, {"tokenizer": "14a"}, {"lowercase": 1}):
        with pytest.raises(refscore.SettingError, match=next(iter(settings))):
            Shared(**settings)
    with pytest.raises(refscore.errors.UnknownNameError, match="'at_least'"):
        Shared.with_settings({"at_most": 1})
    with pytest.raises(refscore.errors.UnknownNameError):
        Shared.preset("nltk")


def test_descriptions_and_steps():
    description = refscore.metrics.describe(Shared)
    assert description.summary.startswith("The share of the references' tokens")
    assert [entry.name for entry in description.settings][-3:] == ["at_least", "side", "weight"]
    assert Shared.settings()["side"].values == ("best", "first")
    metric = Shared(tokenizer="none")
    text = str(metric.explain("the cat", ["a cat sat", "the cat"]))
    for part in ("the cat", "a cat sat", "reference 2", "value(shared, all)", metric.signature, "Shared = 1.0000"):
        assert part in text
    assert str(metric.explain([1, (2,)], [[1]]))


# Metrics that must see the references first


@dataclass(frozen=True, kw_only=True)
class Rare(PythonMetric):
    """Tokens that few references have weigh more."""

    name = "rare"
    columns = ("weight", "all")
    weights: str = ""

    @property
    def needs_fit(self):
        return not self.weights

    def fit(self, references):
        words = " ".join(references).split()
        return replace(self, weights=" ".join(f"{word}={1 / words.count(word)}" for word in sorted({*words})))

    def row(self, hypothesis, references):
        weights = dict(pair.split("=") for pair in self.weights.split())
        total = sum(float(weights.get(token, 1)) for token in references[0])
        return sum(float(weights.get(token, 1)) for token in references[0] if token in hypothesis), total

    def value(self, row):
        return row[0] / row[1] if row[1] else 0.0


def test_metrics_that_are_fitted():
    hypotheses, references = ["the cat", "a dog"], ["the cat sat", "the dog"]
    metric = Rare(tokenizer="none")
    for method in ("stats", "segments", "pairwise", "segment", "value_and_row", "explain"):
        sides = (hypotheses, references) if method.endswith("s") or method == "pairwise" else ("a", "a")
        with pytest.raises(refscore.SettingError, match=r"Rare\(\)\.fit\(references\)"):
            getattr(metric, method)(*sides)
    fitted = metric.fit(references)
    assert fitted.segments(hypotheses, references).tolist() == [1.5 / 2.5, 1 / 1.5]
    for entries in (references, iter(references), tuple(references)):
        score = metric.corpus(hypotheses, entries)
        assert (score.value, score.metric) == (2.5 / 4, fitted)
    refscore.metrics.register(Rare)
    assert METRICS["rare"] is Rare
    assert refscore.scores(hypotheses, references, {"r": metric})["r"].value == 2.5 / 4
    assert refscore.from_signature(fitted.signature) == fitted


def test_a_class_without_a_name():
    class NumberRecall(Shared):
        name = None

    with pytest.raises(refscore.SettingError, match="NumberRecall has no name: set name = 'number_recall' in"):
        refscore.metrics.register(NumberRecall)


def test_the_default_title_is_the_name_in_capitals():
    class NumberRecall(Shared):
        name = "number_recall"

    class Titled(NumberRecall):
        display_name = "NumRec"

    assert (NumberRecall().title, Titled().title) == ("NUMBER RECALL", "NumRec")
    assert str(Titled().segment("a", "a")).startswith("NumRec = 100.00")


def test_texts_with_bars_and_line_ends_can_be_read_from_signatures():
    class Labelled(Shared):
        name = "shared"
        label: str = "x"

    kind = dataclass(frozen=True, kw_only=True)(Labelled)
    for label in (
        "a|b",
        "50%",
        "%7C",
        "a:b",
        "a = b",
        "a\r\nb\t",
        "\x00\x85\u2028\u2029",
        "é%C3%A9猫",
        "\ud800|",
        "%%%0A%",
    ):
        metric = kind(label=label)
        assert metric.signature.count("|") == kind().signature.count("|")
        assert len(metric.signature.splitlines()) == 1
        registry._registered["shared"] = kind
        assert refscore.from_signature(metric.signature) == metric


def test_rows_cannot_change_prepared_references():
    class Greedy(Shared):
        name = "greedy"

        def row(self, hypothesis, references):
            with pytest.raises(AttributeError):
                references[0].pop()
            return super().row(hypothesis, references)

    metric = Greedy(tokenizer="none")
    prepared = metric.prepare(["a b", "b"])
    assert (
        metric.segments(["a b", "b"], prepared).tolist() == metric.segments(["a b", "b"], prepared).tolist() == [1, 1]
    )


def test_fit_warns_about_token_sequences_that_look_like_texts():
    fit = refscore.CrystalBLEU.fit
    with pytest.warns(TokenizedTextWarning, match="only texts of one word"):
        fitted = fit([["int", "a"], ["b"]], k=3)
    assert fitted == fit([["int", "a", ""], ["b"]], k=3)
    assert fit([[["int", "a"]], [["b"]]], k=3) == fit(["int a", "b"], k=3)
    assert fit([["int a", "b"], ["c"]], k=3).ignored.weight(["b"]) == 1
    assert fit([["你好", "您好"]], tokenizer="zh", k=1).ignored.weight(["好"]) == 2
