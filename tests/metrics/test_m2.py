"""M²: the numbers of m2scorer, its choice of annotators, M² files, errors and worked steps."""

import json
from pathlib import Path

import pytest

import refscore
from refscore import M2
from refscore.readers import open_segments

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "m2.json").read_text(encoding="utf-8"))
SOURCES, TEXTS, REFERENCES = GOLDEN["sources"], GOLDEN["hypotheses"], GOLDEN["references"]
EDIT = "A {} {}|||T|||{}|||REQUIRED|||-NONE-|||0"


def test_counts_of_m2scorer():
    for source, text, references, counts in zip(SOURCES, TEXTS, REFERENCES, GOLDEN["counts"], strict=True):
        for reference, expected in zip(references, counts, strict=True):
            assert M2().segment(text, reference, source=source).row.tolist() == expected
    assert sum(correct for counts in GOLDEN["counts"] for correct, *_ in counts) > 40


def test_the_corpus_score_of_m2scorer():
    score = M2.preset("m2scorer").cumulative(TEXTS, REFERENCES, sources=SOURCES)
    assert [score.precision, score.recall, score.value] == pytest.approx(GOLDEN["corpus"], abs=1e-12)


def test_one_annotator_needs_no_choice():
    first = [references[0] for references in REFERENCES]
    score = M2().corpus(TEXTS, first, sources=SOURCES)
    assert score.row.tolist() == M2().cumulative(TEXTS, first, sources=SOURCES).row.tolist()


def test_the_best_annotator_of_a_segment():
    def f_score(correct, proposed, gold):
        return 1.25 * correct / (proposed + gold / 4) if proposed + gold else 1

    for source, text, references, counts in zip(SOURCES, TEXTS, REFERENCES, GOLDEN["counts"], strict=True):
        row = M2().segment(text, references, source=source).row.tolist()
        assert row in counts
        assert f_score(*row) == max(f_score(*each) for each in counts)


def test_corrected_texts_are_references():
    metric = M2()
    source, text = "he go to a school every days", "he goes to school every day"
    assert metric.segment(text, text, source=source).row.tolist() == [3, 3, 3]
    assert metric.segment(source, text, source=source).row.tolist() == [0, 0, 3]
    assert metric.segment(source, source, source=source).value == 1


def test_files(tmp_path):
    file = tmp_path / "gold.m2"
    file.write_text(
        "S he go home\nA 1 2|||V|||goes|||REQUIRED|||-NONE-|||0\nA 1 2|||V|||went|||REQUIRED|||-NONE-|||1\n"
        "A 2 2|||P|||to||right|||REQUIRED|||-NONE-|||1\n\nS it rains\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\nS \n\n",
        encoding="utf-8",
    )
    with open_segments(file) as reader:
        references = [value for block in reader for value in block]
    with open_segments(f"{file}:src") as reader:
        sources = [value for block in reader for value in block]
    assert sources == ["he go home", "it rains", ""]
    assert [len(entry) for entry in references] == [2, 1, 1]
    score = M2().corpus(["he went home", "it rains", ""], references, sources=sources)
    assert score.row.tolist() == [1, 1, 2]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("he go\n", "line 1 of .* does not belong to a sentence"),
        ("S a\nA x 2|||T|||b|||R|||-|||0\n", "line 2 of .* is not an edit"),
        ("S a\nA 0 1|||T|||b\n", "line 2 of .* is not an edit"),
        ("S a\nB\n", "line 2 of .* is not an edit"),
    ],
)
def test_broken_files(tmp_path, text, problem):
    file = tmp_path / "gold.m2"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(refscore.InputError, match=problem):
        open_segments(file)


def test_errors_have_locations():
    wrong = EDIT.format("x", 2, "b")
    with pytest.raises(
        refscore.InputError, match=r"references\[1\]\[0\] has an edit that is not written as in M² files"
    ):
        M2().corpus(["a", "b"], [["c"], [wrong, "c"]], sources=["a", "b"])
    words = " ".join(map(str, range(60)))
    others = " ".join(map(str, range(100, 160)))
    with pytest.raises(refscore.InputError, match=r"differs too much from its source.*split it into sentences"):
        M2().segment(others, words, source=words)


def test_long_equal_texts_are_fast():
    text = " ".join(f"w{i}" for i in range(2000))
    assert M2().segment(text, text, source=text).value == 1


@pytest.mark.parametrize("metric", [M2(), M2(max_unchanged=0, beta=1)])
def test_worked_steps(metric):
    for source, text, references in zip(SOURCES[:40], TEXTS, REFERENCES, strict=False):
        for refs in (references, [text], [source, text]):
            value = metric.segment(text, refs, source=source).value
            assert metric.explain(text, refs, source=source).result == f"M2 = {value:.4f} ({100 * value:.2f} %)"
