"""`refscore.compare` and comparisons of rows: the numbers of the tests, their tables, and errors before any work."""

import csv
import io
import json
import pickle
import sys

import numpy as np
import pytest

import refscore
from refscore import Evaluation, significance
from refscore.comparison import SystemComparison
from refscore.report import Reporting, build_report
from refscore.tables import Highlight
from tests.cli.running import output_of, write_lines
from tests.python_metrics import Surplus
from tests.report.example import REFERENCES, SYSTEMS

METRICS = ["bleu", "ter"]
BY = ["news", "web", "web"] * (len(REFERENCES) // 3)


@pytest.fixture(scope="module")
def comparison():
    return refscore.compare(SYSTEMS, REFERENCES, METRICS, trials=200, holm=True, by=BY, power=0.9)


def test_the_numbers_are_those_of_the_tests(comparison):
    for label, metric in {"bleu": refscore.BLEU(), "ter": refscore.TER()}.items():
        rows = {name: metric.stats(texts, REFERENCES) for name, texts in SYSTEMS.items()}
        resampled = significance.paired_bootstrap(metric, rows, holm=True)
        swapped = significance.approximate_randomization(metric, rows, trials=200, holm=True)
        assert comparison.tests["bootstrap"][label].systems == resampled.systems
        assert comparison.tests["randomization"][label].systems == swapped.systems
        assert comparison[label] is comparison.tests["bootstrap"][label]
        alpha = 0.05 / (len(SYSTEMS) - 1)  # Holm's method rejects at least if p is as small as that
        expected = significance.minimum_detectable_difference(metric, rows, alpha=alpha, power=0.9)
        assert comparison.detectable[label] == expected
        assert comparison.signatures[label] == metric.corpus(SYSTEMS["alder"], REFERENCES).signature
    assert (comparison.systems, comparison.baseline) == ([*SYSTEMS], next(iter(SYSTEMS)))
    assert (list(comparison), len(comparison), comparison.segments) == (METRICS, 2, len(REFERENCES))


def test_groups_are_compared_like_corpora(comparison):
    assert [(label, group.segments) for label, group in comparison.groups.items()] == [
        (label, BY.count(label)) for label in ("news", "web")
    ]
    for label, group in comparison.groups.items():
        chosen = [k for k, each in enumerate(BY) if each == label]
        systems = {name: [texts[k] for k in chosen] for name, texts in SYSTEMS.items()}
        references = [REFERENCES[k] for k in chosen]
        expected = refscore.compare(systems, references, METRICS, trials=200, holm=True, power=0.9)
        assert group.tests == expected.tests
        assert group.detectable == expected.detectable


def test_what_the_command_prints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    texts = {name: lines[:20] for name, lines in SYSTEMS.items()}
    references = [entry[:1] for entry in REFERENCES[:20]]
    write_lines(tmp_path, **texts, reference=[entry[0] for entry in references], groups=BY[:20])
    arguments = ["compare", *texts, "-r", "reference", "-m", "bleu,ter", "--by", "groups", "--power", "--alpha", "0.01"]
    comparison = refscore.compare(texts, references, METRICS, by=BY[:20], power=0.8, alpha=0.01)
    forms = {"text": str(comparison), "markdown": comparison.render("markdown"), "latex": comparison.render("latex")}
    forms["csv"] = comparison.render("csv")
    for form, expected in forms.items():
        assert output_of(capsys, *arguments, "--format", form) == expected + "\n"
    data = json.loads(output_of(capsys, *arguments, "--format", "json"))
    for key in ("schema", "version", "files"):
        del data[key]
    assert data == json.loads(json.dumps(comparison.to_dict(), allow_nan=False))


def test_verdicts_are_those_of_reports():
    for alpha in (0.05, 0.5):
        comparison = refscore.compare(SYSTEMS, REFERENCES, METRICS, alpha=alpha)
        report = build_report(SYSTEMS, REFERENCES, metrics=METRICS, reporting=Reporting(alpha=alpha))
        for label, result in zip(METRICS, report.results, strict=True):
            assert [comparison.verdict(label, name) for name in SYSTEMS][1:] == [
                result.verdict(0, k, alpha) for k in range(1, len(SYSTEMS))
            ]
    only = refscore.compare(SYSTEMS, REFERENCES, METRICS, test="randomization", trials=100)
    assert only["bleu"].test == "approximate-randomization"


def test_overview(comparison):
    table = comparison.table()
    assert [column.title for column in table.columns] == ["group", "segments", "system", "BLEU", "TER ↓"]
    assert [row.cells[:2] for row in table.rows[:: len(SYSTEMS)]] == [
        ("all", str(len(BY))), ("news", str(BY.count("news"))), ("web", str(BY.count("web"))),
    ]  # fmt: skip
    for k, metric in enumerate(METRICS, 3):
        for begin, section in zip((0, 3, 6), (comparison, *comparison.groups.values()), strict=True):
            cells = [row.cells[k] for row in table.rows[begin : begin + 3]]
            scores = [outcome.score for outcome in section[metric].systems]
            best = (max if metric == "bleu" else min)(scores)
            assert [isinstance(cell, Highlight) for cell in cells] == [score == best for score in scores]
            marks = {"better": "‡", "worse": "†"}
            expected = [marks.get(section.verdict(metric, name), "") for name in SYSTEMS]
            assert [cell.lstrip("0123456789.") for cell in cells] == expected
    assert "†" in str(table)
    assert comparison.table("ter", digits=4) == comparison.tables(digits=4)[1]
    with pytest.raises(refscore.errors.UnknownNameError, match="did you mean 'ter'"):
        comparison.table("tre")


def test_html_escapes_names():
    systems = {"<b>": ["a b", "c d"], "new": ["a b", "c"]}
    html = refscore.compare(systems, ["a b", "c d"], "wer", resamples=10, trials=10)._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html
    assert html.count("<table>") == html.count("<style>") == 1
    assert "test:paired-bootstrap" in html


def test_records_and_frames(comparison):
    pandas = pytest.importorskip("pandas")
    frame = comparison.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == len(METRICS) * len(SYSTEMS) * 3
    whole = frame[frame["group"].isna() & (frame["metric"] == "bleu")].set_index("system")
    outcome = comparison["bleu"]["clover"]
    assert whole.loc["clover", "score"] == outcome.score
    assert whole.loc["clover", "p_bootstrap"] == outcome.p_holm
    assert whole.loc["clover", "detectable"] == comparison.detectable["bleu"]["clover"]
    printed = list(csv.DictReader(io.StringIO(comparison.render("csv"))))
    assert [float(row["score"]) for row in printed] == pytest.approx((100 * frame["score"]).tolist())
    quoted = refscore.compare({"=1": ["a", "b"], "new": ["a", "c"]}, ["a", "b"], "wer", resamples=10, trials=10)
    assert "\nwer,'=1," in quoted.render("csv", quote_formulas=True)
    assert "\nwer,=1," in quoted.render("csv")


def test_a_frame_without_pandas(comparison, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(refscore.errors.NotInstalledError, match=r"refscore\[pandas\]"):
        comparison.to_pandas()


def test_pickle(comparison):
    again = pickle.loads(pickle.dumps(comparison))
    assert again.to_dict() == comparison.to_dict()


def test_runs():
    first, second, third = SYSTEMS.values()
    listed = refscore.compare({"a": first, "b": [second, third]}, REFERENCES, "bleu", trials=50)
    named = refscore.compare({"a": first, "b": {"seed 1": second, "seed 2": third}}, REFERENCES, "bleu", trials=50)
    assert listed.tests == named.tests
    expected = [refscore.bleu(texts, REFERENCES) for texts in (second, third)]
    assert listed["bleu"]["b"].scores == tuple(expected)
    assert "Mean BLEU on" in listed.table().note
    tokens = [[text.split() for text in texts] for texts in (first, second)]
    token_references = [[text.split() for text in entry] for entry in REFERENCES]
    of_tokens = refscore.compare({"a": tokens[0], "b": tokens[1]}, token_references, "bleu", trials=50)
    assert of_tokens["bleu"]["b"].scores == (refscore.bleu(tokens[1], token_references),)


def test_columns_iterators_and_fitted_metrics():
    references = [entry[0] for entry in REFERENCES]
    expected = refscore.compare(SYSTEMS, references, ["nist", "bleu"], trials=50)
    iterators = {name: iter(texts) for name, texts in SYSTEMS.items()}
    assert (
        refscore.compare(iterators, iter(references), ["nist", "bleu"], trials=50, by=iter(BY)).tests == expected.tests
    )
    pyarrow = pytest.importorskip("pyarrow")
    columns = {name: pyarrow.array(texts) for name, texts in SYSTEMS.items()}
    assert refscore.compare(columns, pyarrow.array(references), ["nist", "bleu"], trials=50).tests == expected.tests


def test_a_sample_has_the_scores_of_its_rows():
    outputs = dict([*SYSTEMS.items()][:2])
    evaluation = refscore.evaluate(outputs, REFERENCES, "bleu", retain=len(REFERENCES) - 1)
    compared = evaluation.compare(test="bootstrap", resamples=50)
    rows = {name: evaluation.rows(system=name) for name in outputs}
    assert compared["bleu"].systems == significance.paired_bootstrap("bleu", rows, resamples=50).systems
    assert compared["bleu"][compared.baseline].score != evaluation.score(system=compared.baseline)


def test_titles():
    labelled = refscore.compare(SYSTEMS, REFERENCES, {"B": "bleu", "B (nltk)": "bleu:nltk"}, test="bootstrap")
    assert [column.title for column in labelled.table().columns] == ["system", "B", "B (nltk)"]
    listed = refscore.compare(SYSTEMS, REFERENCES, ["bleu", "bleu:nltk"], test="bootstrap")
    assert [column.title for column in listed.table().columns] == ["system", "BLEU", "BLEU (nltk)"]


def test_rows_of_other_programs():
    rating = refscore.Given("rating")
    generator = np.random.default_rng(3)
    rows = {name: np.stack([generator.normal(k, 1, 40), np.ones(40)], axis=1) for k, name in enumerate("ab")}
    result = Evaluation.from_rows(
        {"people": rating}, {"people": rows}, groups={"by": [k % 4 for k in range(40)]}
    ).compare(by="by", trials=100)
    assert isinstance(result, SystemComparison)
    assert result.verdict("people", "b") == "better"
    assert list(result.groups) == [0, 1, 2, 3]
    assert result.to_dict()["metrics"]["people"]["signature"] == rating.signature
    assert result.table().columns[3].title == "people"
    surplus = Evaluation.from_rows({"words": Surplus()}, {"words": rows}).compare(test="bootstrap")
    assert surplus.table().columns[1].title == "words"


def test_progress():
    calls = []
    refscore.compare(
        SYSTEMS, REFERENCES, METRICS, trials=50, resamples=50, by=BY, progress=lambda *call: calls.append(call)
    )
    steps = list(dict.fromkeys(step for step, _, _ in calls))
    assert steps == ["scoring", "paired bootstrap", "approximate randomization", "groups"]
    for step in steps:
        assert [done == total for name, done, total in calls if name == step][-1]


TWO = {"a": ["x y", "z"], "b": ["x", "z"]}
MISTAKES = {
    "one system": ({"a": ["x"]}, {}, "systems has 1 system"),
    "no mapping": ([["x"], ["y"]], {}, "systems is not a mapping"),
    "two lists": (["x"], {"tests": "bleu"}, "systems is not a mapping"),
    "a number for a name": ({"a": ["x", "y"], 1: ["x", "y"]}, {}, "has the name 1"),
    "lengths": ({"a": ["x", "y"], "b": ["x"]}, {}, r"systems\['b'\] has 1 texts for 2 segments"),
    "a text": ({"a": "xy", "b": ["x", "y"]}, {}, r"systems\['a'\] must be a list of texts"),
    "no runs": ({"a": {}, "b": ["x", "y"]}, {}, r"systems\['a'\] is empty"),
    "lengths of runs": ({"a": [["x", "y"], ["x"]], "b": ["x", "y"]}, {}, r"systems\['a'\]\[1\] has 1 texts"),
    "a missing text": ({"a": ["x", "y"], "b": ["x", None]}, {}, r"systems\['b'\]\[1\]"),
    "an unknown test": (TWO, {"test": "bootstap"}, "did you mean 'bootstrap'"),
    "alpha": (TWO, {"alpha": 5}, "alpha"),
    "power": (TWO, {"power": 80}, "power"),
    "power of sacrebleu": (TWO, {"power": 0.8, "formulas": "sacrebleu"}, "refscore's formulas"),
    "trials": (TWO, {"trials": 0}, "trials"),
    "groups": (TWO, {"by": ["x"]}, "by has 1 labels for 2 segments"),
    "a missing group": (TWO, {"by": ["x", None]}, r"by\[1\] is missing"),
    "units": (TWO, {"units": ["x", "x"]}, "units has only one label"),
    "metrics": (TWO, {"metrics": "blue"}, "did you mean 'bleu'"),
}


@pytest.mark.parametrize(("systems", "settings", "expected"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes(systems, settings, expected):
    with pytest.raises(refscore.RefscoreError, match=expected):
        refscore.compare(systems, ["x y", "z"], **settings)


def test_mistakes_in_rows():
    rows = {"bleu": {name: refscore.BLEU().stats(texts, ["x y", "z"]) for name, texts in TWO.items()}}
    with pytest.raises(refscore.errors.UnknownNameError, match="did you mean 'resamples'"):
        Evaluation.from_rows({"bleu": "bleu"}, rows).compare(resample=3)
    with pytest.raises(refscore.InputError, match="one array each for chrf, not for bleu"):
        Evaluation.from_rows({"chrf": "chrf"}, rows)


def test_given_rows():
    outputs = {"old": ["a b c d", "e f g h"], "new": ["a b c x", "e f g h"]}
    references = ["a b c d", "e f g x"]
    given = refscore.Given("judge")
    rows = {"judge": {"old": given.stats([0.25, 0.5]), "new": given.stats([0.75, 0.5])}}
    metrics = {"chrF": "chrf", "judge": given}
    result = refscore.compare(outputs, references, metrics, rows=rows, test="bootstrap", resamples=50)
    assert [result["judge"][name].score for name in outputs] == [0.375, 0.625]
    alone = refscore.compare(outputs, references, ["chrf"], test="bootstrap", resamples=50)
    assert result["chrF"]["new"].difference == alone["chrf"]["new"].difference
    with pytest.raises(refscore.InputError, match=r"rows\['comet'\] is not among the metrics"):
        refscore.compare(outputs, references, metrics, rows={"comet": rows["judge"]})
    with pytest.raises(refscore.InputError, match="does not have the names of the systems"):
        refscore.compare(outputs, references, metrics, rows={"judge": {"old": rows["judge"]["old"]}})
    with pytest.raises(refscore.InputError, match=r"has 1 rows for 2 segments"):
        refscore.compare(outputs, references, metrics, rows={"judge": {name: [[1, 1]] for name in outputs}})
