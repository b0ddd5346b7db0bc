"""formulas="sacrebleu" equals sacrebleu, which sums in float32: intervals agree to 1e-5, and p except for near-ties."""

import random

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest

import refscore
from refscore.significance import approximate_randomization, bootstrap, paired_bootstrap

METRICS = {
    "BLEU": (refscore.BLEU(), sacrebleu.BLEU),
    "chrF2++": (refscore.CHRF(word_order=2), lambda: sacrebleu.CHRF(word_order=2)),
    "TER": (refscore.TER(), sacrebleu.TER),
}
SEGMENTS = 45  # not a multiple of 32
NAMES = ["base", "near", "far"]


def corpus():
    generator = random.Random(1)
    words = [f"w{k}" for k in range(40)]
    streams = [[" ".join(generator.choices(words, k=generator.randint(4, 12))) for _ in range(SEGMENTS)] for _ in "ab"]

    def system(rate):
        return [
            " ".join(generator.choice(words) if generator.random() < rate else word for word in text.split())
            for text in streams[0]
        ]

    return {name: system(rate) for name, rate in zip(NAMES, [0.3, 0.31, 0.36], strict=True)}, streams


SYSTEMS, STREAMS = corpus()
REFERENCES = refscore.from_streams(STREAMS)
OURS = {label: metric for label, (metric, _) in METRICS.items()}
ROWS = {
    label: {name: metric.stats(texts, REFERENCES) for name, texts in SYSTEMS.items()} for label, metric in OURS.items()
}


def theirs(kind, monkeypatch, seed, labels=tuple(METRICS), **settings):
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    metrics = {label: METRICS[label][1]() for label in labels}
    _, results = PairedTest(list(SYSTEMS.items()), metrics, STREAMS, test_type=kind, **settings)()
    return {label: results[label] for label in labels}


def check(found, expected):
    for label, results in expected.items():
        for outcome, result in zip(found[label].systems, results, strict=True):
            assert 100 * outcome.score == pytest.approx(result.score, abs=1e-9)
            assert outcome.p == result.p_value
            if outcome is not found[label].systems[0]:
                assert outcome.difference == outcome.score - found[label].systems[0].score
            if result.ci is None:
                assert outcome.interval is None
            else:
                assert 100 * outcome.interval.mean == pytest.approx(float(result.mean), abs=1e-5)
                assert 100 * outcome.interval.half_width == pytest.approx(float(result.ci), abs=1e-5)
                assert outcome.interval.confidence == 0.95


@pytest.mark.parametrize(("seed", "resamples"), [(12345, 100), (7, 333)])
def test_paired_bootstrap(monkeypatch, seed, resamples):
    expected = theirs("bs", monkeypatch, seed, n_samples=resamples)
    check(paired_bootstrap(OURS, ROWS, resamples=resamples, seed=seed, formulas="sacrebleu"), expected)


@pytest.mark.parametrize(("seed", "resamples"), [(12345, 0), (7, 60)])
def test_approximate_randomization(monkeypatch, seed, resamples):
    expected = theirs("ar", monkeypatch, seed, n_samples=250, n_ar_confidence=resamples or -1)
    check(
        approximate_randomization(OURS, ROWS, trials=250, resamples=resamples, seed=seed, formulas="sacrebleu"),
        expected,
    )


@pytest.mark.parametrize("count", [39, 81])
def test_few_draws_of_one_metric(monkeypatch, count):
    """One in 40 resamples is outside of an interval at each end, rounded down."""
    ours, rows = {"BLEU": OURS["BLEU"]}, {"BLEU": ROWS["BLEU"]}
    expected = theirs("bs", monkeypatch, 3, ours, n_samples=count)
    check(paired_bootstrap(ours, rows, resamples=count, seed=3, formulas="sacrebleu"), expected)
    expected = theirs("ar", monkeypatch, 3, ours, n_samples=count, n_ar_confidence=count)
    check(approximate_randomization(ours, rows, trials=count, resamples=count, seed=3, formulas="sacrebleu"), expected)


@pytest.mark.parametrize("label", METRICS)
def test_blocks_continue_its_streams(monkeypatch, label):
    whole = [
        paired_bootstrap(OURS[label], ROWS[label], resamples=100, formulas="sacrebleu"),
        approximate_randomization(OURS[label], ROWS[label], trials=100, resamples=40, formulas="sacrebleu"),
    ]
    monkeypatch.setattr("refscore.significance.scoring._BLOCK_CELLS", 1000)
    assert paired_bootstrap(OURS[label], ROWS[label], resamples=100, formulas="sacrebleu") == whole[0]
    assert (
        approximate_randomization(OURS[label], ROWS[label], trials=100, resamples=40, formulas="sacrebleu") == whole[1]
    )


@pytest.mark.parametrize("label", METRICS)
@pytest.mark.parametrize("seed", [12345, 0])
def test_bootstrap(monkeypatch, label, seed):
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    score = METRICS[label][1]().corpus_score(SYSTEMS["base"], STREAMS, n_bootstrap=200)
    found = bootstrap(OURS[label], ROWS[label]["base"], resamples=200, seed=seed, formulas="sacrebleu")
    assert 100 * found.mean == pytest.approx(float(score._mean), abs=1e-5)
    assert 100 * found.half_width == pytest.approx(float(score._ci), abs=1e-5)


def test_its_defect_is_kept():
    """In sacrebleu, a system compared with itself is significant."""
    rows = ROWS["BLEU"]["base"]
    for test, count in [(paired_bootstrap, {"resamples": 99}), (approximate_randomization, {"trials": 99})]:
        assert test(OURS["BLEU"], {"a": rows, "b": rows}, formulas="sacrebleu", **count)["b"].p == 1 / 100
        assert test(OURS["BLEU"], {"a": rows, "b": rows}, **count)["b"].p == 1


def test_other_metrics_work_too():
    metric = refscore.RIBES()
    rows = {name: metric.stats(texts, REFERENCES) for name, texts in SYSTEMS.items()}
    outcome = paired_bootstrap(metric, rows, formulas="sacrebleu")["far"]
    assert 0 < outcome.p <= 1
    assert outcome.win_probability is None
    assert outcome.difference_interval is None
    assert np.isfinite(outcome.interval.half_width)
