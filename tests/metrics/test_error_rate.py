"""WER and CER: alignments compared with jiwer, rapidfuzz and the definition; settings, special values and errors."""

import itertools
import threading

import jiwer
import numpy as np
import pytest
from hypothesis import given, strategies as st
from rapidfuzz.distance import Levenshtein

import refscore
from refscore import CER, WER
from refscore.metrics import EditRun
from tests import strategies
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import compare
from tests.examples import examples
from tests.locations import raises_at
from tests.originals.error_rate import ORIGINALS
from tests.reference import edits as oracle

# Alignments

KINDS = {
    "equal": "hit",
    "substitute": "substitution",
    "replace": "substitution",
    "delete": "deletion",
    "insert": "insertion",
}
METRICS = {
    "wer": WER(),
    "cer": CER(),
    "lowercase": WER(lowercase=True),
    "normalized": WER(normalize="NFKC"),
    "function": WER(tokenizer=str.split),
}


def check_runs(runs):
    """Check the ranges of the runs, and return one kind per step."""
    kinds, ref, hyp = [], 0, 0
    for run in runs:
        assert isinstance(run, EditRun)
        assert (run.reference_begin, run.hypothesis_begin) == (ref, hyp)
        ref, hyp = run.reference_end, run.hypothesis_end
        size = max(ref - run.reference_begin, hyp - run.hypothesis_begin)
        assert (ref > run.reference_begin) == (run.kind != "insertion")
        assert (hyp > run.hypothesis_begin) == (run.kind != "deletion")
        kinds += [run.kind] * size
    assert all(run.kind != after.kind for run, after in itertools.pairwise(runs))
    return kinds


def check(metric, hypotheses, references, expected):
    """Compare alignments and counts with the expected kinds of edits, one reference for each hypothesis."""
    for threads in (1, 3):
        runs = metric.alignments(hypotheses, [[reference] for reference in references], threads=threads)
        assert list(map(check_runs, runs)) == expected
    rows = metric.stats(hypotheses, [[reference] for reference in references]).tolist()
    for hypothesis, reference, kinds, row in zip(hypotheses, references, expected, rows, strict=True):
        edits = metric.alignment(hypothesis, reference)
        assert [edit.kind for edit in edits] == kinds
        words, targets = metric.pipeline.words(hypothesis), metric.pipeline.words(reference)
        assert [edit.reference for edit in edits if edit.kind != "insertion"] == list(targets)
        assert [edit.hypothesis for edit in edits if edit.kind != "deletion"] == list(words)
        counts = metric.counts(hypothesis, reference)
        assert counts == tuple(kinds.count(kind) for kind in ("hit", "substitution", "deletion", "insertion"))
        assert (type(counts), {*map(type, counts)}, list(counts)) == (tuple, {int}, row)


def jiwer_kinds(process, reference, hypothesis):
    """Return jiwer's alignment, one word or character at a time."""
    return [
        KINDS[chunk.type]
        for chunk in process(reference, hypothesis).alignments[0]
        for _ in range(max(chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx))
    ]


def rapidfuzz_kinds(reference, hypothesis):
    return [
        KINDS[code.tag]
        for code in Levenshtein.opcodes(reference, hypothesis)
        for _ in range(max(code.src_end - code.src_start, code.dest_end - code.dest_start))
    ]


@pytest.mark.parametrize("name", METRICS)
@given(corpus=TEXT.drawn)
@examples(100)
def test_text(name, corpus):
    hypotheses, references = corpus[0], [refs[0] for refs in corpus[1]]
    metric = METRICS[name]
    if name in ("wer", "cer"):
        process = jiwer.process_words if name == "wer" else jiwer.process_characters
        expected = [jiwer_kinds(process, *pair) for pair in zip(references, hypotheses, strict=True)]
    else:
        words = [[*map(metric.pipeline.words, texts)] for texts in (references, hypotheses)]
        expected = [rapidfuzz_kinds(*pair) for pair in zip(*words, strict=True)]
    check(metric, hypotheses, references, expected)


@given(corpus=st.one_of(TOKENS.drawn, IDS.drawn, OBJECTS.drawn))
@examples(240)
def test_tokens(corpus):
    references = [refs[0] for refs in corpus[1]]
    expected = [oracle.align(*pair) for pair in zip(references, corpus[0], strict=True)]
    check(WER(), corpus[0], references, expected)


SIZES = [0, 1, 2, 31, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("distinct", [3, *(pytest.param(count, marks=pytest.mark.slow) for count in (1, 2, 8, 1000))])
def test_sizes_around_words_of_64_bits(size, distinct):
    reference = strategies.random_tokens(1, size, distinct)
    others = [strategies.random_tokens(2, other, distinct) for other in (0, 1, 5, 64, 65, 130)]
    others += [strategies.noisy_copy(3, reference, rate, -1) for rate in (0.1, 0.5)]
    check(WER(), others, [reference] * len(others), [oracle.align(reference, other) for other in others])
    check(WER(), [reference] * len(others), others, [oracle.align(other, reference) for other in others])
    compare(ORIGINALS[-1], others, [[reference] for _ in others])


# From about 2,000 tokens, rapidfuzz splits the table, and so does refscore. From about 4,000, it tries a narrow band.
LARGE = [(500, 480), (513, 511), (2048, 2047), (2100, 3000), (5000, 4000), (64, 40_000), (65, 40_000)]


@pytest.mark.parametrize(("size", "other"), LARGE)
@pytest.mark.parametrize("distinct", [2, 50, 100_000])
def test_large(size, other, distinct):
    reference = strategies.random_tokens(4, size, distinct)
    for hypothesis in (
        strategies.random_tokens(5, other, distinct),
        *(strategies.noisy_copy(5, reference, rate, -1) for rate in (0.002, 0.05, 0.6)),
    ):
        check(WER(), [hypothesis], [reference], [rapidfuzz_kinds(reference, hypothesis)])


@pytest.mark.slow
@pytest.mark.parametrize(("size", "other"), [(470_000, 9), (470_000, 10), (100_000, 100_000)])
def test_very_large(size, other):
    """With fewer than 10 hypothesis tokens, a table of any size is never split."""
    reference = strategies.random_tokens(4, size, 50 if other < size else 20_000)
    hypothesis = (
        strategies.random_tokens(5, other, 50) if other < size else strategies.noisy_copy(7, reference, 0.05, -1)
    )
    expected = rapidfuzz_kinds(reference, hypothesis)
    assert [edit.kind for edit in WER().alignment(hypothesis, reference)] == expected
    assert WER().segment(hypothesis, [reference]).errors == len(expected) - expected.count("hit")


def test_everything_inserted_at_the_beginning():
    """The best path goes through the corner of the split table."""
    reference = list(range(1, 200))
    for hypothesis in ([0] * 20_000 + reference[:-1] + [-1], [-1, *reference[1:]] + [0] * 20_000):
        for pair in ((reference, hypothesis), (hypothesis, reference)):
            check(WER(), [pair[1]], [pair[0]], [rapidfuzz_kinds(*pair)])


@pytest.mark.parametrize("rate", [0.3, 0.6])
@pytest.mark.generated
def test_ties_at_the_beginning_of_a_split(rate):
    """Both copies are in the second half, so a best split leaves the first half without reference tokens."""
    for seed in range(examples(30).max_examples):
        reference = strategies.random_tokens(seed, 100, 20)
        first, second = (strategies.noisy_copy(f"{seed}/{number}", reference, rate, -1) for number in range(2))
        hypothesis = [-1] * 22_000 + first + [-1] * 50 + second + [-1] * 20_000
        check(WER(), [hypothesis], [reference], [rapidfuzz_kinds(reference, hypothesis)])


def test_arrays_and_batches():
    array = np.array([1, 2, 3])
    assert WER().counts(array, array[:2]) == (2, 0, 0, 1)
    batch = refscore.inputs.padded(np.array([[1, 2, 0], [3, 0, 0]]), pad_id=0)
    runs = WER().alignments(batch, [[[1, 2]], [[4]]])
    assert [[run.kind for run in segment] for segment in runs] == [["hit"], ["substitution"]]
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
    ("pair", "location"),
    [
        ((None, "a"), {"side": "hypothesis"}),
        (("a", None), {"side": "references"}),
        (("a", ["a"]), {"side": "references", "reference": 0}),
        ((["a"], "a"), {"side": "references"}),
        ((b"a", "a"), {"side": "hypothesis"}),
    ],
)
def test_mistakes_with_one_pair(pair, location):
    with raises_at(refscore.InputError, **location):
        WER().counts(*pair)


def test_mistakes_with_alignments():
    for references, location in [
        (["a", ["b", "c"]], {"side": "references", "segment": 1}),
        (WER().prepare(["a", "b"]), {}),
        (["a"], {}),
    ]:
        with raises_at(refscore.InputError, **location):
            WER().alignments(["a", "b"], references)
    with pytest.raises(refscore.SettingError, match="threads"):
        WER().alignments(["a"], ["a"], threads=0)


# Settings and special values


def test_the_lowest_rate_counts_and_the_first_of_equals():
    for hypothesis, references, row in [
        ("a b c d", ["a x", "a b c x"], [3, 1, 0, 0]),  # 1 error in 2 words is worse than 1 in 4
        ("a b", ["a x", "a b c d"], [1, 1, 0, 0]),  # 1/2 and 2/4 are the same rate
        ("a b", ["a b c d", "a x"], [2, 0, 2, 0]),
        ("a b", ["", "x y"], [0, 2, 0, 0]),  # a reference without words counts as one word
        ("a", ["x", ""], [0, 1, 0, 0]),
    ]:
        assert WER().segment(hypothesis, references).row.tolist() == row
    many = [" ".join(f"{i}x{j}" for j in range(20)) for i in range(5000)]
    assert WER().segment(many[-1], many).value == 0


@pytest.mark.parametrize("kind", [WER, CER])
def test_empty_texts(kind):
    assert kind().segment("", "").value == 0.0
    score = kind().segment("ab", "")
    assert (score.value, score.mer, score.wip, score.wil) == (float(score.insertions), 1.0, 0.0, 1.0)
    score = kind().segment("", "ab")
    assert (score.value, score.mer, score.wip, score.wil) == (1.0, 1.0, 0.0, 1.0)
    names = ["mer", "wil", "wip", "hits", "substitutions", "deletions", "insertions", "hyp_len", "ref_len"]
    assert sorted(score.details()) == sorted(names)
    assert str(score).startswith(f"{kind.__name__} = {score.percent:.2f} (hits = ")


def test_settings_act_only_on_text():
    assert WER(lowercase=True).segment(["A", "b"], [["a", "B"]]).value == 1
    assert WER(tokenizer="none").segment("a\tb", "a b").value == 0
    assert WER().segment("a\tb", "a b").value == 1
    assert CER(tokenizer="char").segment("ab", "a b").value == 0
    assert CER().segment("ab", "a b").value == pytest.approx(1 / 3)
    assert WER(tokenizer=lambda text: text.split(",")).counts("a,b c", "a,b") == (1, 1, 0, 0)


@pytest.mark.parametrize("metric", [WER(), CER(), refscore.GLEU()], ids=lambda metric: metric.name)
def test_mean_rows_have_the_score_of_summed_ones(metric):
    rows = metric.stats(["a b c", "a x", "q"], ["a b d", "a y z", "q r"])
    assert metric.score(rows.mean(0)).value == pytest.approx(metric.score(rows.sum(0)).value, rel=1e-12)
