"""Records: a saved evaluation in place of a system's file, and the commands `show` and `verify`."""

import json
from pathlib import Path

import pytest

import refscore
from refscore import InputError
from refscore.readers import evaluate_files
from tests.cli.running import at, check_failure, error_of, json_of, output_of, status_of, write_lines
from tests.cli.stories import tell
from tests.evaluation.corpora import corpus

OLD, REFERENCES = corpus(30, seed=3)
NEW = [reference if k % 4 == 0 else text for k, (text, reference) in enumerate(zip(OLD, REFERENCES, strict=True))]
BY = ["news" if k % 3 else "talks" for k in range(30)]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path, old=OLD, new=NEW, ref=REFERENCES, by=BY, other=REFERENCES[::-1])
    for name in ("old", "new"):
        output_of(capsys, "stats", name, "-r", "ref", "--rows", "-o", f"{name}.refscore", "-q")
    output_of(capsys, "stats", "new", "-r", "ref", "--texts", "--rows", "-o", "texts.refscore", "-q")


def same_numbers(content):
    """Return the content of JSON output without the names of files and systems."""
    text = json.dumps(content).replace("old.refscore", "old").replace("new.refscore", "new")
    return text.replace("texts.refscore", "new")


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "{old}", "{new}", "{r}"],
        ["compare", "{old}", "{new}", "{r}", "--by", "by", "-m", "chrf"],
        ["compare", "{old}", "{new}", "{r}", "--units", "by", "-m", "ter,bleu"],
        ["score", "{old}", "{new}", "{r}", "--ci"],
        ["score", "{new}", "{r}"],
    ],
)
def test_a_record_is_a_system(capsys, arguments):
    """The output is that of the texts, whichever of the systems are records."""

    def shown(old, new):
        has_texts = (old + new).count("refscore") != 2
        names = {"old": old, "new": new, "r": "-rref" if has_texts else "-q"}
        return same_numbers(json_of(capsys, *(text.format(**names) for text in arguments), "-q"))

    expected = shown("old", "new")
    for old, new in (("old.refscore", "new"), ("old", "texts.refscore"), ("old.refscore", "new.refscore")):
        assert shown(old, new) == expected


def test_names_and_several_systems(capsys):
    both = refscore.load("old.refscore").choose({"a": "system"}) | refscore.load("new.refscore").choose({"b": "system"})
    both.save("both.refscore")

    def systems(*arguments):
        return [system["name"] for system in json_of(capsys, "score", *arguments, "-q")["systems"]]

    assert systems("both.refscore") == ["a", "b"]
    assert systems("both.refscore:b", "old.refscore") == ["b", "old.refscore"]
    assert systems("night=old.refscore", "both.refscore") == ["night", "a", "b"]
    # A name in the record is the system's name, unless two systems have it.
    for name in ("x", "y"):
        refscore.load("old.refscore").choose({"best": "system"}).save(f"{name}.refscore")
    assert systems("x.refscore", "old.refscore") == ["best", "old.refscore"]
    assert systems("x.refscore", "y.refscore") == ["x.refscore", "y.refscore"]
    assert systems("x.refscore", "best=old.refscore") == ["x.refscore", "best"]
    assert systems("x=x.refscore") == ["x"]
    check_failure(capsys, ["score", "night=both.refscore"], "2 systems: a, b: choose one, as in night=both.refscore:a")
    check_failure(capsys, ["score", "both.refscore:c"], "no such system")
    check_failure(capsys, ["stats", "old.refscore", "-r", "ref", "-o", "x.refscore"], "is a record already")


def test_segments_human_scores_and_reports_of_records(capsys):
    texts = output_of(capsys, "score", "old", "new", "-r", "ref", "--segments", "-", "-q")
    records = output_of(capsys, "score", "old=old.refscore", "new=new.refscore", "--segments", "-", "-q")
    assert records == texts
    rating = "old\tnew\n" + "".join(f"{k % 7}\t{k % 5}\n" for k in range(30))
    Path("people.tsv").write_text(rating, encoding="utf-8")
    options = ["--human", "people.tsv", "--trials", "20", "-q"]
    expected = json_of(capsys, "meta", "old", "new", "-r", "ref", *options)
    assert json_of(capsys, "meta", "old=old.refscore", "new", "-r", "ref", *options) == expected
    output_of(capsys, "report", "old", "texts.refscore", "-r", "ref", "-o", "page.html", "-q")
    output_of(capsys, "report", "texts.refscore", "-o", "page.html", "-q")
    check_failure(capsys, ["report", "old.refscore", "-o", "page.html"], "save records with their texts")
    errors = output_of(capsys, "errors", "new", "-r", "ref")
    assert output_of(capsys, "errors", "texts.refscore", "-r", "ref") == errors
    check_failure(capsys, ["errors", "new.refscore", "-r", "ref"], "has no texts")


def test_other_references_are_refused_with_both_digests(capsys):
    output_of(capsys, "stats", "new", "-r", "other", "--rows", "-o", "moved.refscore", "-q")
    digests = [str(refscore.load(f"{name}.refscore").digests.references) for name in ("old", "moved")]
    for arguments in (
        ["compare", "old.refscore", "moved.refscore"],
        ["compare", "old.refscore", "new", "-r", "other"],
        ["compare", "old.refscore", "new.refscore", "-r", "other"],
    ):
        capsys.readouterr()
        assert status_of(arguments) == 2
        error = capsys.readouterr().err
        assert all(digest in error for digest in digests), error


def test_metrics_must_be_in_the_record(capsys):
    check_failure(capsys, ["compare", "old.refscore", "new", "-r", "ref", "-m", "wer"], "no scores by wer")
    for setting in ("bleu.lowercase=yes", "ter.normalized=yes"):
        error = error_of("compare", "old.refscore", "new", "-r", "ref", "--set", setting)
        assert "different settings" in str(error) or "unknown" in str(error)
    output_of(capsys, "stats", "new", "-r", "ref", "-o", "sums.refscore", "-q")
    assert json_of(capsys, "score", "old", "sums.refscore", "-r", "ref", "-q")["segments"] == 30
    check_failure(capsys, ["compare", "old", "sums.refscore", "-r", "ref"], at("sums.refscore"))
    write_lines(Path.cwd(), short=BY[:4])
    check_failure(capsys, ["compare", "old.refscore", "new.refscore", "--by", "short"], "4 segments")


def test_settings_and_weights_of_a_record_are_the_default(capsys):
    metrics = {"nist": refscore.NIST().fit(REFERENCES), "chrF++": refscore.CHRF(word_order=2)}
    refscore.evaluate({"old": OLD}, REFERENCES, metrics).save("fitted.refscore")
    texts = refscore.evaluate({"old": OLD, "new": NEW}, REFERENCES, metrics)
    for arguments in (["fitted.refscore", "new", "-r", "ref"], ["fitted.refscore", "new", "-r", "ref", "-m", "nist"]):
        scores = json_of(capsys, "score", *arguments, "-q")["systems"][1]["scores"]
        assert {label: score["value"] for label, score in scores.items()} == {
            label: texts["new"][label].value for label in scores
        }
    assert [*json_of(capsys, "score", "fitted.refscore", "-m", "nist", "-q")["metrics"]] == ["nist"]


def test_python(tmp_path):
    evaluation = evaluate_files({"old": "old.refscore", "new": "new"}, ["ref"])
    expected = refscore.evaluate({"old": OLD, "new": NEW}, REFERENCES)
    assert str(evaluation.compare(trials=50)) == str(expected.compare(trials=50))
    assert evaluate_files({"a": "old.refscore", "b": "new.refscore"}, [])["b"] == expected["new"]
    with pytest.raises(InputError, match="different references"):
        evaluate_files({"old": "old.refscore", "new": "new"}, ["other"])


def test_show(capsys):
    content = json_of(capsys, "show", "texts.refscore")
    record = refscore.load("texts.refscore")
    assert (content["segments"], content["texts"], content["retain"]) == (30, True, "rows")
    assert content["digests"] == record.digests.to_dict()
    assert content["systems"][0]["scores"]["bleu"]["value"] == record.score("bleu").value
    text = output_of(capsys, "show", "texts.refscore")
    assert str(record.digests.references) in text and record.signatures["chrf"] in text
    check_failure(capsys, ["show", "old"], "not a saved evaluation")
    check_failure(capsys, ["show", "missing"], at("missing"))


def test_verify(capsys):
    content = json_of(capsys, "verify", "new.refscore", "new", "-r", "ref")
    assert content["same"] and {check["outcome"] for check in content["checks"]} == {"same"}
    changed = [*NEW]
    changed[7] = "something else"
    write_lines(Path.cwd(), changed=changed)
    assert status_of(["verify", "new.refscore", "changed", "-r", "ref", "--format", "json"]) == 1
    content = json.loads(capsys.readouterr().out)
    outcomes = {check["subject"]: (check["outcome"], check["segments"], check["first"]) for check in content["checks"]}
    assert outcomes["references"] == ("same", None, None)
    assert outcomes["texts of system"] == ("different", None, None)
    assert outcomes["chrF2 of system"] == ("different", 1, 8)
    assert status_of(["verify", "new.refscore", "changed", "-r", "ref"]) == 1
    assert "different in 1 segments, the first is 8" in capsys.readouterr().out
    check_failure(capsys, ["verify", "new.refscore", "new", "old", "-r", "ref"], at("new.refscore"))
    check_failure(capsys, ["verify", "new.refscore", "new", "-r", "ref", "--set", "bleu.lowercase=yes"], "leave it out")


def test_regular_expressions_of_a_record(capsys):
    """They could take forever, so they are only matched for a record that the user trusts."""
    metric = refscore.ExactMatch(ignore_patterns=["(a+)+$", "b"])
    refscore.evaluate({"new": NEW}, REFERENCES, {"em": metric}).save("patterns.refscore")
    write_lines(Path.cwd(), attack=["a" * 60 + "!"] * len(NEW))
    loaded = refscore.load("patterns.refscore")
    assert loaded.metrics["em"] == metric and loaded.scores() == {"em": loaded["new"]["em"]}
    for arguments in (
        ["verify", "patterns.refscore", "attack", "-r", "ref"],
        ["score", "patterns.refscore", "attack", "-r", "ref"],
        ["compare", "patterns.refscore", "attack", "-r", "ref"],
    ):
        check_failure(capsys, arguments, "'b' come from a file and can take forever")
    with pytest.raises(refscore.SettingError, match="come from a file"):
        loaded.metrics["em"].segment("a", "b")
    assert json_of(capsys, "verify", "patterns.refscore", "new", "-r", "ref", "--trust")["same"]
    assert loaded.metrics["em"].as_trusted().segment("a b", "a c").value == metric.segment("a b", "a c").value


def test_the_size_of_a_record():
    """3,000 segments by three metrics take less than 200 kB."""
    hypotheses, references = corpus(3000, seed=5)
    data = refscore.evaluate(hypotheses, references).to_bytes()
    assert len(data) < 200_000


def test_the_page_about_records(tmp_path, capsys, monkeypatch):
    statuses = [status for _, status, _ in tell("howto/keep-records.md", tmp_path / "story", capsys, monkeypatch)]
    assert statuses == [0] * 5
