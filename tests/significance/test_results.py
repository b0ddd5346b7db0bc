"""Results as data, tables and plots."""

import dataclasses
import json
import sys

import numpy as np
import pytest
from sacrebleu.significance import PairedTest

import refscore
from refscore.significance import all_pairs, approximate_randomization, bootstrap, paired_bootstrap
from refscore.significance.results import Outcome, holm_corrected
from refscore.tables import BadHighlight, Highlight, render

METRIC = refscore.TER()
GENERATOR = np.random.default_rng(1)
EDITS = GENERATOR.integers(0, 9, 50)


def rows(edits):
    return np.stack([edits, np.full(50, 10)], axis=1).astype(float)


SYSTEMS = {
    "base <1>": rows(EDITS),
    "a bit worse & more": rows(EDITS + GENERATOR.integers(-2, 4, 50).clip(-EDITS)),
    "same": rows(EDITS),
    "good": rows(EDITS // 2),
}


@pytest.fixture(scope="module")
def comparison():
    return paired_bootstrap(METRIC, SYSTEMS, holm=True)


def test_signatures(comparison):
    version = refscore.__version__
    assert comparison.signature == (
        f"test:paired-bootstrap|resamples:1000|seed:12345|conf:0.95|units:segments|holm:yes|version:{version}"
    )
    units = [k // 5 for k in range(50)]
    swapped = approximate_randomization(METRIC, SYSTEMS, trials=100, seed=3, units=units)
    assert swapped.signature == (f"test:approximate-randomization|trials:100|seed:3|units:10|holm:no|version:{version}")
    both = approximate_randomization(METRIC, SYSTEMS, trials=100, resamples=50, confidence=0.9)
    assert "|trials:100|resamples:50|seed:12345|conf:0.9|" in both.signature
    theirs = paired_bootstrap(METRIC, SYSTEMS, formulas="sacrebleu")
    assert "|formulas:sacrebleu|" in theirs.signature
    assert "|formulas:sacrebleu|" in theirs["good"].interval.signature
    by_unit = paired_bootstrap(METRIC, SYSTEMS, units=units)["good"].difference_interval
    assert by_unit.signature == f"test:bootstrap|resamples:1000|seed:12345|conf:0.95|units:10|version:{version}"


def test_settings_that_are_not_given_are_sacrebleus():
    samples, seed = PairedTest._DEFAULT_SAMPLES, 12345
    pair = {name: SYSTEMS[name] for name in ("same", "good")}
    (first, _) = all_pairs({"TER": METRIC}, {"TER": pair})["TER"]
    resampled = paired_bootstrap(METRIC, pair)
    swapped = approximate_randomization(METRIC, pair)
    for made in (bootstrap(METRIC, pair["good"]), first, resampled, resampled["good"].interval):
        assert (made.resamples, made.seed, made.confidence, made.formulas) == (samples["bs"], seed, 0.95, "refscore")
    assert (swapped.trials, swapped.resamples, swapped.seed, swapped.formulas) == (
        samples["ar"],
        None,
        seed,
        "refscore",
    )
    assert swapped["good"].interval is None
    both = approximate_randomization(METRIC, pair, trials=9, resamples=9)
    assert both["good"].interval.confidence == 0.95
    assert {made["good"].p_holm for made in (first, resampled, swapped)} == {None}


def test_dictionary(comparison):
    made = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
    assert made["baseline"] == "base <1>"
    assert made["higher_is_better"] is False
    assert made["metric_signature"] == METRIC.signature
    assert [system["name"] for system in made["systems"]] == list(SYSTEMS)
    good = made["systems"][3]
    assert good["score"] == METRIC.score(SYSTEMS["good"].sum(0)).value
    assert good["difference"] == good["score"] - made["systems"][0]["score"]
    assert good["interval"]["low"] < good["score"] < good["interval"]["high"]
    assert made["systems"][0]["p"] is None


def test_table(comparison):
    table = comparison.table()
    assert [column.title for column in table.columns] == [
        "system", "TER", "95 % interval", "Δ", "Δ within (95 %)", "wins", "p", "p (Holm)",
    ]  # fmt: skip
    assert [row.cells[0] for row in table.rows] == list(SYSTEMS)
    assert [isinstance(row.cells[7], Highlight) for row in table.rows] == [
        outcome.significant() for outcome in comparison.systems
    ]
    assert table.rows[3].cells[3].startswith("-")
    assert table.rows[2].cells[6] == "1.0000"
    assert str(comparison) == render(table, "text")
    assert comparison._repr_html_() == render(table, "html")
    assert comparison.signature in str(comparison)
    swapped = approximate_randomization(METRIC, SYSTEMS, trials=100).table()
    assert [column.title for column in swapped.columns] == ["system", "TER", "Δ", "p"]


def test_means_over_runs_are_said():
    runs = {"one": SYSTEMS["same"], "three": [SYSTEMS["same"], SYSTEMS["good"], SYSTEMS["good"]]}
    made = paired_bootstrap(METRIC, runs)
    assert made.table().note.startswith("scores are means over runs; ")
    assert made["three"].score == pytest.approx(np.mean(made["three"].scores))


def test_names(comparison):
    assert comparison["good"].name == "good"
    with pytest.raises(refscore.errors.UnknownNameError, match="unknown system 'god'; did you mean 'good'"):
        comparison["god"]


def test_significant(comparison):
    good = comparison["good"]
    assert good.significant() and not comparison.baseline.significant() and not comparison["same"].significant()
    assert not dataclasses.replace(good, p=0.03, p_holm=0.06).significant()
    assert dataclasses.replace(good, p=0.03, p_holm=0.06).significant(0.1)
    assert dataclasses.replace(good, p=0.03, p_holm=None).significant()
    for alpha in (0, 1, 5):
        with pytest.raises(refscore.SettingError, match="alpha"):
            good.significant(alpha)


def test_verdicts_follow_p_and_the_direction(comparison):
    assert [comparison.verdict(name) for name in SYSTEMS] == ["baseline", "worse", "equal", "better"]
    good = comparison["good"]
    for p, p_holm, verdict in ((0.03, None, "better"), (0.03, 0.06, "unclear")):
        changed = dataclasses.replace(comparison, systems=(comparison.baseline, replace_p(good, p, p_holm)))
        assert changed.verdict("good") == verdict
    reversed_systems = {"good": SYSTEMS["good"], "base": SYSTEMS["same"]}
    swapped = approximate_randomization(METRIC, reversed_systems)
    assert swapped.verdict("base") == "worse"
    assert {type(row.cells[-1]) for row in swapped.table().rows} == {str, BadHighlight}
    # sacrebleu's formula gives a system compared with itself the smallest p.
    assert paired_bootstrap(METRIC, SYSTEMS, formulas="sacrebleu").verdict("same") == "equal"


def replace_p(outcome, p, p_holm=None):
    return dataclasses.replace(outcome, p=p, p_holm=p_holm)


@pytest.mark.parametrize(
    ("resamples", "p", "p_holm", "digits", "text"),
    [
        (1000, 1 / 1001, None, 4, "≤ 0.001"),
        (1000, 1 / 1001, None, 3, "≤ 0.001"),
        (1000, 2 / 1001, None, 3, "0.002"),
        (1000, 1 / 1001, 3 / 1001, 3, "≤ 0.003"),
        (100, 1 / 101, None, 4, "≤ 0.01"),  # 0.0099 would be less than the bound
        (50_000, 1 / 50_001, None, 4, "≤ 0.0001"),
        (50_000, 2 / 50_001, None, 4, "< 0.0001"),
        (1000, 1.0, None, 2, "1.00"),
        (1, 1 / 2, 1.0, 4, "≤ 1"),
    ],
)
def test_p_at_the_floor_of_the_draws_is_a_bound(comparison, resamples, p, p_holm, digits, text):
    changed = dataclasses.replace(
        comparison, resamples=resamples, systems=(comparison.baseline, replace_p(comparison["good"], p, p_holm))
    )
    assert changed.format_p("good", digits) == text
    assert changed.format_p("base <1>") == "–"
    trials = dataclasses.replace(changed, test="approximate-randomization", resamples=None, trials=resamples)
    assert trials.format_p("good", digits) == text


def test_holm():
    """The example of Holm's procedure in Wikipedia, with adjusted p-values computed by hand."""
    assert holm_corrected([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02]
    assert holm_corrected([0.6, 0.9]) == [1.0, 1.0]
    assert holm_corrected([]) == []


@pytest.mark.slow
def test_picture(comparison, tmp_path):
    figure = comparison.plot(tmp_path / "forest.png")
    assert (tmp_path / "forest.png").read_bytes().startswith(b"\x89PNG")
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == list(SYSTEMS)[1:]
    assert "better: to the left" in axes.get_xlabel()
    comparison.plot(str(tmp_path / "forest.svg"))
    assert "<svg" in (tmp_path / "forest.svg").read_text(encoding="utf-8")


def test_a_picture_needs_intervals_and_matplotlib(comparison, monkeypatch):
    with pytest.raises(refscore.InputError, match="intervals"):
        approximate_randomization(METRIC, SYSTEMS, trials=10).plot()
    for module in ("matplotlib", "matplotlib.figure", "matplotlib.backends.backend_agg"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(refscore.errors.NotInstalledError, match=r"refscore\[plot\]"):
        comparison.plot()


def test_the_mean_over_runs_is_exact():
    scores = (0.1, 0.2, 0.3, 0.4)
    assert Outcome("a", scores).score == Outcome("b", scores[::-1]).score == 0.25
