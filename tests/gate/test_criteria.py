"""Each criterion of the gate, its configuration, and wrong input."""

import json
from pathlib import Path

import numpy as np
import pytest

import refscore
from refscore import InputError, SettingError, gate
from refscore.gate import Check, Configuration, Criteria, Gate, History
from refscore.gate.formats import render_github, render_junit
from refscore.gate.history import Run
from refscore.readers import evaluate_files
from tests.cli.running import at, check_failure, error_of, json_of, output_of, status_of, write_lines
from tests.gate.test_story import DAY_1, DAY_2, DAY_3, REFERENCES, varied

METRICS = ["chrf", "ter"]
BY = ["news" if k % 2 else "talks" for k in range(len(REFERENCES))]


def evaluated(texts, **options):
    return refscore.evaluate({"x": texts}, REFERENCES, METRICS, **options)


MAIN = evaluated(DAY_1)


def statuses(found):
    return {(each.criterion, each.metric, each.group): each.status for each in found.checks}


def test_the_numbers_are_those_of_compare():
    new = evaluated(DAY_3)
    found = gate.check(new, MAIN)
    compared = (MAIN.choose({"a": "x"}) | new.choose({"b": "x"})).compare("a", test="bootstrap", power=0.8)
    for each in found.checks[:2]:
        outcome = compared[each.metric]["b"]
        interval = outcome.difference_interval
        numbers = (each.score, each.difference, each.low, each.high, each.detectable)
        expected = (
            outcome.score,
            outcome.difference,
            interval.low,
            interval.high,
            compared.detectable[each.metric]["b"],
        )
        assert numbers == tuple(100 * float(value) for value in expected)
        assert each.p == outcome.p and each.status == "failed" and compared.verdict(each.metric, "b") == "worse"


def test_better_outputs_pass():
    found = gate.check(evaluated(REFERENCES), MAIN, allow_warnings=True)
    assert found.passed and not found.lost and found.verdict == "Passed."
    assert gate.check(MAIN, MAIN, margin=0).passed


@pytest.mark.parametrize(
    ("margin", "expected"), [(0.01, "failed"), (2.0, "undecided"), (20.0, "passed")], ids=["small", "middle", "large"]
)
def test_margins_are_bounds_of_the_interval(margin, expected):
    found = gate.check(evaluated(DAY_3), MAIN, margin=margin, only_margin=True)
    of_metrics = [each for each in found.checks if each.metric]
    assert {each.criterion for each in of_metrics} == {"margin"}
    for each in of_metrics:
        ends = (-each.high, -each.low) if each.metric == "chrf" else (each.low, each.high)
        status = "failed" if ends[0] > margin else "passed" if ends[1] <= margin else "undecided"
        assert each.status == status
    assert expected in {each.status for each in of_metrics}


def test_undecided_checks_fail_only_if_asked():
    texts, references = DAY_2[:8], REFERENCES[:8]
    main, new = (refscore.evaluate({"x": each[:8]}, references, "chrf") for each in (DAY_1, [*texts[:7], "x y"]))
    found = gate.check(new, main, margin=1.0, allow_warnings=True)
    assert "undecided" in {each.status for each in found.checks}
    if not any(each.status == "failed" for each in found.checks):
        assert found.passed and "undecided" in found.verdict
    assert not gate.check(new, main, margin=1.0, undecided="fail", allow_warnings=True).passed
    groups = {"by": [0, *[1] * 7]}
    main, new = (refscore.evaluate({"x": each}, references, "chrf", groups=groups) for each in (DAY_1[:8], texts))
    assert statuses(gate.check(new, main, by="by"))["worse", "chrf", "0"] == "undecided"
    single = [refscore.evaluate({"x": ["a b c d"]}, ["a b c e"], "chrf") for _ in range(2)]
    with pytest.raises(InputError, match="there is 1 segment"):
        gate.check(*single)


def test_floors():
    score = MAIN["x"]["chrf"].percent
    for floor, status in ((score - 1, "passed"), (score + 1, "failed")):
        found = gate.check(MAIN, None, configuration({"chrf": {"floor": floor}}))
        assert statuses(found)["floor", "chrf", "all"] == status
    rate = MAIN["x"]["ter"].percent
    for floor, status in ((rate - 1, "failed"), (rate + 1, "passed")):
        found = gate.check(MAIN, None, configuration({"ter": {"floor": floor}}))
        assert statuses(found)["floor", "ter", "all"] == status and len(found.checks) == 4


def configuration(by_metric):
    return Configuration(by_metric=by_metric)


def test_empty_outputs():
    few, many = ([" " if k < count else text for k, text in enumerate(DAY_1)] for count in (6, 7))
    assert statuses(gate.check(evaluated(few), None))["empty", "", "all"] == "passed"
    found = gate.check(evaluated(many), None)
    assert statuses(found)["empty", "", "all"] == "failed" and "7 of 600 outputs are empty" in str(found)
    assert statuses(gate.check(evaluated(many), None, max_empty=0.5))["empty", "", "all"] == "passed"
    assert ("empty", "", "all") not in statuses(gate.check(evaluated(many), None, max_empty=None))
    silence = ["" if k < 7 else text for k, text in enumerate(REFERENCES)]  # an empty output is right
    fine = refscore.evaluate({"x": many}, silence, "chrf")
    assert statuses(gate.check(fine, None))["empty", "", "all"] == "passed"
    rows = refscore.Evaluation.from_bytes(MAIN.to_bytes())
    assert statuses(gate.check(rows, rows))["empty", "", "all"] == "undecided"


def test_loops():
    looping = "so " * 9
    few, many = ([looping if k < count else text for k, text in enumerate(DAY_1)] for count in (6, 7))
    assert statuses(gate.check(evaluated(few), None))["loops", "", "all"] == "passed"
    found = gate.check(evaluated(many), None)
    assert statuses(found)["loops", "", "all"] == "failed"
    assert "7 of 600 outputs have a loop; the limit is 6. The first is segment 1." in str(found)
    # The criterion counts them, so the warning does not fail too.
    assert statuses(found)["warnings", "", "all"] == "passed"
    assert statuses(gate.check(evaluated(many), None, max_loops=0.5))["loops", "", "all"] == "passed"
    assert statuses(gate.check(evaluated(few), None, max_loops=0))["loops", "", "all"] == "failed"
    without = statuses(gate.check(evaluated(many), None, max_loops=None))
    assert ("loops", "", "all") not in without and without["warnings", "", "all"] == "failed"
    wanted = [[looping, text] if k < 7 else text for k, text in enumerate(REFERENCES)]  # a loop is right
    fine = refscore.evaluate({"x": many}, wanted, "chrf")
    assert statuses(gate.check(fine, None))["loops", "", "all"] == "passed"
    rows = refscore.Evaluation.from_bytes(MAIN.to_bytes())
    assert statuses(gate.check(rows, rows))["loops", "", "all"] == "undecided"


def test_new_warnings_fail():
    copied = evaluated(REFERENCES)
    found = gate.check(copied, MAIN)
    assert statuses(found)["warnings", "", "all"] == "failed" and "identical" in str(found)
    assert gate.check(copied, copied).passed
    copied.ignored_warnings = ("identical",)
    assert gate.check(copied, MAIN).passed


def test_groups_and_holm():
    worse = [varied(text, 0.1) if by == "news" else text for text, by in zip(DAY_1, BY, strict=True)]
    main, new = (evaluated(texts, groups={"by": BY}) for texts in (DAY_1, worse))
    found = gate.check(new, main, by="by")
    assert statuses(found)["worse", "chrf", "news"] == "failed"
    assert statuses(found)["worse", "chrf", "talks"] == "passed"
    corrected = gate.check(new, main, by="by", holm=True)
    plain, holm = ([each.p for each in result.checks if each.criterion == "worse"] for result in (found, corrected))
    order = np.argsort(plain, kind="stable")
    expected = np.minimum(1, np.maximum.accumulate(np.array(plain)[order] * np.arange(len(plain), 0, -1)))
    assert np.allclose(np.array(holm)[order], expected, rtol=1e-15)
    wide = [each.high - each.low for each in corrected.checks[:2]]
    assert all(each.high - each.low < width for each, width in zip(found.checks[:2], wide, strict=True))


def test_lost_segments_are_sorted_and_have_texts():
    found = gate.check(evaluated(DAY_3), MAIN, worst=4)
    before, after = (each.segment_scores("chrf")["x"] for each in (MAIN, evaluated(DAY_3)))
    expected = np.argsort(after - before, kind="stable")[:4]
    assert [each.segment - 1 for each in found.lost] == expected.tolist() and found.lost_by == "chrF2"
    first = found.lost[0]
    k = first.segment - 1
    assert (first.before, first.output, first.reference) == (DAY_1[k], DAY_3[k], REFERENCES[k])
    assert gate.check(evaluated(DAY_3), MAIN, worst=0).lost == []


def test_wrong_arguments():
    with pytest.raises(InputError, match="new has 2 systems"):
        gate.check(MAIN | evaluated(DAY_2).choose({"y": "x"}), MAIN)
    with pytest.raises(InputError, match="different references"):
        gate.check(MAIN, refscore.evaluate({"x": DAY_1}, REFERENCES[::-1], METRICS))
    with pytest.raises(InputError, match=r"pass what refscore\.evaluate"):
        gate.check(MAIN, "main.refscore")
    with pytest.raises(SettingError, match="margins"):
        gate.check(MAIN, MAIN, margins=3)
    with pytest.raises(SettingError, match="bleu"):
        gate.check(MAIN, MAIN, configuration({"bleu": {"margin": 1}}))
    with pytest.raises(SettingError, match="at least 2 resamples"):
        Criteria(resamples=1)


TOML = 'metrics = ["chrf", "ter"]\nmargin = 20\nholm = true\n[metric.ter]\nmargin = 0.5\nfloor = 99\n'


@pytest.mark.parametrize("name", ["gate.toml", "pyproject.toml", "gate.json"])
def test_configurations(tmp_path, name):
    if name.endswith("toml"):
        pytest.importorskip("tomllib", reason="Python 3.10 needs tomli: pip install 'refscore[toml]'")
    content = {"metrics": ["chrf", "ter"], "margin": 20, "holm": True, "metric": {"ter": {"margin": 0.5, "floor": 99}}}
    text = {
        "gate.toml": TOML,
        "pyproject.toml": "[tool.refscore.gate]\n" + TOML.replace("[metric", "[tool.refscore.gate.metric"),
        "gate.json": json.dumps(content),
    }[name]
    (tmp_path / name).write_text(text, encoding="utf-8-sig")
    found = Configuration.read(tmp_path / name)
    assert found.metrics == ("chrf", "ter") and found.criteria == Criteria(margin=20, holm=True)
    assert found.of("ter") == Criteria(margin=0.5, floor=99, holm=True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([], "must be a table"),
        ({"margins": 1}, "did you mean 'margin'"),
        ({"margin": "much"}, "margin must be"),
        ({"metrics": 3}, "list of names"),
        ({"metric": 3}, "table per metric"),
        ({"metric": {"ter": {"alpha": 0.1}}}, "margin"),
        ({"metric": {"ter": {"margin": -1}}}, "margin must be"),
    ],
)
def test_wrong_configurations(tmp_path, content, words):
    file = tmp_path / "gate.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match=words) as raised:
        Configuration.read(file)
    assert raised.value.location.file == str(file)
    file.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="not valid JSON"):
        Configuration.read(file)
    with pytest.raises(InputError, match="cannot be read"):
        Configuration.read(tmp_path / "missing.toml")


class TestCommand:
    @pytest.fixture(autouse=True)
    def files(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        write_lines(tmp_path, one=DAY_1, two=DAY_2, three=DAY_3, ref=REFERENCES, by=BY, other=REFERENCES[::-1])
        MAIN.save("main.refscore")

    def test_options_override_the_configuration(self, capsys):
        content = {"margin": 20, "only_margin": True, "max_loops": 1, "metric": {"ter": {"margin": 50}}}
        Path("gate.json").write_text(json.dumps(content), encoding="utf-8")
        options = ["gate", "three", "--baseline", "main.refscore", "-r", "ref", "--config", "gate.json", "-q"]
        assert {check["criterion"] for check in json_of(capsys, *options)["checks"]} == {
            "margin",
            "empty",
            "loops",
            "warnings",
        }
        assert status_of([*options, "--margin", "0.01"]) == 1
        assert status_of([*options, "--margin", "ter=0.01"]) == 1
        capsys.readouterr()

    def test_records_texts_and_groups(self, capsys):
        output_of(capsys, "stats", "two", "-r", "ref", "-m", "chrf,ter", "--rows", "-o", "two.refscore", "-q")
        texts = json_of(capsys, "gate", "two", "--baseline", "main.refscore", "-r", "ref", "--by", "by", "-q")
        record = json_of(capsys, "gate", "two.refscore", "--baseline", "main.refscore", "--by", "by", "-q")
        plain = json_of(capsys, "gate", "two", "--baseline", "one", "-r", "ref", "--by", "by", "-m", "chrf,ter", "-q")

        def of_metrics(content):
            return [check for check in content["checks"] if check["metric"]]

        assert of_metrics(texts) == of_metrics(record) == of_metrics(plain)
        assert {check["group"] for check in of_metrics(texts)} == {"all", "news", "talks"}

    def test_update_creates_the_first_baseline(self, capsys):
        options = ["-r", "ref", "-m", "chrf", "-q"]
        check_failure(capsys, ["gate", "one", "--baseline", "new.refscore", *options], "with --update")
        output_of(capsys, "gate", "one", "--baseline", "new.refscore", *options, "--update")
        assert refscore.load("new.refscore").digests == MAIN.digests
        before = Path("new.refscore").read_bytes()
        assert status_of(["gate", "three", "--baseline", "new.refscore", "-r", "ref", "-q", "--update"]) == 1
        assert Path("new.refscore").read_bytes() == before
        capsys.readouterr()
        check_failure(capsys, ["gate", "one", "--baseline", "one", *options, "--update"], at("one"))

    def test_the_project_has_the_configuration(self, capsys, monkeypatch):
        options = ["gate", "three", "--baseline", "main.refscore", "-r", "ref", "--format", "json", "--no-warn", "all"]
        table = "[tool.refscore.gate]\nonly_margin = true\nmargin = 20\n[tool.refscore.gate.metric.ter]\nmargin = 50\n"
        Path("pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
        assert status_of(options) == 1
        assert capsys.readouterr().err == ""
        Path("pyproject.toml").write_text(table, encoding="utf-8")
        Path("sub").mkdir()
        for folder, file in ((".", "pyproject.toml"), ("sub", "../pyproject.toml")):
            monkeypatch.chdir(folder)
            up = [str(Path("..", word)) if folder == "sub" and Path("..", word).is_file() else word for word in options]
            status_of(up)
            printed = capsys.readouterr()
            criteria = {check["criterion"] for check in json.loads(printed.out)["checks"]}
            assert "margin" in criteria and "worse" not in criteria
            assert printed.err == f"refscore: note: the options include those of [tool.refscore.gate] in {file}\n"
        (Path("..") / "gate.json").write_text("{}", encoding="utf-8")
        assert status_of([*up, "--config", "../gate.json"]) == 1
        printed = capsys.readouterr()
        assert "worse" in {check["criterion"] for check in json.loads(printed.out)["checks"]} and not printed.err

    def test_given_scores(self, capsys):
        values = {"one": [0.5] * len(REFERENCES), "two": [0.5 - 0.001 * (k % 3) for k in range(len(REFERENCES))]}
        for name, scores in values.items():
            write_lines(Path(), **{f"comet.{name}": map(str, scores)})
        options = ["-r", "ref", "-m", "chrf", "--given", "comet=comet.{system}"]
        assert status_of(["gate", "two", "--baseline", "one", *options, "-q", "--format", "json"]) == 1
        texts = json.loads(capsys.readouterr().out)["checks"]
        assert [(each["metric"], each["status"]) for each in texts[:2]] == [("chrf", "passed"), ("comet", "failed")]
        assert status_of(["stats", "one", *options, "--rows", "-o", "one.refscore"]) == 0
        for more in ([], ["-m", "chrf"]):
            line = ["gate", "two", "--baseline", "one.refscore", "-r", "ref", *more, *options[-2:]]
            assert status_of([*line, "-q", "--format", "json"]) == 1
            assert json.loads(capsys.readouterr().out)["checks"] == texts
        check_failure(capsys, ["gate", "two", "--baseline", "one.refscore", "-r", "ref"], "--given comet=PATH")

    def test_two_files_without_a_baseline(self, capsys):
        check_failure(capsys, ["gate", "one", "two", "-r", "ref"], "write refscore gate two --baseline one ")
        check_failure(capsys, ["gate", "two", "-r", "ref"], "write refscore gate two --baseline FILE ")
        check_failure(capsys, ["gate", "two", "three", "--baseline", "one", "-r", "ref"], at("three"))

    def test_wrong_input(self, capsys):
        options = ["--baseline", "main.refscore", "-q"]
        capsys.readouterr()
        assert status_of(["gate", "one", *options, "-r", "other"]) == 2
        error = capsys.readouterr().err
        other = refscore.evaluate(DAY_1, REFERENCES[::-1], "ter").digests.references
        assert str(MAIN.digests.references) in error and str(other) in error
        check_failure(capsys, ["gate", "one", *options, "-r", "ref", "-m", "bleu"], "no scores by bleu")
        assert "not a number" in str(error_of("gate", "one", *options, "-r", "ref", "--margin", "much"))
        MAIN.choose(retain="sums").save("sums.refscore")
        check_failure(capsys, ["gate", "one", "--baseline", "sums.refscore", "-r", "ref", "-q"], at("sums.refscore"))
        (MAIN | evaluated(DAY_2).choose({"y": "x"})).save("both.refscore")
        check_failure(capsys, ["gate", "one", "--baseline", "both.refscore", "-r", "ref", "-q"], at("both.refscore"))
        check_failure(capsys, ["report", "one", "--history", "runs.jsonl"], "leave it out")
        check_failure(capsys, ["report", "--history", "runs.jsonl"], at("runs.jsonl"))
        check_failure(capsys, ["report"], "use --history")

    def test_logs_of_harnesses(self, capsys):
        folder = Path(__file__).parents[1] / "golden" / "harness_logs" / "lm_eval"
        old, new = (next(folder.joinpath(name).glob("samples_choices_*")) for name in ("old", "new"))
        assert status_of(["gate", new, "--baseline", old, "-q", "--format", "json"]) == 1
        checks = json.loads(capsys.readouterr().out)["checks"]
        assert [(each["criterion"], each["status"]) for each in checks] == [
            *[("worse", "passed")] * 2,
            ("warnings", "failed"),
        ]
        assert "1 sample only in baseline (23-" in checks[2]["reason"]
        compared = evaluate_files({"old": old, "new": new}, []).compare("old", test="bootstrap")
        assert [each["p"] for each in checks[:2]] == [compared[label]["new"].p for label in ("acc", "acc_norm")]
        # A baseline that --update writes has all samples of the log.
        output_of(capsys, "gate", new, "--baseline", "log.refscore", "-q", "--update")
        output_of(capsys, "gate", old, "--baseline", "log.refscore", "-q", "--update", "--no-warn", "samples")
        assert refscore.load("log.refscore").segments == 24


@pytest.mark.parametrize("name", ["caf\udce9.txt", "a\u2028b\x85c"], ids=["not UTF-8", "other line ends"])
def test_unusual_names_in_a_history(tmp_path, name):
    run = Run("2026-11-19T02:00:00+00:00", True, name, 3, {}, [])
    file = tmp_path / "runs.jsonl"
    History.append(file, run)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())  # a byte-order mark
    History.append(file, run)
    assert History.read(file).runs == [run, run]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "{}",
        '{"time": "x", "passed": true, "system": "a", "segments": 3, "metrics": {}, "failed": []}',
        '{"time": "2026-11-19", "passed": true, "system": "a", "segments": 3, "metrics": {"m": {}}, "failed": []}',
        '{"time": "2026-11-19", "passed": true, "system": "a", "segments": 3, "metrics": {}, "failed": [3]}',
    ],
)
def test_wrong_histories(tmp_path, line):
    file = tmp_path / "runs.jsonl"
    good = '{"time": "2026-11-19", "passed": true, "system": "a", "segments": 3, "metrics": {}, "failed": []}\n'
    file.write_text(good + line + "\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        History.read(file)
    assert raised.value.location.line == 2
    file.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is empty"):
        History.read(file)


def test_hostile_texts_in_formats():
    lost = gate.LostSegment(1, 2.0, 1.0, "a\n::error::x", "100% <b>\x1b[31m", '"&')
    found = Gate([Check("worse", "failed", "a,b: 5%\n\x1b[31m", "m", "M", "<g>")], '<"&', 3, [lost], "M")
    lines = render_github(found).splitlines()
    assert len(lines) == 2 and all(line.startswith("::") and "\x1b" not in line for line in lines)
    from xml.etree import ElementTree

    suite = ElementTree.fromstring(render_junit(found))[0]
    assert suite[0].attrib["name"] == "significantly worse, M, <g>"
