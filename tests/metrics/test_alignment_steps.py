"""Worked steps of the metrics that align words: every number equals that of the slow definition."""

import io
import math
import re
from collections import Counter

import pytest
from hypothesis import given, strategies as st
from rich.console import Console

import refscore
from tests.examples import examples
from tests.locations import raises_at
from tests.metrics.step_parts import formulas, headings, paragraphs, sentences, tables
from tests.reference import edits as error_rates, meteor, ribes, rouge, ter

SEGMENTS = {
    "paper": (["the", "book", "was", "read", "by", "the", "boy"], [["the", "boy", "read", "the", "book"]]),
    "stems": (["the", "dogs", "were", "walking", "on", "the", "hill"], [["the", "dog", "walked", "on", "a", "hill"]]),
    "two moves": (list("cdabghef"), [list("abcdefgh")]),
    "several references": (list("abcdxfgab"), [list("bcdx"), list("abcdefgh"), list("ab")]),
    "the same reference twice": (list("abcd"), [list("bacd"), list("bacd")]),
    "reversed": (list("edcba"), [list("abcde")]),
    "ranks that repeat": (list("axcxb"), [list("axb")]),
    "one word of one": (list("axy"), [["a"]]),
    "no word": (list("xyz"), [list("abcdef")]),
    "empty hypothesis": ([], [list("ab")]),
    "two, one of them empty": (list("ab"), [[], list("ab")]),
    "empty ones last": (list("ab"), [list("ba"), [], []]),
    "one reference, empty": (list("ab"), [[]]),
    "both empty": ([], [[]]),
    "many references": (list("abc"), [list("abd")] * 30),
    "ids": ([1, 2, 3, 3], [[1, 2, 3, 4], [3, 3]]),
    "objects": ([(1, 2), None, 2.5, b"x"], [[None, 2.5], [(1, 2)]]),
    "surrogates": (["\ud800", "a\ud800s", "\udfff"], [["\ud800", "a\ud800"]]),
    "long": (list("abcdefghijklmnopqrstuvwxyz"), [list("zyxwvutsabcdefghijklmnopqr")]),
    "long contexts": (list("ab" * 15), [list("ab" * 15)]),
}
every_segment = pytest.mark.parametrize(("hypothesis", "references"), SEGMENTS.values(), ids=SEGMENTS)


def shows(cells, numbers):
    """Return whether cells show these numbers, rounded to four decimals."""
    return list(map(float, cells)) == pytest.approx(list(numbers), abs=6e-5)


def explain(metric, hypothesis, references, scores, best, value=None):
    """Check the common parts of the steps, and return them.

    scores has a tuple of numbers per reference, which ends with its score, or None for a reference that is ignored.
    """
    steps = metric.explain(hypothesis, references)
    value = scores[best][-1] if value is None else value
    assert shows(re.findall(rf"^{metric.title} = (\S+) \(\d+\.\d\d %\)$", steps.result), [value])
    assert paragraphs(steps)[0] == f"Settings: {metric.signature}"
    assert [text.split(".")[0] for text in headings(steps)] == [str(i + 1) for i in range(len(headings(steps)))]
    lengths = [int(row.cells[2]) for row in tables(steps)["Compared tokens"].rows]
    assert lengths == [len(hypothesis), *map(len, references)]
    if len(references) == 1 or "References" not in tables(steps):
        assert len(references) == 1 or not hypothesis
        return steps
    rows = tables(steps)["References"].rows
    assert [row.mark for row in rows] == ["match" if i == best else None for i in range(len(references))]
    assert [row.cells[-1].endswith("counts") for row in rows] == [i == best for i in range(len(references))]
    assert f"Reference {best + 1} " in sentences(steps)
    for i, row in enumerate(rows):
        assert row.cells[0] == f"reference {i + 1}"
        assert ("ignored" in row.cells[-1]) == (scores[i] is None)
        if scores[i] is None:
            assert {*row.cells[1:-1]} == {"–"}
        else:
            assert shows(row.cells[1:-1], scores[i])
    return steps


def check_grid(grid, hypothesis, reference, signs):
    assert (grid is not None) == (0 < len(reference) <= 20 and len(hypothesis) <= 20)
    if grid is not None:
        assert [column.title for column in grid.columns[1:]] == [str(i + 1) for i in range(len(reference))]
        assert [row.cells[0] for row in grid.rows] == list(map(str, hypothesis))
        drawn = {(i, j): sign for i, row in enumerate(grid.rows) for j, sign in enumerate(row.cells[1:]) if sign != "·"}
        assert drawn == signs


def positions(begin, end):
    return str(end) if end - begin == 1 else f"{begin + 1}–{end}"


# TER


def check_ter(hypothesis, references):
    counts = [ter.edits(hypothesis, reference) for reference in references]
    best = counts.index(min(counts))
    reference = references[best]
    edits, length = ter.row(hypothesis, references)
    value = ter.score([edits, length])
    scores = list(zip(counts, map(len, references), strict=True))
    steps = explain(refscore.TER(), hypothesis, references, scores, best, value)
    assert ("is the first that needs" in sentences(steps)) == (counts.count(min(counts)) > 1)

    moves, after, path = ter.align(hypothesis, reference)
    shown = tables(steps).get("Moves")
    assert (shown is None) == (not moves)
    now = list(hypothesis)
    for row, move in zip(shown.rows if shown else [], moves, strict=True):
        begin, size = move[:2]
        block, now = now[begin : begin + size], ter.moved(now, *move)
        assert (row.cells[1], row.cells[2]) == (" ".join(map(str, block)), positions(begin, begin + size))
        place = int(row.cells[3].split("–")[0]) - 1
        assert (row.cells[3], now[place : place + size]) == (positions(place, place + size), block)
        assert row.cells[4:] == (" ".join(map(str, now)), str(ter.edit_path(now, reference)[0]))

    rows = tables(steps)["Words"].rows if path else ()
    names = {" ": "match", "s": "substitute", "i": "insert", "d": "delete"}
    assert [row.cells[2] for row in rows] == [names[operation] for operation in path]
    assert [row.cells[:2] for row in rows if row.cells[2] != "insert"] == [
        (str(i), str(word)) for i, word in enumerate(after, 1)
    ]
    assert [row.cells[3:] for row in rows if row.cells[2] != "delete"] == [
        (str(word), str(i)) for i, word in enumerate(reference, 1)
    ]
    assert all((row.mark == "match") == (row.cells[2] == "match") for row in rows)
    found = {name: str(formula) for name, formula in formulas(steps).items()}
    numbers = [len(moves), path.count("s"), path.count("i"), path.count("d")]
    assert found["edits"].endswith(f"{' + '.join(map(str, numbers))} = {edits}")
    assert found["length"].endswith(f"= {length:.10g}")
    ratio = f"TER = edits / length = {edits}/{length:.10g} = {value:.4f}"
    assert found["TER"].startswith(ratio if length else f"TER = {value:.0f}, since")
    return steps


@every_segment
def test_ter(hypothesis, references):
    check_ter(hypothesis, references)


def test_text_is_shown_as_it_is_compared():
    steps = refscore.TER(tokenizer="tercom-norm").explain("A.,5", "A.,5")
    tokens = [row.cells for row in tables(steps)["Compared tokens"].rows]
    assert tokens == [("hypothesis", "a . ,5", "3"), ("reference", "a . , 5", "4")]
    assert "tokenized twice" in sentences(steps)
    for metric in (refscore.TER(), refscore.TER(tokenizer="tercom-norm", references_twice=False)):
        assert "tokenized twice" not in sentences(metric.explain("a", "a"))


# METEOR


def check_meteor(metric, hypothesis, references):
    setting = meteor.Settings(metric.alpha, metric.beta, metric.gamma)
    scores = [(*row[1:5], row[0]) for row in (meteor.row_of_one(setting, hypothesis, text) for text in references)]
    best = [score[-1] for score in scores].index(max(score[-1] for score in scores))
    reference = references[best]
    steps = explain(metric, hypothesis, references, scores, best)
    places = meteor.match(hypothesis, reference)
    listed = [part for part in steps.parts if getattr(part, "title", "") == "Matches, in the order of matching"]
    assert [row.cells[:4] for table in listed for row in table.rows] == [
        (str(i + 1), str(hypothesis[i]), str(places[i][0] + 1), str(reference[places[i][0]]))
        for stage in ("exact", "stem")
        for i in reversed(range(len(hypothesis)))
        if places[i] is not None and places[i][1] == stage
    ]
    for cells in (row.cells for table in listed for row in table.rows if len(row.cells) == 5):
        assert cells[4] == meteor.STEMMER.stem(cells[1]) == meteor.STEMMER.stem(cells[3])
    chunks = meteor.chunks(places)
    if not chunks:
        why = "No match" if hypothesis and reference else "An empty reference" if hypothesis else "An empty hypothesis"
        assert paragraphs(steps)[-1] == f"{why} scores 0."
        return
    for number, (row, chunk) in enumerate(zip(tables(steps)["Chunks"].rows, chunks, strict=True), 1):
        ends = [positions(chunk[0][side], chunk[-1][side] + 1) for side in (0, 1)]
        assert (row.cells[0], row.cells[1], row.cells[3]) == (str(number), *ends)
    signs = {pair: str(number) for number, chunk in enumerate(chunks, 1) for pair in chunk}
    check_grid(tables(steps).get("Matches and their chunks"), hypothesis, reference, signs)
    found, matches = formulas(steps), sum(map(len, chunks))
    assert found["P"].expression.endswith(f"= {matches}/{len(hypothesis)}")
    assert found["R"].expression.endswith(f"= {matches}/{len(reference)}")
    assert f"({len(chunks)}/{matches})^" in found["penalty"].expression
    assert shows([found[name].value for name in ("P", "R", "F", "penalty", "METEOR")], scores[best])


@every_segment
def test_meteor(hypothesis, references):
    for settings in ({}, {"alpha": 0, "beta": 1.5, "gamma": 1}, {"alpha": 1, "gamma": 0}):
        check_meteor(refscore.METEOR(**settings), hypothesis, references)


def test_stages_of_matching():
    rest = ["Chunks", "Precision, recall and their mean", "Penalty", "Result"]
    for segment, titles in [
        (("a", "a"), ["Tokens", "Equal words", "Equal stems", *rest]),
        (([1], [[1]]), ["Tokens", "Equal words", *rest]),
        (("", "a"), ["Tokens", "Result"]),
    ]:
        shown = headings(refscore.METEOR().explain(*segment))
        assert shown == [f"{number}. {title}" for number, title in enumerate(titles, 1)]


# RIBES

RIBES_SETTINGS = {
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


def number(formula):
    """Return the result of a formula, or its first number if it has no result."""
    return float(formula.value or formula.expression.split(",")[0])


def check_ribes(metric, hypothesis, references):
    kept = [i for i, reference in enumerate(references) if reference or metric.empty_reference != "skip"]
    if not kept or (metric.empty_reference == "error" and not all(references)):
        return  # test_locations.py has the errors
    scores = [None] * len(references)
    for i in kept:
        value, *parts = ribes.parts(metric, tuple(hypothesis), tuple(references[i]))
        scores[i] = (*parts, value)
    best = max(kept, key=lambda i: scores[i][-1])
    reference = references[best]
    steps = explain(metric, hypothesis, references, scores, best)
    if not hypothesis:
        assert "An empty hypothesis scores 0." in sentences(steps)
        return
    if len(references) > 1:
        remarks = [row.cells[-1] for row in tables(steps)["References"].rows]
        assert ["empty" in remark for remark in remarks] == [not text for text in references]
    aligned = ribes.align(metric.first_context, metric.context_limit, tuple(hypothesis), tuple(reference))
    check_words(tables(steps)["Hypothesis words"], hypothesis, reference, aligned)
    signs = {(i, word[0]): "●" for i, word in enumerate(aligned) if word}
    check_grid(tables(steps).get("Grid"), hypothesis, reference, signs)
    nkt, precision, penalty, value = scores[best]
    found, ranks = formulas(steps), [word[0] + 1 for word in aligned if word]
    name = "NSR" if metric.correlation == "rho" else "NKT"
    assert [number(found[part]) for part in (name, "P", "BP", "RIBES")] == pytest.approx(scores[best], abs=6e-5)
    assert found["P"].expression.endswith(f"= {len(ranks)}/{len(hypothesis)}")
    assert (found["L"].value, found["R"].value) == (str(len(hypothesis)), str(len(reference)))
    factors = found["RIBES"].expression.split(" = ")[-1].split(" · ")
    assert shows(factors, [nkt, precision**metric.alpha, penalty**metric.beta])
    if not ranks:
        assert "No word is aligned." in sentences(steps)
        return
    assert found["ranks"].expression == ", ".join(map(str, ranks))
    if len(ranks) == 1:
        assert f"single_word='{metric.single_word}'" in found[name].expression
    elif metric.correlation == "rho":
        assert number(found["Σd²"]) == sum(float(row.cells[5]) for row in tables(steps)["Places"].rows)
        assert number(found["rho"]) == pytest.approx(2 * nkt - 1, abs=6e-5)
    else:
        check_pairs(metric, ranks, steps)


def check_words(table, hypothesis, reference, aligned):
    for i, (row, word) in enumerate(zip(table.rows, aligned, strict=True)):
        position, token, context, side, rank = row.cells
        assert (position, token) == (str(i + 1), str(hypothesis[i]))
        if word is None:
            missing = "not in the reference" if hypothesis[i] not in reference else "occurs exactly once in both"
            assert (row.mark, context, rank) == ("miss", "–", "–") and missing in side
            continue
        begin, end = word[1]
        assert (row.mark, rank) == ("match", str(word[0] + 1))
        if end - begin <= 12:
            assert context == " ".join(map(str, hypothesis[begin:end]))
        else:
            assert f"({end - begin} words)" in context and " … " in context
        sides = ["the word itself"] if end - begin == 1 else ["context to the left"] * (begin < i)
        assert [side] == (sides or ["context to the right"])


def check_pairs(metric, ranks, steps):
    in_runs = metric.correlation == "tau-runs"
    found, count = formulas(steps), (ribes.ascending_in_runs if in_runs else ribes.ascending)(ranks)
    assert (number(found["ascending"]), number(found["all pairs"])) == (count, math.comb(len(ranks), 2))
    if found["ascending"].value:
        assert sum(map(int, found["ascending"].expression.split(" + "))) == count
    assert ("tau" in found) == (metric.correlation != "tau")
    if "tau" in found:
        assert number(found["tau"]) == pytest.approx(2 * count / math.comb(len(ranks), 2) - 1, abs=6e-5)
    if in_runs:
        assert not count or sum(int(row.cells[3]) for row in tables(steps)["Runs"].rows) == count
        return
    pairs = [row.cells[1].split(" < ") for row in tables(steps)["Ascending pairs"].rows] if 0 < count <= 12 else []
    assert ("Ascending pairs" in tables(steps)) == bool(pairs)
    assert len(pairs) in (0, count) and all(int(first) < int(second) for first, second in pairs)


def make_ribes(settings):
    return refscore.RIBES.preset(settings.get("preset", "official"), **{**settings, "preset": None})


@pytest.mark.parametrize("settings", RIBES_SETTINGS.values(), ids=RIBES_SETTINGS)
def test_ribes(settings):
    for hypothesis, references in SEGMENTS.values():
        check_ribes(make_ribes(settings), hypothesis, references)


words = st.lists(st.sampled_from("abcd"), max_size=10)


@given(words, st.lists(words, min_size=1, max_size=3), st.sampled_from(list(RIBES_SETTINGS.values())))
@examples(200)
def test_drawn_segments(hypothesis, references, settings):
    check_ter(hypothesis, references)
    check_meteor(refscore.METEOR(), hypothesis, references)
    check_ribes(make_ribes(settings), hypothesis, references)


def test_ascending_pairs_and_the_first_context():
    for preset, hypothesis, reference, shown in [
        ("official", "a b c d e f", "a b c d e f", "5 + 4 + 3 + 2 + 1 + 0 = 15"),  # too many to list
        ("official", list(range(21)), [list(range(21))], "210"),
        ("official", "b a", "a b", "0"),
        ("nltk-3.9", "b a", "a b", "0, since there is no run"),
    ]:
        steps = refscore.RIBES.preset(preset).explain(hypothesis, reference)
        assert str(formulas(steps)["ascending"]) == f"ascending = {shown}"
        first = "right is tried before the one to the left" if preset == "nltk-3.9" else "left is tried before"
        assert first in sentences(steps)


def test_a_grid_fits_on_a_terminal():
    text = [f"word{i:02}" for i in range(20)]
    file = io.StringIO()
    Console(file=file, width=80).print(refscore.RIBES().explain(text, [text]))
    drawn = file.getvalue().partition("Grid")[2]
    assert re.search(r"^word00 ● · · ", drawn, re.MULTILINE)
    assert re.search(r"^word19 · .*●$", drawn.replace(" \n", "\n"), re.MULTILINE)


# ROUGE, WER and CER


@every_segment
@pytest.mark.parametrize("variant", ["1", "2", "L"])
def test_rouge(variant, hypothesis, references):
    scores = [rouge.row(variant, [hypothesis], [[reference]])[:3] for reference in references]
    best = [score[-1] for score in scores].index(max(score[-1] for score in scores))
    reference, steps = references[best], explain(refscore.ROUGE(variant=variant), hypothesis, references, scores, best)
    order = 1 if variant == "L" else int(variant)
    if min(len(hypothesis), len(reference)) < order:
        assert "nothing matches" in sentences(steps)
        return
    ours, theirs = rouge.ngrams(hypothesis, order), rouge.ngrams(reference, order)
    matches = len(rouge.subsequence(hypothesis, reference)) if variant == "L" else (ours & theirs).total()
    found = formulas(steps)
    assert found["P"].expression.endswith(f"= {matches}/{ours.total()}")
    assert found["R"].expression.endswith(f"= {matches}/{theirs.total()}")
    assert found["matches"].value == str(matches)
    assert [number(found[name]) for name in "PRF"] == pytest.approx(scores[best], abs=6e-5)
    if variant == "L":
        rows = [row.cells for row in tables(steps)["Alignment"].rows]
        for side, text in enumerate((reference, hypothesis)):
            assert [cells[side] for cells in rows if cells[side] != "–"] == list(map(str, text))
        assert sum(own == other for own, other in rows) == matches
        return
    expected = [(" ".join(map(str, ngram)), theirs[ngram], ours[ngram]) for ngram in {**theirs, **ours}]
    rows = [(text, own, other, min(own, other)) for text, own, other in expected]
    assert [row.cells for row in tables(steps)["Counts"].rows] == [tuple(map(str, cells)) for cells in rows]


def test_unions_of_lines():
    """The first is the example of Lin's paper, section 3.2: the union of w1 w2 and of w1 w3 w5."""
    for hypothesis, references, lines in [
        ("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", [("1", "w1 w2 w3 w4 w5", "w1 w2 w3 w5", "w1 w2 w3 w5")]),
        (["a", "b"], [["a", "\n", "a", "b"]], [("1", "a", "a", "a"), ("2", "a b", "a b", "b")]),
        ("", "a", None),
        ([1, 3], [[1, 2]], [("1", "1 2", "1", "1")]),
    ]:
        steps = refscore.ROUGE(variant="Lsum").explain(hypothesis, references)
        assert lines == (None if lines is None else [row.cells for row in tables(steps)["Lines"].rows])
        matches = sum(len(cells[3].split()) for cells in lines or ())
        assert "nothing matches" in sentences(steps) or formulas(steps)["matches"].value == str(matches)


@every_segment
def test_error_rates(hypothesis, references):
    for metric in (refscore.WER(), refscore.CER()):
        counts = [Counter(error_rates.align(reference, hypothesis)) for reference in references]
        errors = [count.total() - count["hit"] for count in counts]
        scores = [
            (count, len(reference), count / max(1, len(reference)))
            for count, reference in zip(errors, references, strict=True)
        ]
        best = [score[-1] for score in scores].index(min(score[-1] for score in scores))
        steps = explain(metric, hypothesis, references, scores, best)
        score = metric.segment(hypothesis, references)
        shown = Counter()
        for row in tables(steps)["Edits"].rows if "Edits" in tables(steps) else ():
            size, kind = re.fullmatch(r"(?:(\d+) )?(\w+?)s?", row.cells[2]).groups()
            shown[kind] += int(size or 1)
            assert (row.cells[0] == "–", row.cells[1] == "–") == (kind == "insertion", kind == "deletion")
        assert shown == counts[best]
        found = formulas(steps)
        for name, value in {"MER": score.mer, "WIP": score.wip, "WIL": score.wil}.items():
            assert name not in found or number(found[name]) == pytest.approx(value, abs=6e-5)


@pytest.mark.parametrize("metric", [refscore.WER(), refscore.ROUGE(), refscore.ROUGE(variant="1")], ids=str)
def test_a_long_segment_is_shown_in_part(metric):
    text = " ".join(f"w{i}" for i in range(1000))
    assert "800 more rows" in sentences(metric.explain(text, text))


def test_mistakes():
    for hypothesis, references, location in [
        (None, ["a"], {"side": "hypothesis"}),
        ("a", [], {"side": "references"}),
        ("a", None, {"side": "references"}),
        (["a"], ["a"], {"side": "references"}),
        ("a", refscore.RIBES().prepare(["a"]), {}),
    ]:
        with raises_at(refscore.InputError, **location):
            refscore.RIBES().explain(hypothesis, references)
