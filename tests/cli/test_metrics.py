"""The command `refscore metrics`."""

import re

import pytest

import refscore
from refscore.metrics import METRICS, describe
from tests.cli.running import check_failure, json_of, output_of


def shown(capsys, *arguments):
    return output_of(capsys, "metrics", *arguments)


def test_all_metrics_are_listed(capsys):
    text = shown(capsys)
    lines = [line.split()[0] for line in text.splitlines() if line and not line.startswith(" ")]
    assert lines[: len(METRICS)] == list(METRICS)
    words = " ".join(text.split())
    for kind in METRICS.values():
        assert describe(kind).summary in words
        assert f"{describe(kind).scale}." in words
    assert not [line for line in text.splitlines() if line.endswith(" ")]


@pytest.mark.parametrize("name", METRICS)
def test_one_metric(capsys, name):
    text = shown(capsys, name)
    words = " ".join(text.split())
    description = describe(METRICS[name])
    assert description.signature in text  # on one line, for copying
    for part in (description.summary, *description.details, *description.papers):
        assert part in words
    assert f"--set {name}.NAME=VALUE" in text
    for setting in description.settings:
        assert f"{setting.name} {setting.explanation} (" in words
    for preset in description.presets:
        assert f" {preset} " in words


def test_a_metric_without_presets(capsys):
    text = shown(capsys, "tests.python_metrics:Surplus")
    assert "--set surplus.NAME=VALUE" in text
    assert "Presets" not in text


def test_values_are_written_as_they_are_set(capsys):
    words = " ".join(shown(capsys, "bleu").split())
    assert "(yes, no or ascii; no by default)" in words
    assert "(numbers separated by commas or none; none by default)" in words
    assert "mteval-v13a.pl: lowercase=ascii, short_order=perfect, no_match=smooth" in words
    assert re.search(r" sacrebleu sacrebleu \d[^:]*: the default settings ", words)


@pytest.mark.parametrize(
    ("name", "label", "metric"),
    [
        ("chrF2++", "chrf++", refscore.CHRF(word_order=2)),
        ("rouge3", "rouge3", refscore.ROUGE(variant=3)),
        ("bleu:mteval", "bleu:mteval", refscore.BLEU.preset("mteval")),
    ],
)
def test_the_signature_of_the_settings_that_a_name_asks_for(capsys, name, label, metric):
    text = shown(capsys, name, metric.name, name)
    assert text.count(f"--set {metric.name}.") == 1
    assert re.search(rf"^Signature of {re.escape(label)}\n  {re.escape(metric.signature)}$", text, re.MULTILINE)
    assert describe(type(metric)).signature in text
    (data,) = json_of(capsys, "metrics", name)["metrics"]
    assert data == {**describe(type(metric)).to_dict(), "signatures": {label: metric.signature}}


def test_json(capsys):
    data = json_of(capsys, "metrics")
    assert data["metrics"] == [describe(kind).to_dict() for kind in METRICS.values()]


def test_an_unknown_metric(capsys):
    check_failure(capsys, ["metrics", "bleu", "rogue"], "'rogue'.*'rouge'")


def test_error_rates_of_meetings(capsys):
    printed = output_of(capsys, "metrics", "tcpWER")
    assert "Settings (options of `refscore meeting`)" in printed and "collar" in printed
    assert "tcpwer|case:mixed|norm:none|ref_sort:segment|hyp_sort:segment|collar:5" in printed
    (described,) = json_of(capsys, "metrics", "orcwer")["metrics"]
    assert (described["name"], described["presets"], described["higher_is_better"]) == ("orcwer", {}, False)
