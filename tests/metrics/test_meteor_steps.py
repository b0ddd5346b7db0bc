"""METEOR's worked steps: every number is recomputed from the definition."""

import json

import pytest
from hypothesis import given

import refscore
from refscore.steps import Formula, Heading, Paragraph
from refscore.tables import Table
from tests import strategies
from tests.examples import examples
from tests.reference import meteor as oracle

SEGMENTS = {
    "stems": ("the dogs were walking on the big hill", ["the dog walked on a hill"]),
    "several references": ("a b c d", ["d c b a", "a b x d", "a"]),
    "the same reference twice": ("a b", ["b a", "b a"]),
    "equal": ("a b c", ["a b c"]),
    "repeated": ("a a a b a", ["b a a"]),
    "no match": ("x y", ["a b"]),
    "no match, several": ("x y", ["a b", ""]),
    "empty hypothesis": ("", ["a"]),
    "empty reference": ("a", [""]),
    "both empty": ("", [""]),
    "long": (" ".join(map(str, range(60))), [" ".join(map(str, range(20, 70)))]),
    "tokens": (["Dogs", "run"], [["dog", "runs"]]),
    "ids": ([1, 2, 3, 3], [[3, 3, 1], [2, 4]]),
    "objects": ([(1, 2), None, 2.5], [[None, 2.5], [(1, 2)]]),
    "surrogates": (["\ud800", "a\ud800s"], [["\ud800", "a\ud800"]]),
    "greek": (["ΟΔΟΣ", "İs"], [["οδος", "i̇s"]]),
}
SETTINGS = [{}, {"alpha": 0, "beta": 1.5, "gamma": 1}, {"alpha": 1, "gamma": 0}, {"lowercase": False}]


def words_of(metric, item):
    return [word.lower() if metric.lowercase else word for word in item.split()] if isinstance(item, str) else item


def headings(steps):
    return [part.text.partition(". ")[2] for part in steps.parts if isinstance(part, Heading)]


def tables(steps, title):
    return [part for part in steps.parts if isinstance(part, Table) and part.title == title]


def formula(steps, name):
    return next(part for part in steps.parts if isinstance(part, Formula) and part.name == name)


def check(metric, hypothesis, references):
    steps = metric.explain(hypothesis, references)
    assert str(steps).startswith("METEOR, step by step\n")
    assert steps._repr_html_() and json.dumps(steps.to_dict())
    score = metric.segment(hypothesis, references)
    assert steps.result == f"METEOR = {score.value:.4f} ({score.percent:.2f} %)"
    setting = oracle.Settings(metric.alpha, metric.beta, metric.gamma)
    candidate, targets = words_of(metric, hypothesis), [words_of(metric, reference) for reference in references]
    rows = [oracle.row_of_one(setting, candidate, target) for target in targets]
    best = rows.index(max(rows, key=lambda row: row[0]))
    if len(targets) > 1:
        (table,) = tables(steps, "References")
        for row, (value, precision, recall, f_mean, penalty, _) in zip(table.rows, rows, strict=True):
            assert row.cells[1:6] == tuple(f"{x:.4f}" for x in (precision, recall, f_mean, penalty, value))
        assert [row.cells[6] for row in table.rows] == ["counts" if i == best else "" for i in range(len(rows))]
    found = oracle.match(candidate, targets[best])
    check_matches(steps, candidate, targets[best], found)
    chunks = oracle.chunks(found)
    if not chunks:
        assert headings(steps)[-1] == "Result"
        assert "scores 0." in str(steps)
        return
    check_chunks(steps, candidate, targets[best], chunks)
    matches = sum(place is not None for place in found)
    value, precision, recall, f_mean, penalty, _ = rows[best]
    assert formula(steps, "P").expression.endswith(f"= {matches}/{len(candidate)}")
    assert formula(steps, "R").expression.endswith(f"= {matches}/{len(targets[best])}")
    assert f"({len(chunks)}/{matches})^" in formula(steps, "penalty").expression
    for name, number in [("P", precision), ("R", recall), ("F", f_mean), ("penalty", penalty), ("METEOR", value)]:
        assert formula(steps, name).value == f"{number:.4f}"


def check_matches(steps, candidate, target, found):
    listed = [row.cells for table in tables(steps, "Matches, in the order of matching") for row in table.rows]
    expected = [
        (str(i + 1), str(candidate[i]), str(found[i][0] + 1), str(target[found[i][0]]))
        for stage in ("exact", "stem")
        for i in reversed(range(len(candidate)))
        if found[i] is not None and found[i][1] == stage
    ]
    assert [cells[:4] for cells in listed] == expected
    for cells in listed:
        if len(cells) == 5:
            assert cells[4] == oracle.STEMMER.stem(cells[1]) == oracle.STEMMER.stem(cells[3])


def check_chunks(steps, candidate, target, chunks):
    (table,) = tables(steps, "Chunks")
    for number, (row, chunk) in enumerate(zip(table.rows, chunks, strict=True), 1):
        assert row.cells[0] == str(number)
        ends = [(chunk[0][side] + 1, chunk[-1][side] + 1) for side in (0, 1)]
        assert (row.cells[1], row.cells[3]) == tuple(str(a) if a == b else f"{a}–{b}" for a, b in ends)
    grids = tables(steps, "Matches and their chunks")
    assert len(grids) == (max(len(candidate), len(target)) <= 20)
    for grid in grids:
        drawn = {(i, j): cell for i, row in enumerate(grid.rows) for j, cell in enumerate(row.cells[1:]) if cell != "·"}
        assert drawn == {pair: str(number) for number, chunk in enumerate(chunks, 1) for pair in chunk}


@pytest.mark.parametrize(("hypothesis", "references"), SEGMENTS.values(), ids=SEGMENTS)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_number(hypothesis, references, setting):
    check(refscore.METEOR(**setting), hypothesis, references)


@given(segment=strategies.text_segment())
@examples(60)
def test_drawn_texts(segment):
    check(refscore.METEOR(), *segment)


def test_stages_are_shown_where_there_are_any():
    metric = refscore.METEOR()
    rest = ["Chunks", "Precision, recall and their mean", "Penalty", "Result"]
    assert headings(metric.explain("a", "a")) == ["Tokens", "Equal words", "Equal stems", *rest]
    assert headings(metric.explain([1], [[1]])) == ["Tokens", "Equal words", *rest]
    assert headings(metric.explain("", "a")) == ["Tokens", "Result"]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "said"),
    [
        ("", "a", "An empty hypothesis"),
        ("a", "", "An empty reference"),
        ("a", "b", "No match"),
        ("", "", "An empty hyp"),
    ],
)
def test_why_it_is_zero(hypothesis, reference, said):
    steps = refscore.METEOR().explain(hypothesis, reference)
    assert isinstance(steps.parts[-1], Paragraph)
    assert steps.parts[-1].text.startswith(said)
