"""TER's worked steps: every number is recomputed from the oracle."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from refscore.steps import Formula, Heading, Paragraph
from refscore.tables import Table
from tests.examples import examples
from tests.reference import ter as oracle

SEGMENTS = {
    "moved": (list("abcdef"), [list("defabc")]),
    "two moves": (list("cdabghef"), [list("abcdefgh")]),
    "several references": (list("abcdxfgab"), [list("bcdx"), list("abcdefgh"), list("ab")]),
    "the same reference twice": (list("abcd"), [list("bacd"), list("bacd")]),
    "equal": (list("abcde"), [list("abcde")]),
    "reversed": (list("edcba"), [list("abcde")]),
    "no word": (list("xyz"), [list("abcdef")]),
    "longer": (list("abcdef"), [["c"]]),
    "empty hypothesis": ([], [list("ab")]),
    "two, one of them empty": (list("ab"), [[], list("ab")]),
    "one reference, empty": (list("ab"), [[]]),
    "only empty ones": (list("ab"), [[], []]),
    "both empty": ([], [[]]),
    "ids": ([1, 2, 3, 3], [[3, 3, 1, 2], [3, 3]]),
    "objects": ([(1, 2), None, "a b", 2.5, b"x"], [[None, "a b", 2.5], [(1, 2)]]),
    "surrogates": (["\ud800", "a", "\udfff"], [["\ud800", "a"]]),
    "many references": (list("abc"), [list("abd")] * 30),
}


def parts(steps, kind):
    return [part for part in steps.parts if isinstance(part, kind)]


def table(steps, title):
    found = [part for part in parts(steps, Table) if part.title == title]
    return found[0] if found else None


def formulas(steps):
    return {formula.name: str(formula) for formula in parts(steps, Formula)}


def check(hypothesis, references):
    metric = refscore.TER()
    steps = metric.explain(hypothesis, references)
    counts = [oracle.edits(hypothesis, reference) for reference in references]
    best = counts.index(min(counts))
    edits, length = oracle.row(hypothesis, references)
    value = oracle.score([edits, length])
    assert steps.result == f"TER = {value:.4f} ({100 * value:.2f} %)"
    assert parts(steps, Paragraph)[0].text == f"Settings: {metric.signature}"

    shown = table(steps, "References")
    if len(references) == 1:
        assert shown is None
    else:
        assert [row.cells[1:3] for row in shown.rows] == [
            (str(count), str(len(reference))) for count, reference in zip(counts, references, strict=True)
        ]
        assert [row.mark == "match" for row in shown.rows] == [i == best for i in range(len(references))]
        said = any("is the first that needs" in paragraph.text for paragraph in parts(steps, Paragraph))
        assert said == (counts.count(min(counts)) > 1)

    moves, words, path = oracle.align(hypothesis, references[best])
    shown = table(steps, "Moves")
    assert (shown is None) == (not moves)
    now = list(hypothesis)
    for row, move in zip(shown.rows if shown else [], moves, strict=True):
        block = now[move[0] : move[0] + move[1]]
        now = oracle.moved(now, *move)
        assert row.cells[1] == " ".join(map(str, block))
        begin, end = re.fullmatch(r"(\d+)(?:–(\d+))?", row.cells[2]).groups()
        assert (int(begin) - 1, int(end or begin)) == (move[0], move[0] + move[1])
        begin, end = re.fullmatch(r"(\d+)(?:–(\d+))?", row.cells[3]).groups()
        assert now[int(begin) - 1 : int(end or begin)] == block
        assert row.cells[4] == " ".join(map(str, now))
        assert row.cells[5] == str(oracle.edit_path(now, references[best])[0])

    shown = table(steps, "Words")
    names = {" ": "match", "s": "substitute", "i": "insert", "d": "delete"}
    rows = shown.rows if shown else ()
    assert [row.cells[2] for row in rows] == [names[operation] for operation in path]
    assert [row.cells[1] for row in rows if row.cells[2] != "insert"] == [str(word) for word in words]
    assert [row.cells[3] for row in rows if row.cells[2] != "delete"] == [str(word) for word in references[best]]
    assert [row.cells[0] for row in rows if row.cells[2] != "insert"] == [str(i + 1) for i in range(len(words))]
    assert all((row.mark == "match") == (row.cells[2] == "match") for row in rows)

    shown = formulas(steps)
    numbers = [len(moves), path.count("s"), path.count("i"), path.count("d")]
    assert shown["edits"].endswith(f"{' + '.join(map(str, numbers))} = {edits}")
    assert shown["length"].endswith(f"= {length:.10g}")
    if length:
        assert shown["TER"] == f"TER = edits / length = {edits}/{length:.10g} = {value:.4f}"
    else:
        assert shown["TER"].startswith(f"TER = {value:.0f}, since")
    assert "TER, step by step" in str(steps)
    assert "<table" in steps._repr_html_()
    assert json.dumps(steps.to_dict())
    return steps


@pytest.mark.parametrize(("hypothesis", "references"), SEGMENTS.values(), ids=SEGMENTS)
def test_every_number(hypothesis, references):
    check(hypothesis, references)


@given(
    hypothesis=st.lists(st.sampled_from("abcd"), max_size=12),
    references=st.lists(st.lists(st.sampled_from("abcd"), max_size=12), min_size=1, max_size=3),
)
@examples(60)
def test_drawn_segments(hypothesis, references):
    check(hypothesis, references)


def test_headings_are_numbered():
    steps = check(list("abcd"), [list("bcda"), list("x")])
    titles = ["Tokens", "The best reference", "Moves", "Word by word", "Edits", "Result"]
    assert [heading.text for heading in parts(steps, Heading)] == [f"{i}. {t}" for i, t in enumerate(titles, 1)]


def test_text_is_shown_as_it_is_compared():
    steps = refscore.TER(tokenizer="tercom-norm").explain("A.,5", "A.,5")
    tokens = table(steps, "Compared tokens")
    assert [row.cells for row in tokens.rows] == [("hypothesis", "a . ,5", "3"), ("reference", "a . , 5", "4")]
    assert any("tokenized twice" in paragraph.text for paragraph in parts(steps, Paragraph))
    for metric in (refscore.TER(), refscore.TER(tokenizer="tercom-norm", references_twice=False)):
        assert not any("tokenized twice" in paragraph.text for paragraph in parts(metric.explain("a", "a"), Paragraph))
