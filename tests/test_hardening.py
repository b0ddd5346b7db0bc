"""Regression tests for bugs that hostile testing found."""

import dataclasses
import pickle
import sys

import numpy as np
import pytest

import refscore
from refscore import BLEU
from tests.children import printed_by
from tests.test_threads import Mutator

UNIGRAMS = BLEU(max_order=1, smoothing="none", tokenizer="none")


def test_tokens_match_prepared_ones_by_equality():
    numbers = UNIGRAMS.prepare([[[1.5, 2.5]]])  # stored as 0 and 1
    mixed = UNIGRAMS.prepare([[["x", 5]]])
    for hypothesis, prepared, matches in [([0, 1], numbers, 0), ([5], mixed, 1)]:
        for tokens in (hypothesis, np.array(hypothesis)):
            assert UNIGRAMS.corpus([tokens], prepared).counts == (matches,)


@pytest.mark.parametrize(
    "settings", [{"smoothing": "nltk-2"}, {"smoothing": "nltk-4"}, {"smoothing": "nltk-1", "smoothing_value": 0}]
)
def test_nothing_that_counts_scores_0(settings):
    metric = BLEU(max_order=1, no_match="smooth", **settings)
    assert metric.segment("x", "b").value == 0


def test_rows_of_another_size_are_not_read_past_their_end():
    metric = BLEU(max_order=100)
    with pytest.raises(ValueError, match="columns"):
        _ = refscore.metrics.BLEUScore(metric, np.zeros(2)).value
    with pytest.raises(ValueError, match="columns"):
        metric.kernel.values(np.zeros((3, 2)), 1)


@pytest.mark.parametrize("order", [10**6 + 1, 2**31, 2**63, 2**64])
def test_orders_that_no_row_could_hold(order):
    with pytest.raises(refscore.SettingError, match="at most"):
        BLEU(max_order=order)


def test_lengths_of_a_batch_are_its_own():
    lengths = np.array([1, 2])
    batch = refscore.inputs.padded(np.array([[1, 2], [3, 4]]), lengths=lengths)
    lengths[:] = 10**7
    assert BLEU(max_order=1).stats(batch, [[[1]], [[3, 4]]])[:, 0].tolist() == [1, 2]


def test_unaligned_ids():
    ids = np.frombuffer(bytes(1) + np.arange(20, dtype="int32").tobytes(), "int32", offset=1)
    assert not ids.flags.aligned
    assert UNIGRAMS.corpus([ids], [[ids]]).counts == (20,)
    assert UNIGRAMS.corpus(ids.reshape(2, 10), ids.reshape(2, 10)).counts == (20,)


def test_one_long_reference_before_many_short_ones():
    long = ["w"] * 20_000
    references = [[long, *([["w"]] * 20_000)]]
    assert UNIGRAMS.corpus([long], references).counts == (20_000,)
    assert len(UNIGRAMS.prepare(references)) == 1


@pytest.mark.parametrize("token", [np.int64(1), 1.0, True])
def test_batches_beside_tokens_of_other_types(token):
    batch = np.array([[1, 2]])
    assert UNIGRAMS.corpus(batch, [[[token, 3]]]).counts == (1,)
    assert UNIGRAMS.corpus([[token, 3]], batch).counts == (1,)
    padded = refscore.inputs.padded(np.array([[[1, 2, 0], [4, 0, 0]]]), pad_id=0)
    assert UNIGRAMS.corpus([[token, 0, 4]], padded).counts == (2,)
    assert UNIGRAMS.corpus(batch, [[["1", "2"]]]).counts == (0,)


def test_comparisons_that_fail_are_not_hidden():
    class Odd:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            raise TypeError("not comparable")

    with pytest.raises(TypeError, match="not comparable"):
        UNIGRAMS.corpus([[Odd(), Odd()]], [[[Odd()]]])


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [([1.0, 2.0], [1, 2], 1), ([1, 2], [1.0, 2.0], 1), ([True, 2], [1, 2], 1), ([1, 2], ["1", "2"], 0)],
)
def test_pairs_compare_tokens_as_python_does(one, other, score):
    assert UNIGRAMS.pairwise([one], [other], tokens=True).tolist() == [[score]]


def test_integers_with_an_equality_of_their_own():
    class Alone(int):
        def __eq__(self, other):
            return self is other

        def __hash__(self):
            return 0

    assert UNIGRAMS.corpus([[Alone(1)]], [[[Alone(1)]]]).counts == (0,)


def test_buffers_that_drop_their_own_list():
    entries = [[np.arange(5)], [np.arange(5)]]

    def churn(_):
        entries[0] = [np.arange(5)]
        entries[1][:] = [np.arange(5)]

    with Mutator(churn):
        for _ in range(200):
            assert UNIGRAMS.corpus([np.arange(5)] * 2, entries).counts == (10,)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, None])
def test_daemon_threads_do_not_keep_python_from_ending(threads):
    assert (
        printed_by(
            "-c",
            f"""
import threading, time, refscore
texts = ["a b c d e f g " * 40] * 200_000
def score():
    while True:
        refscore.bleu(texts, texts, threads={threads})
threading.Thread(target=score, daemon=True).start()
time.sleep(0.3)
""",
        )
        == ""
    )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent another way there")
@pytest.mark.parametrize("metric", ["BLEU", "CHRF"])
def test_a_signal_handler_may_score(metric):
    assert (
        printed_by(
            "-c",
            f"""
import os, signal, threading, refscore
metric = refscore.{metric}()
texts = [f"a b c {{i}} d e f g " * 20 for i in range(700)]
inner = []
signal.signal(signal.SIGUSR1, lambda *_: inner.append(metric.pairwise(texts[:50], texts[:50])))
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
while not inner:
    outer = metric.pairwise(texts, texts)
print((outer[:50, :50] == inner[0]).all())
""",
        )
        == "True\n"
    )


class Renamed(BLEU):
    pass


def test_subclasses_survive_pickling():
    assert type(pickle.loads(pickle.dumps(Renamed(max_order=2)))) is Renamed


def test_settings_as_a_dictionary():
    assert BLEU(**dataclasses.asdict(BLEU(smoothing="floor", max_order=2))) == BLEU(smoothing="floor", max_order=2)


def test_batches_can_be_compared():
    batch = refscore.inputs.padded(np.array([[1]]))
    assert batch in [batch]
    assert len({batch, refscore.inputs.padded(np.array([[1]]))}) == 2
