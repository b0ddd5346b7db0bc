"""`refscore.limits`: what is too long is refused with its place, everywhere, and nothing else changes."""

import threading

import numpy as np
import pytest

import refscore
from refscore import LimitError, limits
from refscore.metrics import METRICS

SHORT, LONG = "a b c d", "a b c d e f g h"
CASES = ["corpus", "stats", "segments", "total"]


def metric_of(name):
    metric = METRICS[name]()
    return metric.fit([SHORT]) if name == "nist" else metric


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", CASES)
@pytest.mark.parametrize("name", METRICS)
def test_every_metric_refuses(name, method, threads):
    metric = metric_of(name)
    call = getattr(metric, method)
    hypotheses, references = [SHORT] * 200, [[SHORT, SHORT]] * 200
    expected = metric.stats(hypotheses, references)
    with limits(max_tokens=7, max_references=2):
        assert np.array_equal(metric.stats(hypotheses, references, threads=threads), expected)
        with pytest.raises(LimitError, match=r"^hypotheses\[150\] has \d+ tokens, and max_tokens is 7$") as raised:
            call([*hypotheses[:150], LONG, SHORT, LONG] + [SHORT] * 47, references, threads=threads)
        assert (raised.value.segment, raised.value.reference) == (150, None)
        with pytest.raises(LimitError, match=r"^references\[3\]\[1\] has \d+ tokens, and max_tokens is 7$") as raised:
            call(hypotheses, [*references[:3], [SHORT, LONG], *references[4:]], threads=threads)
        assert (raised.value.segment, raised.value.reference) == (3, 1)
        with pytest.raises(LimitError, match=r"^references\[9\] has 3 references, and max_references is 2$"):
            call(hypotheses, [*references[:9], [SHORT] * 3, *references[10:]], threads=threads)
    call([LONG], [LONG])


@pytest.mark.parametrize("name", METRICS)
def test_single_segments_pairs_and_prepared_references(name):
    metric = metric_of(name)
    prepared = metric.prepare([LONG])
    with limits(max_tokens=7):
        for call in (metric.segment, metric.value_and_row, metric.explain):
            with pytest.raises(LimitError, match=r"^hypothesis has \d+ tokens, and max_tokens is 7$"):
                call(LONG, [SHORT])
            with pytest.raises(LimitError, match=r"^references\[1\] has \d+ tokens|^references has \d+ tokens"):
                call(SHORT, [SHORT, LONG])
        with pytest.raises(LimitError, match=r"^hypotheses\[1\] has"):
            metric.pairwise([SHORT, LONG], [SHORT])
        with pytest.raises(LimitError, match=r"^references\[1\] has"):
            metric.pairwise([SHORT], [SHORT, LONG])
        with pytest.raises(LimitError, match=r"^references\[0\] has"):
            metric.corpus([SHORT], prepared)
        with pytest.raises(LimitError, match=r"^references\[1\] has"):
            metric.prepare([SHORT, LONG])
    assert metric.corpus([LONG], prepared).value >= 0


def test_tokens_are_those_after_the_tokenizer():
    with limits(max_tokens=3):
        assert refscore.bleu(["a b."], ["a b."], max_order=1).value == 1
        with pytest.raises(LimitError, match="has 4 tokens"):
            refscore.bleu(["a b.)"], ["a b."])
        assert refscore.bleu(["a b.)"], ["a b."], tokenizer="none").value == 0
        with pytest.raises(LimitError, match="has 4 tokens"):
            refscore.bleu([[1, 2, 3, 4]], [[[1]]])
        with pytest.raises(LimitError, match="has 4 tokens"):
            refscore.bleu([list("abcd")], [[["a"]]])
        with pytest.raises(LimitError, match="has 5 tokens"):
            refscore.bleu(["a b c d e"], ["a"], tokenizer=str.split)


def test_blocks_of_python_tokenizers_count_on():
    hypotheses = [SHORT] * 5000
    hypotheses[4321] = LONG
    with limits(max_tokens=7), pytest.raises(LimitError, match=r"hypotheses\[4321\]"):
        refscore.bleu(hypotheses, [SHORT] * 5000, tokenizer=str.split)


def test_sets_and_choices():
    with limits(max_tokens=7):
        with pytest.raises(LimitError, match=r"hypotheses\[1\] has 8 tokens"):
            refscore.self_bleu([SHORT, LONG])
        with pytest.raises(LimitError, match=r"hypotheses\[1\] has 8 tokens"):
            refscore.distinct_n([SHORT, LONG])
        with pytest.raises(refscore.InputError, match="has 8 tokens, and max_tokens is 7"):
            refscore.mbr.choose([SHORT, LONG], metric="bleu")
        with pytest.raises(refscore.InputError, match="tokens, and max_tokens is 7"):
            refscore.mbr.choose([SHORT, LONG], metric="chrf", aggregate=True)
        with pytest.raises(LimitError):
            refscore.compat.jiwer.process_words(SHORT, LONG)
        with pytest.raises(LimitError):
            refscore.compat.jiwer.wer(SHORT, LONG)


def test_limits_in_limits_only_become_narrower():
    with limits(max_tokens=7):
        with limits(max_tokens=100, max_references=1), pytest.raises(LimitError, match="max_tokens is 7"):
            refscore.bleu([LONG], [SHORT])
        with limits(max_tokens=4), pytest.raises(LimitError, match="max_tokens is 4"):
            refscore.bleu(["a b c d e"], [SHORT])
        refscore.bleu(["a b c d e"], [[SHORT, SHORT]])
    refscore.bleu([LONG], [SHORT])


def test_they_hold_for_one_thread():
    values = []
    with limits(max_tokens=7):
        other = threading.Thread(target=lambda: values.append(refscore.bleu([LONG], [LONG]).value))
        other.start()
        other.join()
    assert values == [1.0]


@pytest.mark.parametrize("value", [0, -1, 1.5, True, "many"])
def test_limits_that_are_none(value):
    with pytest.raises(refscore.SettingError, match="max_tokens must be a whole number of at least 1"):
        limits(max_tokens=value).__enter__()
