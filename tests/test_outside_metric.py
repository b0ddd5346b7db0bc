"""A metric of a different package, found by its entry point and used by its name.

Tests of other parts use metrics in Python as objects.
"""

import json
import os
import sys
import zipfile
from pathlib import Path

import pytest

import refscore
from refscore import cli
from refscore.metrics import METRICS
from tests.children import printed_by

MODULE = '''
"""A metric that refscore does not know."""

from dataclasses import dataclass

import refscore


@dataclass(frozen=True, kw_only=True)
class SharedWords(refscore.metrics.PythonMetric):
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

HYPOTHESES = ["the cat sat on a mat", "it rained for three days", "nobody came", "a dog ran"]
REFERENCES = ["the cat sat on the mat", "it rained three days long", "no one came", "a dog ran"]
# The words of each reference that the hypothesis has, and all words of the reference.
ROWS = [
    (len({*hypothesis.split()} & {*reference.split()}), len({*reference.split()}))
    for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True)
]
CORPUS = sum(shared for shared, _ in ROWS) / sum(words for _, words in ROWS)


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
    for name, texts in {"h.txt": HYPOTHESES, "r.txt": REFERENCES}.items():
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


CHOICES = ["shared_words", "outside_words.metrics:SharedWords"]


def test_scores_and_signatures(metric):
    for choice in CHOICES:
        assert refscore.scores(HYPOTHESES, REFERENCES, ["bleu", choice])["shared_words"].value == CORPUS
    assert metric.segments(HYPOTHESES, REFERENCES).tolist() == [shared / words for shared, words in ROWS]
    other = refscore.metrics.parse_metric("shared_words", at_least=2, tokenizer="none")[1]
    assert refscore.from_signature(other.signature) == other != metric


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


@pytest.mark.parametrize("choice", CHOICES)
def test_commands(command, choice):
    scored = json.loads(command("score", "h.txt", "-r", "r.txt", "-m", choice, "--format", "json"))
    assert f'"value": {CORPUS}' in json.dumps(scored)
    assert "SHARED WORDS" in command("compare", "h.txt", "r.txt", "-r", "r.txt", "-m", choice, "--resamples", "50")
    assert "SHARED WORDS" in command("explain", "h.txt:1", "r.txt", "-m", choice)
    assert "shared_words" in command("metrics")
    assert "at_least" in command("metrics", "shared_words")


@pytest.mark.filterwarnings("default::RuntimeWarning")
def test_a_broken_package_is_named_and_skipped(tmp_path, monkeypatch, capsys):
    for path, content in FILES.items():
        broken = {"outside_words/metrics.py": "raise RuntimeError('boom')\n"}.get(path, content)
        file = tmp_path / path.replace("outside_words", "broken_words")
        file.parent.mkdir(exist_ok=True)
        file.write_text(broken.replace("outside_words", "broken_words").replace("shared_words", "broken_metric"))
    monkeypatch.syspath_prepend(tmp_path)
    warning = "refscore: warning: the metric 'broken_metric' cannot be loaded from 'broken_words.metrics:SharedWords': "
    with pytest.raises(SystemExit) as caught:
        cli.main(["metrics"])
    shown = capsys.readouterr()
    assert not caught.value.code
    assert shown.err == f"{warning}RuntimeError: boom\n"
    assert "bleu " in shown.out and "broken_metric" not in shown.out
    with pytest.raises(SystemExit):
        cli.main(["metrics", "blue"])
    assert "did you mean 'bleu'" in capsys.readouterr().err
    with pytest.raises(refscore.SettingError, match="boom"):
        METRICS["broken_metric"]


@pytest.mark.slow
def test_installed_with_pip(wheel, data):
    target = data / "site"
    options = ["-q", "--no-index", "--no-deps", "--target", str(target)]
    printed_by("-m", "pip", "install", *options, wheel)
    paths = [str(target), str(Path(refscore.__file__).parent.parent)]
    arguments = ["score", "h.txt", "-r", "r.txt", "-m", "shared_words", "--format", "json"]
    printed = printed_by("-m", "refscore", *arguments, cwd=data, environment={"PYTHONPATH": os.pathsep.join(paths)})
    assert f'"value": {CORPUS}' in json.dumps(json.loads(printed))
