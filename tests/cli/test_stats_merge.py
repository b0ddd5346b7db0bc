"""`refscore stats` and `refscore merge`: merged parts equal the whole."""

import json

import pyarrow
import pytest
from refscore.evaluation.arrow_checksum import ChecksumWriter

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


def write_parts(*options, parts=(0, 1, 2), ending="refstats"):
    for part in parts:
        run("stats", f"hyp.{part}.txt", "-r", f"ref.{part}.txt", *options, "-o", f"{part}.{ending}")


def merged(capsys, *arguments):
    return json_of(capsys, "merge", *arguments)


@pytest.mark.parametrize("ending", ["refstats", "arrow"])
def test_parts_add_up_to_the_whole(files, capsys, ending):
    write_parts("-m", "bleu,chrf,ter", ending=ending)
    run("merge", f"2.{ending}", f"0.{ending}", "-o", "20.refscore")
    content = merged(capsys, "20.refscore", f"1.{ending}")
    (system,) = content["systems"]
    expected = refscore.scores(HYPOTHESES, REFERENCES, ["bleu", "chrf", "ter"])
    assert content["segments"] == 300
    assert system["scores"] == {name: score.to_dict() for name, score in expected.items()}


def test_the_table_is_that_of_score(files, capsys):
    write_parts("--rows")
    capsys.readouterr()
    run("merge", "0.refscore", "1.refscore", "2.refscore", "--ci", "--resamples", "200", "--seed", "3")
    ours = capsys.readouterr().out
    run("score", "all parts=hyp.txt", "-r", "ref.txt", "--ci", "--resamples", "200", "--seed", "3")
    assert ours == capsys.readouterr().out


def test_systems_by_name(files, capsys):
    for part in range(3):
        for name in ("hyp", "other"):
            inputs = [f"{name}={name}.{part}.txt", "-r", f"ref.{part}.txt"]
            run("stats", *inputs, "-m", "bleu", "-o", f"{name}{part}.arrow")
    content = merged(capsys, *map(str, sorted(files.glob("*.arrow"))))
    found = {system["name"]: system["scores"]["bleu"]["value"] for system in content["systems"]}
    assert found == {
        "hyp": refscore.bleu(HYPOTHESES, REFERENCES).value,
        "other": refscore.bleu(OTHERS, REFERENCES).value,
    }
    parts = ["hyp0.arrow", "hyp2.arrow", *(f"other{part}.arrow" for part in range(3))]
    check_failure(capsys, ["merge", *parts], "other .*300.* hyp .*299")
    check_failure(capsys, ["merge", "hyp0.arrow", "other0.arrow", "-o", "all.refscore"], at("all.refscore"))


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
    begun = Evaluation(state.metrics)
    begun.notes = state.notes
    begun.update(HYPOTHESES[:77], REFERENCES[:77])
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
        (["-o", "missing/part.arrow"], at("missing/part.arrow")),
        ([], "Missing option '-o'"),
        (["-o", "p.arrow", "--rows"], "--rows .*[.]arrow"),
        (["-o", "p.arrow", "--resume"], "--resume .*[.]arrow"),
        (["-o", "p.refscore", "--rows", "--sample", "5"], "--rows"),
        (["-o", "p.refscore", "--seed", "5"], "--seed needs --sample"),
        (["-o", "p.refscore", "-m", "nist"], "nist"),
    ],
)
def test_mistakes_of_stats(files, capsys, arguments, expected):
    check_failure(capsys, ["stats", "hyp.txt", "-r", "ref.txt", *arguments], expected)
    assert not list(files.glob("p*"))


def test_a_failed_part_leaves_nothing(files, capsys):
    for ending in ("refstats", "arrow"):
        target = ["-m", "ribes", "-o", f"part.{ending}"]
        check_failure(capsys, ["stats", "hyp.0.txt", "-r", "ref.txt", *target], at("ref.txt", 101))
        (files / "blank.txt").write_text("\n" * 300)
        check_failure(capsys, ["stats", "hyp.txt", "-r", "blank.txt", *target], at("blank.txt", 1))
    assert not list(files.glob("*part*"))


def test_mistakes_of_merge(files, capsys):
    run("stats", "hyp.0.txt", "-r", "ref.0.txt", "-m", "bleu", "-o", "0.refscore")
    run("stats", "hyp.1.txt", "-r", "ref.1.txt", "-m", "chrf", "-o", "1.refscore")
    (files / "bad.refscore").write_bytes(b"no")
    (files / "bad.arrow").write_bytes(b"no")
    (files / "link.refscore").symlink_to("0.refscore")
    for arguments, expected in [
        (["0.refscore", "1.refscore"], "1.refscore .*bleu"),
        (["0.refscore", "0.refscore"], at("0.refscore")),
        (["0.refscore", "link.refscore"], at("link.refscore")),
        (["0.refscore", "2.refscore"], at("2.refscore")),
        (["0.refscore", "hyp.txt"], at("hyp.txt")),
        (["bad.refscore"], at("bad.refscore")),
        (["bad.arrow"], at("bad.arrow")),
        (["0.refscore", "--ci"], "0.refscore .*--ci .*--rows"),
        (["0.refscore", "--seed", "3"], "--seed needs --ci"),
        (["0.refscore", "-o", "x.arrow"], at("x.arrow")),
    ]:
        check_failure(capsys, ["merge", *arguments], expected)


def test_no_segment_is_counted_twice(files, capsys):
    for ending in ("refstats", "arrow"):
        write_parts("-m", "bleu", parts=(0, 1), ending=ending)
    run("merge", "0.refscore", "1.arrow", "-o", "sum.refscore")
    (files / "hard.refscore").hardlink_to("0.refscore")
    (files / "copy.refscore").write_bytes((files / "0.refscore").read_bytes())
    for again in ("hard.refscore", "copy.refscore", "0.arrow", "sum.refscore"):
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


def test_arrow_files_that_are_not_ours(files, capsys):
    run("stats", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "-o", "good.arrow")
    table = pyarrow.ipc.open_file("good.arrow").read_all()
    header = json.loads(table.schema.metadata[b"refscore.stats"])
    first, negative = table.schema.names[0], pyarrow.array([-1] * 300, "int64")
    for expected, changed, other_header in [
        ("statistics", table, None),
        ("version 3", table, {**header, "version": 3}),
        ("note", table, {**header, "note": 3}),
        ("metrics", table, {**header, "metrics": []}),
        ("columns", table.drop_columns([first]), header),
        ("nulls", table.set_column(0, first, pyarrow.array([None] * 300, "int64")), header),
        ("has -1 for hyp_len", table.set_column(0, first, negative), header),
        ("columns", table.set_column(0, first, negative.cast("float64")), header),
        ("columns", table.set_column(0, first, negative.cast("timestamp[s]")), header),
    ]:
        metadata = {b"refscore.stats": json.dumps(other_header).encode()} if other_header else None
        content = changed.replace_schema_metadata(metadata)
        with open("x.arrow", "wb") as file, ChecksumWriter(file) as sealed:
            writer = pyarrow.ipc.new_file(sealed, content.schema)
            writer.write_table(content)
            sealed.finish()
            writer.close()
        check_failure(capsys, ["merge", "x.arrow"], expected)
