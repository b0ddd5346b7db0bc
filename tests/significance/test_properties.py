"""Properties of every metric: only rows count."""

import json
import os
import random
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

import refscore
from refscore.significance import all_pairs, approximate_randomization, bootstrap, paired_bootstrap, scoring, sums
from tests.test_common import instances, make_corpus

TESTS = {
    "bootstrap": lambda *given, **named: paired_bootstrap(*given, resamples=201, **named),  # odd
    "randomization": lambda *given, **named: approximate_randomization(*given, trials=200, **named),
}
every_metric = pytest.mark.parametrize(("name", "metric"), list(instances()))
every_test = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)


@cache
def systems_of(name, metric):
    """Return a baseline, a copy of it, and two systems with missing words."""
    texts, references = make_corpus(name, metric, 40)
    generator = random.Random(3)

    def worse():
        return [" ".join(word for word in text.split() if generator.random() > 0.2) for text in texts]

    outputs = {"baseline": texts, "same": list(texts), "one": worse(), "two": worse()}
    return {system: metric.stats(output, references) for system, output in outputs.items()}


@pytest.fixture
def rows(name, metric):
    return systems_of(name, metric)


@every_metric
@every_test
def test_the_same_output_is_never_significant(name, metric, rows, test):
    comparison = test(metric, rows, holm=True)
    same = comparison["same"]
    assert (same.difference, same.p, same.p_holm) == (0, 1, 1)
    assert same.win_probability in (0.5, None)
    assert not same.significant(0.999)
    for outcome in comparison.systems[1:]:
        assert 0 < outcome.p <= outcome.p_holm <= 1
        assert outcome.score == pytest.approx(metric.score(rows[outcome.name].sum(0)).value, rel=1e-12)
    json.dumps(comparison.to_dict(), allow_nan=False)
    assert str(comparison).startswith(metric.title)


@pytest.mark.slow
@every_metric
@every_test
def test_other_systems_and_threads_change_nothing(name, metric, rows, test):
    comparison = test(metric, rows)
    for threads in (1, 3):
        assert test(metric, rows, threads=threads) == comparison
    for system in ("one", "two"):
        alone = test(metric, {"baseline": rows["baseline"], system: rows[system]})
        assert alone[system].p == comparison[system].p
        assert alone[system].interval == comparison[system].interval
        if test is TESTS["bootstrap"]:
            interval = bootstrap(metric, rows[system], resamples=201)
            assert interval == comparison[system].interval
            assert interval.low <= interval.mean <= interval.high
    turned = test(metric, {system: rows[system] for system in ("baseline", "two", "one", "same")})
    assert [turned[system] for system in rows] == list(comparison.systems)


@every_test
@pytest.mark.parametrize("cells", [1000, *(pytest.param(cells, marks=pytest.mark.slow) for cells in (100, 10_000))])
def test_blocks_do_not_show(test, cells, monkeypatch):
    metric = refscore.TER()
    rows = systems_of("TER", metric)
    comparison = test(metric, rows)
    runs = {"a": [rows["baseline"], rows["one"]], "b": [rows["two"], rows["one"]]}
    with_runs = test(metric, runs)
    monkeypatch.setattr(scoring, "_BLOCK_CELLS", cells)
    monkeypatch.setattr(scoring, "_LEAST_ROWS", 1)
    monkeypatch.setattr(sums, "_WHOLE_CELLS", 0)
    monkeypatch.setattr(sums, "_PIECE_CELLS", cells)
    assert test(metric, rows) == comparison
    assert test(metric, runs) == with_runs


@every_test
def test_several_metrics_share_their_draws(test):
    metrics = {"b": refscore.BLEU(), "c": refscore.CHRF(), "t": refscore.TER()}
    rows = {label: systems_of(metric.name.upper(), metric) for label, metric in metrics.items()}
    together = test(metrics, rows)
    assert list(together) == ["b", "c", "t"]
    for label, metric in metrics.items():
        alone = test(metric, rows[label])
        assert together[label].label == label
        assert alone.label == metric.title
        assert together[label].systems == alone.systems


@every_test
def test_seeds(test):
    metric = refscore.CHRF()
    rows = systems_of("CHRF", metric)
    alike = {"one": rows["one"], "two": rows["two"]}
    assert test(metric, alike, seed=1) == test(metric, alike, seed=1)
    assert len({test(metric, alike, seed=seed)["two"].p for seed in range(8)}) > 4


@every_test
def test_direction(test):
    """WER counts errors: less is better, and the sign of the difference is unchanged."""
    references = ["a b c d", "e f g h", "i j k l"] * 4
    bad = ["a b x d", "e x g h", "x j k l"] * 4
    for metric, sign in [(refscore.WER(), -1), (refscore.GLEU(), 1)]:
        rows = {"bad": metric.stats(bad, references), "good": metric.stats(references, references)}
        outcome = test(metric, rows)["good"]
        assert np.sign(outcome.difference) == sign
        assert outcome.win_probability in (1.0, None)
        assert outcome.significant()


@pytest.mark.parametrize(
    ("test", "count"),
    [(paired_bootstrap, "resamples"), (approximate_randomization, "trials")],
    ids=["bootstrap", "rand"],
)
def test_progress(test, count):
    """In randomization, systems with one run form one round; each of the others forms a separate one."""
    metric, seen = refscore.TER(), []
    rows = systems_of("TER", metric)
    systems = {**rows, "a": [rows["one"], rows["two"]], "b": [rows["one"]] * 2}
    test(metric, systems, progress=lambda *made: seen.append(made), threads=1, **{count: 200})
    step = "resampling" if test is paired_bootstrap else "swapping"
    assert {(name, total) for name, _, total in seen} == {(step, 200)}
    done = [made for _, made, _ in seen]
    assert done == sorted(done)
    assert 0 < done[0] <= done[-1] == 200
    assert test is paired_bootstrap or {66, 133, 200} <= set(done)


def test_a_randomization_has_ten_thousand_trials():
    metric = refscore.TER()
    rows = {name: systems_of("TER", metric)[name] for name in ("one", "two")}
    comparison = approximate_randomization(metric, rows, threads=1)
    assert "|trials:10000|seed:12345|" in comparison.signature
    assert comparison["two"].interval is None
    with_intervals = approximate_randomization(metric, rows, trials=9, resamples=9)
    assert with_intervals["two"].interval.confidence == 0.95


@every_test
def test_systems_of_different_numbers_of_runs(test):
    metric = refscore.TER()
    rows = systems_of("TER", metric)
    systems = {"baseline": rows["baseline"], "both": [rows["one"], rows["two"]], **rows, "again": rows["one"]}
    together = test(metric, systems)
    for name in ("one", "two", "both", "again"):
        alone = test(metric, {"baseline": rows["baseline"], name: systems[name]})[name]
        assert (together[name].p, together[name].difference) == (alone.p, alone.difference)
        assert together[name].interval == alone.interval


def test_fewer_draws_than_threads():
    metric = refscore.TER()
    rows = systems_of("TER", metric)
    systems = {"a": rows["one"], "b": rows["two"]}
    for count in (1, 3):
        for test, name in ((paired_bootstrap, "resamples"), (approximate_randomization, "trials")):
            options = {name: count}
            assert test(metric, systems, threads=7, **options) == test(metric, systems, threads=1, **options)


@every_test
def test_the_order_of_segments_does_not_change_a_score(test):
    """Equal to the last bit, although the rows are not integers."""
    generator = np.random.default_rng(1)
    metric = refscore.RIBES()
    rows = np.sort(generator.random((500, len(metric.columns))), axis=1)
    assert not np.array_equal(rows.sum(0), rows[::-1].sum(0))
    found = test(metric, {"first": rows, **{str(k): rows[generator.permutation(500)] for k in range(5)}})
    assert {outcome.score for outcome in found.systems} == {found.baseline.score}


@every_test
def test_scores_that_are_all_0_are_ties(test):
    """Then the tolerance is also 0."""
    same = ["a", "b c", "d"]
    for metric, references in ((refscore.BLEU(), ["x", "y z", "w"]), (refscore.TER(), same)):
        rows = metric.stats(same, references)
        assert metric.score(rows.sum(0)).value == 0
        outcome = test(metric, {"one": rows, "other": rows.copy()})["other"]
        assert (outcome.difference, outcome.p) == (0, 1)
        assert outcome.win_probability in (0.5, None)


def test_all_pairs_are_paired_bootstraps_with_each_as_the_baseline():
    metric = refscore.TER()
    rows = systems_of("TER", metric)
    systems = {"a": [rows["baseline"], rows["one"]], "b": rows["two"], "c": [rows["two"], rows["one"]]}
    found = all_pairs({metric.title: metric}, {metric.title: systems})[metric.title]
    assert [comparison.baseline.name for comparison in found] == ["a", "b", "c"]
    for comparison in found:
        first = comparison.baseline.name
        ordered = {first: systems[first], **systems}
        assert comparison == paired_bootstrap(metric, ordered)


def test_runs_that_are_the_same_are_one():
    metric = refscore.CHRF()
    rows = systems_of("CHRF", metric)
    one = paired_bootstrap(metric, {"a": rows["baseline"], "b": rows["one"]})["b"]
    for baseline in ([rows["baseline"]] * 2, np.stack([rows["baseline"]] * 2)):
        three = paired_bootstrap(metric, {"a": baseline, "b": [rows["one"]] * 3})["b"]
        assert (three.p, len(three.scores)) == (one.p, 3)
        assert three.interval.low == pytest.approx(one.interval.low, rel=1e-12)


MACHINES = {
    "another BLAS kernel": {"OPENBLAS_CORETYPE": "Prescott", "OPENBLAS_NUM_THREADS": "1"},
    "no wide instructions": {"NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512_SKX AVX2 FMA3 X86_V4 X86_V3"},
}
CODE = """
import json
import numpy as np, refscore
from refscore.significance import approximate_randomization, paired_bootstrap
generator = np.random.default_rng(1)
for metric in (refscore.BLEU(), refscore.RIBES(), refscore.TER()):
    size = (500, len(metric.columns))
    rows = [np.sort(generator.random(size), axis=1) if metric.name == "ribes" else generator.integers(0, 50, size) / 3]
    rows += [rows[0] + generator.random(size) / 9 for _ in range(3)]
    for systems in ({"a": rows[0], "b": rows[1]}, {"a": rows[:2], "b": rows[2:]}):
        for test, count in ((paired_bootstrap, "resamples"), (approximate_randomization, "trials")):
            print(json.dumps(test(metric, systems, **{count: 100}).to_dict()))
"""


def printed(environment):
    given = {**os.environ, **environment}
    command = [sys.executable, "-W", "ignore", "-c", CODE]
    return subprocess.run(command, env=given, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.slow
def test_machines_do_not_show():
    expected = printed({})
    assert expected.count("\n") == 12
    for environment in MACHINES.values():
        assert printed(environment) == expected
