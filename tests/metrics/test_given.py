"""Given scores: means, missing numbers, and every feature that works on rows."""

import math
import pickle

import numpy as np
import pytest

import refscore
from refscore import mbr
from refscore.conventions import compare_conventions
from refscore.report import Reporting, build_report
from refscore.rewards import Reward
from refscore.significance import approximate_randomization, bootstrap, paired_bootstrap
from tests.python_metrics import Surplus

RANDOM = np.random.default_rng(7)
OLD = RANDOM.normal(0.2, 0.5, 60)  # also negative numbers
NEW = OLD + RANDOM.normal(0.05, 0.2, 60)
COMET = refscore.Given("comet")
LOWER = refscore.Given("metricx", higher_is_better=False, printed_scale=100, digits=1)
SKIPPING = refscore.Given("comet", missing="skip")


def exact_mean(values):
    return math.fsum(values) / len(values)


@pytest.mark.parametrize("kind", [list, tuple, iter, np.asarray, lambda values: np.asarray(values, dtype=object)])
def test_means(kind):
    assert COMET.corpus(kind(OLD)).value == exact_mean(OLD)
    assert COMET.segments(kind(OLD)).tolist() == OLD.tolist()
    assert COMET.stats(kind(OLD)).tolist() == [[value, 1] for value in OLD]
    assert COMET.score(COMET.stats(kind(OLD)).sum(0)).value == pytest.approx(np.mean(OLD), rel=1e-14)


def test_it_has_no_text():
    pandas = pytest.importorskip("pandas")
    from refscore.frames import corpus

    assert not COMET.scores_text and not COMET.needs_references and not isinstance(COMET, refscore.metrics.Metric)
    assert COMET.segment(2).value == 2 and COMET.segment(2).row.tolist() == [2, 1]
    evaluation = refscore.Evaluation(["wer", COMET])
    texts = ["a", "b"]
    for call in (
        lambda: refscore.scores(texts, texts, COMET),
        lambda: refscore.segment_scores(texts, texts, ["bleu", COMET]),
        lambda: evaluation.add(texts, texts),
        lambda: refscore.compare({"old": texts, "new": texts}, texts, [COMET]),
        lambda: build_report({"old": texts}, texts, metrics=["wer", COMET]),
        lambda: Reward(COMET),
        lambda: compare_conventions(texts, texts, COMET),
        lambda: corpus(pandas.DataFrame({"comet": [0.5]}), "comet", None, COMET),
    ):
        with pytest.raises(refscore.SettingError, match=r"comet does not score text: pass its rows.*rows=\{'comet'"):
            call()
    assert evaluation.segments == 0


def test_columns_of_other_libraries():
    arrow, pandas, polars = map(pytest.importorskip, ("pyarrow", "pandas", "polars"))
    values = [0.5, None, -1.0]
    columns = [arrow.array(values), arrow.chunked_array([values[:1], values[1:]]), polars.Series(values)]
    columns += [pandas.Series(values), pandas.Series(values, dtype="Float64"), pandas.Series(values, dtype=object)]
    for column in columns:
        np.testing.assert_array_equal(SKIPPING.segments(column), [0.5, np.nan, -1])


def test_missing_scores():
    for missing in (None, math.nan, np.float64("nan")):
        assert SKIPPING.stats([1, missing, 3]).tolist() == [[1, 1], [0, 0], [3, 1]]
        assert SKIPPING.corpus([1, missing, 3]).value == 2
        np.testing.assert_array_equal(SKIPPING.segments([1, missing]), [1, np.nan])
        with pytest.raises(refscore.InputError, match=r"scores\[1\] is missing.*missing='skip'") as caught:
            COMET.stats([1, missing, 3])
        assert caught.value.location.segment == 1
    assert math.isnan(SKIPPING.corpus([None]).value)
    with pytest.raises(refscore.InputError, match=r"^score is missing"):
        COMET.segment(None)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["a", 1], r"scores\[0\] is 'a', not a number"),
        ([1, "2"], r"scores\[1\] is '2', not a number"),
        ([True, None], r"scores\[0\] is True, not a number"),
        ([1, math.inf], r"scores\[1\] is inf: scores must be finite"),
        ([[1, 2], [3, 4]], "2 dimensions"),
        ([[1, 2], [3]], r"scores\[0\] is \[1, 2\]"),
        ("0.5", "is of type str"),
        (0.5, "is of type float"),
        (np.ma.masked_array([1.0, 2.0], mask=[0, 1]), "mask"),
    ],
)
def test_wrong_numbers(values, words):
    with pytest.raises(refscore.InputError, match=words):
        COMET.stats(values)


def test_no_segments():
    assert COMET.stats([]).shape == (0, 2) and COMET.segments([]).shape == (0,)
    with pytest.raises(refscore.InputError, match="scores is empty"):
        COMET.corpus([])


def test_settings_and_signature():
    for metric in (COMET, LOWER, SKIPPING, refscore.Given("MQM (en-de)", printed_scale=0.5)):
        assert refscore.from_signature(metric.signature) == metric
        assert refscore.from_signature(metric.corpus([1, 2]).signature) == metric
        assert pickle.loads(pickle.dumps(metric)) == metric and hash(metric) == hash(metric)
    assert (LOWER.name, LOWER.title, LOWER.higher_is_better, LOWER.digits) == ("metricx", "metricx", False, 1)
    assert str(LOWER.corpus([0.5, 0.25])) == "metricx = 37.5 (sum = 0.75 weight = 2)"
    assert refscore.Given().name == refscore.Given.name == "given"
    for wrong in ({"name": "a|b"}, {"name": "a=b"}, {"name": ""}, {"name": " a"}, {"name": 3}, {"printed_scale": 0}):
        with pytest.raises(refscore.SettingError):
            refscore.Given(**wrong)
    with pytest.raises(refscore.errors.UnknownNameError, match="setting of given 'higher'"):
        refscore.Given("comet", higher=True)
    with pytest.raises(refscore.SettingError, match="built in"):
        refscore.metrics.register(type("Other", (Surplus,), {"name": "given"}))


def test_it_cannot_be_chosen_by_name():
    assert "given" not in refscore.metrics.METRICS
    with pytest.raises(refscore.errors.UnknownNameError):
        refscore.metrics.parse_metric("given")


def test_explanation():
    assert "comet = 0.8100" in str(COMET.explain(0.81))
    with pytest.raises(refscore.InputError, match="not a number"):
        COMET.explain("a text")


def test_bootstrap_against_numpy():
    """The judge is a plain bootstrap over means with independent draws, so only the distributions agree."""
    draws = np.random.default_rng(0).integers(0, len(OLD), (20_000, len(OLD)))
    interval = bootstrap(COMET, COMET.stats(OLD), resamples=20_000)
    low, high = np.quantile(OLD[draws].mean(1), [0.025, 0.975])
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.01)
    outcome = paired_bootstrap(COMET, {"old": COMET.stats(OLD), "new": COMET.stats(NEW)}, resamples=20_000)["new"]
    differences = NEW[draws].mean(1) - OLD[draws].mean(1)
    assert outcome.difference == pytest.approx(np.mean(NEW) - np.mean(OLD))
    assert outcome.win_probability == pytest.approx(np.mean(differences > 0), abs=0.02)
    low, high = np.quantile(differences, [0.025, 0.975])
    assert (outcome.difference_interval.low, outcome.difference_interval.high) == pytest.approx((low, high), abs=0.01)


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomization])
def test_tests_are_those_of_a_python_metric_with_the_same_rows(test):
    rows = {"old": COMET.stats(OLD), "new": COMET.stats(NEW)}
    ours, theirs = test(COMET, rows), test(Surplus(), rows)  # its score is also the first column divided by the second
    assert ours["new"] == theirs["new"] and ours["old"] == theirs["old"]
    reverse = test(LOWER, rows)
    assert reverse["new"].difference == ours["new"].difference
    assert {reverse.verdict("new"), ours.verdict("new")} in ({"better", "worse"}, {"unclear"})


def test_skipped_segments_do_not_count_in_tests():
    holes = [None if i % 5 == 0 else value for i, value in enumerate(OLD)]
    scored = [value for value in holes if value is not None]
    score = bootstrap(SKIPPING, SKIPPING.stats(holes), resamples=2000)
    assert SKIPPING.corpus(holes).value == exact_mean(scored)
    assert score.low < exact_mean(scored) < score.high


@pytest.mark.parametrize("threads", [1, 2])
def test_too_few_scored_segments_cannot_be_resampled(threads):
    rows = {name: SKIPPING.stats([first, 2, None, None]) for name, first in (("old", 1), ("new", 2))}
    for call in (lambda: bootstrap(SKIPPING, rows["old"], threads=threads), lambda: paired_bootstrap(SKIPPING, rows)):
        with pytest.raises(refscore.InputError, match="a resample has no score by comet"):
            call()


def test_tables_use_its_scale_and_digits():
    comparison = paired_bootstrap(LOWER, {"old": LOWER.stats([0.5, 0.25]), "new": LOWER.stats([0.5, 0.5])})
    assert (comparison.printed_scale, comparison.digits) == (100, 1)
    assert "50.0" in str(comparison) and "50.00" not in str(comparison)


@pytest.mark.parametrize("keep", ["sums", "rows", 30])
def test_evaluations(keep):
    alone = refscore.Evaluation(COMET, retain=keep)
    beside = refscore.Evaluation({"words": "wer", "judge": COMET}, retain=keep)
    for part in (slice(0, 20), slice(20, None)):
        values = OLD[part]
        alone.add_rows(COMET.stats(values))
        beside.add(["a b"] * len(values), ["a c"] * len(values), rows={"judge": COMET.stats(values)})
    assert alone.score().value == beside.score("judge").value == exact_mean(OLD)
    assert beside.score("words").value == 0.5 and "nrefs:1" in beside.score("words").signature
    for evaluation in (alone, beside):
        loaded = refscore.Evaluation.from_bytes(evaluation.to_bytes())
        assert loaded.metrics == evaluation.metrics and loaded.scores() == evaluation.scores()
    if keep != "sums":
        assert alone.interval().low < np.mean(OLD) < alone.interval().high


def test_evaluations_reject_wrong_rows():
    evaluation = refscore.Evaluation(["wer", COMET])
    for rows, words in (
        ({"comet": COMET.stats([1])}, r"rows\['comet'\] has 1 rows for 2 segments"),
        ({"comet": [[1], [2]]}, "must have 2 numbers"),
        ({"other": COMET.stats([1, 2])}, "is not among the metrics"),
        (None, "comet does not score text"),
    ):
        with pytest.raises(refscore.RefscoreError, match=words):
            evaluation.add(["a", "b"], ["a", "b"], rows=rows)
    assert evaluation.segments == 0


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (1, 5), (2100, 3), (3, 2100)])
def test_decoding_with_a_matrix_of_utilities(shape):
    utilities = RANDOM.normal(size=shape)
    before = utilities.copy()
    choice = mbr.choose(utilities, metric=COMET)
    np.testing.assert_allclose(choice.expected, utilities.mean(1))
    np.testing.assert_array_equal(utilities, before)
    assert choice.best == utilities.mean(1).argmax()
    assert mbr.choose(utilities.tolist(), metric=LOWER).best == utilities.mean(1).argmin()
    weights = RANDOM.random(shape[1])
    weighted = mbr.choose(utilities, metric=COMET, weights=weights).expected
    np.testing.assert_allclose(weighted, utilities @ weights / weights.sum())


def test_batches_of_matrices():
    matrices = [RANDOM.normal(size=(3, 2)).tolist(), RANDOM.normal(size=(2, 4)).tolist()]
    choices = mbr.choose(matrices, metric=COMET)
    assert [choice.best for choice in choices] == [int(np.argmax(np.mean(matrix, 1))) for matrix in matrices]


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[1, 2], [3]], r"candidates\[1\] has 1 numbers, but the first row has 2"),
        ([[1, None]], r"candidates\[0\]\[1\] is missing"),
        ([[1, "a"]], r"candidates\[0\]\[1\] is 'a', not a number"),
        ([1, 2], r"candidates\[0\] is of type int"),
        ([[], []], r"candidates\[0\] is empty"),
    ],
)
def test_wrong_matrices(matrix, words):
    with pytest.raises(refscore.InputError, match=words):
        mbr.choose(matrix, metric=COMET)


def test_utilities_need_no_references():
    with pytest.raises(refscore.InputError, match="references must be None for comet"):
        mbr.choose([[1, 2]], ["a", "b"], metric=COMET)
    with pytest.raises(refscore.SettingError, match="cannot aggregate"):
        mbr.choose([[1, 2]], metric=COMET, aggregate=True)


def test_reports():
    references = ["the cat", "a dog"] * 20
    systems = {"old": ["a cat", "a dog"] * 20, "new": references}
    old, new = [0.5, 0.25] * 19 + [0.5, None], [0.75, 1.0] * 19 + [0.5, None]
    rows = {"comet": {"old": SKIPPING.stats(old), "new": SKIPPING.stats(new)}}
    report = build_report(systems, references, metrics=["wer", SKIPPING], rows=rows, reporting=Reporting(resamples=50))
    assert [score.value for score in report.results[1].scores] == [exact_mean(old[:-1]), exact_mean(new[:-1])]
    assert report.shown.scores["comet"][:4] == [5000, 7500, 2500, 10000]
    assert report.shown.scores["comet"][-4:] == [5000, 5000, None, None]
    for wrong, words in (
        ({"other": {}}, "not among the metrics"),
        ({"comet": {"old": rows["comet"]["old"]}}, "names of the systems"),
        ({"comet": {**rows["comet"], "old": [[1, 2]]}}, r"rows\['comet'\]\['old'\] has 1 rows for 40 segments"),
    ):
        with pytest.raises(refscore.RefscoreError, match=words):
            build_report(systems, references, metrics=["wer", SKIPPING], rows=wrong)
