"""Threads share metrics, prepared references, normalizers and sums. Without a GIL they run at the same time."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import refscore
from refscore import normalizers
from refscore._native import ExactRowSums

THREADS = 8
WORDS = ["the", "cat", "sat", "on", "a", "mat", "näher", "größer", "Ωmega", "猫が座る", "don't", "12,345", "uh"]
HYPOTHESES = [" ".join(WORDS[(3 * i + j * j) % len(WORDS)] for j in range(4 + i % 9)) for i in range(120)]
REFERENCES = [" ".join(WORDS[(3 * i + j * j + j // 5) % len(WORDS)] for j in range(5 + i % 7)) for i in range(120)]
METRICS = [
    "bleu",
    "chrf",
    "ter",
    "ribes",
    "rouge",
    "meteor",
    "wer",
    "gleu",
    "exact_match",
    "token_f1",
    "character_ter",
    "accuracy",
    "edit_similarity",
    "suber",
    "uwer",
    "eed",
]


def in_threads(function):
    """Call the function at the same time in several threads, and return the results."""
    start = threading.Barrier(THREADS)

    def run(_):
        start.wait()
        return function()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


@pytest.mark.skipif(not hasattr(sys, "_is_gil_enabled"), reason="Python 3.12 and older always have a GIL")
def test_importing_refscore_does_not_enable_the_gil():
    import sysconfig

    assert sys._is_gil_enabled() is not bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.mark.parametrize("name", METRICS)
def test_metrics(name):
    metric = refscore.metrics.METRICS[name]()
    prepared = metric.prepare(REFERENCES)
    scores = metric.segments(HYPOTHESES, REFERENCES)
    rows = metric.stats(HYPOTHESES, REFERENCES)

    def score():
        one = [metric.segment(h, r).value for h, r in zip(HYPOTHESES[:40], REFERENCES[:40], strict=True)]
        return one, metric.segments(HYPOTHESES, prepared, threads=2), metric.stats(HYPOTHESES, REFERENCES, threads=1)

    for one, segments, found in in_threads(score):
        assert one == scores[:40].tolist()
        np.testing.assert_array_equal(segments, scores)
        np.testing.assert_array_equal(found, rows)


def test_tokens():
    hypotheses, references = [text.split() for text in HYPOTHESES], [[text.split()] for text in REFERENCES]
    numbers = {word: number for number, word in enumerate(WORDS)}
    ids = [[numbers[word] for word in tokens] for tokens in hypotheses]
    metric = refscore.BLEU.preset("nltk")
    same = [[tokens] for tokens in ids]

    def score():
        return metric.corpus(hypotheses, references), metric.corpus(ids, same)

    assert in_threads(score) == [score()] * THREADS


def test_lists_that_change():
    """A thread replaces and moves the items of the lists that others read."""
    hypotheses, references = list(HYPOTHESES), [[text, text] for text in REFERENCES]
    metric, stop = refscore.WER(), threading.Event()

    def change():
        while not stop.is_set():
            for entry in references:
                entry.append("".join(entry[-1]))
                entry.pop()
            hypotheses.sort()
            hypotheses.reverse()

    changing = threading.Thread(target=change)
    changing.start()
    try:
        for result in in_threads(lambda: [metric.segments(hypotheses, references, threads=2) for _ in range(10)]):
            assert all(len(scores) == len(HYPOTHESES) and np.isfinite(scores).all() for scores in result)
    finally:
        stop.set()
        changing.join()


def test_normalizers():
    texts = [chr(code) + " " + text for code, text in zip(range(0x80, 0x3000, 97), HYPOTHESES * 2, strict=False)]
    names = ["whisper-en", "whisper-basic", "nopunct", "NFKC"]
    results = in_threads(lambda: [normalizers.get(name).normalize_all(texts) for name in names])
    assert results == [results[0]] * THREADS
    assert results[0] == [normalizers.get(name).normalize_all(texts) for name in names]


def test_sums():
    rows = np.linspace(-1, 1, 1000).reshape(250, 4) ** 3 * np.geomspace(1e-200, 1e200, 4)
    sums, expected = ExactRowSums(1, 4), ExactRowSums(1, 4)
    in_threads(lambda: [sums.add(rows) for _ in range(20)])
    for _ in range(20 * THREADS):
        expected.add(rows)
    np.testing.assert_array_equal(sums.rows(), expected.rows())
