"""`refscore meta`: metrics ranked by their agreement with human scores."""

import csv
import io
import json
import os

import numpy as np
import pytest

import refscore
from refscore import meta
from refscore.cli.meta import STATISTICS, TASKS
from tests.cli.running import error_of, json_of, output_of
from tests.meta.test_folder import write_scores
from tests.reference import meta as definitions

SYSTEMS = {
    "a": ["the cat sat", "it rained a lot", "we went home", "nobody came"],
    "b": ["a cat sat", "it rains", "we are home", "no one came"],
    "c": ["the cat sat down", "it rained", "we went home early", "nobody came here"],
}
REFERENCES = ["the cat sat", "it rained all day", "we went home early", "nobody came"]
HUMAN = {"a": [5, 3, 4, None], "b": [2, 1, 2, 3], "c": [4, 4, 5, 3]}


def chrf_scores():
    return [refscore.CHRF().segments(texts, REFERENCES).tolist() for texts in SYSTEMS.values()]


@pytest.fixture
def files(tmp_path):
    for name, texts in SYSTEMS.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    (tmp_path / "ref.txt").write_text("".join(f"{text}\n" for text in REFERENCES))
    rows = [
        f"{name}.txt\t{number}\t{'' if score is None else score}\n"
        for name, scores in HUMAN.items()
        for number, score in enumerate(scores, 1)
    ]
    (tmp_path / "human.tsv").write_text("system\tsegment\tscore\n" + "".join(rows))
    return tmp_path


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "set"
    for name in ("human-scores", "references", "system-outputs/en-de", "metric-scores/en-de"):
        (root / name).mkdir(parents=True)
    for name, texts in SYSTEMS.items():
        (root / "system-outputs/en-de" / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    (root / "references/en-de.refA.txt").write_text("".join(f"{text}\n" for text in REFERENCES))
    lines = [f"{name}\t{score}\n" for name, scores in HUMAN.items() for score in scores]
    (root / "human-scores/en-de.mqm.seg.score").write_text("".join(lines))
    lines = [f"{name}\t{number}\n" for name in SYSTEMS for number in (1, 2, 3, 4)]
    (root / "metric-scores/en-de/place-refA.seg.score").write_text("".join(lines))
    return root


def arguments(files, *more):
    systems = [str(files / f"{name}.txt") for name in SYSTEMS]
    return ["meta", *systems, "--human", str(files / "human.tsv"), "-r", str(files / "ref.txt"), *more]


@pytest.mark.parametrize(("statistic", "by"), [("pearson", "none"), ("tau-b", "none"), ("acc-23", "item")])
def test_systems_in_files(files, statistic, by, capsys):
    content = json_of(capsys, *arguments(files, "-m", "chrf", "--statistic", statistic, "--average-by", by))
    ranking = content["rankings"][0]
    function = {"pearson": definitions.pearson, "tau-b": definitions.tau_b, "acc-23": definitions.acc_23}[statistic]
    expected = definitions.grouped(function, list(HUMAN.values()), chrf_scores(), by)
    assert ranking["metrics"][0]["value"] == pytest.approx(expected, rel=1e-12)
    assert (ranking["systems"], ranking["ratings"]) == (3, 11)


def test_lower_scores_that_are_better(files, capsys):
    content = json_of(capsys, *arguments(files, "-m", "ter", "--statistic", "pearson"))
    scores = [(-refscore.TER().segments(texts, REFERENCES)).tolist() for texts in SYSTEMS.values()]
    expected = definitions.grouped(definitions.pearson, list(HUMAN.values()), scores, "none")
    assert content["rankings"][0]["metrics"][0]["value"] == pytest.approx(expected, rel=1e-12)


def test_given_scores(files, capsys):
    (files / "comet.tsv").write_text("a\tb\tc\n" + "".join(f"{k}\t{k + 1}\t{2 * k}\n" for k in range(4)))
    systems = [f"{name}={files / name}.txt" for name in SYSTEMS]
    human = files / "wide.tsv"
    human.write_text("a\tb\tc\n" + "".join(f"{k}\t{k + 1}\t{2 * k}\n" for k in range(4)))
    line = ["meta", *systems, "--human", str(human), "-m", "none", "--given", f"comet={files / 'comet.tsv'}"]
    text = output_of(capsys, *[*line, "--statistic", "pearson", "--format", "csv"])
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["metric"], float(row["value"])) == ("comet", pytest.approx(1, rel=1e-12))


def test_a_folder(folder, capsys):
    content = json_of(capsys, "meta", str(folder), "-m", "chrf", "--statistic", "pearson", "--trials", "20")
    (ranking,) = content["rankings"]
    assert ranking["pairs"] == ["en-de"]
    values = {metric["name"]: metric["value"] for metric in ranking["metrics"]}
    human = list(HUMAN.values())
    assert values["chrf"] == pytest.approx(
        definitions.grouped(definitions.pearson, human, chrf_scores(), "none"), rel=1e-12
    )
    assert values["place"] == pytest.approx(
        definitions.grouped(definitions.pearson, human, [[1, 2, 3, 4]] * 3, "none"), rel=1e-12
    )
    assert 1 / 21 <= ranking["p_values"][0][1] <= 1


def test_tables(folder, capsys):
    text = output_of(
        capsys, *["meta", str(folder), "-m", "chrf", "--statistic", "tau-b", "--statistic", "spa", "--trials", "20"]
    )
    assert text.startswith("en-de\nmetric  Kendall's τ-b  cluster\n")
    assert "metric  soft pairwise accuracy  cluster\n" in text
    assert "agreement:spa|level:system|test:perm-both|trials:20|alpha:0.05|seed:12345|version:" in text
    latex = output_of(
        capsys, *["meta", str(folder), "--statistic", "pearson", "--format", "latex", "--resamples", "20"]
    )
    assert latex.startswith("% en-de\n\\begin{tabular}{lrr}\n")
    assert "place & " in latex
    assert "interval" in latex


def test_the_average_of_a_task(folder, capsys):
    content = json_of(capsys, "meta", str(folder), "-m", "chrf", "--task", "wmt24")
    for metric in content["metrics"]:
        assert metric["value"] == pytest.approx(np.mean([*metric["parts"].values()]), rel=1e-12)
    text = output_of(capsys, "meta", str(folder), "-m", "chrf", "--task", "wmt23")
    assert text.splitlines()[0].split("  ")[0] == "metric"


def test_tasks_of_other_inputs(tmp_path, capsys):
    """Files have no language pair, and folders may have ones that a leaderboard does not have."""
    people, texts = {}, {}
    for k in range(6):
        texts[f"s{k}"] = [" ".join("abcdefgh"[: 8 - (k * line) % 7]) for line in range(5)]
        people[f"s{k}"] = [float(9 - k)] * 5
    (tmp_path / "ref.txt").write_text("a b c d e f g h\n" * 5)
    rows = [f"{name}\t{line}\t{score}" for name, own in people.items() for line, score in enumerate(own, 1)]
    (tmp_path / "human.tsv").write_text("\n".join(["system\tsegment\tscore", *rows]) + "\n")
    for name, own in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(own) + "\n")
    line = [str(tmp_path / f"{name}.txt") for name in texts]
    line += ["--human", str(tmp_path / "human.tsv"), "-r", str(tmp_path / "ref.txt"), "-m", "chrf", "--task", "wmt23"]
    content = json_of(capsys, "meta", *line, "--trials", "0")
    assert "acc*_eq, segments" in content["metrics"][0]["parts"]
    assert "15 " in output_of(capsys, "meta", *line, "--differences").splitlines()[3]
    root = tmp_path / "own"
    write_scores(root / "human-scores" / "fr-de.mqm.seg.score", people)
    write_scores(root / "metric-scores" / "fr-de" / "m-refA.seg.score", people)
    (root / "references").mkdir()
    (root / "references" / "fr-de.refA.txt").write_text("x\n" * 5)
    assert "own, fr-de: 30 scores" in output_of(capsys, "meta", str(root), "--task", "wmt23", "--differences")
    assert "missing does not exist" in str(error_of("meta", str(tmp_path / "missing"), "--task", "wmt23"))


def test_language_pairs_with_other_human_scores(folder, capsys):
    """A name of human scores chooses the language pairs that have them, unless pairs are named."""
    for kind, name in (("human-scores", "da.seg.score"), ("references", "refA.txt")):
        (folder / kind / f"cs-uk.{name}").write_bytes(
            (folder / kind / f"en-de.{name.replace('da', 'mqm')}").read_bytes()
        )
    (folder / "metric-scores" / "cs-uk").symlink_to(folder / "metric-scores" / "en-de")
    line = ["meta", str(folder), "--trials", "0"]
    pairs = [entry["pairs"] for entry in json_of(capsys, *line, "--human", "mqm")["rankings"]]
    assert pairs == [["en-de"]]
    pairs = [entry["pairs"] for entry in json_of(capsys, *line)["rankings"]]
    assert pairs == [["cs-uk"], ["en-de"]]
    assert "has no human scores 'x'" in str(error_of(*line, "--human", "x"))
    assert "has no human scores 'mqm'" in str(error_of(*line, "--human", "cs-uk=mqm"))


def test_choices_by_language_pair(folder, capsys):
    """A name is for all language pairs, PAIR=NAME for one of them."""
    for kind, name in (("human-scores", "mqm.seg.score"), ("references", "refA.txt")):
        (folder / kind / f"he-en.{name}").write_bytes((folder / kind / f"en-de.{name}").read_bytes())
        other = name.replace("mqm", "da").replace("refA", "refB")
        (folder / kind / f"he-en.{other}").write_bytes((folder / kind / f"en-de.{name}").read_bytes())
    outputs = folder / "system-outputs"
    (outputs / "he-en").mkdir()
    for path in (outputs / "en-de").iterdir():
        (outputs / "he-en" / path.name).write_bytes(path.read_bytes())
    line = ["meta", str(folder), "-m", "chrf", "--statistic", "pearson", "--trials", "0"]
    message = str(error_of(*line))
    assert "has several human scores for he-en: choose one with --human: da, mqm; --human he-en=da is" in message
    assert "has several references for he-en: choose one with -r: refA, refB" in str(error_of(*line, "--human", "mqm"))
    chosen = ["--human", "mqm", "--human", "he-en=da", "-r", "refA", "-r", "he-en=refB"]
    rankings = json_of(capsys, *line, *chosen)["rankings"]
    assert [ranking["pairs"] for ranking in rankings] == [["en-de"], ["he-en"]]
    assert "the folder has en-de, he-en" in str(error_of(*line, "--human", "xx=mqm"))
    assert "one for all language pairs" in str(error_of(*line, "--human", "mqm", "--human", "da"))
    # A task brings its own.
    content = json_of(capsys, "meta", str(folder), "-m", "chrf", "--task", "wmt23")
    assert {part.split(", ")[-1] for part in content["metrics"][0]["parts"]} == {"systems", "en-de", "he-en"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--level", "system", "--average-by", "item"], "scores of systems cannot be grouped by item"),
        (["--statistic", "spa", "--level", "segment"], "spa needs level='system'"),
        (["--without", "x"], "there is no system 'x'"),
    ],
)
def test_mistakes(files, more, message, capsys):
    assert message in str(error_of(*arguments(files, "-m", "chrf", *more)))


def test_mistakes_in_folders(folder, tmp_path, capsys):
    assert "has no human scores of segments" in str(error_of("meta", str(tmp_path)))
    assert "has no language pair 'de-en'" in str(error_of("meta", str(folder), "-l", "de-en"))
    assert "has no reference 'refB'" in str(error_of("meta", str(folder), "-r", "refB", "-m", "chrf"))
    assert "missing does not exist: name a folder" in str(error_of("meta", str(tmp_path / "missing"), "--human", "mqm"))
    os.mkfifo(tmp_path / "pipe")
    assert "pipe is not a folder: name a folder" in str(error_of("meta", str(tmp_path / "pipe"), "--human", "mqm"))
    assert "--given needs systems" in str(error_of("meta", str(folder), "--given", "a=b"))
    (folder / "metric-scores/en-de/place-refA.seg.score").unlink()
    assert "there are no metric scores" in str(error_of("meta", str(folder)))
    (folder / "human-scores/en-de.mqm.seg.score").write_text("a\tgood\n")
    assert "en-de.mqm.seg.score" in str(error_of("meta", str(folder), "-m", "chrf"))


def test_human_scores_are_required(files, capsys):
    assert "--human" in str(error_of("meta", str(files / "a.txt"), "-r", str(files / "ref.txt")))


def test_the_options_have_all_statistics_and_tasks():
    assert tuple(meta.STATISTICS) == STATISTICS
    assert tuple(meta.TASKS) == TASKS


def test_results_are_the_same_each_time(files, capsys):
    line = arguments(files, "-m", "chrf,bleu", "--trials", "100", "--format", "json")
    assert json.dumps(json_of(capsys, *line)) == json.dumps(json_of(capsys, *[*line, "--threads", "2"]))


def test_a_report_with_human_scores(files, capsys, monkeypatch):
    monkeypatch.setattr("refscore.report.page.find_spec", lambda name: True)  # no chart is drawn
    page = files / "page.html"
    systems = [str(files / f"{name}.txt") for name in SYSTEMS]
    line = [*systems, "-r", str(files / "ref.txt"), "-m", "chrf", "-o", str(page)]
    output_of(capsys, "report", *line)
    assert "Agreement with people" not in page.read_text(encoding="utf-8")
    output_of(capsys, "report", *line, "--human", str(files / "human.tsv"))
    assert "Agreement with people" in page.read_text(encoding="utf-8")
