"""The story of a gate: a record on day 1, a pass on day 2, a failure on day 3, and the fix."""

import json
import random
import re
from xml.etree import ElementTree

import pytest

import refscore
from refscore.gate import History
from tests.cli.running import json_of, output_of, status_of, write_lines
from tests.cli.stories import tell

SEGMENTS = 600
GENERATOR = random.Random(7)
VOCABULARY = ["".join(GENERATOR.choices("abcdefghij", k=GENERATOR.randint(2, 8))) for _ in range(400)]


def varied(text, rate):
    return " ".join(GENERATOR.choice(VOCABULARY) if GENERATOR.random() < rate else word for word in text.split())


REFERENCES = [" ".join(GENERATOR.choices(VOCABULARY, k=GENERATOR.randint(6, 25))) for _ in range(SEGMENTS)]
DAY_1 = [varied(text, 0.2) for text in REFERENCES]
# A few segments differ, by chance as often for the better as for the worse.
DAY_2 = [varied(REFERENCES[k], 0.2) if k % 20 == 0 else text for k, text in enumerate(DAY_1)]
BROKEN = {*GENERATOR.sample(range(SEGMENTS), SEGMENTS * 3 // 100)}
DAY_3 = [" ".join([text.split()[0]] * 40) if k in BROKEN else text for k, text in enumerate(DAY_2)]


def test_the_story(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path, **{"day1.txt": DAY_1, "day2.txt": DAY_2, "day3.txt": DAY_3, "ref.txt": REFERENCES})
    output_of(capsys, "stats", "day1.txt", "-r", "ref.txt", "--rows", "--texts", "-o", "main.refscore", "-q")
    gate = ["--baseline", "main.refscore", "-r", "ref.txt", "--history", "runs.jsonl", "--update", "--texts", "-q"]
    assert json_of(capsys, "gate", "day2.txt", *gate)["passed"]
    accepted = (tmp_path / "main.refscore").read_bytes()
    assert refscore.load("main.refscore").texts.hypotheses == [DAY_2]

    (tmp_path / "summary.md").write_text("before\n", encoding="utf-8")
    summary = ["--format", "github", "--summary", "summary.md"]
    assert status_of(["gate", "day3.txt", *gate, *summary]) == 1
    annotations = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("::error title=refscore%3A significantly worse::") for line in annotations) == 3
    named = [line for line in annotations if line.startswith("::notice title=segment ")]
    assert len(named) == 10
    assert {int(line.removeprefix("::notice title=segment ").partition("%3A")[0]) - 1 for line in named} <= BROKEN
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert text.startswith("before\n") and "significantly worse" in text and "| **failed** |" in text
    assert (tmp_path / "main.refscore").read_bytes() == accepted  # a failure does not move the baseline

    assert json_of(capsys, "gate", "day2.txt", *gate)["passed"]  # the fix
    history = History.read("runs.jsonl")
    assert [run.passed for run in history.runs] == [True, False, True]
    assert history.runs[1].failed[0] == "significantly worse by BLEU"
    output_of(capsys, "report", "--history", "runs.jsonl", "-o", "history.html")
    page = (tmp_path / "history.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3 and "significantly worse by BLEU" in page


def test_junit(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path, day1=DAY_1, day3=DAY_3, ref=REFERENCES)
    options = ["--format", "junit", "-q", "--margin", "9", "--margin", "ter=1"]
    assert status_of(["gate", "day3", "--baseline", "day1", "-r", "ref", *options]) == 1
    suite = ElementTree.fromstring(capsys.readouterr().out)[0]
    assert suite.attrib["tests"] == str(len(suite))
    assert suite.attrib["failures"] == str(len(suite.findall(".//failure")))
    bodies = {case.attrib["name"]: case[0].text.splitlines() for case in suite if len(case)}
    assert sorted(map(len, bodies.values())) == [1, 1, 1, 1, 10]  # one metric names the segments that lost most
    segments = next(lines for lines in bodies.values() if len(lines) == 10)
    assert all(re.fullmatch(r"segment \d+: [\d.]+ to [\d.]+: .+", line) for line in segments)
    assert {case.attrib["name"]: [child.tag for child in case] for case in suite} == {
        **{f"significantly worse, {name}": ["failure"] for name in ("BLEU", "chrF2", "TER")},
        **{f"worse than the margin, {name}": [] for name in ("BLEU", "chrF2")},
        "worse than the margin, TER": ["failure"],
        "empty outputs": [],
        "loops": ["failure"],
        "data warnings": [],
    }


def test_a_slow_decline_is_found_with_the_oldest_record(tmp_path, capsys, monkeypatch):
    """Each night loses too little for a test against the last one."""
    monkeypatch.chdir(tmp_path)
    GENERATOR.seed(3)
    write_lines(tmp_path, ref=REFERENCES, night0=[varied(text, 0.2) for text in REFERENCES])
    output_of(capsys, "stats", "night0", "-r", "ref", "-m", "chrf", "--rows", "-o", "main.refscore", "-q")
    options = ["--baseline", "main.refscore", "-r", "ref", "--oldest", "oldest.refscore", "--update", "-q"]
    assert json_of(capsys, "gate", "night0", *options)["passed"]
    failed = {}
    for night in range(1, 12):
        write_lines(tmp_path, new=[varied(text, 0.2 + 0.004 * night) for text in REFERENCES])
        status_of(["gate", "new", *options, "--format", "json"])
        content = json.loads(capsys.readouterr().out)
        failed[night] = {check["criterion"] for check in content["checks"] if check["status"] == "failed"}
        if failed[night]:
            break
    assert [*failed.values()][-1] == {"decline"}, failed
    assert refscore.load("oldest.refscore").digests != refscore.load("main.refscore").digests


def test_the_page(tmp_path, capsys, monkeypatch):
    statuses = [status for _, status, _ in tell("howto/gate-changes.md", tmp_path, capsys, monkeypatch)]
    assert statuses == [0, 0, 1, 0]


@pytest.mark.slow
def test_the_promised_rates():
    """A short run of the simulation; the documentation contains a long one."""
    from bench.gate_simulation import METRICS, simulate

    nights = 150
    alarms, found = simulate(nights, segments=150, resamples=300, seed=3, world=2000)
    spread = (0.05 * 0.95 / nights) ** 0.5
    assert all(share <= 0.05 + 4 * spread for share in alarms.values()), alarms
    assert all(found[label] > 0.8 - 4 * (0.8 * 0.2 / nights) ** 0.5 for label in METRICS), found
