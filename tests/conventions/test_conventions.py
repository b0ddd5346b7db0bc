"""The same segments under every preset, and the steps between the presets."""

import json
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import nltk.translate.bleu_score
import pytest
import sacrebleu
from hypothesis import given

import refscore
from refscore.conventions import compare_conventions
from refscore.conventions.scoring import Scorer, known_conventions, ordered_settings, steps_between
from refscore.metrics import METRICS, Preset
from refscore.settings import WholeNumber, setting, settings_by_name
from tests import strategies
from tests.examples import examples
from tests.locations import raises_at

HYPOTHESES = [
    "The cat sat on a mat, and looked at it.",
    "He read the book because he was interested in World History.",
    "A test",
    "it costs 3.50, he said",
]
REFERENCES = [
    ["the cat sat on the mat and looked at it.", "The cat was on a mat."],
    ["He was interested in world history because he read the book."],
    ["a test", "A test it is"],
    ["It costs 3.50, he said.", "He said: it costs 3.50"],
]
SOURCES = ["The cat was sitting on a mat", "He read history.", "This is a test", "The price is 3.50"]
STARTS = [(metric, start) for metric in METRICS if metric != "meteor" for start in known_conventions(METRICS[metric]())]


def test_scores_are_those_of_the_tools():
    seen = []
    result = compare_conventions(HYPOTHESES, REFERENCES, progress=lambda *done: seen.append(done))
    count = len(refscore.BLEU.presets)
    assert seen == [("scoring", i + 1, count) for i in range(count)]
    streams = [[entry[min(i, len(entry) - 1)] for entry in REFERENCES] for i in range(2)]
    assert result["sacrebleu"].printed == f"{sacrebleu.corpus_bleu(HYPOTHESES, streams).score:.2f}"
    tokens = [[reference.split() for reference in entry] for entry in REFERENCES]
    theirs = nltk.translate.bleu_score.corpus_bleu(tokens, [text.split() for text in HYPOTHESES])
    assert result["nltk"].printed == f"{theirs:.4f}"
    assert [result.start, result.segments, len(result)] == ["sacrebleu", 4, len(refscore.BLEU.presets)]


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric(metric):
    result = compare_conventions(HYPOTHESES, REFERENCES, metric, sources=SOURCES)
    assert [convention.name for convention in result] == list(known_conventions(METRICS[metric]()))
    start = result[result.start]
    assert (start.difference, start.steps) == (0, ())
    for convention in result:
        if convention.score is None:
            assert metric == "meteor" and "WordNet" in convention.unavailable
            continue
        scorer = METRICS[metric].with_settings(convention.preset)
        assert convention.score == scorer.fit(REFERENCES).corpus(HYPOTHESES, REFERENCES, sources=SOURCES)
        differences_of_steps = [step.difference for step in convention.steps]
        assert math.isclose(math.fsum(differences_of_steps), convention.difference, abs_tol=1e-12)
        if convention.steps:
            assert convention.steps[-1].score == convention.score
    assert len(result.flat_table().rows) == sum(1 + len(convention.steps) for convention in result)
    assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
    assert str(result).startswith(f"{METRICS[metric].display_name} of 4 segments")


@pytest.mark.parametrize(("metric", "start"), STARTS)
def test_from_every_preset_to_every_other(metric, start):
    kind = METRICS[metric]
    order = {name: i for i, setting in enumerate(ordered_settings(kind)) for name in setting.names}
    result = compare_conventions(HYPOTHESES, REFERENCES, metric, sources=SOURCES, start=start)
    assert result.start == start
    before = settings_by_name(kind.with_settings(result[start].preset))
    for convention in result:
        target = settings_by_name(kind.with_settings(convention.preset))
        switched = [name for step in convention.steps for change in step.changes for name in change.settings]
        assert {*switched} == {name for name in target if target[name] != before[name]}
        assert [order[name] for name in switched] == sorted(order[name] for name in switched)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ribes"])
def test_the_points_that_are_shown_add_up(metric):
    result = compare_conventions(HYPOTHESES, REFERENCES, metric)
    overview = {row.cells[0]: row.cells for row in result.table().rows}
    tables = result.tables()[1:]
    shown = [item for item in result if any(step.difference for step in item.steps)]
    assert [table.title.split()[-2] for table in tables] == [item.name for item in shown]
    for convention, table in zip(shown, tables, strict=True):
        signed = [row.cells[2].replace("−", "-") for row in table.rows]
        assert sum(map(Decimal, signed)) == Decimal(overview[convention.name][3].replace("−", "-"))
        assert table.rows[-1].cells[3] == overview[convention.name][1]


def test_segments_that_a_step_touches():
    hypotheses = ["a b c d e", "a b", "a b c", "A b c d"]
    references = ["a b c d e", "a b", "a b c", "a b c d"]
    steps = {step.changes[0].title: step for step in compare_conventions(hypotheses, references)["nltk"].steps}
    assert {title: step.touched for title, step in steps.items()} == {
        "tokenizer": 0,  # there is no punctuation
        "short segments": 2,  # two have fewer than four tokens
        "smoothing": 0,  # it applies to the sums
    }
    mteval = compare_conventions(hypotheses, references)["mteval"]
    assert [step.touched for step in mteval.steps if step.changes[0].title == "case"] == [1]


def test_steps_in_words():
    presets = ["sacrebleu", "r"]
    result = compare_conventions(["a b c d e"], [["a b c d e f", "a b c d"]], presets=presets, tokenizer="none")
    steps = result["r"].steps
    titles = [change.title for step in steps for change in step.changes]
    assert titles == ["reference length", "short segments", "smoothing", "no match at all"]
    change = steps[0].changes[0]
    assert change.reason.startswith("reference length: the closest reference length counts, the shorter of two")
    assert steps[0].difference == pytest.approx(math.exp(1 - 6 / 5) - 1)
    assert "scale: sacrebleu prints 100.00, r prints 0.8187" in result.tables()[-1].note


def test_settings_that_only_go_together():
    scorer = Scorer(HYPOTHESES, REFERENCES, None, None)
    start = refscore.BLEU(max_order=2, weights=(0.5, 0.5), smoothing="floor")
    steps = list(steps_between(scorer, start, refscore.BLEU()))
    assert [[list(change.settings) for change in step.changes] for step in steps] == [
        [["max_order"], ["weights"]],
        [["smoothing", "smoothing_value"]],
    ]
    # nltk-6 needs trigrams, so the order changes after the smoothing.
    steps = list(steps_between(scorer, refscore.BLEU(smoothing="nltk-6"), refscore.BLEU(max_order=2)))
    assert [[list(change.settings) for change in step.changes] for step in steps] == [
        [["max_order"], ["smoothing", "smoothing_value"]]
    ]
    assert steps[0].score == refscore.bleu(HYPOTHESES, REFERENCES, max_order=2)
    one, other = (refscore.BLEU(smoothing="floor", smoothing_value=value) for value in (0.1, 0.5))
    (step,) = steps_between(scorer, one, other)
    assert step.changes[0].settings == {"smoothing_value": ("0.1", "0.5")}


def test_what_the_data_do_not_allow_is_said():
    result = compare_conventions(["a b", "a"], ["a b", ""], "ribes")
    assert result.start == "nltk"
    assert result["official"].score is None and "references[1] has no words" in result["official"].unavailable
    assert result["official"].printed == ""
    assert "official is not available: references[1]" in str(result)
    assert "unavailable" in result.to_dict()["conventions"][0]
    assert result.flat_table().rows[0].cells[-1].startswith("not available: references[1]")
    for options in ({"start": "official"}, {"presets": ["official"]}):
        with raises_at(refscore.errors.EmptyReferenceError, side="references", segment=1):
            compare_conventions(["a b", "a"], ["a b", ""], "ribes", **options)


def test_settings_for_all_presets():
    result = compare_conventions(HYPOTHESES, REFERENCES, max_order=2, lowercase=True)
    assert {convention.score.metric.max_order for convention in result} == {2}
    assert all("case" not in row.cells[1] for row in result.flat_table().rows)
    names = ["sacrebleu", "nltk"]
    weighted = compare_conventions(HYPOTHESES, REFERENCES, presets=names, smoothing="floor", smoothing_value=0.5)
    assert [convention.unavailable for convention in weighted] == ["", ""]
    with pytest.raises(refscore.SettingError, match="smoothing_value"):
        compare_conventions(HYPOTHESES, REFERENCES, presets=names, smoothing_value=0.5)


def test_tokens():
    hypotheses, references = [text.split() for text in HYPOTHESES], [[r.split() for r in e] for e in REFERENCES]
    result = compare_conventions(hypotheses, references)
    assert all(step.touched == 0 for step in result["textbook"].steps if step.changes[0].stage == "text")
    assert compare_conventions(iter(hypotheses), iter(references)).to_dict() == result.to_dict()


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"metric": "blue"}, "'bleu'"),
        ({"metric": []}, "metric"),
        ({"presets": ["nlkt"]}, "'nltk'"),
        ({"presets": []}, "presets"),
        ({"start": "nlkt"}, "'nlkt'"),
        ({"smoothing": "nope"}, "smoothing 'nope'"),
        ({"smoothin": "exp"}, "'smoothing'"),
    ],
)
def test_mistakes(settings, named):
    with pytest.raises(refscore.SettingError, match=named):
        compare_conventions(HYPOTHESES, REFERENCES, **settings)


def test_mistakes_in_the_input():
    for corpus in ((HYPOTHESES, REFERENCES[:3]), ([], [])):
        with pytest.raises(refscore.InputError):
            compare_conventions(*corpus)
    with pytest.raises(refscore.errors.UnknownNameError, match="'x'"):
        compare_conventions(HYPOTHESES, REFERENCES)["x"]


@given(corpus=strategies.text_corpora)
@examples(50)
def test_any_text(corpus):
    result = compare_conventions(*corpus)
    for convention in result:
        assert math.isclose(sum(s.difference for s in convention.steps), convention.difference, abs_tol=1e-9)


@dataclass(frozen=True, kw_only=True)
class Overlap(refscore.metrics.PythonMetric):
    """A metric from outside: the share of words, or of their beginnings, that a reference has."""

    name = "overlap"
    columns = ("matches", "words")
    presets: ClassVar[dict[str, Preset]] = {
        "exact": Preset({"tokenizer": "none"}, tool="a paper", scale=1),
        "loose": Preset({"tokenizer": "none", "letters": 1, "lowercase": True}, tool="a script", scale=100),
    }
    letters: int = setting(
        0, "How many letters of a word count.", WholeNumber(0), key="letters", title="letters", stage="counting",
        words={0: "whole words count"}, otherwise="only the first {letters} letters count", alternatives=(0, 1, 2),
    )  # fmt: skip

    def row(self, hypothesis, references):
        words = [word[: self.letters or None] for word in hypothesis]
        known = {word[: self.letters or None] for reference in references for word in reference}
        return sum(word in known for word in words), len(words)

    def value(self, row):
        return row[0] / row[1] if row[1] else 0.0


def test_a_metric_from_outside():
    hypotheses, references = ["The cat sat", "a dogs"], ["the cat sits", "a dog"]
    result = compare_conventions(hypotheses, references, Overlap())
    assert {convention.name: convention.printed for convention in result} == {
        "default": "40.00", "exact": "0.4000", "loose": "100.00",
    }  # fmt: skip
    assert [step.changes[0].title for step in result["loose"].steps] == ["tokenizer", "case", "letters"]
    assert result["loose"].steps[2].changes[0].after == "only the first 1 letters count"
    assert str(result).startswith("OVERLAP of 2 segments")
    assert "default with letters=1" in [match.words for match in result.find("80.00").matches]
    assert compare_conventions(hypotheses, references, refscore.BLEU.preset("nltk")).start == "nltk"
    given = compare_conventions(hypotheses, references, Overlap(letters=2))
    assert (given.start, given["given"].printed) == ("given", "60.00")
