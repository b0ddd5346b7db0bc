"""The command `refscore compare`: output and errors."""

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import refscore
from refscore import significance
from refscore.cli.demo import FOLDER
from refscore.report import Reporting, build_report
from tests.cli.running import at, check_failure, json_of, output_of, rows_of, write_lines
from tests.report.example import REFERENCES, SYSTEMS

SENTENCE = "the a cat dog sat ran on under mat hat quickly and then was not so"
WORDS = SENTENCE.split()
TEST_NAMES = ("paired-bootstrap", "approximate-randomization")


def noisy(text, rate, rng):
    return " ".join(rng.choice(WORDS) if rng.random() < rate else word for word in text.split())


@pytest.fixture(scope="module")
def texts():
    rng = random.Random(5)
    references = [" ".join(rng.choices(WORDS, k=rng.randint(4, 15))) for _ in range(120)]
    base = [noisy(text, 0.4, rng) for text in references]
    good = [noisy(text, 0.1, rng) for text in references]
    alike = [noisy(text, 0.4, rng) for text in references]
    return {"ref": references, "base": base, "good": good, "alike": alike}


@pytest.fixture
def files(tmp_path, monkeypatch, texts):
    documents = [i // 10 for i in range(120)]
    write_lines(tmp_path, **texts, documents=documents, short=["a"], gaps=["a", "b", ""] * 40)
    write_lines(tmp_path, **{"u.jsonl": ['{"n": null, "l": ["a"]}'] * 120})
    monkeypatch.chdir(tmp_path)


def shown(capsys, *arguments):
    return output_of(capsys, "compare", *arguments)


def content(capsys, *arguments):
    return json_of(capsys, "compare", *arguments)


def outcomes(data, test, label):
    (comparison,) = (each for each in data["comparisons"] if each["test"] == test and each["label"] == label)
    return {outcome["name"]: outcome for outcome in comparison["systems"]}, comparison["verdicts"]


@pytest.mark.parametrize("formulas", ["refscore", "sacrebleu"])
def test_the_numbers_are_the_library_s(files, texts, capsys, formulas):
    options = ["-m", "bleu,ter", "--trials", 500, "--seed", 3, "--formulas", formulas]
    data = content(capsys, "base", "good", "alike", "-r", "ref", *options)
    for label, metric in {"bleu": refscore.BLEU(), "ter": refscore.TER()}.items():
        rows = {name: metric.stats(texts[name], texts["ref"]) for name in ("base", "good", "alike")}
        resampled = significance.paired_bootstrap(metric, rows, seed=3, formulas=formulas)
        swapped = significance.approximate_randomization(
            metric, rows, trials=500, resamples=1000 if formulas == "sacrebleu" else 0, seed=3, formulas=formulas
        )
        for test, expected in zip(TEST_NAMES, (resampled, swapped), strict=True):
            assert outcomes(data, test, label)[0] == {each.name: each.to_dict() for each in expected.systems}


def test_verdicts(files, capsys):
    data = content(capsys, "base", "good", "alike", "same=base", "-r", "ref", "-m", "bleu,ter")
    for test in TEST_NAMES:
        for label in ("bleu", "ter"):
            by_system, verdicts = outcomes(data, test, label)
            assert verdicts == {"good": "better", "alike": "unclear", "same": "equal"}
            assert by_system["same"]["p"] == 1
    text = shown(capsys, "good", "base", "-r", "ref", "-m", "ter", "--test", "bootstrap")
    assert re.search(r"^base .* worse$", text, re.MULTILINE)


def test_a_report_has_the_same_verdicts(capsys):
    """Use data on which the tests disagree: with six documents, randomization cannot reach a small p."""
    names = ("alder", "birch", "clover")
    references = [option for letter in "ab" for option in ("-r", FOLDER / f"reference.{letter}.txt")]
    options = ["-m", "bleu,chrf,ter", "--units", f"{FOLDER / 'segments.jsonl'}:document", "--alpha", "0.01"]
    files = [f"{name}={FOLDER / name}.txt" for name in names]
    data = content(capsys, *files, *references, *options)
    units = [json.loads(line)["document"] for line in (FOLDER / "segments.jsonl").read_text("utf-8").splitlines()]
    report = build_report(SYSTEMS, REFERENCES, units=units, reporting=Reporting(alpha=0.01))
    rows = rows_of(shown(capsys, *files, *references, *options, "--format", "tsv"))
    for label, result in zip(("bleu", "chrf", "ter"), report.results, strict=True):
        bootstrap, randomization = (outcomes(data, test, label)[1] for test in TEST_NAMES)
        assert (bootstrap["clover"], randomization["clover"]) == ("worse", "unclear")
        printed = {row["system"]: row["verdict"] for row in rows if row["metric"] == label}
        for k, name in enumerate(names[1:], 1):
            assert printed[name] == bootstrap[name] == result.verdict(0, k, 0.01)


def test_units_and_runs(files, texts, capsys):
    by_document = content(capsys, "base", "alike", "-r", "ref", "-m", "bleu", "--units", "documents")
    assert {each["units"] for each in by_document["comparisons"]} == {12}
    data = content(capsys, "old=base", "old=alike", "new=good", "-r", "ref", "-m", "bleu", "--trials", 200)
    by_system, _ = outcomes(data, "paired-bootstrap", "bleu")
    values = [refscore.bleu(texts[name], texts["ref"]).value for name in ("base", "alike")]
    assert by_system["old"]["runs"] == values
    assert by_system["old"]["score"] == pytest.approx(sum(values) / 2)
    assert data["baseline"] == "old"
    assert [file["name"] for file in data["files"]] == ["old", "old", "new"]


def test_holm(files, capsys):
    data = content(capsys, "base", "good", "alike", "-r", "ref", "-m", "bleu", "--holm")
    by_system, _ = outcomes(data, "paired-bootstrap", "bleu")
    assert by_system["good"]["p_holm"] == pytest.approx(2 * by_system["good"]["p"])
    assert "p boot. Holm" in shown(capsys, "base", "good", "alike", "-r", "ref", "-m", "bleu", "--holm")


TWO = ["base", "good", "-r", "ref"]


def test_tables(files, texts, capsys):
    lines = shown(capsys, *TWO, "-m", "bleu,ter").splitlines()
    assert " ".join(lines[0].split()) == "system BLEU Δ Δ within (95 %) wins p boot. p rand. verdict"
    base, good = (refscore.bleu(texts[name], texts["ref"]).percent for name in ("base", "good"))
    assert lines[2].split() == ["base", f"{base:.2f}", "–", "–", "–", "–", "–", "baseline"]
    assert lines[3].split()[:3] == ["good", f"{good:.2f}", f"{good - base:+.2f}"]
    assert lines[3].endswith("better")
    assert "seed:12345" in lines[-1]
    rows = rows_of(shown(capsys, *TWO, "-m", "bleu,ter", "--format", "tsv"))
    assert [f"{row['metric']} {row['system']}" for row in rows] == ["bleu base", "bleu good", "ter base", "ter good"]
    assert float(rows[1]["score"]) == 100 * refscore.bleu(texts["good"], texts["ref"]).value
    assert rows[0]["difference"] == rows[0]["p_bootstrap"] == ""
    assert float(rows[1]["difference_low"]) < float(rows[1]["difference"]) < float(rows[1]["difference_high"])
    assert rows[1]["verdict"] == "better"


def test_latex_is_one_table_of_systems_and_metrics(files, texts, capsys):
    arguments = ["base", "good_1=good", "third=alike", "-r", "ref", "-m", "bleu,ter", "--holm", "--seed", 7]
    text = shown(capsys, *arguments, "--format", "latex")
    assert text.count(r"\begin{table}") == text.count(r"\begin{tabular}{lrr}") == text.count(r"\end{table}") == 1
    rules = re.findall(r"\\(?:top|mid|bottom)rule", text)
    assert rules == [r"\toprule", r"\midrule", r"\bottomrule"]
    head, *rows = re.findall(r"^(.*) \\\\$", text, re.MULTILINE)
    assert head == r"system & BLEU & TER $\downarrow$"
    values = {
        name: [getattr(refscore, metric)(texts[name], texts["ref"]).percent for metric in ("bleu", "ter")]
        for name in ("base", "good")
    }
    assert rows[0] == "base & {:.2f} & {:.2f}".format(*values["base"])
    best = r"\textbf{{{:.2f}$^{{\ddagger}}$}}"
    assert rows[1] == rf"good\_1 & {best} & {best}".format(*values["good"])
    (caption,) = re.findall(r"\\caption\{(.*)\}$", text, re.MULTILINE)
    for words in ("BLEU and TER on 120 segments", "than base", r"p $\leq$ 0.05", "paired bootstrap over segments"):
        assert words in caption
    for words in ("1000 resamples", "10000 trials", "seed 7", "Holm's correction", "Bold: best score"):
        assert words in caption
    assert "% bleu|nrefs:1|" in text and "% test:paired-bootstrap|" in text
    worse = shown(capsys, "good", "base", "-r", "ref", "-m", "ter", "--format", "latex", "--test", "randomization")
    assert re.search(r"^base & [0-9.]+\$\^\{\\dagger\}\$ ", worse, re.MULTILINE)
    assert "approximate randomization over segments, 10000 trials" in worse and "bootstrap" not in worse


def test_latex_compiles(files, capsys, tmp_path):
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("needs pdflatex")
    table = shown(capsys, "base", "a_b & 5 %=good", "-r", "ref", "--format", "latex", "--by", "documents", "--power")
    source = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n" + table + "\\end{document}\n"
    (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
    subprocess.run([program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], cwd=tmp_path, check=True)


def test_groups(files, texts, capsys):
    write_lines(Path(), groups=["b", "a", "a"] * 40)
    options = ["-m", "bleu,ter", "--by", "groups", "--seed", 3, "--trials", 200]
    data = content(capsys, *TWO, *options)
    assert [(group["group"], group["segments"]) for group in data["groups"]] == [("b", 40), ("a", 80)]
    whole = content(capsys, *TWO, *options[:2], *options[4:])
    assert data["comparisons"] == whole["comparisons"]
    metric = refscore.BLEU()
    for group, first in zip(data["groups"], (0, 1), strict=True):
        chosen = [k for k in range(120) if (k % 3 > 0) == first]
        rows = {name: metric.stats(*([texts[side][k] for k in chosen] for side in (name, "ref"))) for name in TWO[:2]}
        expected = significance.paired_bootstrap(metric, rows, seed=3)
        assert outcomes(group, "paired-bootstrap", "bleu")[0] == {
            each.name: each.to_dict() for each in expected.systems
        }
    lines = shown(capsys, *TWO, *options).splitlines()
    assert lines[0].split()[:4] == ["group", "segments", "system", "BLEU"]
    assert [line.split()[:3] for line in lines[2:8]] == [
        [group, count, name] for group, count in (("all", "120"), ("b", "40"), ("a", "80")) for name in ("base", "good")
    ]
    rows = rows_of(shown(capsys, *TWO, *options, "--format", "tsv"))
    assert [row["group"] for row in rows[:6:2]] == ["", "b", "a"]
    latex = shown(capsys, *TWO, *options, "--format", "latex")
    assert r"\begin{tabular}{lrlrr}" in latex
    assert re.findall(r"^(\\midrule|\w+) ?(?=&|$)", latex, re.MULTILINE) == [
        "group", *[word for group in ("all", "b", "a") for word in (r"\midrule", group, group)],
    ]  # fmt: skip


def test_groups_too_small_for_a_test_have_scores_only(files, capsys):
    write_lines(Path(), groups=["one", *["many"] * 119])
    data = content(capsys, *TWO, "-m", "bleu", "--by", "groups", "--power")
    one, many = data["groups"]
    for test in TEST_NAMES:
        by_system, verdicts = outcomes(one, test, "bleu")
        assert by_system["good"]["p"] is None and by_system["good"]["difference"] is not None
        assert verdicts["good"] in ("unclear", "equal")
    assert (one["detectable"]["differences"], [*many["detectable"]["differences"]]) == ({}, ["bleu"])
    # Each group is one unit.
    by_unit = content(capsys, *TWO, "-m", "bleu", "--by", "documents", "--units", "documents")
    assert {each["systems"][1]["p"] for group in by_unit["groups"] for each in group["comparisons"]} == {None}


def test_power(files, texts, capsys):
    metric = refscore.BLEU()
    three = ["base", "good", "alike"]
    rows = {name: metric.stats(texts[name], texts["ref"]) for name in three}
    for holm, alpha in ((False, 0.05), (True, 0.025)):
        options = ["-m", "bleu", "--power", *(["--holm"] if holm else [])]
        data = content(capsys, *three, "-r", "ref", *options)
        expected = significance.minimum_detectable_difference(metric, rows, alpha=alpha)
        assert data["detectable"] == {"power": 0.8, "differences": {"bleu": expected}}
        lines = shown(capsys, *three, "-r", "ref", *options).splitlines()
        assert "detectable (80 %)" in lines[0]
        assert f" {100 * expected['good']:.2f} " in lines[3]
        (row, *_) = rows_of(shown(capsys, *three, "-r", "ref", *options, "--format", "csv"), "csv")[1:]
        assert float(row["detectable"]) == pytest.approx(100 * expected["good"])
    caption = shown(capsys, *three, "-r", "ref", "-m", "bleu", "--power", "--format", "latex")
    assert r"Minimum detectable differences (power 80 \%): good " in caption


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["base", "-r", "ref"], "only one"),
        ([*TWO, "--by", "short"], "short has 1 line but base has 120 lines"),
        ([*TWO, "--by", "gaps"], at("gaps", 3)),
        ([*TWO, "--by", "nowhere"], at("nowhere")),
        ([*TWO, "--by", "documents", "-o", "documents"], at("documents")),
        ([*TWO, "--power", "--formulas", "sacrebleu"], "power needs refscore's formulas"),
        ([*TWO, "--power", "--resamples", "1"], "power .* 2 resamples"),
        (["a=base", "a=good", "-r", "ref"], "'a'.* a2=good"),
        (["base", "base", "good", "-r", "ref"], "base .* again=base"),
        (["a=base", "a=base", "good", "-r", "ref"], at("base")),
        (["base", "nowhere", "-r", "ref"], at("nowhere")),
        ([*TWO, "--units", "short"], at("base", 2)),
        ([*TWO, "--units", "gaps"], at("gaps", 3)),
        ([*TWO, "--units", "u.jsonl:n"], at("u.jsonl", 1, "n")),
        ([*TWO, "--units", "u.jsonl:l"], at("u.jsonl", 1, "l")),
        (["short", "b=short", "-r", "short"], "at least 2"),
        ([*TWO, "--confidence", "95"], "--confidence"),
        (["a=base", "a=alike", "good", "-r", "ref", "--formulas", "sacrebleu"], "one run per system"),
        ([*TWO, "--formulas", "sacrebleu", "--units", "documents"], "units"),
    ],
)
def test_mistakes(files, capsys, arguments, expected):
    check_failure(capsys, ["compare", *arguments], expected)


def test_many_groups_have_a_table_of_differences(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    texts = {name: [f"a {name} {number % shift}" for number in range(45)] for name, shift in (("one", 5), ("two", 7))}
    write_lines(tmp_path, **texts, ref=[f"a b {number}" for number in range(45)], docs=range(45))
    options = ["-m", "wer", "--by", "docs", "--resamples", "10", "-q"]
    text = output_of(capsys, "compare", "one", "two", "-r", "ref", *options)
    whole, groups = (table.splitlines() for table in text.split("\n\n")[:2])
    assert [line.split()[0] for line in whole[2:]] == ["one", "two"]
    assert (groups[0], groups[1].split()) == ("WER ↓ by group", ["group", "segments", "one", "Δ", "two"])
    differences = [abs(float(line.split()[-1])) for line in groups[3:-1]]
    assert len(differences) == 45 and differences == sorted(differences, reverse=True)
    assert groups[-1].endswith("The largest differences come first.")
