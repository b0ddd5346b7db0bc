"""Evaluations of files: the same numbers as the command, and errors with the line of a file."""

import pytest

import refscore
from refscore import Given, InputError, SettingError
from refscore.data_warnings import IdenticalTextWarning
from refscore.readers import evaluate_files
from refscore.resegmentation import Resegmenter
from tests.cli.running import json_of, write_lines

SYSTEMS = {"old": ["a cat sat", "it rains", "we go"], "new": ["a cat sat", "it rained", "we go"]}
REFERENCES = ["a cat sat", "it rained", "we went"]


@pytest.fixture
def paths(tmp_path):
    write_lines(tmp_path, **SYSTEMS, references=REFERENCES, by=["a", "b", "a"], whole=["a cat sat it rained we go"])
    (tmp_path / "comet.tsv").write_text("old\tnew\n0.5\t0.75\n0.25\t0.5\n0\t1\n", encoding="utf-8")
    return tmp_path


def test_the_command_has_the_same_numbers(paths, capsys):
    evaluation = evaluate_files({name: paths / name for name in SYSTEMS}, [paths / "references"], ["bleu", "ter"])
    arguments = [
        *(f"{name}={paths / name}" for name in SYSTEMS),
        "-r",
        str(paths / "references"),
        "-m",
        "bleu,ter",
        "-q",
    ]
    for system in json_of(capsys, "score", *arguments)["systems"]:
        assert system["scores"] == {label: score.to_dict() for label, score in evaluation[system["name"]].items()}


def test_given_scores_and_groups(paths):
    evaluation = evaluate_files(
        {name: paths / name for name in SYSTEMS},
        [paths / "references"],
        ["wer", Given("comet")],
        scores={"comet": paths / "comet.tsv"},
        groups={"domain": paths / "by"},
    )
    assert [evaluation[name]["comet"].value for name in SYSTEMS] == [0.25, 0.75]
    assert list(evaluation.by("domain")) == ["a", "b"]


def test_the_text_is_cut(paths):
    evaluation = evaluate_files(
        {"whole": paths / "whole"}, [paths / "references"], "wer", resegmenter=Resegmenter(), retain="sums"
    )
    assert (evaluation.segments, round(evaluation["whole"]["wer"].percent, 2)) == (3, 14.29)


def test_an_error_names_the_line(paths):
    write_lines(paths, longer=[*REFERENCES, "more"])
    with pytest.raises(InputError, match=r"line 4 of .*longer has no counterpart"):
        evaluate_files({"old": paths / "old"}, [paths / "longer"])


def test_runs_are_lists_of_files(paths):
    evaluation = evaluate_files(
        {"old": paths / "old", "new": [paths / "new", paths / "references"]}, [paths / "references"], "wer"
    )
    assert evaluation.runs == ("old", "new", "new")
    assert [score.value for score in evaluation.run_scores(system="new")] == [1 / 7, 0]


def test_warnings_and_mistakes(paths):
    write_lines(paths, same=[f"sentence number {number}" for number in range(20)])
    with pytest.warns(IdenticalTextWarning, match="20 of 20 hypotheses are identical"):
        evaluate_files({"same": paths / "same"}, [paths / "same"], "chrf")
    with pytest.raises(SettingError, match=r"scores has 'comet', .* add refscore.Given\('comet'\) to the metrics"):
        evaluate_files({"old": paths / "old"}, [paths / "references"], "wer", scores={"comet": paths / "comet.tsv"})


def test_questions_without_an_answer(tmp_path):
    (tmp_path / "x.jsonl").write_text('{"h": "", "r": []}\n{"h": "a", "r": ["b", "c"]}\n', encoding="utf-8")
    hypotheses, references = {"system": f"{tmp_path}/x.jsonl:h"}, [f"{tmp_path}/x.jsonl:r"]
    evaluation = evaluate_files(hypotheses, references, ["em:squad_v2", "F1:squad_v2"])
    expected = refscore.scores(["", "a"], [[""], ["b", "c"]], ["em:squad_v2", "F1:squad_v2"])
    assert {**evaluation["system"]} == {**expected}
    with pytest.raises(InputError, match="has no reference"):
        evaluate_files(hypotheses, references, ["bleu"])


def test_missing_scores_name_the_setting(paths):
    (paths / "comet.tsv").write_text("old\tnew\n0.5\t0.75\n\t0.5\n0\t1\n", encoding="utf-8")
    files = {name: paths / name for name in SYSTEMS}
    with pytest.raises(InputError, match="for all systems with missing='skip'"):
        evaluate_files(files, [], [Given("comet")], scores={"comet": paths / "comet.tsv"})
