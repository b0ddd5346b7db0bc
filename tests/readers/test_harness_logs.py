"""Logs that harnesses wrote (tests/golden/make_harness_logs.py) against the results that they computed from them."""

import json
from pathlib import Path

import pytest

import refscore
from refscore.data_warnings import UnmatchedSamplesWarning
from refscore.readers import evaluate_files, read_harness_log
from refscore.significance import mcnemar
from tests.cli.running import status_of

LOGS = Path(__file__).parents[1] / "golden" / "harness_logs"


HUGE = "1" + "0" * 400


def helm(number, stat=""):
    return f'[{{"instance_id": {number}, "train_trial_index": 0, "stats": [{stat}]}}]'


def helm_stat(total, name='"x"'):
    return f'{{"name": {{"name": {name}}}, "sum": {total}, "count": 1}}'


def lm_eval(name, task):
    (samples,) = LOGS.joinpath("lm_eval", name).glob(f"samples_{task}_*.jsonl")
    (results,) = LOGS.joinpath("lm_eval", name).glob("results_*.json")
    return samples, json.loads(results.read_text())["results"][task]


@pytest.mark.parametrize("name", ["old", "new"])
def test_lm_eval(name):
    samples, results = lm_eval(name, "choices")
    evaluation = read_harness_log(samples)
    assert [*evaluation.metrics] == ["acc", "acc_norm"]
    for label in evaluation.metrics:
        assert evaluation["log"][label].value == pytest.approx(results[f"{label},none"], rel=1e-12)
    assert evaluation.segments == {"old": 24, "new": 23}[name]
    samples, results = lm_eval(name, "answers")
    evaluation = read_harness_log(samples)
    assert [*evaluation.metrics] == ["exact_match/whole", "exact_match/lower"]  # BLEU and TER have no score per sample
    for label in evaluation.metrics:
        assert evaluation["log"][label].value == pytest.approx(results[label.replace("/", ",")], rel=1e-12)
    assert evaluation.texts is not None
    assert evaluation.texts.hypotheses[0][0] == "lol"
    assert evaluation.texts.references[0] == "at seven"
    assert evaluation.texts.sources[0] == "When does the ferry leave?"


@pytest.mark.parametrize("name", ["old", "new"])
def test_inspect(name):
    path = LOGS / f"inspect_{name}.json"
    scores = {each["name"]: each["metrics"] for each in json.loads(path.read_text())["results"]["scores"]}
    evaluation = read_harness_log(path)
    assert evaluation["log"]["includes"].value == pytest.approx(scores["includes"]["accuracy"]["value"], rel=1e-12)
    assert evaluation["log"]["f1"].value == pytest.approx(scores["f1"]["mean"]["value"], rel=1e-12)
    assert sorted(evaluation.groups["sample"]) == [f"q{n}" for n in range(6)]


def test_lighteval():
    pytest.importorskip("pyarrow")
    evaluation = read_harness_log(LOGS / "lighteval_old.parquet")
    assert evaluation.segment_scores("em")["log"].tolist() == [1, 0, 1, 0, 0, 1]
    assert evaluation.texts.references[3] == ["a church"]
    assert evaluation.texts.hypotheses[0][3] == "a barn"


def test_helm():
    evaluation = read_harness_log(LOGS / "helm_old" / "per_instance_stats.json", ["exact_match"])
    assert evaluation.groups["sample"] == ["id0", "id0-typos", "id1", "id1-typos", "id2", "id3", "id4", "id5"]
    assert evaluation.segment_scores("exact_match")["log"].tolist() == [1, 0, 0, 0, 1, 0, 0, 1]
    assert read_harness_log(LOGS / "helm_old" / "per_instance_stats.json")["log"]["num_output_tokens"].value == 3.5


def test_samples_are_matched_by_id():
    old, new = (lm_eval(name, "choices")[0] for name in ("old", "new"))
    with pytest.warns(UnmatchedSamplesWarning, match=r"left out: 1 sample only in old \(23-\w{8}\)"):
        evaluation = evaluate_files({"old": str(old), "new": str(new)}, [])
    before = {each["doc_id"]: each["acc"] for each in map(json.loads, old.read_text().splitlines())}
    assert evaluation.segments == 23
    assert evaluation.segment_scores("acc")["old"].tolist() == [before[k] for k in range(23)]
    rows = {name: evaluation.rows("acc", name) for name in ("old", "new")}
    p = mcnemar(evaluation.metrics["acc"], rows)["new"].p
    with pytest.warns(UnmatchedSamplesWarning):
        again = evaluate_files({"old": f"{old}:acc", "new": f"{new}:acc"}, [])
    assert again.compare("old", test="mcnemar")["acc"]["new"].p == p
    assert [*again.metrics] == ["acc"]


def test_order_and_missing_scores(tmp_path):
    lines = [{"doc_id": k, "resps": [], "metrics": ["acc"], "acc": k % 2} for k in range(6)]
    write(tmp_path / "old.jsonl", lines)
    shuffled = [*reversed(lines)]
    write(tmp_path / "new.jsonl", [{**line, "acc": None if line["doc_id"] == 1 else 1} for line in shuffled])
    evaluation = evaluate_files({name: str(tmp_path / f"{name}.jsonl") for name in ("old", "new")}, [])
    assert evaluation["old"]["acc"].weight == evaluation["new"]["acc"].weight == 5
    assert evaluation["old"]["acc"].value == 2 / 5


def write(path, lines):
    path.write_text("\n".join(map(json.dumps, lines)))


def test_commands(tmp_path, capsys):
    old, new = (lm_eval(name, "answers")[0] for name in ("old", "new"))
    assert status_of(["compare", f"old={old}", f"new={new}"]) == 0
    compared = capsys.readouterr()
    assert "exact_match/whole" in compared.out
    assert "1 sample only in old" in compared.err
    record = tmp_path / "old.refscore"
    read_harness_log(old, name="old").save(record)
    assert status_of(["compare", f"old={record}", f"new={new}"]) == 0
    assert capsys.readouterr().out == compared.out
    # With a field that is not a metric, a log is a file of texts.
    assert status_of(["score", f"{old}:target", "-r", f"{old}:target", "-m", "bleu"]) == 0
    assert "BLEU" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"doc_id": 0, "resps": []', "is not JSON"),
        (
            "a.jsonl",
            '{"doc_id": 0, "resps": [], "metrics": ["acc"]}',
            "is not a sample as lm-evaluation-harness writes",
        ),
        ("a.jsonl", '{"doc_id": 0, "resps": [], "metrics": ["bleu"], "bleu": ["a", "b"]}', "has no scores of samples"),
        ("a.jsonl", '{"doc_id": 0, "resps": [], "metrics": ["acc"], "acc": 1}\n' * 2, "has the sample 0 again"),
        ("a.json", '{"eval": {"eval_id": "x", "task": "y"}}', "has no samples"),
        ("a.json", '{"eval": {"eval_id": "x", "task": "y"}, "samples": 5}', "has no samples"),
        *(("a.json", helm(*parts), "is not a sample as HELM writes it")
          for parts in [("1",), ('["x"]',), ('"x"', "5"), ('"x"', helm_stat(HUGE)), ('"x"', helm_stat("1", '["x"]'))]),
        ("a.jsonl", f'{{"doc_id": 0, "resps": [], "metrics": ["acc"], "acc": {HUGE}}}', "is not a sample"),
    ],
)  # fmt: skip
def test_damaged_logs(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(refscore.InputError, match=message):
        read_harness_log(path)
    assert status_of(["score", path, "-r", path]) == 2


def test_targets_that_are_no_texts(tmp_path):
    line = {"doc_id": 0, "resps": [], "filtered_resps": ["a"], "metrics": ["acc"], "acc": 1}
    for target, is_text in (("a", True), (["a", "b"], True), (3, False), ([], False), (["a", None], False)):
        write(tmp_path / "a.jsonl", [{**line, "target": target}])
        assert (read_harness_log(tmp_path / "a.jsonl").texts is not None) == is_text


def test_results_beside_samples_that_cannot_be_read(tmp_path):
    time = "2026-11-19T08-45-23.103224"
    path = tmp_path / f"samples_quiz_{time}.jsonl"
    write(path, [{"doc_id": 0, "resps": [], "metrics": ["acc"], "acc": 1}])
    for content in ("[" * 100_000, "", "[]", '{"higher_is_better": {"quiz": [1]}}'):
        (tmp_path / f"results_{time}.json").write_text(content, encoding="utf-8")
        assert read_harness_log(path)["log"]["acc"].value == 1
    results = tmp_path / f"results_{time}.json"
    results.write_text('{"higher_is_better": {"quiz": {"acc": false}}}', encoding="utf-8-sig")
    assert not read_harness_log(path).metrics["acc"].higher_is_better


def test_mistakes(tmp_path):
    with pytest.raises(refscore.InputError, match="is not a log of samples from a known program"):
        read_harness_log(__file__)
    with pytest.raises(refscore.InputError, match="has no metric 'accuracy'"):
        read_harness_log(lm_eval("old", "choices")[0], ["accuracy"])
    with pytest.raises(refscore.InputError, match="the logs share no sample: a has q0 and b has id0"):
        evaluate_files(
            {"a": str(LOGS / "inspect_old.json"), "b": str(LOGS / "helm_old" / "per_instance_stats.json")}, []
        )
    many = {f"m{k}": 1 for k in range(9)}
    write(tmp_path / "many.jsonl", [{"doc_id": 0, "resps": [], "metrics": [*many], **many}])
    with pytest.raises(refscore.InputError, match=r"has 9 metrics: m0, .*many.jsonl:m0,m1"):
        read_harness_log(tmp_path / "many.jsonl")
