"""How often people agree with differences: counts by a plain definition, and a column of comparisons."""

import itertools
import json
import math

import pytest

import refscore
from refscore.comparison import AgreementByDifference, PairsOfSystems, published_agreement
from refscore.comparison.people import without_version
from refscore.meta import Judgments, agreement_by_difference
from tests.cli.running import error_of, json_of, output_of
from tests.meta.scores import generate
from tests.meta.test_averages import write_test_set
from tests.meta.test_folder import fails


def counted_pairs(data, name, difference):
    """Return the number of system pairs with at least this difference, and of those that people order alike."""
    pairs = agreeing = 0
    for human, metrics in data:
        people = [sum(rated) / len(rated) for row in human if (rated := [score for score in row if score is not None])]
        scores = [sum(row) / len(row) for row in metrics[name]]
        for (h1, m1), (h2, m2) in itertools.combinations(zip(people, scores, strict=True), 2):
            if abs(m1 - m2) >= difference - 1e-12:
                pairs += 1
                agreeing += (h1 > h2 and m1 > m2) or (h1 < h2 and m1 < m2)
    return pairs, agreeing


def test_counts():
    data = [generate(seed, 8, 6, levels=6, gaps=0.2, metrics=2, scale=7.0) for seed in (1, 2)]
    found = agreement_by_difference([Judgments.from_scores(*each) for each in data], conditions="x")
    assert [*found.metrics] == ["metric 0", "metric 1"]
    for name, rows in found.metrics.items():
        assert rows[0].difference == 0 and len(rows) > 5
        for row in rows:
            assert (row.pairs, row.agreeing) == counted_pairs(data, name, row.difference)
            assert row.pairs >= 10


def test_intervals():
    """Wilson's interval has the ends at which the score test just rejects."""
    for pairs, agreeing in ((10, 10), (249, 203), (40, 0), (57, 31)):
        row = PairsOfSystems(0.5, pairs, agreeing)
        for end in row.interval:
            if 1e-9 < end < 1 - 1e-9:
                deviation = (row.share - end) / math.sqrt(end * (1 - end) / pairs)
                assert abs(deviation) == pytest.approx(1.959963984540054, rel=1e-9)
        low, high = row.interval
        assert low - 1e-12 <= row.share <= high + 1e-12


def test_look_up():
    rows = (PairsOfSystems(0.0, 20, 12), PairsOfSystems(1.0, 15, 12), PairsOfSystems(2.0, 11, 11))
    table = AgreementByDifference("x", {"bleu": rows}, {"bleu": "bleu|case:mixed"})
    assert table.look_up("bleu", -1.5) == table.look_up("bleu|case:mixed|version:9", 1) == rows[1]
    assert table.look_up("bleu", 0.2) == rows[0] and table.look_up("bleu", 99) == rows[2]
    assert table.look_up("chrf", 1) is None
    assert AgreementByDifference.from_dict(json.loads(table.render("json"))) == table
    assert table.flat_table().rows[1].cells[:4] == ("bleu", "1.0", "15", "12")


def test_ties_and_missing_scores():
    human = {name: [quality] for name, quality in zip("abcdef", [1, 1, 2, 3, 4, None], strict=True)}
    metric = {name: [place] for place, name in enumerate("abcdef")}
    (first, *_) = agreement_by_difference(Judgments.from_scores(human, {"m": metric})).metrics["m"]
    assert (first.pairs, first.agreeing) == (10, 9)
    few = Judgments.from_scores({"a": [1], "b": [2]}, {"m": {"a": [1], "b": [2]}})
    fails("only 1 pair of systems", lambda: agreement_by_difference(few))
    fails("there are no metric scores", lambda: agreement_by_difference(Judgments.from_scores({"a": [1], "b": [2]})))
    with pytest.raises(refscore.errors.UnknownNameError, match="unknown metric 'x'"):
        agreement_by_difference(few, ["x"])


def test_published():
    """The table belongs to the presets of the default metrics, and counts all pairs of systems of WMT 2023."""
    table = published_agreement()
    metrics = {
        "bleu": refscore.BLEU(),
        "chrf": refscore.CHRF(),
        "chrf++": refscore.CHRF(word_order=2),
        "ter": refscore.TER(),
    }
    assert table.signatures == {name: without_version(metric.signature) for name, metric in metrics.items()}
    for rows in table.metrics.values():
        assert rows[0].pairs == 249 and all(a.pairs >= b.pairs for a, b in itertools.pairwise(rows))
    with pytest.raises(refscore.errors.UnknownNameError, match="unknown data 'wmt99'"):
        published_agreement("wmt99")


REFERENCES = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
OUTPUTS = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": REFERENCES}


def test_comparisons():
    table = published_agreement()
    result = refscore.compare(OUTPUTS, REFERENCES, ["chrf", "bleu:nltk"], by=["x", "y", "x", "y"]).with_people(table)
    difference = 100 * result["chrf"]["new"].difference
    assert result.people_agree("chrf", "new") == table.look_up("chrf", difference)
    assert result.people_agree("chrf", "old") is None and result.people_agree("bleu:nltk", "new") is None
    rows = result.table("chrf").rows
    assert [row.cells[-1] for row in rows[:2]] == ["–", "100% of 11"]
    assert "people agree" not in [column.title for column in result.table("bleu:nltk").columns]
    records = result.records()
    assert records[1]["people_agree"] == 1.0 and records[1]["people_pairs"] == 11
    assert result.to_dict()["people"]["agreement"]["bleu:nltk"] == {"new": None}
    assert "people agree" in str(result) and "people agree" not in str(refscore.compare(OUTPUTS, REFERENCES, "chrf"))


@pytest.fixture
def files(tmp_path):
    for name, texts in {**OUTPUTS, "ref": REFERENCES}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    return tmp_path


def test_commands(files, capsys):
    line = ["compare", str(files / "old"), str(files / "new"), "-r", str(files / "ref"), "-m", "chrf"]
    content = json_of(capsys, *line, "--judgments", "wmt23")
    assert content["people"]["conditions"] == published_agreement().conditions
    assert "100% of 11" in output_of(capsys, *line, "--judgments", "wmt23")
    root = write_test_set(files, "wmt24-esa", ["cs-uk"], 6, 9, 2)
    for k in range(6):
        text = "".join(f"text {u} {'x' * (k * u % 7)}\n" for u in range(9))
        (root / "system-outputs" / "cs-uk" / f"sys{k}.txt").write_text(text)
    shown = json_of(capsys, "meta", str(root), "--differences", "-m", "chrf")
    assert [entry["metric"] for entry in shown["differences"]] == ["chrf"]
    assert shown["differences"][0]["signature"] == without_version(refscore.CHRF().signature)
    assert shown["conditions"].startswith("wmt24, cs-uk: ")
    everything = json_of(capsys, "meta", str(root), "--differences", "--task", "wmt24-esa")
    assert len(everything["differences"]) == 5 and everything["conditions"].endswith("esa scores")
    found = json_of(capsys, *line, "--judgments", str(root))["people"]["agreement"]
    rows = shown["differences"][0]["rows"]
    assert next(iter(found["chrf"].values())) in rows
    assert "people agree" in output_of(capsys, "meta", str(root), "--differences", "-m", "chrf")
    assert "does not exist" in str(error_of(*line, "--judgments", "wmt99"))
