"""Evaluations: any order and batching of segments gives the same scores as all segments together."""

import itertools
import math
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import Evaluation, InputError, SettingError
from refscore.evaluation.retained_rows import drawn_keys
from refscore.metrics import METRICS
from tests.derived_sources import sources_of
from tests.evaluation.corpora import corpus, cut
from tests.examples import examples
from tests.frames.outside_metric import Surplus

HYPOTHESES, REFERENCES = corpus(200, references=3)
FITTED = refscore.NIST.fit(REFERENCES)
ALL = {name: kind().fit(REFERENCES) for name, kind in METRICS.items()} | {"surplus": Surplus()}
SOURCES = sources_of(REFERENCES)
EXPECTED = {name: metric.corpus(HYPOTHESES, REFERENCES, sources=SOURCES) for name, metric in ALL.items()}


def check(evaluation):
    """Check that the scores are those of the whole corpus, to the last bit."""
    for name, score in evaluation.scores().items():
        expected = EXPECTED[name]
        assert (score.row.tobytes(), score.value) == (expected.row.tobytes(), expected.value)
        assert score.signature == expected.signature


@given(
    places=st.lists(st.integers(0, 200), max_size=8),
    order=st.randoms(use_true_random=False),
    retain=st.sampled_from(["sums", "rows", 50]),
)
@examples(30)
def test_batches_in_any_order_and_any_tree_of_mergers(places, order, retain):
    parts = []
    for seed, batch in enumerate(cut((HYPOTHESES, REFERENCES), *sorted(places))):
        part = Evaluation(ALL, retain=retain, seed=seed)
        part.add(*batch, sources=sources_of(batch[1]), threads=order.choice([1, 2, None]))
        parts.append(part)
    while len(parts) > 1:
        order.shuffle(parts)
        taken = parts.pop()
        parts[0].merge(taken)
    (whole,) = parts
    assert whole.segments == 200
    check(whole)


def test_kept_rows_are_those_of_stats():
    evaluation = Evaluation(["bleu", "ter"], retain="rows")
    for batch in cut((HYPOTHESES, REFERENCES), 1, 64, 130):
        evaluation.add(*batch)
    for name in ("bleu", "ter"):
        rows = ALL[name].stats(HYPOTHESES, REFERENCES)
        assert np.array_equal(evaluation.rows(name), rows)
        expected = refscore.significance.bootstrap(ALL[name], rows, resamples=100, seed=7)
        assert evaluation.interval(name, resamples=100, seed=7) == expected
    evaluation.rows("bleu")[:] = 0  # a copy
    assert evaluation.rows("bleu").any()


def test_other_inputs():
    ids = np.arange(60).reshape(6, 10) % 7
    words = [text.split() for text in HYPOTHESES[:6]]
    for hypotheses, references in [
        (ids, ids[::-1].copy()),
        (words, [[other] for other in words[::-1]]),
        (tuple(HYPOTHESES), refscore.BLEU().prepare(REFERENCES)),
    ]:
        evaluation = Evaluation("bleu")
        evaluation.add(hypotheses, references)
        assert evaluation.score() == refscore.bleu(hypotheses, references)
    evaluation = Evaluation("bleu")
    evaluation.add(iter(HYPOTHESES), (entry for entry in REFERENCES))
    check(evaluation)


def test_arrow_columns():
    import pyarrow

    evaluation = Evaluation(ALL, retain="rows")
    for hypotheses, references in cut((HYPOTHESES, REFERENCES), 77):
        column = pyarrow.chunked_array([references[:5], references[5:]])
        sources = pyarrow.array(sources_of(references))
        evaluation.add(pyarrow.array(hypotheses), column, sources=sources)
    check(evaluation)


def test_nothing_at_all():
    evaluation = Evaluation(["bleu", "ribes"], retain="rows")
    evaluation.add([], [])
    assert evaluation.segments == 0
    assert evaluation.rows("bleu").shape == (0, 10)
    for call in (evaluation.scores, lambda: evaluation.interval("bleu")):
        with pytest.raises(InputError, match="no segments yet"):
            call()
    again = Evaluation.from_bytes(evaluation.to_bytes())
    again.add(["a b"], [["a b", "a c"]])
    assert again.score("bleu").signature.startswith("bleu|nrefs:2|")
    evaluation.merge(again)
    assert evaluation.score("bleu").signature.startswith("bleu|nrefs:2|")


def test_a_batch_that_fails_changes_nothing():
    evaluation = Evaluation(["bleu", "ribes"], retain="rows")
    evaluation.add(["a b"], ["a b"])
    before = evaluation.to_bytes()
    for wrong in ((["a", "b"], ["a", ""]), (["a"], ["a", "b"]), ([3], ["a"]), (["a"], [[]])):
        with pytest.raises(InputError):
            evaluation.add(*wrong)
        assert evaluation.to_bytes() == before
    too_many = np.full((1, 10), 2**62)
    rows = {"bleu": too_many, "ribes": np.ones((1, 5))}
    evaluation.add_rows(rows)
    before = evaluation.to_bytes()
    with pytest.raises(InputError, match="not fit into 64 bits"):
        evaluation.add_rows(rows)
    assert evaluation.to_bytes() == before


def test_rows_from_elsewhere():
    whole = Evaluation("bleu")
    whole.add_rows(refscore.BLEU().stats(HYPOTHESES, REFERENCES))
    assert whole.score().row.tolist() == refscore.bleu(HYPOTHESES, REFERENCES).row.tolist()
    assert "nrefs" not in whole.score().signature
    known = Evaluation("bleu")
    known.add_rows({"bleu": refscore.BLEU().stats(HYPOTHESES, REFERENCES)}, references=(1, 3))
    assert known.score() == refscore.bleu(HYPOTHESES, REFERENCES)
    known.merge(whole)
    assert "nrefs" not in known.score().signature


@pytest.mark.parametrize(
    ("metrics", "rows"),
    [
        ("bleu", np.zeros((2, 3), int)),
        ("bleu", np.zeros((2, 10))),
        ("bleu", [[1, 2]]),
        ("bleu", np.full((2, 10), -1)),
        ("ter", [[np.nan, 1]]),
        ("bleu", {"chrf": np.zeros((2, 10), int)}),
        (["bleu", "ter"], {"bleu": np.zeros((1, 10), int), "ter": np.zeros((2, 2))}),
    ],
)
def test_wrong_rows(metrics, rows):
    with pytest.raises(InputError):
        Evaluation(metrics).add_rows(rows)


def test_wrong_counts_of_references():
    for counts in [(0, 1), (3, 2), (1,), "12", (True, 2)]:
        with pytest.raises(InputError):
            Evaluation("bleu").add_rows(np.zeros((1, 10), int), references=counts)


@pytest.mark.parametrize("retain", ["sums", "rows", 50])
def test_a_merger_that_overflows_changes_nothing(retain):
    """The counts of the first metric fit into 64 bits; those of the second do not."""
    metrics = ["wer", "gleu"]
    small, large = (Evaluation(metrics, retain=retain, seed=seed) for seed in (1, 2))
    small.add(HYPOTHESES, REFERENCES)
    for part in (small, large):
        part.add_rows({"wer": np.ones((1, 4), np.int64), "gleu": np.full((1, 2), 2**62)})
    before, other_before = small.to_bytes(), large.to_bytes()
    with pytest.raises(InputError):
        small.merge(large)
    assert (small.to_bytes(), large.to_bytes()) == (before, other_before)
    small.add(HYPOTHESES[:1], REFERENCES[:1])
    assert small.segments == len(HYPOTHESES) + 2


def test_mergers_that_are_refused():
    one = Evaluation("bleu")
    for other, named in [
        (one, "itself"),
        (Evaluation("chrf"), "bleu.*chrf"),
        (Evaluation(refscore.BLEU(max_order=2)), "order:4.*order:2"),
        (Evaluation("bleu", retain="rows"), "'sums'.*'rows'"),
        ("bleu", "not str"),
    ]:
        with pytest.raises(InputError, match=named):
            one.merge(other)
    with pytest.raises(InputError, match="12345"):  # the seed of both
        Evaluation("bleu", retain=9).merge(Evaluation("bleu", retain=9))


@pytest.mark.parametrize(
    ("metrics", "options", "named"),
    [
        ("blue", {}, "'bleu'"),
        ([], {}, "metrics"),
        (7, {}, "metrics"),
        ([7], {}, "7"),
        (["bleu", refscore.BLEU()], {}, "'bleu'"),
        ({3: "bleu"}, {}, "label"),
        ("nist", {}, "NIST"),
        ("bleu", {"retain": "all"}, "retain"),
        ("bleu", {"retain": True}, "retain"),
        ("bleu", {"retain": 1}, "retain"),
        ("bleu", {"seed": -1}, "seed"),
    ],
)
def test_mistakes_in_settings(metrics, options, named):
    with pytest.raises(SettingError, match=named):
        Evaluation(metrics, **options)


def test_labels():
    evaluation = Evaluation({"one": "bleu:nltk", "two": refscore.CHRF(word_order=2)})
    evaluation.add(["a b c d"], ["a b c d"])
    assert evaluation.score("one").metric == refscore.BLEU.preset("nltk")
    for label in (None, "bleu"):
        with pytest.raises(SettingError, match="one, two"):
            evaluation.score(label)
    with pytest.raises(InputError, match="retain='rows'"):
        evaluation.interval("one")


def test_pickling_and_display():
    evaluation = Evaluation(refscore.BLEU(tokenizer=str.split), retain=20)
    evaluation.add(HYPOTHESES, REFERENCES)
    again = pickle.loads(pickle.dumps(evaluation))
    assert again.score() == evaluation.score()
    assert np.array_equal(again.rows(), evaluation.rows())
    assert repr(again) == "<evaluation: 200 segments by bleu, a sample of 20>"


class TestSamples:
    def sampled(self, begin, end, size, seed, batch=37):
        evaluation = Evaluation("bleu", retain=size, seed=seed)
        # Each segment can be identified by its row.
        rows = np.repeat(np.arange(begin, end)[:, None], 10, axis=1)
        for first in range(0, end - begin, batch):
            evaluation.add_rows(rows[first : first + batch])
        return evaluation

    def test_all_while_there_is_room(self):
        assert sorted(self.sampled(0, 50, 100, 1).rows()[:, 0]) == list(range(50))

    def test_the_order_of_parts_does_not_matter(self):
        parts = [(0, 400, 1), (400, 401, 2), (401, 900, 3)]
        found = set()
        for order in itertools.permutations(parts):
            first, *others = (self.sampled(begin, end, 60, seed) for begin, end, seed in order)
            for other in others:
                first.merge(other)
            assert len(set(first.rows()[:, 0])) == 60
            found.add(first.rows().tobytes())
        assert len(found) == 1

    def test_batches_do_not_matter(self):
        at_once = self.sampled(0, 1000, 60, 5, batch=1000)
        assert np.array_equal(at_once.rows(), self.sampled(0, 1000, 60, 5).rows())

    def test_all_segments_are_as_likely(self):
        """Check with a chi-square test and a fixed seed how often the sample contains a segment of each part."""
        size, rounds, counts = 30, 400, np.zeros(300)
        for seed in range(rounds):
            first = self.sampled(0, 200, size, 3 * seed, batch=200)
            first.merge(self.sampled(200, 230, size, 3 * seed + 1, batch=200))
            first.merge(self.sampled(230, 300, size, 3 * seed + 2, batch=200))
            counts[first.rows()[:, 0]] += 1
        expected = rounds * size / 300
        chi_square = ((counts - expected) ** 2).sum() / (expected * (1 - size / 300))
        assert abs(chi_square - 299) < 4 * np.sqrt(2 * 299)
        for begin, end in [(0, 200), (200, 230), (230, 300)]:
            assert counts[begin:end].mean() == pytest.approx(expected, rel=0.1)

    def test_samples_are_of_the_same_segments_for_all_metrics(self):
        evaluation = Evaluation(["bleu", "wer"], retain=25)
        evaluation.add(HYPOTHESES, REFERENCES)
        whole = np.hstack([ALL[name].stats(HYPOTHESES, REFERENCES) for name in ("bleu", "wer")])
        sample = np.hstack([evaluation.rows(name) for name in ("bleu", "wer")])
        assert {*map(tuple, sample.tolist())} <= {*map(tuple, whole.tolist())}

    def test_after_saving_the_sample_goes_on_as_it_would_have(self):
        whole, resumed = (Evaluation("bleu", retain=40, seed=9) for _ in range(2))
        for batch in cut((HYPOTHESES, REFERENCES), 90):
            whole.add(*batch)
            resumed.add(*batch)
            resumed = Evaluation.from_bytes(resumed.to_bytes())
        assert np.array_equal(whole.rows(), resumed.rows())

    def test_keys_spread(self):
        keys = np.concatenate([drawn_keys(seed, 0, 10_000) for seed in range(5)])
        assert len(set(keys.tolist())) == len(keys)
        shares, _ = np.histogram(keys.astype(float), bins=16, range=(0, 2.0**64))
        assert abs(shares - len(keys) / 16).max() < 5 * np.sqrt(len(keys) / 16)
        assert drawn_keys(1, 0, 5)[2:].tolist() == drawn_keys(1, 2, 3).tolist()

    def test_intervals_are_as_wide_as_those_of_all_rows(self):
        hypotheses, references = corpus(4000, seed=3)
        everything, sample = Evaluation("chrf", retain="rows"), Evaluation("chrf", retain=1000)
        for evaluation in (everything, sample):
            evaluation.add(hypotheses, references)
        whole, part = everything.interval(), sample.interval()
        assert part.half_width == pytest.approx(whole.half_width, rel=0.12)
        assert part.low < sample.score().value < part.high
        assert part.mean == pytest.approx(sample.score().value, abs=whole.half_width / 10)
        assert "|sample:1000|" in part.signature
        assert "|sample:" not in whole.signature


def test_sums_of_a_long_run_are_exact():
    """Compare with exact fractions; a plain sum differs in the twelfth digit."""
    generator = random.Random(0)
    values = [generator.random() * 10 ** generator.randint(-3, 3) for _ in range(500)]
    evaluation = Evaluation("ter")
    for value in values:
        evaluation.add_rows([[value, value]])
    assert evaluation.score().row.tolist() == [math.fsum(values)] * 2
    assert np.cumsum(values)[-1] != math.fsum(values)


def test_rows_without_labels_remove_labels():
    evaluation = refscore.evaluate(["a b", "c"], ["a b", "d"], "wer", units=["x", "y"], groups={"domain": ["p", "q"]})
    evaluation.add_rows(refscore.WER().stats(["a"], ["a"]))
    assert (evaluation.segments, evaluation.units, evaluation.groups, evaluation.texts) == (3, None, {}, None)
    with pytest.raises(InputError, match="has no groups"):
        evaluation.by("domain")
    with pytest.raises(InputError, match="name must be of type str, not list: pass labels to"):
        evaluation.by(["p", "q"])


def test_a_notebook_shows_the_scores():
    evaluation = refscore.evaluate({"old": ["a cat"], "new": ["the cat"]}, ["the cat"], "wer")
    assert evaluation._repr_html_() == evaluation.summary(intervals=False).render("html")
    assert refscore.Evaluation("wer")._repr_html_() is None


def test_a_metric_in_place_of_a_system():
    evaluation = refscore.evaluate({"old": ["a cat"], "new": ["the cat"]}, ["the cat"], "wer")
    with pytest.raises(refscore.errors.UnknownNameError, match=r"name the system first, .*\(there are: old, new\)"):
        evaluation["wer"]
