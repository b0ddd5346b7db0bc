"""`refscore stats` and `refscore merge`: merged parts equal the whole."""

import json

import pytest

import refscore
from refscore import Evaluation
from tests.cli.running import at, check_failure, json_of, status_of, write_lines
from tests.evaluation.corpora import corpus

HYPOTHESES, REFERENCES = corpus(300, seed=5)
OTHERS = corpus(300, seed=6)[0]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write three parts of unequal length, and one file with all segments."""
    for name, lines in [("hyp", HYPOTHESES), ("other", OTHERS), ("ref", REFERENCES)]:
        parts = {"0": lines[:100], "1": lines[100:101], "2": lines[101:]}
        write_lines(tmp_path, **{f"{name}.txt": lines}, **{f"{name}.{part}.txt": parts[part] for part in parts})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    assert status_of(arguments) == 0


def write_parts(*options, parts=(0, 1, 2)):
    for part in parts:
        run("stats", f"hyp.{part}.txt", "-r", f"ref.{part}.txt", *options, "-o", f"{part}.refscore")


def merged(capsys, *arguments):
    return json_of(capsys, "merge", *arguments)


def test_parts_add_up_to_the_whole(files, capsys):
    write_parts("-m", "bleu,chrf,ter")
    run("merge", "2.refscore", "0.refscore", "-o", "20.refscore")
    content = merged(capsys, "20.refscore", "1.refscore")
    (system,) = content["systems"]
    expected = refscore.scores(HYPOTHESES, REFERENCES, ["bleu", "chrf", "ter"])
    assert content["segments"] == 300
    assert system["scores"] == {name: score.to_dict() for name, score in expected.items()}


def test_the_table_is_that_of_score(files, capsys):
    write_parts("--rows")
    capsys.readouterr()
    run("merge", "0.refscore", "1.refscore", "2.refscore", "--ci", "--resamples", "200", "--seed", "3")
    ours = capsys.readouterr().out
    run("score", "system=hyp.txt", "-r", "ref.txt", "--ci", "--resamples", "200", "--seed", "3")
    assert ours == capsys.readouterr().out


def test_given_scores_are_saved(files, capsys):
    scores = {name: [(7 * k + len(name)) % 11 / 10 for k in range(300)] for name in ("hyp", "other")}
    for name, values in scores.items():
        write_lines(files, **{f"comet.{name}.txt": map(str, values)})
        options = ["-m", "ter", "--given", "comet=comet.{system}.txt", "--rows"]
        run("stats", f"{name}={name}.txt", "-r", "ref.txt", *options, "-o", f"{name}.refscore")
    run("stats", "hyp=hyp.txt", "-r", "ref.txt", "-m", "none", "--given", "comet=comet.hyp.txt", "-o", "only.refscore")
    assert [*refscore.load("only.refscore").metrics] == ["comet"]
    capsys.readouterr()
    options = ["-m", "ter", "--given", "comet=comet.{system}.txt", "--trials", "50", "--format", "json"]
    run("compare", "hyp=hyp.txt", "other=other.txt", "-r", "ref.txt", *options)
    expected = json.loads(capsys.readouterr().out)
    run("compare", "hyp.refscore", "other.refscore", *options[-4:])
    found = json.loads(capsys.readouterr().out)
    assert found["comparisons"] == expected["comparisons"]
    assert [system["score"] for system in found["comparisons"][1]["systems"]] == [
        pytest.approx(sum(values) / 300) for values in scores.values()
    ]


def test_systems_by_name(files, capsys):
    for part in range(3):
        for name in ("hyp", "other"):
            inputs = [f"{name}={name}.{part}.txt", "-r", f"ref.{part}.txt"]
            run("stats", *inputs, "-m", "bleu", "--rows", "-o", f"{name}{part}.refscore")
    parts = sorted(each.name for each in files.glob("*.refscore"))
    content = merged(capsys, *parts, "-o", "all.refscore")
    found = {system["name"]: system["scores"]["bleu"]["value"] for system in content["systems"]}
    expected = {
        "hyp": refscore.bleu(HYPOTHESES, REFERENCES).value,
        "other": refscore.bleu(OTHERS, REFERENCES).value,
    }
    assert found == expected
    assert content["segments"] == 300
    # The sum has both systems, and can be merged and compared again.
    whole = refscore.load("all.refscore")
    assert {name: whole[name]["bleu"].value for name in whole} == expected
    texts = refscore.evaluate({"hyp": HYPOTHESES, "other": OTHERS}, REFERENCES, "bleu")
    assert str(whole.compare(trials=50)) == str(texts.compare(trials=50))
    assert merged(capsys, "all.refscore")["systems"][1]["scores"] == content["systems"][1]["scores"]
    check_failure(capsys, ["merge", "all.refscore", "hyp1.refscore"], at("hyp1.refscore"))
    parts.remove("hyp1.refscore")
    check_failure(capsys, ["merge", *parts], "other .*300.* hyp .*299")


def test_parts_of_several_systems(files, capsys):
    """Parts that Python saved have all systems, in one order."""
    for part, chosen in enumerate((slice(0, 100), slice(100, 300))):
        outputs = {"hyp": HYPOTHESES[chosen], "other": OTHERS[chosen]}
        refscore.evaluate(outputs, REFERENCES[chosen], ["bleu", "wer"]).save(f"{part}.refscore")
    content = merged(capsys, "0.refscore", "1.refscore", "--ci", "--resamples", "50")
    texts = refscore.evaluate({"hyp": HYPOTHESES, "other": OTHERS}, REFERENCES, ["bleu", "wer"])
    expected = texts.summary(intervals=True, resamples=50).to_dict()
    assert [system["name"] for system in content["systems"]] == ["hyp", "other"]
    assert [system["scores"] for system in content["systems"]] == [each["scores"] for each in expected["systems"]]


def test_samples_have_seeds_of_their_own(files, capsys):
    write_parts("-m", "chrf", "--sample", "60")
    content = merged(capsys, "0.refscore", "1.refscore", "2.refscore", "--ci")
    interval = content["systems"][0]["scores"]["chrf"]["interval"]
    assert interval["low"] < content["systems"][0]["scores"]["chrf"]["value"] < interval["high"]
    assert "|sample:60|" in interval["signature"]
    write_parts("-m", "chrf", "--sample", "60", "--seed", "1")
    check_failure(capsys, ["merge", "0.refscore", "1.refscore"], "1.refscore .*seed 1")


def test_a_job_goes_on_where_it_was(files, capsys):
    arguments = ["stats", "hyp.txt", "-r", "ref.txt", "-m", "bleu,ter", "-o", "part.refscore"]
    run(*arguments)
    whole = (files / "part.refscore").read_bytes()
    state = Evaluation.load("part.refscore")
    begun = Evaluation(state.metrics, state.systems)
    begun.notes = state.notes
    begun.add(HYPOTHESES[:77], REFERENCES[:77])
    begun.save("part.refscore")
    run(*arguments, "--resume", "--save-every", "0")
    again = Evaluation.load("part.refscore")
    assert again.segments == 300
    assert again.scores() == state.scores()
    run(*arguments, "--resume")
    assert Evaluation.load("part.refscore").segments == 300
    (files / "part.refscore").unlink()
    run(*arguments, "--resume")
    assert (files / "part.refscore").read_bytes() == whole
    with (files / "ref.txt").open("a") as file:
        file.write("one more\n")
    check_failure(capsys, [*arguments, "--resume"], at("part.refscore"))
    arguments[5] = "bleu"
    check_failure(capsys, [*arguments, "--resume"], "bleu, ter, not bleu")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-o", "part.txt"], at("part.txt")),
        (["-o", "part.arrow"], at("part.arrow")),
        (["-o", "missing/part.refscore"], at("missing/part.refscore")),
        ([], "Missing option '-o'"),
        (["-o", "p.refscore", "--rows", "--sample", "5"], "--rows"),
        (["-o", "p.refscore", "--seed", "5"], "--seed needs --sample"),
        (["-o", "p.refscore", "-m", "nist"], "nist"),
        (["-o", "p.refscore", "--given", "comet=hyp.txt", "--resume"], "--given and --resume exclude each other"),
    ],
)
def test_mistakes_of_stats(files, capsys, arguments, expected):
    check_failure(capsys, ["stats", "hyp.txt", "-r", "ref.txt", *arguments], expected)
    assert not list(files.glob("p*"))


def test_a_failed_part_leaves_nothing(files, capsys):
    target = ["-m", "ribes", "-o", "part.refscore"]
    check_failure(capsys, ["stats", "hyp.0.txt", "-r", "ref.txt", *target], at("ref.txt", 101))
    (files / "blank.txt").write_text("\n" * 300)
    check_failure(capsys, ["stats", "hyp.txt", "-r", "blank.txt", *target], at("blank.txt", 1))
    assert not list(files.glob("*part*"))


def test_mistakes_of_merge(files, capsys):
    run("stats", "hyp.0.txt", "-r", "ref.0.txt", "-m", "bleu", "-o", "0.refscore")
    run("stats", "hyp.1.txt", "-r", "ref.1.txt", "-m", "chrf", "-o", "1.refscore")
    (files / "bad.refscore").write_bytes(b"no")
    (files / "link.refscore").symlink_to("0.refscore")
    for arguments, expected in [
        (["0.refscore", "1.refscore"], "1.refscore .*bleu"),
        (["0.refscore", "0.refscore"], at("0.refscore")),
        (["0.refscore", "link.refscore"], at("link.refscore")),
        (["0.refscore", "2.refscore"], at("2.refscore")),
        (["0.refscore", "hyp.txt"], at("hyp.txt")),
        (["bad.refscore"], at("bad.refscore")),
        (["0.refscore", "--ci"], "0.refscore .*--ci .*--rows"),
        (["0.refscore", "--seed", "3"], "--seed needs --ci"),
        (["0.refscore", "-o", "x.arrow"], at("x.arrow")),
        (
            ["0.refscore", "-o", "x.csv"],
            r"or write --format csv > x\.csv for the scores",
        ),
    ]:
        check_failure(capsys, ["merge", *arguments], expected)


def test_no_segment_is_counted_twice(files, capsys):
    write_parts("-m", "bleu", parts=(0, 1))
    run("merge", "0.refscore", "1.refscore", "-o", "sum.refscore")
    (files / "hard.refscore").hardlink_to("0.refscore")
    (files / "copy.refscore").write_bytes((files / "0.refscore").read_bytes())
    for again in ("hard.refscore", "copy.refscore", "sum.refscore"):
        check_failure(capsys, ["merge", "0.refscore", again], at(again))
    check_failure(capsys, ["merge", "sum.refscore", "1.refscore"], at("1.refscore"))
    # The rest of the note is the user's.
    for part in (0, 1):
        sums = refscore.Evaluation.load(f"{part}.refscore")
        sums.notes = {"sources": [["wmt"]], "files": ["a"], "refscore merge": [[1]]}
        sums.save(f"own.{part}.refscore")
    assert merged(capsys, "own.0.refscore", "own.1.refscore")["segments"] == 101
    # Equal contents in other files are other segments, and pipes cannot be compared.
    for name in ("hyp", "ref"):
        (files / f"{name}.again.txt").write_bytes((files / f"{name}.0.txt").read_bytes())
    run("stats", "hyp.again.txt", "-r", "ref.again.txt", "-m", "bleu", "-o", "again.refscore")
    assert merged(capsys, "0.refscore", "again.refscore")["segments"] == 200
