"""`limits`: input above a limit is rejected with its location, everywhere, and nothing else changes."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

import refscore
from refscore.errors import LimitError
from refscore.inputs import Input
from refscore.metrics import METRICS, limits
from refscore.metrics.core import runner
from tests.derived_sources import derive_sources, sources_of
from tests.locations import raises_at
from tests.python_metrics import Overlap

SHORT, LONG = "b c d", "b c d e f g h i"
METHODS = {
    "corpus": lambda metric: metric.corpus,
    "stats": lambda metric: metric.stats,
    "segments": lambda metric: metric.segments,
    "rows and counts": lambda metric: lambda *sides, threads: rows_and_counts(metric, *sides, threads),
}


BUILT_IN = [kind for kind in METRICS.values() if kind.__module__.startswith("refscore.")]


def rows_and_counts(metric, hypotheses, references, threads):
    if metric.needs_sources:
        return runner.rows_and_counts(metric.metric, Input(hypotheses, references, sources_of(references)), threads)
    return runner.rows_and_counts(metric, Input(hypotheses, references), threads)


def check_refused(call, *sides, at, named="tokens.* 7", **options):
    with raises_at(LimitError, named, **at):
        call(*sides, **options)


TOO_MANY = "3 references.* 2"


@pytest.fixture(params=[*BUILT_IN, Overlap], ids=lambda kind: kind.__name__)
def metric(request):
    # The tokenizer of these keeps a text as one token.
    whole = refscore.metrics.CompressionRatio, refscore.metrics.Latency
    settings = {"tokenizer": "none"} if request.param in whole else {}
    return derive_sources(request.param(**settings).fit([SHORT]))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", METHODS)
def test_every_metric_refuses(metric, method, threads):
    call = METHODS[method](metric)
    hypotheses, references = [SHORT] * 200, [[SHORT, SHORT]] * 200
    expected = metric.stats(hypotheses, references)
    long = [*hypotheses[:150], LONG, SHORT, LONG] + [SHORT] * 47
    with limits(max_tokens=7, max_references=2):
        assert np.array_equal(metric.stats(hypotheses, references, threads=threads), expected)
        for given, entries, at, named in [
            (long, references, {"side": "hypotheses", "segment": 150}, "tokens.* 7"),
            (hypotheses, replaced(references, 3, [SHORT, LONG]), {"segment": 3, "reference": 1}, "tokens.* 7"),
            (hypotheses, replaced(references, 9, [SHORT] * 3), {"segment": 9}, TOO_MANY),
        ]:
            check_refused(call, given, entries, at={"side": "references", **at}, named=named, threads=threads)
    call([LONG], [LONG], threads=threads)


def replaced(entries, index, entry):
    return [*entries[:index], entry, *entries[index + 1 :]]


def test_single_segments_pairs_and_prepared_references(metric):
    prepared = metric.prepare([LONG])
    with limits(max_tokens=7, max_references=2):
        for call in (metric.segment, metric.value_and_row, metric.explain):
            check_refused(call, LONG, [SHORT], at={"side": "hypothesis"})
            check_refused(call, SHORT, [SHORT, LONG], at={"side": "references", "reference": 1})
            check_refused(call, SHORT, LONG, at={"side": "references"})
            check_refused(call, SHORT, [SHORT] * 3, at={"side": "references"}, named=TOO_MANY)
        second, first = ({"side": "references", "segment": segment} for segment in (1, 0))
        check_refused(metric.pairwise, [SHORT, LONG], [SHORT], at={"side": "hypotheses", "segment": 1})
        check_refused(metric.pairwise, [SHORT], [SHORT, LONG], at=second)
        check_refused(metric.pairwise, [[SHORT], [SHORT]], [[SHORT], [LONG]], at={**first, "group": 1})
        check_refused(metric.corpus, [SHORT], prepared, at=first)
        check_refused(metric.prepare, [SHORT, LONG], at=second)
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


def test_other_functions():
    second = {"side": "references", "segment": 1}
    with limits(max_tokens=7, max_references=2):
        for diversity in (refscore.metrics.self_bleu, refscore.metrics.distinct_n):
            check_refused(diversity, [SHORT, LONG], at={"side": "hypotheses", "segment": 1})
        for settings in ({"metric": "bleu"}, {"metric": "chrf", "aggregate": True}):
            check_refused(refscore.mbr.choose, [SHORT, LONG], at={"side": "candidates", "segment": 1}, **settings)
        for name in ("wer", "ter", "ribes", "meteor"):
            check_refused(METRICS[name]().alignment, LONG, SHORT, at={"side": "hypothesis"})
            check_refused(METRICS[name]().alignment, SHORT, LONG, at={"side": "reference"})
        for references in ([SHORT, LONG], [[SHORT.split()], [LONG.split()]]):
            check_refused(refscore.NIST.fit, references, at=second)
        check_refused(refscore.NIST.fit, [SHORT, [SHORT, LONG]], at={**second, "reference": 1})
        check_refused(refscore.NIST.fit, [SHORT, [SHORT] * 3], at=second, named=TOO_MANY)


def test_drop_ins():
    meteor, long, short = refscore.compat.nltk.meteor_score, LONG.split(), SHORT.split()
    options = {"wordnet": SimpleNamespace(synsets=lambda word: [])}
    with limits(max_tokens=7, max_references=2):
        check_refused(meteor, [short], long, at={"side": "hypothesis"}, **options)
        check_refused(meteor, [short, long], short, at={"side": "references", "reference": 1}, **options)
        check_refused(meteor, [short] * 3, short, at={"side": "references"}, named=TOO_MANY, **options)
        check_refused(refscore.compat.nltk.align_words, short, long, at={"side": "reference"}, **options)
        for error_rate in (refscore.compat.jiwer.process_words, refscore.compat.jiwer.wer):
            with pytest.raises(LimitError):
                error_rate(SHORT, LONG)


def test_line_ends_are_not_tokens():
    metric = refscore.ROUGE(variant="Lsum")
    text, tokens = "a b\n\nc\nd e\nf", ["a", "\n", "b", "c", "\n", "d"]
    longer = f"{text}\ng"
    with limits(max_tokens=6):
        assert metric.corpus([text], [text]).value == metric.corpus([tokens], [[tokens]]).value == 1
        assert metric.corpus([text], metric.prepare([text])).value == metric.pairwise([text], [text])[0, 0] == 1
        for call in (metric.corpus, metric.pairwise):
            check_refused(call, [longer], [text], at={"side": "hypotheses", "segment": 0}, named="7 tokens")
            check_refused(call, [text], [longer], at={"side": "references", "segment": 0}, named="7 tokens")


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
