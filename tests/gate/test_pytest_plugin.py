"""The plug-in for pytest: its fixture, its option, and what a failure shows."""

import os
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import refscore
from tests.children import printed_by

pytest_plugins = ["pytester"]

TEST = """
REFERENCES = [f"the {word} sat on the mat and looked at the rain" for word in "cat dog cow hen fox owl".split()] * 4
OUTPUTS = {outputs}


def test_quality(refscore_gate):
    result = refscore_gate.assert_not_worse(OUTPUTS, REFERENCES, baseline="main.refscore", {more})
    assert result.passed and result.system == "new"
"""
GOOD = '[text.replace("looked", "stared") for text in REFERENCES]'
BAD = '[text.replace("the", "a") if k % 2 else "x" for k, text in enumerate(REFERENCES)]'


@pytest.fixture
def run(pytester, monkeypatch):
    """Return a function that runs the test in a folder of its own, with other outputs each time."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(refscore.__file__).parents[1]), *sys.path]))
    installed = any(each.value == "refscore.pytest_plugin" for each in entry_points(group="pytest11"))

    def run_with(outputs, *options, more=""):
        pytester.makepyfile(TEST.replace("{outputs}", outputs).replace("{more}", more))
        plugin = [] if installed else ["-p", "refscore.pytest_plugin"]
        return pytester.runpytest_subprocess(*plugin, "-p", "no:cacheprovider", "-q", *options)

    return run_with


def test_the_story(run, pytester):
    record = pytester.path / "main.refscore"
    found = run(GOOD)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*there is no baseline*create it with pytest --refscore-update*"])
    assert not record.exists()
    run(GOOD, "--refscore-update", more="metrics='chrf', oldest='old/first.refscore'").assert_outcomes(passed=1)
    assert [*refscore.load(record).metrics] == ["chrf"] and refscore.load(record).texts is not None
    assert (pytester.path / "old" / "first.refscore").exists()
    run(GOOD).assert_outcomes(passed=1)
    before = record.read_bytes()
    found = run(BAD, "--refscore-update")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*significantly worse*chrF2*failed*", "*Segments that lost most by chrF2*"])
    assert "assert_not_worse" not in found.stdout.str() and record.read_bytes() == before


def test_criteria_of_the_project(run, pytester):
    pytest.importorskip("tomllib", reason="Python 3.10 needs tomli: pip install 'refscore[toml]'")
    settings = '[tool.refscore.gate]\nmetrics = ["ter"]\n[tool.refscore.gate.metric.ter]\nfloor = 5\n'
    (pytester.path / "pyproject.toml").write_text(settings, encoding="utf-8")
    found = run(GOOD, "--refscore-update")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*beyond the floor*TER*failed*"])


def test_the_plug_in_is_declared_and_light():
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nrefscore = "refscore.pytest_plugin"\n' in text
    code = "import sys, refscore.pytest_plugin; print('numpy' in sys.modules, 'refscore.gate' in sys.modules)"
    assert printed_by("-c", code).split() == ["False", "False"]
