"""Error spans: counts by the definitions of WMT's tasks, written down from them, and files in the known formats."""

import json
import random

import pytest

from refscore.meta import ErrorSpan, MarkedText, SpanF1, read_spans
from tests.cli.running import error_of, json_of, output_of
from tests.meta.test_folder import fails


def credit_of_2025(predicted, gold):
    """Return credit, predicted and gold characters: each character counts in each of its spans."""
    credit = marked = wanted = 0
    for place in range(len(gold.text)):
        sides = []
        for text in (predicted, gold):
            inside = [span for span in text.spans if span.start <= place < span.end]
            minor = sum(span.severity == "minor" for span in inside)
            sides.append((len(inside) - minor, minor))
        (major, minor), (gold_major, gold_minor) = sides
        marked += major + minor
        wanted += gold_major + gold_minor
        credit += min(major, gold_major) + min(minor, gold_minor)
        left = max(0, major - gold_major) + max(0, minor - gold_minor)
        gold_left = max(0, gold_major - major) + max(0, gold_minor - minor)
        credit += 0.5 * min(left, gold_left)
    return credit, marked, wanted


def credit_of_2023(predicted, gold):
    """Return the same if each character counts once, and an empty span is one character."""
    credit = marked = wanted = 0
    for place in range(len(gold.text) + 1):
        kinds = []
        for text in (predicted, gold):
            kinds.append(
                {
                    "minor" if span.severity == "minor" else "major"
                    for span in text.spans
                    if span.start <= place < min(span.end, len(gold.text)) or place == span.start == span.end
                }
            )
        marked += bool(kinds[0])
        wanted += bool(kinds[1])
        credit += 1 if kinds[0] & kinds[1] else 0.5 if kinds[0] and kinds[1] else 0
    return credit, marked, wanted


def generated(seed, count=40):
    generator = random.Random(seed)
    texts = []
    for _ in range(count):
        size = generator.randrange(1, 25)
        sides = []
        for _ in range(2):
            spans = []
            for _ in range(generator.randrange(4)):
                begin, end = sorted(generator.randrange(size + 1) for _ in range(2))
                spans.append(ErrorSpan(begin, end, generator.choice(["minor", "major", "critical"])))
            sides.append(MarkedText("x" * size, tuple(spans)))
        texts.append(sides)
    return map(list, zip(*texts, strict=True))


@pytest.mark.parametrize(("overlaps", "credit_of"), [("all", credit_of_2025), ("once", credit_of_2023)])
def test_definitions(overlaps, credit_of):
    for seed in range(10):
        predicted, gold = generated(seed)
        score = SpanF1(overlaps=overlaps).corpus(predicted, gold)
        totals = [sum(each) for each in zip(*map(credit_of, predicted, gold), strict=True)]
        precision, recall = totals[0] / totals[1], totals[0] / totals[2]
        assert (score.precision, score.recall) == (precision, recall)
        assert score.value == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-15)


def test_rows_add_up():
    predicted, gold = generated(3)
    metric = SpanF1()
    rows = metric.stats(predicted, gold)
    assert metric.score(rows.sum(axis=0)) == metric.corpus(predicted, gold)
    assert metric.values(rows)[5] == metric.corpus(predicted[5:6], gold[5:6])


def test_empty():
    """Without characters to find, recall is 1; without marked ones, precision is 1."""
    nothing, error = MarkedText("abc"), MarkedText("abc", (ErrorSpan(0, 2, "minor"),))
    for predicted, gold, expected in (
        (nothing, nothing, (1.0, 1.0, 1.0)),
        (error, nothing, (0.0, 1.0, 0.0)),
        (nothing, error, (1.0, 0.0, 0.0)),
    ):
        score = SpanF1().corpus([predicted], [gold])
        assert (score.precision, score.recall, score.value) == expected


MQM = """system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity
one\td\t1\tr1\tx\ta <v>wrong</v> word\tAccuracy\tMajor
one\td\t1\tr1\tx\ta wrong <v>word</v>\tStyle\tMinor
one\td\t1\tr1\t<v>x</v>\ta wrong word\tSource\tMajor
one\td\t2\tr1\tx\tright\tNo-error\tNo-error
"""
TASK = """doc_id\tsegment_id\tsystem_id\thypothesis_segment\tstart_indices\tend_indices\terror_types
d\t1\tone\ta wrong word\t2 missing 8\t7 missing 12\tmajor minor minor
d\t2\tone\tright\t-1\t-1\tno-error
"""
ESA = [
    {
        "doc_id": "d",
        "line_id": 1,
        "system": "one",
        "tgt": "a wrong word",
        "esa_spans": [
            {"start_i": 2, "end_i": 7, "severity": "major"},
            {"start_i": "missing", "end_i": "missing", "severity": "minor"},
            {"start_i": 0, "end_i": 1, "severity": "undecided"},
            {"start_i": 8, "end_i": 12, "severity": "minor"},
        ],
    },
    {"doc_id": "d", "line_id": 2, "system": "one", "tgt": "right", "esa_spans": []},
]
RATING = {
    "errors": [
        {"start": 2, "end": 7, "severity": "Major"},
        {"start": 8, "end": 12, "severity": "minor"},
        {"start": 0, "end": 1, "severity": "major", "is_source_error": True},
    ]
}
SPANS = (ErrorSpan(2, 7, "major"), ErrorSpan(8, 12, "minor"))


@pytest.fixture
def files(tmp_path):
    (tmp_path / "mqm.tsv").write_text(MQM)
    (tmp_path / "task.tsv").write_text(TASK)
    (tmp_path / "esa.jsonl").write_text("".join(json.dumps(line) + "\n" for line in ESA))
    (tmp_path / "x.seg.rating").write_text(f'one\t{json.dumps(RATING)}\tr1\none\t{{"errors": []}}\tr1\ntwo\tNone\n')
    return tmp_path


def test_formats(files):
    for name in ("mqm.tsv", "task.tsv", "esa.jsonl"):
        found = read_spans(files / name)
        assert found == {("one", "d", "1"): MarkedText("a wrong word", SPANS), ("one", "d", "2"): MarkedText("right")}
    ratings = read_spans(files / "x.seg.rating")
    assert {key: text.spans for key, text in ratings.items()} == {("one", "", "1"): SPANS, ("one", "", "2"): ()}


def test_raters(files):
    path = files / "mqm.tsv"
    path.write_text(MQM + "one\td\t2\tr2\tx\t<v>right</v>\tStyle\tMinor\n")
    fails("line 6 of .* has a second rater of this output: choose one with rater", lambda: read_spans(path))
    assert read_spans(path, rater="r2") == {("one", "d", "2"): MarkedText("right", (ErrorSpan(0, 5, "minor"),))}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.tsv", "a\tb\n1\t2\n", "has no error spans in a known format"),
        ("x.tsv", "", "has no error spans in a known format"),
        ("x.jsonl", '{"system": "a"}\n', "line 1 of .* is not a text with error spans"),
        ("x.rating", "a\tx\n", "line 1 of .* is not a rating"),
        ("x.tsv", TASK.replace("2 missing 8", "2 8"), "has different numbers of places"),
        ("x.tsv", TASK.replace("2 missing 8", "9 missing 8"), "has a span from 9 to 7"),
        ("x.tsv", TASK.replace("2 missing 8", "x missing 8"), "has the place 'x'"),
        ("x.tsv", TASK.replace("major", "bad"), "with the severity 'bad'"),
    ],
)
def test_wrong_files(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    fails(message, lambda: read_spans(tmp_path / name))


def test_wrong_spans():
    text = MarkedText("abc", (ErrorSpan(2, 1, "minor"),))
    fails("go from 2 to 1", lambda: SpanF1().stats([text], [text]))
    text = MarkedText("abc", (ErrorSpan(0, 1, "bad"),))
    fails("have the severity 'bad'", lambda: SpanF1().stats([text], [text]))
    fails("has 1 texts, but there are 0", lambda: SpanF1().stats([MarkedText("a")], []))


def test_command(files, capsys):
    predicted = [dict(line) for line in ESA]
    predicted[0]["esa_spans"] = [{"start_i": 2, "end_i": 12, "severity": "minor"}]
    lines = predicted + [{**line, "system": "two"} for line in ESA]
    (files / "predicted.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (files / "gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [*ESA, *lines[2:]]))
    content = json_of(capsys, "spans", str(files / "predicted.jsonl"), str(files / "gold.jsonl"))
    # 4 characters match, 5 have a different severity, one is a space that people did not mark.
    assert content["systems"]["one"]["precision"] == 6.5 / 10 and content["systems"]["one"]["recall"] == 6.5 / 9
    assert content["systems"]["two"]["value"] == 1 and content["systems"]["all"]["precision"] == 15.5 / 19
    text = output_of(capsys, "spans", str(files / "predicted.jsonl"), str(files / "mqm.tsv"), "--partial-credit", "0")
    assert text.splitlines()[2].split() == ["all", "40.00", "44.44", "42.11"]
    missing = error_of("spans", str(files / "x.seg.rating"), str(files / "mqm.tsv"))
    assert "predicted has no spans of one d 1: predict the spans of all texts" in str(missing)
