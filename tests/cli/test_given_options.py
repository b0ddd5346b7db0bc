"""`--given`: scores of a different program in `score`, `compare`, `report` and `mbr`."""

import json
import math

import numpy as np
import pytest

import refscore
from refscore.significance import paired_bootstrap
from tests.cli.running import at, check_failure, error_of, json_of, output_of, rows_of, write_lines

SEGMENTS = 12
RANDOM = np.random.default_rng(3)
SCORES = {"old": RANDOM.normal(0.1, 0.4, SEGMENTS), "new": RANDOM.normal(0.3, 0.4, SEGMENTS)}
SYSTEMS = ("old=a.txt", "new=b.txt")
TEXTS = [f"the cat sat on mat number {number}" for number in range(SEGMENTS)]


def lines(values):
    return ["" if value is None else repr(float(value)) for value in values]


def write_wide(name, scores, separator="\t"):
    columns = [lines(values) for values in scores.values()]
    write_lines(name.parent, **{name.name: [separator.join(scores), *map(separator.join, zip(*columns, strict=True))]})


def write_long(name, scores, first, separator="\t"):
    rows = [
        separator.join([system, str(number), score])
        for number in reversed(range(SEGMENTS))  # in any order
        for system, values in scores.items()
        for score in [lines(values)[number]]
    ]
    numbered = [row.split(separator) for row in rows]
    rows = [separator.join([system, str(int(number) + first), score]) for system, number, score in numbered]
    write_lines(name.parent, **{name.name: [separator.join(("system", "segment", "score")), *rows]})


def comet_json(scores, key="COMET", **more):
    """Return the content that `comet-score --to_json` writes."""
    return {
        file: [{"src": "s", "mt": "m", "ref": "1", **more, key: float(value)} for value in scores[system]]
        for system, file in (("old", "outputs/a.txt"), ("new", "outputs/b.txt"))
    }


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Write the scores in every form, and work in their folder."""
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path, **{"a.txt": TEXTS, "b.txt": [text.replace("cat", "dog") for text in TEXTS], "r.txt": TEXTS})
    (tmp_path / "scores").mkdir()
    for (system, values), file in zip(SCORES.items(), ("a.txt", "b.txt"), strict=True):
        write_lines(tmp_path / "scores", **{f"{system}.comet": lines(values), f"{file}.comet": lines(values)})
        write_wide(tmp_path / f"{system}.csv", {"line": range(SEGMENTS), "comet": values}, ",")
        objects = [json.dumps({"id": str(i), "comet": value}) for i, value in enumerate(values)]
        write_lines(tmp_path, **{f"{system}.jsonl": objects})
    write_wide(tmp_path / "wide.tsv", SCORES)
    write_wide(tmp_path / "wide.csv", {"other": [0.0] * SEGMENTS, **SCORES}, ",")
    write_wide(tmp_path / "files.tsv", {"a.txt": SCORES["old"], "b": SCORES["new"]})
    write_long(tmp_path / "long0.tsv", SCORES, 0)
    write_long(tmp_path / "long1.csv", SCORES, 1, ",")
    rated = (tmp_path / "long0.tsv").read_text().replace("segment", "seg", 1)
    (tmp_path / "rated.tsv").write_text(rated)
    # A line separator within a string does not end a line, and the ending need not be .jsonl.
    separated = [json.dumps({"text": "a\u2028b", "comet": value}, ensure_ascii=False) for value in SCORES["new"]]
    write_lines(tmp_path / "scores", **{"new.json": separated, "old.json": lines(SCORES["old"])})
    (tmp_path / "comet.json").write_text(json.dumps(comet_json(SCORES), indent=4))
    (tmp_path / "kiwi.json").write_text(json.dumps(comet_json(SCORES, "kiwi", errors=[])))
    (tmp_path / "variance.json").write_text(json.dumps(comet_json(SCORES, variance=0.1)))
    records = [
        {"system": system, "segment": i, "comet": float(value), "other": 1.0}
        for system, values in SCORES.items()
        for i, value in enumerate(values)
    ]
    (tmp_path / "records.json").write_text(json.dumps(records))
    return tmp_path


FORMS = [
    "scores/{system}.comet",
    "scores/{file}.comet",
    "{system}.csv",
    "{system}.csv:comet",
    "{system}.jsonl",
    "wide.tsv",
    "wide.csv",
    "files.tsv",
    "long0.tsv",
    "long1.csv",
    "rated.tsv",
    "comet.json",
    "kiwi.json",
    "variance.json",
    "records.json",
    "records.json:comet",
    "scores/{system}.json",
]


@pytest.mark.parametrize("path", FORMS)
def test_all_forms_of_files(capsys, path):
    content = json_of(capsys, "score", *SYSTEMS, "-m", "none", "--given", f"comet={path}")
    values = [system["scores"]["comet"]["value"] for system in content["systems"]]
    assert values == [math.fsum(scores) / SEGMENTS for scores in SCORES.values()]


def test_beside_text_metrics(capsys):
    content = json_of(capsys, "score", *SYSTEMS, "-r", "r.txt", "--given", "comet=wide.tsv")
    assert list(content["metrics"]) == ["bleu", "chrf", "ter", "comet"]
    alone = json_of(capsys, "score", *SYSTEMS, "-r", "r.txt")
    for system, other in zip(content["systems"], alone["systems"], strict=True):
        del system["scores"]["comet"]
        assert system == other
    given = ("--given", "comet=wide.tsv", "--given", "kiwi=kiwi.json")
    assert list(json_of(capsys, "score", *SYSTEMS, "-m", "none", *given)["metrics"]) == ["comet", "kiwi"]


def test_given_scores_can_be_named_beside_metrics(capsys):
    given = ("-r", "r.txt", "--given", "comet=wide.tsv", "--set", "comet.digits=1")
    assert list(json_of(capsys, "score", *SYSTEMS, *given, "-m", "chrf,comet")["metrics"]) == ["chrf", "comet"]
    for names in ("comet", "none"):
        assert list(json_of(capsys, "score", *SYSTEMS, *given, "-m", names)["metrics"]) == ["comet"]


@pytest.mark.parametrize("names", [("old", "new"), ("old.1", "new.2")])
def test_a_part_of_a_file_name_is_the_name_of_a_system(capsys, folder, names):
    """WMT's files have names such as newstest2019.online-A.0.en-de."""
    files = [f"test.{name}.en-de" for name in names]
    write_lines(folder, **dict.fromkeys(files, TEXTS))
    write_wide(folder / "people.tsv", dict(zip([*names, "other"], [*SCORES.values(), SCORES["old"]], strict=True)))
    content = json_of(capsys, "score", *files, "-m", "none", "--given", "people=people.tsv")
    values = [system["scores"]["people"]["value"] for system in content["systems"]]
    assert values == [math.fsum(scores) / SEGMENTS for scores in SCORES.values()]


def test_comparisons_are_those_of_python(capsys):
    given = ("-m", "chrf", "--given", "comet=wide.tsv")
    content = json_of(capsys, "compare", *SYSTEMS, "-r", "r.txt", *given, "--test", "bootstrap")
    metric = refscore.Given("comet")
    expected = paired_bootstrap(metric, {name: metric.stats(values) for name, values in SCORES.items()})
    (comparison,) = (each for each in content["comparisons"] if each["metric"] == "comet")
    assert comparison["systems"] == json.loads(json.dumps([outcome.to_dict() for outcome in expected.systems]))
    shown = rows_of(output_of(capsys, "compare", *SYSTEMS, "-r", "r.txt", *given, "--format", "tsv"))
    assert [float(row["score"]) for row in shown if row["metric"] == "comet"] == pytest.approx(
        [np.mean(values) for values in SCORES.values()]
    )


def test_direction_scale_and_digits(capsys):
    arguments = ("compare", *SYSTEMS, "-m", "none", "--given", "comet=wide.tsv", "--test", "bootstrap")
    old, new = (np.mean(values) for values in SCORES.values())
    assert f"{new:.4f}" in output_of(capsys, *arguments)
    assert f" {new:.1f} " in output_of(capsys, *arguments, "--digits", "1")
    settings = ("--set", "comet.higher_is_better=no", "--set", "comet.printed_scale=100", "--set", "comet.digits=3")
    shown = output_of(capsys, *arguments, *settings, "--alpha", "0.99")
    assert f"{100 * new:.3f}" in shown and "comet ↓" in shown
    assert (" worse" in shown) == (new > old)


def test_runs_of_one_system(capsys, folder):
    write_wide(folder / "runs.tsv", {"a.txt": SCORES["old"], "b.txt": SCORES["new"], "r.txt": SCORES["new"] + 1})
    arguments = ("compare", "base=a.txt", "two=b.txt", "two=r.txt", "-m", "none", "--test", "bootstrap")
    (comparison,) = json_of(capsys, *arguments, "--given", "comet=runs.tsv")["comparisons"]
    assert comparison["systems"][1]["score"] == pytest.approx(np.mean(SCORES["new"]) + 0.5)
    for path in ("scores/{system}.comet", "long0.tsv"):
        assert error_of(*arguments, "--given", f"comet={path}").location is not None


HOLES = {"old": [*SCORES["old"][:-1], None], "new": [None, *SCORES["new"][1:]]}


def test_skipping_missing_scores(capsys, folder):
    write_wide(folder / "holes.tsv", HOLES)
    arguments = (*SYSTEMS, "-r", "r.txt", "-m", "wer", "--given", "comet=holes.tsv", "--set", "comet.missing=skip")
    capsys.readouterr()
    expected = [np.mean(values[1:-1]) for values in SCORES.values()]
    content = json_of(capsys, "score", *arguments, notes=1)
    assert [each["scores"]["comet"]["value"] for each in content["systems"]] == pytest.approx(expected)
    assert [each["scores"]["comet"]["weight"] for each in content["systems"]] == [SEGMENTS - 2] * 2
    content = json_of(capsys, "compare", *arguments, notes=1)
    (bootstrapped, *_) = (each for each in content["comparisons"] if each["metric"] == "comet")
    assert [each["score"] for each in bootstrapped["systems"]] == pytest.approx(expected)
    for form in ("tsv", "csv", "jsonl"):
        output_of(capsys, "score", *arguments, "--segments", f"segments.{form}", notes=1)
        shown = rows_of((folder / f"segments.{form}").read_text(), form)
        scores = [row["comet"] for row in shown if row["system"] == "old"]
        assert scores[0] in ("", None) and scores[-1] in ("", None)
        assert [float(score) for score in scores[1:-1]] == SCORES["old"][1:-1].tolist()


def test_the_note_has_the_number_of_segments(capsys, folder):
    write_wide(folder / "holes.tsv", HOLES)
    from tests.cli.running import status_of

    arguments = ["score", *SYSTEMS, "-m", "none", "--given", "comet=holes.tsv", "--set", "comet.missing=skip"]
    assert status_of(arguments) == 0
    assert "comet leaves out 2 of 12 segments" in capsys.readouterr().err
    write_wide(folder / "empty.tsv", {"old": [None] * SEGMENTS, "new": SCORES["new"]})
    arguments[-3] = "comet=empty.tsv"
    check_failure(capsys, arguments, "empty.tsv leaves no segment with a score of comet")


def test_missing_scores_are_errors(capsys, folder):
    write_wide(folder / "holes.tsv", HOLES)
    arguments = ("compare", *SYSTEMS, "-m", "none", "--given")
    check_failure(capsys, [*arguments, "comet=holes.tsv"], at("holes.tsv", SEGMENTS + 1))
    check_failure(capsys, [*arguments, "comet=holes.tsv"], "system 'old'.*--set comet.missing=skip")
    write_lines(folder / "scores", **{"new.comet": lines(HOLES["new"])})
    check_failure(capsys, [*arguments, "comet=scores/{system}.comet"], at("scores/new.comet", 1))
    rows = (folder / "long1.csv").read_text().splitlines()
    write_lines(folder, **{"gap.csv": [row for row in rows if not row.startswith("old,4,")]})
    check_failure(capsys, [*arguments, "comet=gap.csv"], "segment 4 of 'old' in gap.csv has no comet score")


def test_segment_scores_can_be_read_again(capsys, folder):
    output_of(capsys, "score", *SYSTEMS, "-r", "r.txt", "-m", "chrf,wer", "--segments", "segments.tsv")
    content = json_of(capsys, "score", *SYSTEMS, "-m", "none", "--given", "mean=segments.tsv:wer")
    files = [(folder / name).read_text().splitlines() for name in ("a.txt", "b.txt")]
    expected = [100 * np.mean(refscore.WER().segments(texts, TEXTS)) for texts in files]
    assert [each["scores"]["mean"]["value"] for each in content["systems"]] == pytest.approx(expected)


WRONG_FILES = {
    "short.tsv": (
        ["old\tnew", "1\t2"],
        "short.tsv has scores for 1 segment of the system 'old', but the input has 12 segments",
    ),
    "words.tsv": (["old\tnew", "1\t2", "x\t3"], "old in line 3 of words.tsv is 'x', not a number"),
    "ragged.tsv": (["old\tnew", "1"], "line 2 of ragged.tsv has 1 column, but the first line has 2"),
    "twice.tsv": (["old\told", "1\t2"], "line 1 of twice.tsv has two columns 'old'"),
    "infinite.csv": (["old,new", "1,inf"], "new in line 2 of infinite.csv is inf"),
    "underscore.csv": (["old,new", "1_0,1"], "is '1_0', not a number"),
    "totals.tsv": (["system\tscore", "old\t1"], "totals.tsv has a column 'system' but none with numbers of segments"),
    "unknown.tsv": (["old\tnewer", "1\t2"], r"unknown.tsv has no scores of the system 'new'.*there are: old, newer"),
    "quoted.csv": (["old,new", '"1,2'], "is not CSV"),
    "empty.tsv": ([], "empty.tsv is empty"),
    "header.tsv": (["old\tnew"], "header.tsv is empty"),
    "one.txt": (["1"] * SEGMENTS, "one column of scores for 2 systems.*{system}"),
    "from2.csv": (["system,segment,score", "old,2,1"], "has 2 as its smallest segment"),
    "fraction.csv": (["system,segment,score", "old,1.5,1"], "has the segment '1.5'"),
    "again.csv": (["system,segment,score", "old,1,1", "old,1,1"], "line 3 of again.csv has the segment 1 of .* again"),
    "jump.csv": (["system,segment,score", "old,1,1", "old,1000000,1"], "has a segment 1000000 but only 2 rows"),
    "several.csv": (["system,segment,x,y", "old,1,1,1", "new,1,1,1"], "several fields with numbers.*x, y"),
    "broken.json": (["{"], "line 2 of broken.json is not JSON"),
    "text.json": (['"a"'], "no list of segments"),
    "lists.json": (['{"old": [[1]], "new": [[1]]}'], "item 1 of old in lists.json is neither an object nor a number"),
    "later.jsonl": (
        ['{"system": "old", "segment": 1, "x": 1}', '{"segment": 2, "x": 1}'],
        "line 2 of later.jsonl has no field 'system'.*there are: segment, x",
    ),
    "first.jsonl": (
        ['{"segment": 1, "x": 1}', '{"system": "old", "segment": 2, "x": 1}'],
        "line 1 of first.jsonl has no field 'system'.*there are: segment, x",
    ),
    "rows.csv": (["system,score", "old,1", "new,1"], "rows.csv has rows of several systems without segments.*segment"),
    "file.parquet": (["x"], "has the format parquet"),
}


@pytest.mark.parametrize("name", WRONG_FILES)
def test_wrong_files(capsys, folder, name):
    content, words = WRONG_FILES[name]
    write_lines(folder, **{name: content})
    check_failure(capsys, ["compare", *SYSTEMS, "-m", "none", "--given", f"comet={name}"], words)


def test_scores_of_other_systems_are_not_taken_for_the_only_one(capsys, folder):
    write_lines(folder, **{"rows.csv": ["system,score", *(f"{'old' if k else 'new'},1" for k in range(SEGMENTS))]})
    arguments = ["score", "x=a.txt", "-m", "none", "--given", "comet=rows.csv"]
    check_failure(capsys, arguments, "has rows of several systems without segments")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--given", "comet"], "is not NAME=PATH"),
        (["--given", "=wide.tsv"], "is not NAME=PATH"),
        (["--given", "comet=wide.tsv", "--given", "comet=wide.csv"], "twice"),
        (["--given", "chrf=wide.tsv", "-m", "chrf", "-r", "r.txt"], "has the name of a metric"),
        (["--given", "comet=missing.tsv"], "missing.tsv cannot be read"),
        (["--given", "comet=scores/{system}.bleurt"], "scores/old.bleurt cannot be read"),
        (["--given", "comet=-"], "standard input"),
        (["--given", "comet=wide.tsv"], "Missing option '-r'"),
        (["-m", "none"], "-m none needs --given"),
        (["-m", "none", "--given", "a|b=wide.tsv"], "cannot contain"),
        (["-m", "none", "--given", "comet=records.json:x"], "has no field 'x'"),
        (["-m", "none", "--given", "comet=wide.tsv", "--set", "comet.scale=2"], "unknown setting of given 'scale'"),
        (["-m", "none", "--given", "comet=wide.tsv", "--set", "bleu.order=2"], "-m none has no metric"),
        (["-m", "none,bleu", "--given", "comet=wide.tsv"], "unknown metric 'none'"),
        (["-r", "r.txt", "--set", "comet.missing=skip"], "'comet' is a neural metric.*--given NAME=PATH"),
    ],
)
def test_wrong_options(capsys, options, words):
    check_failure(capsys, ["score", *SYSTEMS, *options], words)


def test_one_system_needs_no_column_of_its_name(capsys, folder):
    write_wide(folder / "one.tsv", {"segment": range(SEGMENTS), "Comet": SCORES["old"]})
    write_lines(folder, **{"one.txt": lines(SCORES["old"])})
    for path in ("one.tsv", "one.tsv:Comet", "one.txt", "wide.tsv:old"):
        content = json_of(capsys, "score", "x=a.txt", "-m", "none", "--given", f"comet={path}")
        assert content["systems"][0]["scores"]["comet"]["value"] == math.fsum(SCORES["old"]) / SEGMENTS


def test_inputs_are_not_overwritten(capsys):
    arguments = ["score", *SYSTEMS, "-m", "none", "--given", "comet=wide.tsv", "-o", "wide.tsv"]
    check_failure(capsys, arguments, "is an input and would be overwritten")


def test_engines_reject_given_scores(capsys):
    arguments = ["score", "t.parquet:a", "-r", "t.parquet:r", "--engine", "spark", "--given", "comet=wide.tsv"]
    check_failure(capsys, arguments, "leave out --given")


def test_reports(capsys, folder):
    pytest.importorskip("vl_convert")
    write_wide(folder / "holes.tsv", HOLES)
    options = ("--given", "comet=holes.tsv", "--set", "comet.missing=skip", "--resamples", "50", "-o", "page.html")
    for metrics in (("-m", "chrf"), ("-m", "none")):
        shown = output_of(capsys, "report", *SYSTEMS, "-r", "r.txt", *metrics, *options, notes=1)
        assert "12 segments, 2 systems" in shown
        page = (folder / "page.html").read_text(encoding="utf-8")
        assert "given|name:comet" in page and f"{np.mean(SCORES['new'][1:-1]):.4f}" in page
    check_failure(capsys, ["report", *SYSTEMS, "-m", "none", "--given", "comet=wide.tsv"], "Missing option '-r'")


def test_utilities_of_candidates(capsys, folder):
    utilities = RANDOM.normal(size=(3, 4)).tolist()
    write_lines(folder, **{"m.jsonl": [json.dumps({"candidates": ["a", "b", "c"], "comet": utilities})]})
    added = json.loads(output_of(capsys, "mbr", "m.jsonl", "--utilities", "comet"))["mbr"]
    means = np.mean(utilities, axis=1)
    assert added["best"] == means.argmax() and added["candidate"] == "abc"[means.argmax()]
    assert added["expected"] == pytest.approx(means.tolist())
    for options, words in (
        (["-m", "bleu"], "leave out the options of metrics"),
        (["--aggregate"], "leave out --reference-field and --aggregate"),
        (["--reference-field", "x"], "leave out --reference-field and --aggregate"),
    ):
        check_failure(capsys, ["mbr", "m.jsonl", "--utilities", "comet", *options], words)
    for matrix, words in (
        (utilities[:2], "comet in line 1 of m.jsonl has 2 lists for 3 candidates"),
        ([*utilities[:2], [1]], r"comet\[2\] in line 1 of m.jsonl has 1 numbers"),
        ([*utilities[:2], [1, 2, 3, None]], r"comet\[2\]\[3\] in line 1 of m.jsonl is missing"),
    ):
        write_lines(folder, **{"m.jsonl": [json.dumps({"candidates": ["a", "b", "c"], "comet": matrix})]})
        check_failure(capsys, ["mbr", "m.jsonl", "--utilities", "comet"], words)


def test_rows_of_several_lines(capsys, folder):
    """Cells may be long and have line breaks, and errors still name the line."""
    write_lines(folder, **{"long.csv": ["text,old,new", f'"a\n{"b" * 200_000}\n",1,2', "c,x,4"]})
    check_failure(
        capsys, ["compare", *SYSTEMS, "-m", "none", "--given", "comet=long.csv"], "old in line 5 of long.csv is 'x'"
    )
