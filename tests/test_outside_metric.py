"""A metric of a different package, installed normally and used with every feature of refscore."""

import json
import os
import subprocess
import sys
import textwrap
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

import refscore

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


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Return the environment of a process for which the package is installed."""
    folder = tmp_path_factory.mktemp("outside")
    wheel = folder / "outside_words-1.0-py3-none-any.whl"
    info = "outside_words-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("outside_words/__init__.py", "")
        archive.writestr("outside_words/metrics.py", MODULE)
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: outside-words\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(
            f"{info}/entry_points.txt", "[refscore.metrics]\nshared_words = outside_words.metrics:SharedWords\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    target = folder / "site"
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--target",
        str(target),
        str(wheel),
    ]
    subprocess.run(command, check=True, capture_output=True)
    paths = [str(target), str(Path(refscore.__file__).parent.parent)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


@pytest.fixture
def run(environment, tmp_path):
    """Run a program with access to the data and return its JSON output."""

    def run(program):
        data = f"H, O, R = {HYPOTHESES!r}, {OTHERS!r}, {REFERENCES!r}\n"
        source = "import json\nimport refscore\n" + data + textwrap.dedent(program)
        done = subprocess.run(
            [sys.executable, "-c", source], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def command(environment, tmp_path):
    """Run refscore's command on files of the data."""
    for name, texts in {"h.txt": HYPOTHESES, "o.txt": OTHERS, "a.txt": [entry[0] for entry in REFERENCES]}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")

    def command(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "refscore", *arguments],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return command


CORPUS, SEGMENTS = expected(HYPOTHESES, REFERENCES)
FIRST, _ = expected(HYPOTHESES, [entry[:1] for entry in REFERENCES])


def test_scores_and_signatures(run):
    result = run("""
        metric = refscore.metrics.parse_metric("shared_words", at_least=2, tokenizer="none")[1]
        scores = refscore.scores(H, R, ["bleu", "shared_words"])
        print(json.dumps({
            "corpus": scores["shared_words"].value,
            "segments": refscore.metrics.METRICS["shared_words"]().segments(H, R).tolist(),
            "same": refscore.from_signature(metric.signature) == metric,
            "pairs": refscore.metrics.METRICS["shared_words"]().pairwise(H[:3], [entry[0] for entry in R[:2]]).tolist(),
            "steps": refscore.metrics.METRICS["shared_words"]().explain(H[0], R[0]).result,
            "imported": refscore.scores(H, R, "outside_words.metrics:SharedWords")["shared_words"].value,
        }))
    """)
    assert result["corpus"] == result["imported"] == CORPUS
    assert result["segments"] == SEGMENTS
    assert result["same"]
    singles = [[expected([h], [[r[0]]])[0] for r in REFERENCES[:2]] for h in HYPOTHESES[:3]]
    assert result["pairs"] == singles
    assert result["steps"].startswith("SHARED_WORDS = ")


def test_accumulator(run, tmp_path):
    result = run("""
        sums = refscore.Accumulator(["shared_words", "chrf"], keep="rows")
        for i in range(0, 20, 7):
            sums.update(H[i : i + 7], R[i : i + 7])
        sums.save("sums.refstats")
        again = refscore.Accumulator.load("sums.refstats")
        again.interval("shared_words", resamples=50)
        print(json.dumps([sums.score("shared_words").value, again.score("shared_words").value]))
    """)
    assert result == [CORPUS, CORPUS]


def test_significance(run):
    result = run("""
        from refscore import significance
        metric = refscore.metrics.METRICS["shared_words"]()
        rows = {"a": metric.stats(H, R), "b": metric.stats(O, R)}
        test = significance.paired_bootstrap(metric, rows, resamples=100)
        other = significance.approximate_randomization(metric, rows, trials=100)
        print(json.dumps([float(test.baseline.score), float(other.systems[-1].score)]))
    """)
    assert result == [CORPUS, expected(OTHERS, REFERENCES)[0]]


def test_conventions(run):
    result = run("""
        result = refscore.compare_conventions(H, R, metric="shared_words")
        print(json.dumps(str(result)))
    """)
    assert "shared_words" in result.lower()


def test_rewards_and_decoding(run):
    result = run("""
        from refscore import mbr
        from refscore.rewards import Reward
        print(json.dumps([
            Reward("shared_words")(completions=H, reference=R),
            mbr.choose(H[:4], metric="shared_words").best,
        ]))
    """)
    assert result[0] == SEGMENTS
    assert result[1] in range(4)


@pytest.mark.parametrize("package", ["pyarrow", "pandas", "polars", "duckdb"])
def test_frames(run, package):
    if find_spec(package) is None or find_spec("pyarrow") is None:
        pytest.skip(f"pip install {package}")
    programs = {
        "pyarrow": """
            import pyarrow as pa
            from refscore.frames import arrow
            table = pa.table({"hyp": H, "ref": R})
            segments = arrow.with_scores(table, "hyp", "ref", "shared_words")["shared_words"].to_pylist()
            corpus = arrow.corpus(table, "hyp", "ref", "shared_words")["shared_words"].to_pylist()
        """,
        "pandas": """
            import pandas as pd
            from refscore.frames import pandas as frames
            table = pd.DataFrame({"hyp": H, "ref": R})
            segments = frames.with_scores(table, "hyp", "ref", "shared_words")["shared_words"].tolist()
            corpus = frames.corpus(table, "hyp", "ref", "shared_words")["shared_words"].tolist()
        """,
        "polars": """
            import polars as pl
            from refscore.frames import polars as frames
            table = pl.DataFrame({"hyp": H, "ref": R})
            segments = table.select(frames.score("hyp", "ref", "shared_words"))["shared_words"].to_list()
            corpus = frames.corpus(table, "hyp", "ref", "shared_words")["shared_words"].to_list()
        """,
        "duckdb": """
            import duckdb
            from refscore.frames import duckdb as frames
            connection = duckdb.connect()
            frames.register(connection, ["shared_words"])
            connection.execute("create table t (i int, hyp text, ref text[])")
            connection.executemany("insert into t values (?, ?, ?)", [(i, h, r) for i, (h, r) in enumerate(zip(H, R))])
            rows = connection.execute("select shared_words(hyp, ref) from t order by i").fetchall()
            segments = [row[0] for row in rows]
            corpus = None
        """,
    }
    result = run(programs[package] + "\n            print(json.dumps([segments, corpus]))\n")
    assert result[0] == SEGMENTS
    assert result[1] in ([CORPUS], None)


@pytest.mark.parametrize("metric", ["shared_words", "outside_words.metrics:SharedWords"])
def test_commands(command, metric, tmp_path):
    scored = json.loads(command("score", "h.txt", "-r", "a.txt", "-m", metric, "--format", "json"))
    assert f'"value": {FIRST}' in json.dumps(scored)
    assert "SHARED_WORDS" in command("compare", "h.txt", "o.txt", "-r", "a.txt", "-m", metric, "--resamples", "50")
    command("report", "h.txt", "o.txt", "-r", "a.txt", "-m", f"chrf,{metric}", "-o", "page.html", "--resamples", "50")
    assert "SHARED_WORDS" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "SHARED_WORDS" in command("explain", "h.txt:1", "a.txt", "-m", metric)


def test_listed(command):
    assert "shared_words" in command("metrics")
    assert "at_least" in command("metrics", "shared_words")
