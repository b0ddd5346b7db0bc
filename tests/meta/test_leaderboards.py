"""A leaderboard's language pairs, human scores, references, systems and metrics. The reader is tested on its layout."""

import math

import numpy as np
import pytest

import refscore
from refscore.meta import (
    LEADERBOARDS,
    TASKS,
    JudgedTestSet,
    Judgments,
    Task,
    agreement,
    average,
    rank_metrics,
    read_leaderboard,
)
from tests.meta.test_folder import fails, write_scores

SYSTEMS = ("sysA", "sysB", "sysC")


@pytest.fixture
def folder(tmp_path):
    """A folder with WMT23's names: several human scores, references, and metrics that are not on the leaderboard."""
    generator = np.random.default_rng(4)
    for pair, references in {
        "en-de": ["refA"],
        "he-en": ["refA", "refB"],
        "zh-en": ["refA"],
        "en-cs": ["refA"],
    }.items():
        systems = (*SYSTEMS, *references, "synthetic_ref")

        def scores(systems=systems):
            return {system: generator.normal(size=4).round(3).tolist() for system in systems}

        for human in ("mqm", "da-sqm"):
            write_scores(tmp_path / "human-scores" / f"{pair}.{human}.seg.score", scores())
        for metric in ("BLEU", "COMET", "other"):
            for reference in references:
                write_scores(tmp_path / "metric-scores" / pair / f"{metric}-{reference}.seg.score", scores())
        for kind, names in (("references", references), (f"system-outputs/{pair}", systems)):
            for name in names:
                file = tmp_path / kind / (f"{pair}.{name}.txt" if kind == "references" else f"{name}.txt")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("a b\nc\nd\ne\n")
    return tmp_path


def test_wmt23(folder):
    judgments = read_leaderboard(folder, "wmt23")
    assert list(judgments) == ["en-de", "he-en", "zh-en"]
    assert judgments["en-de"].systems == SYSTEMS and judgments["zh-en"].systems == SYSTEMS
    # The reference is refB, and the human translation refA is a system.
    assert judgments["he-en"].systems == (*SYSTEMS, "refA", "synthetic_ref")
    from refscore.meta.folder import read_scores

    expected = read_scores(folder / "human-scores" / "he-en.mqm.seg.score")
    assert judgments["he-en"].human.tolist() == [expected[system] for system in judgments["he-en"].systems]
    expected = read_scores(folder / "metric-scores" / "he-en" / "BLEU-refB.seg.score")
    found = judgments["he-en"].metrics["BLEU"].segments
    assert found.tolist() == [expected[system] for system in judgments["he-en"].systems]
    assert all(list(each.metrics) == ["BLEU", "COMET"] for each in judgments.values())


def test_byte_order_marks_as_published(folder):
    """Published scores count a mark at the start of a file as text."""
    for path in folder.glob("system-outputs/*/sysA.txt"):
        path.write_bytes(b"\xef\xbb\xbfa b\nc\nd\ne\n")
    published = read_leaderboard(folder, "wmt23", metrics=["chrf"])["en-de"].metrics["chrf"].segments[0]
    assert published[0] == refscore.CHRF().segment("\ufeffa b", "a b").percent < 100 == published[1]
    opened = JudgedTestSet.open(folder, "en-de").judgments(human="mqm", metrics=["chrf"], given=False)
    assert opened.metrics["chrf"].segments[0].tolist() == [100] * 4


def test_all_metrics(folder):
    judgments = read_leaderboard(folder, "wmt23", all_metrics=True)
    assert all(list(each.metrics) == ["BLEU", "COMET", "other"] for each in judgments.values())


def test_choices(folder):
    judgments = read_leaderboard(
        folder, "wmt23", pairs=["he-en"], references={"he-en": "refA"}, human={"he-en": "da-sqm"}, without=["sysB"]
    )
    assert list(judgments) == ["he-en"] and judgments["he-en"].systems == ("sysA", "sysC", "refB", "synthetic_ref")
    fails("has no language pair 'xx'", lambda: read_leaderboard(folder, "wmt23", pairs=["xx"]))
    fails("does not exist", lambda: read_leaderboard(folder / "missing"))
    with pytest.raises(refscore.SettingError, match="unknown leaderboard 'wmt99'"):
        read_leaderboard(folder, "wmt99")


def test_another_folder(folder):
    """Without the leaderboard's names, everything in the folder is used, and ambiguous names must be chosen."""
    for path in folder.glob("*-scores/**/*"):
        if path.is_file() and ("COMET" in path.name or "BLEU" in path.name or "mqm" in path.name):
            path.unlink()
    judgments = read_leaderboard(folder, "wmt23")
    assert list(judgments["en-de"].metrics) == ["other"]
    fails(r"has no reference 'refX'", lambda: read_leaderboard(folder, "wmt23", references={"en-de": "refX"}))


def test_facts():
    """Numbers of metrics on the published leaderboards."""
    assert len(LEADERBOARDS["wmt23"].metrics) == 32 and len(LEADERBOARDS["wmt24"].metrics) == 26
    assert TASKS["wmt24"] == LEADERBOARDS["wmt24"].tasks
    assert len(LEADERBOARDS["wmt24-esa"].pairs) == 8 and len(LEADERBOARDS["wmt25"].pairs) == 16
    assert len(LEADERBOARDS["wmt25"].metrics) == 12


def test_facts_equal_those_of_mt_metrics_eval():
    reason = "needs the source of google-research/mt-metrics-eval (not the package of this name on PyPI)"
    info = pytest.importorskip("mt_metrics_eval.meta_info", reason=reason)
    for name, board in LEADERBOARDS.items():
        for pair, own in board.pairs.items():
            entry = info.DATA[name.removesuffix("-esa")][pair]
            assert {own.human} == {entry.std_gold["sys"], entry.std_gold["seg"]} and own.reference == entry.std_ref
            assert set(own.without) == entry.outlier_systems and board.metrics == entry.primary_metrics


def test_an_undefined_metric_is_last():
    """NaN has no order, so it must not be a sort key."""
    human = {"a": [1, 2, 3], "b": [2, 4, 1], "c": [0, 1, 5]}
    metrics = {
        f"m{k}": {name: [(k * 3 + i) % 5 for i in range(j, j + 3)] for j, name in enumerate(human)} for k in range(4)
    }
    metrics["constant"] = {name: [1, 1, 1] for name in human}
    metrics["z"] = human
    found = average({"x": Judgments.from_scores(human, metrics)}, [Task("pearson", "segment", "none")])
    values = [metric.value for metric in found]
    assert found[-1].name == "constant" and math.isnan(values[-1])
    assert values[:-1] == sorted(values[:-1], reverse=True) and found[0].name == "z"


def test_constant_human_scores():
    """The means of equal scores are equal, also if people rated different numbers of segments."""
    human = {name: [0.1] * rated + [None] * (10 - rated) for name, rated in (("a", 10), ("b", 3), ("c", 7))}
    metric = {"a": [1.0] * 10, "b": [2.0] * 10, "c": [4.0] * 10}
    judgments = Judgments.from_scores(human, {"m": metric})
    assert judgments.human_systems.tolist() == [0.1] * 3
    assert math.isnan(agreement(judgments, "pearson", level="system")["m"])


def test_ties_of_a_metric_that_orders_nothing():
    """A threshold that ties all pairs makes the accuracy the share of pairs that people tie."""
    generator = np.random.default_rng(2)
    human = generator.integers(0, 2, (3, 40)).astype(float)
    judgments = Judgments.from_scores(human, {"noise": generator.normal(size=human.shape), "same": human})
    ranking = rank_metrics(judgments, trials=50)
    tied = np.mean([np.mean([a == b for a, b in ((x, y), (x, z), (y, z))]) for x, y, z in human.T])
    assert ranking.all_tied == pytest.approx(tied, abs=1e-15)
    assert ranking["same"].ties == pytest.approx(tied, abs=1e-15) and ranking["same"].cluster == 1
    scores = judgments.metrics["noise"].segments
    pairs = [abs(column[i] - column[j]) for column in scores.T for i, j in ((0, 1), (0, 2), (1, 2))]
    assert ranking["noise"].ties == pytest.approx(np.mean(np.array(pairs) <= ranking["noise"].threshold), abs=1e-15)
    if ranking["noise"].ties >= 0.95:
        assert ranking["noise"].cluster is None and "Nearly all pairs are tied" in str(ranking)
    assert f"A metric that ties all pairs has {tied:.4f}." in str(ranking)
