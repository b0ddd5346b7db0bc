"""Accumulators: any order and batching of segments gives the same scores as all segments together."""

import itertools
import math
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, strategies as st
from refscore.accumulation.retained_rows import drawn_keys
from tests.accumulation.corpora import corpus, cut

import refscore
from refscore import Accumulator, InputError, SettingError
from refscore.metrics import METRICS
from tests.derived_sources import sources_of
from tests.examples import examples
from tests.frames.outside_metric import Surplus

HYPOTHESES, REFERENCES = corpus(200, references=3)
FITTED = refscore.NIST.fit(REFERENCES)
ALL = {name: kind().fit(REFERENCES) for name, kind in METRICS.items()} | {"surplus": Surplus()}
SOURCES = sources_of(REFERENCES)
EXPECTED = {name: metric.corpus(HYPOTHESES, REFERENCES, sources=SOURCES) for name, metric in ALL.items()}


def check(accumulator):
    """Check that the scores are those of the whole corpus, to the last bit."""
    for name, score in accumulator.scores().items():
        expected = EXPECTED[name]
        assert (score.row.tobytes(), score.value) == (expected.row.tobytes(), expected.value)
        assert score.signature == expected.signature


@given(
    places=st.lists(st.integers(0, 200), max_size=8),
    order=st.randoms(use_true_random=False),
    keep=st.sampled_from(["sums", "rows", 50]),
)
@examples(30)
def test_batches_in_any_order_and_any_tree_of_mergers(places, order, keep):
    parts = []
    for seed, batch in enumerate(cut((HYPOTHESES, REFERENCES), *sorted(places))):
        part = Accumulator(ALL, keep=keep, seed=seed)
        part.update(*batch, sources=sources_of(batch[1]), threads=order.choice([1, 2, None]))
        parts.append(part)
    while len(parts) > 1:
        order.shuffle(parts)
        taken = parts.pop()
        parts[0].merge(taken)
    (whole,) = parts
    assert whole.segments == 200
    check(whole)


def test_kept_rows_are_those_of_stats():
    accumulator = Accumulator(["bleu", "ter"], keep="rows")
    for batch in cut((HYPOTHESES, REFERENCES), 1, 64, 130):
        accumulator.update(*batch)
    for name in ("bleu", "ter"):
        rows = ALL[name].stats(HYPOTHESES, REFERENCES)
        assert np.array_equal(accumulator.rows(name), rows)
        expected = refscore.significance.bootstrap(ALL[name], rows, resamples=100, seed=7)
        assert accumulator.interval(name, resamples=100, seed=7) == expected
    accumulator.rows("bleu")[:] = 0  # a copy
    assert accumulator.rows("bleu").any()


def test_other_inputs():
    ids = np.arange(60).reshape(6, 10) % 7
    words = [text.split() for text in HYPOTHESES[:6]]
    for hypotheses, references in [
        (ids, ids[::-1].copy()),
        (words, [[other] for other in words[::-1]]),
        (tuple(HYPOTHESES), refscore.BLEU().prepare(REFERENCES)),
    ]:
        accumulator = Accumulator("bleu")
        accumulator.update(hypotheses, references)
        assert accumulator.score() == refscore.bleu(hypotheses, references)
    accumulator = Accumulator("bleu")
    accumulator.update(iter(HYPOTHESES), (entry for entry in REFERENCES))
    check(accumulator)


def test_arrow_columns():
    import pyarrow

    accumulator = Accumulator(ALL, keep="rows")
    for hypotheses, references in cut((HYPOTHESES, REFERENCES), 77):
        column = pyarrow.chunked_array([references[:5], references[5:]])
        sources = pyarrow.array(sources_of(references))
        accumulator.update(pyarrow.array(hypotheses), column, sources=sources)
    check(accumulator)


def test_nothing_at_all():
    accumulator = Accumulator(["bleu", "ribes"], keep="rows")
    accumulator.update([], [])
    assert accumulator.segments == 0
    assert accumulator.rows("bleu").shape == (0, 10)
    for call in (accumulator.scores, lambda: accumulator.interval("bleu")):
        with pytest.raises(InputError, match="no segments yet"):
            call()
    again = Accumulator.from_bytes(accumulator.to_bytes())
    again.update(["a b"], [["a b", "a c"]])
    assert again.score("bleu").signature.startswith("bleu|nrefs:2|")
    accumulator.merge(again)
    assert accumulator.score("bleu").signature.startswith("bleu|nrefs:2|")


def test_a_batch_that_fails_changes_nothing():
    accumulator = Accumulator(["bleu", "ribes"], keep="rows")
    accumulator.update(["a b"], ["a b"])
    before = accumulator.to_bytes()
    for wrong in ((["a", "b"], ["a", ""]), (["a"], ["a", "b"]), ([3], ["a"]), (["a"], [[]])):
        with pytest.raises(InputError):
            accumulator.update(*wrong)
        assert accumulator.to_bytes() == before
    too_many = np.full((1, 10), 2**62)
    rows = {"bleu": too_many, "ribes": np.ones((1, 5))}
    accumulator.update_rows(rows)
    before = accumulator.to_bytes()
    with pytest.raises(InputError, match="not fit into 64 bits"):
        accumulator.update_rows(rows)
    assert accumulator.to_bytes() == before


def test_rows_from_elsewhere():
    whole = Accumulator("bleu")
    whole.update_rows(refscore.BLEU().stats(HYPOTHESES, REFERENCES))
    assert whole.score().row.tolist() == refscore.bleu(HYPOTHESES, REFERENCES).row.tolist()
    assert "nrefs" not in whole.score().signature
    known = Accumulator("bleu")
    known.update_rows({"bleu": refscore.BLEU().stats(HYPOTHESES, REFERENCES)}, references=(1, 3))
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
        Accumulator(metrics).update_rows(rows)


def test_wrong_counts_of_references():
    for counts in [(0, 1), (3, 2), (1,), "12", (True, 2)]:
        with pytest.raises(InputError):
            Accumulator("bleu").update_rows(np.zeros((1, 10), int), references=counts)


@pytest.mark.parametrize("keep", ["sums", "rows", 50])
def test_a_merger_that_overflows_changes_nothing(keep):
    """The counts of the first metric fit into 64 bits; those of the second do not."""
    metrics = ["wer", "gleu"]
    small, large = (Accumulator(metrics, keep=keep, seed=seed) for seed in (1, 2))
    small.update(HYPOTHESES, REFERENCES)
    for part in (small, large):
        part.update_rows({"wer": np.ones((1, 4), np.int64), "gleu": np.full((1, 2), 2**62)})
    before, other_before = small.to_bytes(), large.to_bytes()
    with pytest.raises(InputError):
        small.merge(large)
    assert (small.to_bytes(), large.to_bytes()) == (before, other_before)
    small.update(HYPOTHESES[:1], REFERENCES[:1])
    assert small.segments == len(HYPOTHESES) + 2


def test_mergers_that_are_refused():
    one = Accumulator("bleu")
    for other, named in [
        (one, "itself"),
        (Accumulator("chrf"), "bleu.*chrf"),
        (Accumulator(refscore.BLEU(max_order=2)), "order:4.*order:2"),
        (Accumulator("bleu", keep="rows"), "'sums'.*'rows'"),
        ("bleu", "not str"),
    ]:
        with pytest.raises(InputError, match=named):
            one.merge(other)
    with pytest.raises(InputError, match="12345"):  # the seed of both
        Accumulator("bleu", keep=9).merge(Accumulator("bleu", keep=9))


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
        ("bleu", {"keep": "all"}, "keep"),
        ("bleu", {"keep": True}, "keep"),
        ("bleu", {"keep": 1}, "keep"),
        ("bleu", {"seed": -1}, "seed"),
    ],
)
def test_mistakes_in_settings(metrics, options, named):
    with pytest.raises(SettingError, match=named):
        Accumulator(metrics, **options)


def test_labels():
    accumulator = Accumulator({"one": "bleu:nltk", "two": refscore.CHRF(word_order=2)})
    accumulator.update(["a b c d"], ["a b c d"])
    assert accumulator.score("one").metric == refscore.BLEU.preset("nltk")
    for label in (None, "bleu"):
        with pytest.raises(SettingError, match="one, two"):
            accumulator.score(label)
    with pytest.raises(InputError, match="keep='rows'"):
        accumulator.interval("one")


def test_pickling_and_display():
    accumulator = Accumulator(refscore.BLEU(tokenizer=str.split), keep=20)
    accumulator.update(HYPOTHESES, REFERENCES)
    again = pickle.loads(pickle.dumps(accumulator))
    assert again.score() == accumulator.score()
    assert np.array_equal(again.rows(), accumulator.rows())
    assert repr(again) == "<accumulator of 200 segments by bleu, a sample of 20>"


class TestSamples:
    def sampled(self, begin, end, size, seed, batch=37):
        accumulator = Accumulator("bleu", keep=size, seed=seed)
        # Each segment can be identified by its row.
        rows = np.repeat(np.arange(begin, end)[:, None], 10, axis=1)
        for first in range(0, end - begin, batch):
            accumulator.update_rows(rows[first : first + batch])
        return accumulator

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
        accumulator = Accumulator(["bleu", "wer"], keep=25)
        accumulator.update(HYPOTHESES, REFERENCES)
        whole = np.hstack([ALL[name].stats(HYPOTHESES, REFERENCES) for name in ("bleu", "wer")])
        sample = np.hstack([accumulator.rows(name) for name in ("bleu", "wer")])
        assert {*map(tuple, sample.tolist())} <= {*map(tuple, whole.tolist())}

    def test_after_saving_the_sample_goes_on_as_it_would_have(self):
        whole, resumed = (Accumulator("bleu", keep=40, seed=9) for _ in range(2))
        for batch in cut((HYPOTHESES, REFERENCES), 90):
            whole.update(*batch)
            resumed.update(*batch)
            resumed = Accumulator.from_bytes(resumed.to_bytes())
        assert np.array_equal(whole.rows(), resumed.rows())

    def test_keys_spread(self):
        keys = np.concatenate([drawn_keys(seed, 0, 10_000) for seed in range(5)])
        assert len(set(keys.tolist())) == len(keys)
        shares, _ = np.histogram(keys.astype(float), bins=16, range=(0, 2.0**64))
        assert abs(shares - len(keys) / 16).max() < 5 * np.sqrt(len(keys) / 16)
        assert drawn_keys(1, 0, 5)[2:].tolist() == drawn_keys(1, 2, 3).tolist()

    def test_intervals_are_as_wide_as_those_of_all_rows(self):
        hypotheses, references = corpus(4000, seed=3)
        everything, sample = Accumulator("chrf", keep="rows"), Accumulator("chrf", keep=1000)
        for accumulator in (everything, sample):
            accumulator.update(hypotheses, references)
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
    accumulator = Accumulator("ter")
    for value in values:
        accumulator.update_rows([[value, value]])
    assert accumulator.score().row.tolist() == [math.fsum(values)] * 2
    assert np.cumsum(values)[-1] != math.fsum(values)
