"""Latency: the numbers of SimulEval and OmniSTEval, awkward instances, and worked steps."""

import json
from pathlib import Path

import pytest

import refscore
from refscore.metrics import Latency
from refscore.readers import evaluate_files

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "latency.json").read_text(encoding="utf-8"))


def close(value):
    return pytest.approx(value, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("name", GOLDEN["scores"])
def test_numbers_of_simuleval(name):
    label, unit = name.split()
    preset = label.lower().replace("_ca", "-ca")
    metric = Latency.preset(preset, unit=unit)
    expected = GOLDEN["scores"][name]
    for line, value in zip(GOLDEN["lines"], expected["instances"], strict=True):
        if value == "ZeroDivisionError":
            with pytest.raises(refscore.InputError, match="reference is empty"):
                metric.segment(line, None)
            continue
        score = metric.segment(line, None)
        assert (score.instances, score.skipped) == ((0, 1) if value is None else (1, 0))
        assert score.value == close(value or 0)
    if expected["all"] != "ZeroDivisionError":
        assert metric.corpus(GOLDEN["lines"]).value == close(expected["all"])
    assert metric.title == label


def test_numbers_of_omnisteval():
    golden = GOLDEN["omnisteval"]
    for label, value in golden["scores"].items():
        name, aware = label.lower().partition("_")[::2]
        metric = Latency.preset(name, clock="elapsed" if aware else "delays")
        assert metric.corpus(golden["lines"]).value == close(value)
        assert metric.title == label


@pytest.mark.slow
def test_simuleval_live():
    import simuleval

    from tests.golden.make_latency import simuleval as scores

    assert simuleval
    live = scores(GOLDEN["lines"])
    assert live == GOLDEN["scores"]


def line(**content):
    return json.dumps({"delays": [1, 2], "source_length": 2, "reference": "a b"} | content)


def test_text_as_source():
    """By hand: both words are read and written one after the other."""
    metric = Latency(measure="atd", source="text")
    assert metric.segment(line(delays=[1, 2, 3]), None).value == 1
    assert metric.segment(line(delays=[3, 3, 3]), None).value == 3


def test_skipped_instances():
    score = Latency().corpus([line(), line(delays=[]), line(delays=None), "{}", "text", "[1]"])
    assert (score.value, score.instances, score.skipped) == (1, 1, 5)
    assert Latency().corpus(["{}"]).value == 0


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"source_length": 0}, "source_length is not greater than 0"),
        ({"source_length": None}, "source_length is missing"),
        ({"source_length": "2"}, "source_length is not a finite number"),
        ({"delays": [1, None]}, "delays is missing"),
        ({"delays": [float("nan")]}, "delays is not a finite number"),
        ({"delays": [10**400]}, "delays is not a finite number"),
        ({"delays": "1 2"}, "delays is not a list of times"),
        ({"reference": 5}, "reference is not a text"),
    ],
)
def test_broken_instances(content, problem):
    with pytest.raises(refscore.InputError, match=problem):
        Latency().corpus([line(), line(**content)])


def test_other_broken_lines():
    with pytest.raises(refscore.InputError, match="is not JSON"):
        Latency().segment("{", None)
    with pytest.raises(refscore.InputError, match="elapsed has 1 times"):
        Latency.preset("atd-ca").segment(line(elapsed=[1]), None)


def test_long_sources_take_bounded_time():
    assert Latency.preset("atd").segment(line(delays=[1e15, 2e15]), None).value > 0


def test_files(tmp_path):
    log = tmp_path / "instances.log"
    log.write_text("\n".join(GOLDEN["lines"]) + "\n", encoding="utf-8")
    evaluation = evaluate_files({"system": log}, [], "latency:laal")
    assert evaluation["system"].popitem()[1].value == close(GOLDEN["scores"]["LAAL word"]["all"])


@pytest.mark.parametrize("preset", Latency.presets)
def test_steps(preset):
    metric = Latency.preset(preset)
    text = str(metric.explain(line(elapsed=[1.5, 2.5]), None))
    assert text.splitlines()[-1].startswith(f"Result: {metric.title} = ")
    assert "skipped" in str(metric.explain("{}", None))
