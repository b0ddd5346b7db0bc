"""Several annotators: their agreement is a ceiling, and files of human evaluations have the scores of all of them."""

import json
import math

import numpy as np
import pytest

import refscore
from refscore.meta import JudgedLines, Judgments, agreement, average, rank_metrics, read_leaderboard
from tests.cli.running import error_of, json_of, output_of
from tests.meta.scores import generate
from tests.meta.test_averages import write_test_set
from tests.meta.test_folder import fails
from tests.reference import meta as oracle


@pytest.mark.parametrize(
    ("statistic", "level"), [("pearson", "segment"), ("acc-eq", "segment"), ("tau-b", "segment"), ("pearson", "system")]
)
def test_ceilings(statistic, level):
    """The second annotator is like a metric, on the outputs that both people scored."""
    human, metrics = generate(3, 4, 12, levels=8, gaps=0.2, metrics=1)
    second, _ = generate(3, 4, 12, levels=8, gaps=0.3, metrics=1)
    judgments = Judgments.from_scores(human, metrics).with_annotator("second", second)
    ranking = rank_metrics(judgments, statistic, level=level, trials=0)
    both = [
        [h if s is not None else None for h, s in zip(*rows, strict=True)] for rows in zip(human, second, strict=True)
    ]
    filled = [[0.0 if s is None else s for s in row] for row in second]
    if level == "system":
        means = [
            [
                sum(x) / len(x)
                for rows in zip(own, both, strict=True)
                if (x := [v for v, h in zip(*rows, strict=True) if h is not None])
            ]
            for own in (both, filled)
        ]
        expected = oracle.pearson(*means)
    elif statistic == "acc-eq":
        expected, _ = oracle.acc_eq(both, filled, "item")
    else:
        expected = oracle.grouped({"pearson": oracle.pearson, "tau-b": oracle.tau_b}[statistic], both, filled, "none")
    (ceiling,) = ranking.ceilings
    assert (ceiling.name, ceiling.ratings) == ("second", sum(h is not None for row in both for h in row))
    assert ceiling.value == pytest.approx(expected, rel=1e-12)
    assert f"The annotator second has {ceiling.value:.4f} on {ceiling.ratings} outputs." in str(ranking)
    assert (
        ranking["metric 0"].value
        == agreement(Judgments.from_scores(human, metrics), statistic, level=level)["metric 0"]
    )


def test_annotators_follow_their_outputs():
    human, metrics = generate(5, 4, 9, metrics=1)
    second = [[score + 1 for score in row] for row in human]
    judgments = Judgments.from_scores(human, metrics).with_annotator("second", second)
    chosen = judgments.select(["3", "1"]).select_segments([4, 2])
    assert (chosen.annotators["second"] - chosen.human == 1).all() and chosen.human.shape == (2, 2)
    fails("has 8 segments, but there are 9", lambda: judgments.with_annotator("x", [row[:8] for row in human]))
    fails("has 3 systems", lambda: judgments.with_annotator("x", human[:3]))
    nothing = judgments.with_annotator("x", [[None] * 9] * 4)
    fails("'x' and others have no output in common", lambda: rank_metrics(nothing, trials=0))


def test_a_ceiling_without_a_value():
    judgments = Judgments.from_scores([[1, 2], [3, 1]], {"m": [[1, 2], [2, 1]]})
    found = rank_metrics(judgments.with_annotator("second", [[1, None], [None, None]]), trials=0)
    assert math.isnan(found.ceilings[0].value) and found.to_dict()["ceilings"] == [
        {"name": "second", "value": None, "ratings": 1}
    ]


def test_wmt25(tmp_path, capsys):
    """Two annotators in the folder: the first one counts, and the second one is the ceiling of each task."""
    root = write_test_set(tmp_path, "wmt25", ["cs-uk_UA", "en-ko_KR"], 5, 12, 3)
    judgments = read_leaderboard(root, "wmt25", metrics=["chrf"])
    assert list(judgments["cs-uk_UA"].annotators) == ["esa-human2"] and not judgments["en-ko_KR"].annotators
    # Texts are read from JSON lines.
    assert judgments["cs-uk_UA"].metrics["chrf"].segments.tolist() == [[100.0] * 12] * 5
    found = average(judgments, "wmt25", trials=20)
    titles = ["soft pairwise accuracy, systems, cs-uk_UA", "acc*_eq, segments, cs-uk_UA"]
    assert [*found.ceilings] == titles
    row = next(line for line in str(found).splitlines() if line.startswith("annotator esa-human2"))
    # There is one annotator of en-ko_KR.
    shown = [f"{found.ceilings[title][0].value:.4f}" for title in titles]
    assert row.split()[2:] == ["–", shown[0], "–", shown[1], "–"]
    expected = rank_metrics(judgments["cs-uk_UA"], "acc-eq", trials=0).ceilings
    assert found.ceilings[titles[1]] == expected
    content = json_of(capsys, "meta", str(root), "--task", "wmt25", "--trials", "20")
    assert content["ceilings"][titles[1]] == [each.to_dict() for each in expected]


LINE = {
    "doc_id": "en-cs_CZ_#_news_#_1_#_0",
    "src_text": "the cat",
    "tgt_text": {"refA": "kočka", "one": "kočka", "two": "kočky", "three": "x"},
    "scores": {
        "one": {"human1": 90.0, "human2": 95, "errors1": [], "annotator1": "a"},
        "two": {"human1": 70.5, "human2": None},
        "refA": {"human1": 99},
    },
}
OTHER = {
    "doc_id": "en-cs_CZ_#_news_#_1_#_1",
    "src_text": "the dog",
    "tgt_text": {"refA": "pes", "one": "psa", "two": "pes"},
    "scores": {"one": {"human1": 60.0}, "two": {"human1": 80, "human2": 85.0}},
}


def write_lines(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_human_evaluations(tmp_path, capsys):
    path = write_lines(
        tmp_path / "humeval.jsonl",
        LINE,
        {**LINE, "doc_id": "cs-uk_UA_#_news_#_1_#_0"},
        {**OTHER, "scores": {}, "tgt_text": {}},
        OTHER,
    )
    opened = JudgedLines.open(path, "en-cs_CZ")
    assert opened.human_names == ("human1", "human2") and [*opened.references] == ["refA"]
    judgments = opened.judgments(human="human1", metrics=["chrf"])
    assert judgments.systems == ("one", "two") and judgments.human.tolist() == [[90, 60], [70.5, 80]]
    assert np.array_equal(judgments.annotators["human2"], [[95, np.nan], [np.nan, 85]], equal_nan=True)
    expected = [
        [refscore.CHRF().segment(t, r).percent for t, r in ((a, "kočka"), (b, "pes"))]
        for a, b in (("kočka", "psa"), ("kočky", "pes"))
    ]
    assert judgments.metrics["chrf"].segments.tolist() == expected
    both = opened.judgments(human="human1", with_human=True, reference="refA")
    assert both.systems == ("one", "two")
    fails("has several language pairs: choose one with pair: cs-uk_UA, en-cs_CZ", lambda: JudgedLines.open(path))
    line = ["meta", str(path), "-l", "en-cs_CZ", "-m", "chrf", "--statistic", "pearson", "--trials", "0"]
    content = json_of(capsys, *line, "--human", "human1")
    assert content["rankings"][0]["ratings"] == 4 and content["rankings"][0]["ceilings"][0]["ratings"] == 2
    assert "choose one with --human: human1, human2" in str(error_of(*line))
    assert "chrf" in output_of(capsys, *line, "--human", "human2")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x", "line 2 of .* is not JSON"),
        ("[1]", "line 2 of .* is not a JSON object"),
        (json.dumps({**LINE, "doc_id": 1}), "line 2 of .* has no 'doc_id' of the right type"),
        (json.dumps({**LINE, "tgt_text": {"one": 1}}), "has an output that is not text"),
        (json.dumps({**LINE, "scores": {"one": 1}}), "has scores of 'one' that are not an object"),
        (json.dumps({**LINE, "scores": {"one": {"human1": "90"}}}), "has the score '90' of 'one'"),
        (json.dumps({**LINE, "scores": {"one": {"human1": math.inf}}}), "has the score inf of 'one'"),
    ],
)
def test_wrong_lines(tmp_path, line, message):
    path = tmp_path / "humeval.jsonl"
    path.write_text(json.dumps(LINE) + "\n" + line + "\n")
    fails(message, lambda: JudgedLines.open(path))


def test_missing_outputs(tmp_path):
    other = {**OTHER, "tgt_text": {"refA": "pes", "one": "psa"}}
    opened = JudgedLines.open(write_lines(tmp_path / "humeval.jsonl", LINE, other))
    fails("has no text of 'two' for the document", lambda: opened.judgments(human="human1", metrics=["chrf"]))


def test_wrong_texts(tmp_path):
    root = write_test_set(tmp_path, "wmt25", ["cs-uk_UA"], 3, 4, 3)
    (root / "references" / "cs-uk_UA.refA.jsonl").write_text('{"target": "a"}\n{"text": "b"}\n')
    fails("line 2 of .* has no text 'target'", lambda: read_leaderboard(root, "wmt25", metrics=["chrf"]))


def test_files_of_annotators(tmp_path, capsys):
    """The first file has the scores that count, and the others those of further annotators."""
    people = {"a": [5, 4, 1, 2], "b": [3, 4, 2, None], "c": [1, 2, 1, 1]}
    second = {"a": [5, 3, 1, 1], "b": [3, None, 3, 2], "c": [2, 2, 1, 1]}
    for name, scores in (("first", people), ("second", second)):
        rows = [
            f"{system}\t{k}\t{'' if s is None else s}" for system, own in scores.items() for k, s in enumerate(own, 1)
        ]
        (tmp_path / f"{name}.tsv").write_text("\n".join(["system\tsegment\tscore", *rows]) + "\n")
    (tmp_path / "ref.txt").write_text("the cat sat\na dog ran\nit rains\nno\n")
    for name, texts in (("a", "the cat sat\na dog\nrain\nno"), ("b", "cat\na dog ran\nx\ny"), ("c", "x\ny\nit\nno")):
        (tmp_path / f"{name}.txt").write_text(texts + "\n")
    files = [str(tmp_path / f"{name}.txt") for name in "abc"]
    line = [*files, "-r", str(tmp_path / "ref.txt"), "-m", "chrf", "--human", str(tmp_path / "first.tsv")]
    more = ["--human", str(tmp_path / "second.tsv")]
    content = json_of(capsys, "meta", *line, *more, "--trials", "0")
    (ceiling,) = content["rankings"][0]["ceilings"]
    shared = Judgments.from_scores(people).with_annotator("second", second).by_annotator("second")
    assert (ceiling["name"], ceiling["ratings"]) == ("second", 10)
    assert ceiling["value"] == agreement(shared, "acc-eq")["second"]
    assert "The annotator second has" in output_of(capsys, "meta", *line, *more, "--trials", "0")
