"""`refscore.limits`: input above a limit is rejected with its location, everywhere, and nothing else changes."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

import refscore
from refscore import LimitError, limits
from refscore.metrics import METRICS
from refscore.metrics.core import runner
from tests.locations import raises_at
from tests.python_metrics import Overlap

SHORT, LONG = "a b c d", "a b c d e f g h"
TOKENS, REFERENCES = "tokens.* 7", "3 references.* 2"
METHODS = {
    "corpus": lambda metric: metric.corpus,
    "stats": lambda metric: metric.stats,
    "segments": lambda metric: metric.segments,
    "rows and counts": lambda metric: lambda *sides, threads: runner.rows_and_counts(metric, *sides, threads),
}


BUILT_IN = [kind for kind in METRICS.values() if kind.__module__.startswith("refscore.")]


@pytest.fixture(params=[*BUILT_IN, Overlap], ids=lambda kind: kind.__name__)
def metric(request):
    return request.param().fit([SHORT])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", METHODS)
def test_every_metric_refuses(metric, method, threads):
    call = METHODS[method](metric)
    hypotheses, references = [SHORT] * 200, [[SHORT, SHORT]] * 200
    expected = metric.stats(hypotheses, references)
    with limits(max_tokens=7, max_references=2):
        assert np.array_equal(metric.stats(hypotheses, references, threads=threads), expected)
        with raises_at(LimitError, TOKENS, side="hypotheses", segment=150):
            call([*hypotheses[:150], LONG, SHORT, LONG] + [SHORT] * 47, references, threads=threads)
        with raises_at(LimitError, TOKENS, side="references", segment=3, reference=1):
            call(hypotheses, [*references[:3], [SHORT, LONG], *references[4:]], threads=threads)
        with raises_at(LimitError, REFERENCES, side="references", segment=9):
            call(hypotheses, [*references[:9], [SHORT] * 3, *references[10:]], threads=threads)
    call([LONG], [LONG], threads=threads)


def test_single_segments_pairs_and_prepared_references(metric):
    prepared = metric.prepare([LONG])
    with limits(max_tokens=7, max_references=2):
        for call in (metric.segment, metric.value_and_row, metric.explain):
            with raises_at(LimitError, TOKENS, side="hypothesis"):
                call(LONG, [SHORT])
            with raises_at(LimitError, TOKENS, side="references", reference=1):
                call(SHORT, [SHORT, LONG])
            with raises_at(LimitError, TOKENS, side="references"):
                call(SHORT, LONG)
            with raises_at(LimitError, REFERENCES, side="references"):
                call(SHORT, [SHORT] * 3)
        with raises_at(LimitError, side="hypotheses", segment=1):
            metric.pairwise([SHORT, LONG], [SHORT])
        with raises_at(LimitError, side="references", segment=1):
            metric.pairwise([SHORT], [SHORT, LONG])
        with raises_at(LimitError, side="references", group=1, segment=0):
            metric.pairwise([[SHORT], [SHORT]], [[SHORT], [LONG]])
        with raises_at(LimitError, side="references", segment=0):
            metric.corpus([SHORT], prepared)
        with raises_at(LimitError, side="references", segment=1):
            metric.prepare([SHORT, LONG])
    assert metric.corpus([LONG], prepared).value >= 0


def test_tokens_are_those_after_the_tokenizer():
    with limits(max_tokens=3):
        assert refscore.bleu(["a b."], ["a b."], max_order=1).value == 1
        assert refscore.bleu(["a b.)"], ["a b."], tokenizer="none").value == 0
        for hypothesis, reference, settings in [
            ("a b.)", "a b.", {}),
            ([1, 2, 3, 4], [[1]], {}),
            (list("abcd"), [["a"]], {}),
            ("a b c d", "a", {"tokenizer": str.split}),
        ]:
            with raises_at(LimitError, "4 tokens", side="hypotheses", segment=0):
                refscore.bleu([hypothesis], [reference], **settings)


def test_blocks_of_python_tokenizers_count_on():
    hypotheses = [SHORT] * 5000
    hypotheses[4321] = LONG
    with limits(max_tokens=7), raises_at(LimitError, side="hypotheses", segment=4321):
        refscore.bleu(hypotheses, [SHORT] * 5000, tokenizer=str.split)


def test_sets_and_choices():
    with limits(max_tokens=7):
        for diversity in (refscore.self_bleu, refscore.distinct_n):
            with raises_at(LimitError, "8 tokens", side="hypotheses", segment=1):
                diversity([SHORT, LONG])
        for settings in ({"metric": "bleu"}, {"metric": "chrf", "aggregate": True}):
            with raises_at(LimitError, "tokens", side="candidates", segment=1):
                refscore.mbr.choose([SHORT, LONG], **settings)
        for error_rate in (refscore.compat.jiwer.process_words, refscore.compat.jiwer.wer):
            with pytest.raises(LimitError):
                error_rate(SHORT, LONG)


@pytest.mark.parametrize("name", ["wer", "ter", "ribes", "meteor"])
def test_alignments(name):
    with limits(max_tokens=7):
        align = METRICS[name]().alignment
        with raises_at(LimitError, "8 tokens", side="hypothesis"):
            align(LONG, SHORT)
        with raises_at(LimitError, "8 tokens", side="reference"):
            align(SHORT, LONG)


def test_references_to_fit_on():
    with limits(max_tokens=7, max_references=2):
        for references in ([SHORT, LONG], [[SHORT.split()], [LONG.split()]]):
            with raises_at(LimitError, "8 tokens", side="references", segment=1):
                refscore.NIST.fit(references)
        with raises_at(LimitError, "8 tokens", side="references", segment=1, reference=1):
            refscore.NIST.fit([SHORT, [SHORT, LONG]])
        with raises_at(LimitError, REFERENCES, side="references", segment=1):
            refscore.NIST.fit([SHORT, [SHORT] * 3])


def test_words_of_nltk_s_meteor():
    meteor, long, short = refscore.compat.nltk.meteor_score, LONG.split(), SHORT.split()
    wordnet = SimpleNamespace(synsets=lambda word: [])
    with limits(max_tokens=7, max_references=2):
        with raises_at(LimitError, "8 tokens", side="hypothesis"):
            meteor([short], long, wordnet=wordnet)
        with raises_at(LimitError, "8 tokens", side="references", reference=1):
            meteor([short, long], short, wordnet=wordnet)
        with raises_at(LimitError, REFERENCES, side="references"):
            meteor([short] * 3, short, wordnet=wordnet)
        with raises_at(LimitError, "8 tokens", side="reference"):
            refscore.compat.nltk.align_words(short, long, wordnet=wordnet)


def test_line_ends_are_not_tokens():
    metric = refscore.ROUGE(variant="Lsum")
    text, tokens = "a b\n\nc\nd e\nf", ["a", "\n", "b", "c", "\n", "d"]
    longer = f"{text}\ng"
    with limits(max_tokens=6):
        assert metric.corpus([text], [text]).value == metric.corpus([tokens], [[tokens]]).value == 1
        assert metric.corpus([text], metric.prepare([text])).value == metric.pairwise([text], [text])[0, 0] == 1
        for call in (metric.corpus, metric.pairwise):
            with raises_at(LimitError, "7 tokens", side="hypotheses", segment=0):
                call([longer], [text])
            with raises_at(LimitError, "7 tokens", side="references", segment=0):
                call([text], [longer])


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
    with pytest.raises(refscore.SettingError, match="max_tokens"):
        limits(max_tokens=value).__enter__()
