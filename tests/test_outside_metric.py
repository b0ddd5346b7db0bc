"""A metric of a different package, found by its entry point and used with every feature of refscore."""

import importlib
import json
import os
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

import refscore
from refscore import cli, mbr, significance
from refscore.metrics import METRICS
from refscore.rewards import Reward

MODULE = '''
"""A metric that refscore does not know."""

from dataclasses import dataclass

import refscore


@dataclass(frozen=True, kw_only=True)
class SharedWords(refscore.PythonMetric):
    """The share of the reference's words that the hypothesis has."""

    name = "shared_words"
    columns = ("shared", "words")
    at_least: int = 1

    def row(self, hypothesis, references):
        words = {word for reference in references for word in reference if len(word) >= self.at_least}
        return len(words & set(hypothesis)), len(words)

    def value(self, row):
        return row[0] / row[1] if row[1] else 0.0
'''
INFO = "outside_words-1.0.dist-info"
FILES = {
    "outside_words/__init__.py": "",
    "outside_words/metrics.py": MODULE,
    f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: outside-words\nVersion: 1.0\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{INFO}/entry_points.txt": "[refscore.metrics]\nshared_words = outside_words.metrics:SharedWords\n",
    f"{INFO}/RECORD": "",
}

HYPOTHESES = ["the cat sat on a mat", "it rained for three days", "nobody came", "a dog ran"] * 5
OTHERS = ["a cat on the mat", "it rains", "nobody came to us", "the dog ran home"] * 5
REFERENCES = [
    ["the cat sat on the mat", "a cat was on the mat"],
    ["it rained three days long"],
    ["no one came"],
    ["a dog ran"],
] * 5


def expected(hypotheses, references):
    """Return the corpus score and the segment scores, by the definition."""
    rows = []
    for hypothesis, targets in zip(hypotheses, references, strict=True):
        words = {word for target in targets for word in target.split()}
        rows.append((len(words & set(hypothesis.split())), len(words)))
    return sum(row[0] for row in rows) / sum(row[1] for row in rows), [shared / words for shared, words in rows]


CORPUS, SEGMENTS = expected(HYPOTHESES, REFERENCES)
FIRST, _ = expected(HYPOTHESES, [entry[:1] for entry in REFERENCES])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    path = tmp_path_factory.mktemp("outside") / "outside_words-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in FILES.items():
            archive.writestr(name, content)
    return path


@pytest.fixture
def data(tmp_path):
    """Return a folder with the data as files."""
    for name, texts in {"h.txt": HYPOTHESES, "o.txt": OTHERS, "a.txt": [entry[0] for entry in REFERENCES]}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return tmp_path


@pytest.fixture
def metric(wheel, monkeypatch, tmp_path):
    """Add the package to this process, and return its metric."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    yield METRICS["shared_words"]()
    for name in ("outside_words", "outside_words.metrics"):
        sys.modules.pop(name, None)


def test_scores_and_signatures(metric):
    for choice in ("shared_words", "outside_words.metrics:SharedWords"):
        assert refscore.scores(HYPOTHESES, REFERENCES, ["bleu", choice])["shared_words"].value == CORPUS
    assert metric.segments(HYPOTHESES, REFERENCES).tolist() == SEGMENTS
    other = refscore.metrics.parse_metric("shared_words", at_least=2, tokenizer="none")[1]
    assert refscore.from_signature(other.signature) == other != metric
    singles = [entry[0] for entry in REFERENCES[:2]]
    assert metric.pairwise(HYPOTHESES[:3], singles).tolist() == [
        [expected([hypothesis], [[single]])[0] for single in singles] for hypothesis in HYPOTHESES[:3]
    ]
    assert metric.explain(HYPOTHESES[0], REFERENCES[0]).result.startswith("SHARED_WORDS = ")


def test_accumulator(metric, tmp_path):
    sums = refscore.Accumulator(["shared_words", "chrf"], keep="rows")
    for i in range(0, 20, 7):
        sums.update(HYPOTHESES[i : i + 7], REFERENCES[i : i + 7])
    sums.save(tmp_path / "sums.refstats")
    again = refscore.Accumulator.load(tmp_path / "sums.refstats")
    again.interval("shared_words", resamples=50)
    assert sums.score("shared_words").value == again.score("shared_words").value == CORPUS


def test_significance(metric):
    rows = {"a": metric.stats(HYPOTHESES, REFERENCES), "b": metric.stats(OTHERS, REFERENCES)}
    test = significance.paired_bootstrap(metric, rows, resamples=100)
    other = significance.approximate_randomization(metric, rows, trials=100)
    assert (test.baseline.score, other.systems[-1].score) == (CORPUS, expected(OTHERS, REFERENCES)[0])


def test_conventions_rewards_and_decoding(metric):
    result = refscore.compare_conventions(HYPOTHESES, REFERENCES, metric="shared_words")
    assert [convention.score.value for convention in result] == [CORPUS]
    assert Reward("shared_words")(completions=HYPOTHESES, reference=REFERENCES) == SEGMENTS
    means = [sum(expected([own], [[other]])[0] for other in HYPOTHESES[:4]) for own in HYPOTHESES[:4]]
    assert mbr.choose(HYPOTHESES[:4], metric="shared_words").best == means.index(max(means))


@pytest.mark.parametrize("package", ["pyarrow", "pandas", "polars"])
def test_frames(metric, package):
    import pyarrow  # noqa: F401

    library = importlib.import_module(package)
    frames = import_module(f"refscore.frames.{package.removeprefix('py')}")
    table = (library.table if package == "pyarrow" else library.DataFrame)({"hyp": HYPOTHESES, "ref": REFERENCES})
    if package == "polars":
        scored = table.select(frames.score("hyp", "ref", "shared_words"))
    else:
        scored = frames.with_scores(table, "hyp", "ref", "shared_words")
    corpus = frames.corpus(table, "hyp", "ref", "shared_words")
    to_list = {"pyarrow": "to_pylist", "pandas": "tolist", "polars": "to_list"}[package]
    assert getattr(scored["shared_words"], to_list)() == SEGMENTS
    assert getattr(corpus["shared_words"], to_list)() == [CORPUS]


def test_duckdb(metric):
    import pyarrow  # noqa: F401

    connection = importlib.import_module("duckdb").connect()
    import_module("refscore.frames.duckdb").register(connection, ["shared_words"])
    connection.execute("create table t (i int, hyp text, ref text[])")
    for i, (hypothesis, references) in enumerate(zip(HYPOTHESES, REFERENCES, strict=True)):
        connection.execute("insert into t values (?, ?, ?)", (i, hypothesis, references))
    rows = connection.execute("select shared_words(hyp, ref) from t order by i").fetchall()
    assert [row[0] for row in rows] == SEGMENTS


@pytest.fixture
def command(metric, data, monkeypatch, capsys):
    """Run a command on the data and return its output."""
    monkeypatch.chdir(data)

    def command(*arguments):
        with pytest.raises(SystemExit) as caught:
            cli.main([*arguments])
        shown = capsys.readouterr()
        assert not caught.value.code, shown.err
        return shown.out

    return command


@pytest.mark.slow
def test_report(command, data):
    command(
        "report", "h.txt", "o.txt", "-r", "a.txt", "-m", "chrf,shared_words", "-o", "page.html", "--resamples", "50"
    )
    assert "SHARED_WORDS" in (data / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("choice", ["shared_words", "outside_words.metrics:SharedWords"])
def test_commands(command, choice):
    scored = json.loads(command("score", "h.txt", "-r", "a.txt", "-m", choice, "--format", "json"))
    assert f'"value": {FIRST}' in json.dumps(scored)
    assert "SHARED_WORDS" in command("compare", "h.txt", "o.txt", "-r", "a.txt", "-m", choice, "--resamples", "50")
    assert "SHARED_WORDS" in command("explain", "h.txt:1", "a.txt", "-m", choice)
    assert "shared_words" in command("metrics")
    assert "at_least" in command("metrics", "shared_words")


@pytest.mark.slow
def test_installed_with_pip(wheel, data):
    target = data / "site"
    options = ["-q", "--no-index", "--no-deps", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(wheel)], check=True, capture_output=True)
    paths = [str(target), str(Path(refscore.__file__).parent.parent)]
    arguments = ["score", "h.txt", "-r", "a.txt", "-m", "shared_words", "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-m", "refscore", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        cwd=data,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f'"value": {FIRST}' in json.dumps(json.loads(done.stdout))
