"""Counts of one pair and alignments of a corpus: fast paths to the results of scores and `alignment`."""

import itertools
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from refscore import CER, WER
from refscore.metrics import EditRun
from tests import strategies
from tests.examples import examples
from tests.locations import raises_at

METRICS = {
    "wer": WER(),
    "cer": CER(),
    "lowercase": WER(lowercase=True),
    "normalized": WER(normalize="NFKC"),
    "function": WER(tokenizer=str.split),
}


def unrolled(runs):
    """Return one kind per step, and check the ranges of the runs."""
    kinds, ref, hyp = [], 0, 0
    for run in runs:
        assert isinstance(run, EditRun)
        assert (run.reference_begin, run.hypothesis_begin) == (ref, hyp)
        ref, hyp = run.reference_end, run.hypothesis_end
        size = max(ref - run.reference_begin, hyp - run.hypothesis_begin)
        assert size > 0
        assert (ref > run.reference_begin) == (run.kind != "insertion")
        assert (hyp > run.hypothesis_begin) == (run.kind != "deletion")
        kinds += [run.kind] * size
    assert all(run.kind != after.kind for run, after in itertools.pairwise(runs))
    return kinds


def check(metric, hypotheses, references):
    singles = [reference if isinstance(reference, str) else reference[0] for reference in references]
    pairs = list(zip(hypotheses, singles, strict=True))
    expected = [[edit.kind for edit in metric.alignment(*pair)] for pair in pairs]
    for threads in (1, 3):
        assert [*map(unrolled, metric.alignments(hypotheses, references, threads=threads))] == expected
    for pair, row in zip(pairs, metric.stats(hypotheses, references).tolist(), strict=True):
        counts = metric.counts(*pair)
        assert type(counts) is tuple
        assert list(counts) == row
        assert all(type(count) is int for count in counts)


@pytest.mark.parametrize("name", METRICS)
@given(corpus=strategies.text_corpora)
@examples(40)
def test_text(name, corpus):
    check(METRICS[name], corpus[0], [refs[0] for refs in corpus[1]])


tokens = st.lists(st.one_of(st.integers(0, 3), st.sampled_from("abcd")), max_size=12)


@given(pairs=st.lists(st.tuples(tokens, tokens), min_size=1, max_size=5))
@examples(60)
def test_tokens(pairs):
    check(WER(), [pair[0] for pair in pairs], [[pair[1]] for pair in pairs])


def test_arrays_and_batches():
    array = np.array([1, 2, 3])
    assert WER().counts(array, array[:2]) == (2, 0, 0, 1)
    batch = refscore.padded(np.array([[1, 2, 0], [3, 0, 0]]), pad_id=0)
    runs = WER().alignments(batch, [[[1, 2]], [[4]]])
    assert [[run.kind for run in segment] for segment in runs] == [["hit"], ["substitution"]]


@pytest.mark.parametrize("size", [1000, 3000, pytest.param(30_000, marks=pytest.mark.slow)])
def test_longer_than_what_is_done_at_once(size):
    reference = strategies.random_tokens(1, size, 50)
    hypothesis = [-1 if token == "changed" else token for token in strategies.noisy_copy(2, reference, 0.1)]
    check(WER(), [hypothesis, list(map(str, hypothesis))], [[reference], [list(map(str, reference))]])
    check(CER(), [" ".join(map(str, hypothesis))], [" ".join(map(str, reference))])


def test_an_empty_corpus():
    assert WER().alignments([], []) == []


def test_many_threads_at_once():
    """The scratch memory for one pair is per thread, and used by one metric at a time."""
    pairs = [(f"a b {i} c", f"A b {i + i % 2} d") for i in range(200)]
    expected = {name: [metric.segment(*pair).row.tolist() for pair in pairs] for name, metric in METRICS.items()}
    wrong = []

    def work():
        for i, pair in enumerate(pairs):
            wrong.extend(name for name, metric in METRICS.items() if list(metric.counts(*pair)) != expected[name][i])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    ("pair", "problem", "location"),
    [
        ((None, "a"), "is None", {"side": "hypothesis"}),
        (("a", None), "missing", {"side": "references"}),
        (("a", ["a"]), "is a token sequence", {"side": "references", "reference": 0}),
        ((["a"], "a"), "is text", {"side": "references"}),
        ((b"a", "a"), "is bytes", {"side": "hypothesis"}),
    ],
)
def test_mistakes_with_one_pair(pair, problem, location):
    with raises_at(refscore.InputError, problem, **location):
        WER().counts(*pair)
    assert WER().counts("a b", "a") == (1, 0, 0, 1)


def test_mistakes_with_alignments():
    with raises_at(refscore.InputError, side="references", segment=1):
        WER().alignments(["a", "b"], ["a", ["b", "c"]])
    for references, problem in [(WER().prepare(["a", "b"]), "prepared"), (["a"], "2 .* 1")]:
        with pytest.raises(refscore.InputError, match=problem):
            WER().alignments(["a", "b"], references)
    with pytest.raises(refscore.SettingError, match="threads"):
        WER().alignments(["a"], ["a"], threads=0)
