"""RIBES's worked steps: every number equals the oracle's."""

import io
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import refscore
from refscore.errors import Location
from tests.examples import examples
from tests.metrics.step_parts import formulas, headings, sentences, tables
from tests.reference import ribes as oracle

SEGMENTS = {
    "paper": (["the", "book", "was", "read", "by", "the", "boy"], [["the", "boy", "read", "the", "book"]]),
    "swapped": (["Bob", "hit", "John", "yesterday"], [["John", "hit", "Bob", "yesterday"]]),
    "several references": (list("abcdxfgab"), [list("bcdx"), list("abcdefgh"), list("ab")]),
    "the same reference twice": (list("abcd"), [list("bacd"), list("bacd")]),
    "equal": (list("abcde"), [list("abcde")]),
    "reversed": (list("edcba"), [list("abcde")]),
    "equal words": (list("ccc"), [list("ccc")]),
    "ranks that repeat": (list("axcxb"), [list("axb")]),
    "overlapping": (list("bcb"), [list("cbc")]),
    "one word of one": (list("axy"), [["a"]]),
    "one word of several": (list("axy"), [list("abc")]),
    "no word": (list("xyz"), [list("abcdef")]),
    "short": (list("ab"), [list("abcd")]),
    "empty hypothesis": ([], [list("ab")]),
    "two, one of them empty": (list("ab"), [[], list("ab")]),
    "empty ones last": (list("ab"), [list("ba"), [], []]),
    "one reference, empty": (list("ab"), [[]]),
    "only empty ones": (list("ab"), [[], []]),
    "both empty": ([], [[]]),
    "ids": ([1, 2, 3, 3], [[1, 2, 3, 4], [3, 3]]),
    "objects": ([(1, 2), None, "a b", 2.5, b"x"], [[None, "a b", 2.5], [(1, 2)]]),
    "surrogates": (["\ud800", "a", "\udfff"], [["\ud800", "a"]]),
    "long": (list("abcdefghijklmnopqrstuvwxyz"), [list("zyxwvutsabcdefghijklmnopqr")]),
    "long contexts": (list("ab" * 15), [list("ab" * 15)]),
}

SETTINGS = {
    **{name: {"preset": name} for name in ("official", "nltk", "nltk-3.9")},
    **{name: {"correlation": name} for name in ("tau-nltk", "tau-runs", "rho")},
    "right": {"first_context": "right"},
    "limit": {"context_limit": "nltk"},
    "single zero": {"single_word": "zero"},
    "skip": {"empty_reference": "skip"},
    "zero": {"empty_reference": "zero"},
    "powers": {"alpha": 0.5, "beta": 1.5},
    "no powers": {"alpha": 0, "beta": 0},
    "nltk, rho": {"preset": "nltk", "correlation": "rho", "empty_reference": "skip"},
}


def make(setting):
    rest = {key: value for key, value in setting.items() if key != "preset"}
    return refscore.RIBES.preset(setting.get("preset", "official"), **rest)


def align(metric, hypothesis, reference):
    """Return for each word (rank from 1, context), or None."""
    aligned = oracle.align(metric.first_context, metric.context_limit, tuple(hypothesis), tuple(reference))
    return [word and (word[0] + 1, hypothesis[slice(*word[1])]) for word in aligned]


def ascending(metric, ranks):
    return (oracle.ascending_in_runs if metric.correlation == "tau-runs" else oracle.ascending)(ranks)


def score(metric, hypothesis, reference):
    """Return the correlation, precision, brevity penalty and score with one reference."""
    value, *parts = oracle.parts(metric, tuple(hypothesis), tuple(reference))
    return *parts, value


def number(formula):
    """Return the result of a formula, or its first number if it has no result."""
    return float(formula.value or formula.expression.split(",")[0])


def check(metric, hypothesis, references, steps):
    lengths = [int(row.cells[2]) for row in tables(steps)["Compared tokens"].rows]
    assert lengths == [len(hypothesis), *map(len, references)]
    assert metric.signature in sentences(steps)
    assert [heading.split(".")[0] for heading in headings(steps)] == [str(i + 1) for i in range(len(headings(steps)))]
    kept = [i for i, reference in enumerate(references) if reference or metric.empty_reference != "skip"]
    scores = {i: score(metric, hypothesis, references[i]) for i in kept}
    best = max(kept, key=lambda i: scores[i][3])
    value = scores[best][3]
    shown = re.fullmatch(r"RIBES = (\d\.\d{4}) \((\d+\.\d\d) %\)", steps.result)
    assert shown and float(shown[1]) == pytest.approx(value, abs=6e-5)
    assert float(shown[2]) == pytest.approx(100 * value, abs=6e-3)
    assert steps.result.startswith(f"RIBES = {metric.segment(hypothesis, references).value:.4f}")
    if not hypothesis:
        assert "An empty hypothesis scores 0." in sentences(steps)
        return
    check_references(metric, references, scores, best, steps)
    check_alignment(metric, hypothesis, references[best], steps)
    check_formulas(metric, hypothesis, references[best], scores[best], steps)


def check_references(metric, references, scores, best, steps):
    if len(references) == 1:
        assert "References" not in tables(steps)
        return
    rows = tables(steps)["References"].rows
    assert [row.mark for row in rows] == ["match" if i == best else None for i in range(len(references))]
    assert f"Reference {best + 1} " in sentences(steps)
    for i, row in enumerate(rows):
        assert row.cells[0] == f"reference {i + 1}"
        assert ("empty" in row.cells[5]) == (not references[i])
        assert ("ignored" in row.cells[5]) == (i not in scores)
        if i in scores:
            assert [float(cell) for cell in row.cells[1:5]] == pytest.approx(scores[i], abs=6e-5)
        else:
            assert set(row.cells[1:5]) == {"–"}


def check_alignment(metric, hypothesis, reference, steps):
    expected = align(metric, hypothesis, reference)
    rows = tables(steps)["Hypothesis words"].rows
    assert len(rows) == len(hypothesis)
    for i, (row, word) in enumerate(zip(rows, expected, strict=True)):
        position, token, context, side, rank = row.cells
        assert (position, token) == (str(i + 1), str(hypothesis[i]))
        if word is None:
            missing = "not in the reference" if hypothesis[i] not in reference else "occurs exactly once in both"
            assert row.mark == "miss" and (context, rank) == ("–", "–") and missing in side
            continue
        assert (row.mark, rank) == ("match", str(word[0]))
        if len(word[1]) <= 12:
            assert context == " ".join(map(str, word[1]))
        else:
            assert f"({len(word[1])} words)" in context and " … " in context
        if len(word[1]) == 1:
            assert side == "the word itself"
        else:
            # The word is the first of a context to its right and the last of one to its left.
            right = hypothesis[i : i + len(word[1])] == word[1]
            assert side in (["context to the right"] if right else []) + ["context to the left"]
    assert "from 1" in tables(steps)["Hypothesis words"].note
    drawn = tables(steps).get("Grid")
    assert (drawn is not None) == (0 < len(reference) <= 20 and len(hypothesis) <= 20)
    if drawn is not None:
        assert [column.title for column in drawn.columns[1:]] == [str(i + 1) for i in range(len(reference))]
        dots = [[i for i, cell in enumerate(row.cells) if cell == "●"] for row in drawn.rows]
        assert dots == [[word[0]] if word else [] for word in expected]
        assert [row.cells[0] for row in drawn.rows] == [str(token) for token in hypothesis]


def check_formulas(metric, hypothesis, reference, expected, steps):
    found = formulas(steps)
    ranks = [word[0] for word in align(metric, hypothesis, reference) if word]
    name = "NSR" if metric.correlation == "rho" else "NKT"
    assert number(found[name]) == pytest.approx(expected[0], abs=6e-5)
    assert found["P"].expression.endswith(f"= {len(ranks)}/{len(hypothesis)}")
    assert number(found["P"]) == pytest.approx(expected[1], abs=6e-5)
    assert (found["L"].value, found["R"].value) == (str(len(hypothesis)), str(len(reference)))
    assert number(found["BP"]) == pytest.approx(expected[2], abs=6e-5)
    factors = [float(factor) for factor in found["RIBES"].expression.split(" = ")[-1].split(" · ")]
    powers = expected[0], expected[1] ** metric.alpha, expected[2] ** metric.beta
    assert factors == pytest.approx(powers, abs=6e-5)
    assert number(found["RIBES"]) == pytest.approx(expected[3], abs=6e-5)
    if not ranks:
        assert "No word is aligned." in sentences(steps)
        return
    assert found["ranks"].expression == ", ".join(map(str, ranks))
    if len(ranks) == 1:
        assert f"single_word='{metric.single_word}'" in found[name].expression
    elif metric.correlation == "rho":
        squares = [float(row.cells[5]) for row in tables(steps)["Places"].rows]
        assert number(found["Σd²"]) == sum(squares)
        assert number(found["rho"]) == pytest.approx(2 * expected[0] - 1, abs=6e-5)
    else:
        check_pairs(metric, ranks, steps)


def check_pairs(metric, ranks, steps):
    found, count = formulas(steps), ascending(metric, ranks)
    assert number(found["ascending"]) == count
    assert number(found["all pairs"]) == math.comb(len(ranks), 2)
    if found["ascending"].value:
        assert sum(map(int, found["ascending"].expression.split(" + "))) == count
    assert ("tau" in found) == (metric.correlation != "tau")
    if "tau" in found:
        assert number(found["tau"]) == pytest.approx(2 * count / math.comb(len(ranks), 2) - 1, abs=6e-5)
    if metric.correlation == "tau-runs":
        assert sum(int(row.cells[3]) for row in tables(steps)["Runs"].rows) == count if count else True
        return
    listed = tables(steps).get("Ascending pairs")
    assert (listed is not None) == (0 < count <= 12)
    if listed is not None:
        assert len(listed.rows) == count
        for row in listed.rows:
            first, second = map(int, row.cells[1].split(" < "))
            assert first < second


def refused(metric, references):
    if metric.empty_reference == "error":
        return not all(references)
    return metric.empty_reference == "skip" and not any(references)


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_numbers(setting):
    metric = make(setting)
    for hypothesis, references in SEGMENTS.values():
        if not refused(metric, references):
            check(metric, hypothesis, references, metric.explain(hypothesis, references))
            continue
        with pytest.raises(refscore.InputError) as scored:
            metric.segment(hypothesis, references)
        with pytest.raises(scored.type) as explained:
            metric.explain(hypothesis, references)
        assert explained.value.location == scored.value.location


words = st.lists(st.sampled_from("abcd"), max_size=8)


@given(words, st.lists(words.filter(len), min_size=1, max_size=3), st.sampled_from(list(SETTINGS.values())))
@examples(200)
def test_generated_segments(hypothesis, references, setting):
    metric = make(setting)
    check(metric, hypothesis, references, metric.explain(hypothesis, references))


@pytest.mark.parametrize("preset", ["official", "nltk"])
def test_text(preset):
    metric = refscore.RIBES.preset(preset, tokenizer="13a")
    hypothesis, references = "The cat, it sat.", ["the cat. It sat", "A dog\u2028 ran"]

    def split(text):
        tokens = refscore.tokenize(text, "13a")
        return [token.lower() for token in tokens] if preset == "official" else tokens

    steps = metric.explain(hypothesis, references)
    check(metric, split(hypothesis), [split(text) for text in references], steps)


def test_pairs_are_counted_where_there_are_many():
    steps = refscore.RIBES().explain(list("abcdef"), [list("abcdef")])
    assert str(formulas(steps)["ascending"]) == "ascending = 5 + 4 + 3 + 2 + 1 + 0 = 15"
    steps = refscore.RIBES().explain(list(range(21)), [list(range(21))])
    assert str(formulas(steps)["ascending"]) == "ascending = 210"


def test_no_pair_ascends():
    assert str(formulas(refscore.RIBES().explain("b a", "a b"))["ascending"]) == "ascending = 0"
    steps = refscore.RIBES.preset("nltk-3.9").explain("b a", "a b")
    assert str(formulas(steps)["ascending"]) == "ascending = 0, since there is no run"


def test_the_rule_names_the_side_that_is_tried_first():
    assert "the context to the left is tried before the one to the right" in sentences(
        refscore.RIBES().explain("a", "a")
    )
    assert "the context to the right is tried before the one to the left" in sentences(
        refscore.RIBES.preset("nltk").explain("a", "a")
    )


def test_a_grid_fits_on_a_terminal():
    text = [f"word{i:02}" for i in range(20)]
    file = io.StringIO()
    Console(file=file, width=80).print(refscore.RIBES().explain(text, [text]))
    drawn = file.getvalue().partition("Grid")[2]
    assert re.search(r"^word00 ● · · ", drawn, re.MULTILINE)
    assert re.search(r"^word19 · .*●$", drawn.replace(" \n", "\n"), re.MULTILINE)


@pytest.mark.parametrize(
    ("hypothesis", "references", "location"),
    [
        (None, ["a"], Location("hypothesis")),
        ("a", [], Location("references")),
        ("a", None, Location("references")),
        (["a"], ["a"], Location("references")),
        ("a", refscore.RIBES().prepare(["a"]), None),
    ],
)
def test_mistakes(hypothesis, references, location):
    with pytest.raises(refscore.InputError) as caught:
        refscore.RIBES().explain(hypothesis, references)
    assert caught.value.location == location
