"""WER and CER compared with jiwer and rapidfuzz: counts, measures and alignments."""

import random

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import refscore
from tests import strategies
from tests.reference import close

CALLS = {"WER": jiwer.process_words, "CER": jiwer.process_characters}
METRICS = {"WER": refscore.WER(), "CER": refscore.CER()}
KINDS = {
    "equal": "hit",
    "substitute": "substitution",
    "replace": "substitution",
    "delete": "deletion",
    "insert": "insertion",
}


def kinds(chunks):
    """Return jiwer's alignment chunks, one word at a time."""
    result = []
    for chunk in chunks:
        size = max(chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx)
        result += [KINDS[chunk.type]] * size
    return result


def check(name, hypotheses, references):
    """Compare each single pair, and all pairs as a corpus."""
    metric, call = METRICS[name], CALLS[name]
    rows = metric.stats(hypotheses, references)
    values = metric.segments(hypotheses, references)
    for hypothesis, reference, row, value in zip(hypotheses, references, rows, values, strict=True):
        original = call(reference, hypothesis)
        compare(metric.score(row), original)
        assert close(value, metric.score(row).value)
        edits = metric.alignment(hypothesis, reference)
        assert [edit.kind for edit in edits] == kinds(original.alignments[0])
        assert [edit.reference for edit in edits if edit.reference is not None] == original.references[0]
        assert [edit.hypothesis for edit in edits if edit.hypothesis is not None] == original.hypotheses[0]
    compare(metric.corpus(hypotheses, references), call(references, hypotheses))


def compare(score, original):
    for count in ("hits", "substitutions", "deletions", "insertions"):
        assert getattr(score, count) == getattr(original, count)
    # jiwer has these measures only for words; for characters they are defined the same way.
    if isinstance(original, jiwer.CharacterOutput):
        assert close(score.value, original.cer)
        return
    for measure in ("wer", "mer", "wil", "wip"):
        assert close(score.value if measure == "wer" else getattr(score, measure), getattr(original, measure)), measure


@pytest.mark.parametrize("name", METRICS)
@given(corpus=strategies.text_corpora)
@settings(max_examples=120, deadline=None)
def test_awkward_text(name, corpus):
    check(name, corpus[0], [refs[0] for refs in corpus[1]])


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("", ""),
        ("", "a b"),
        ("a b", ""),
        (" \t\n", "\u3000\x85"),
        ("a\tb", "a b"),
        ("a\t\tb", "a b"),
        ("a\nb c", "a\nb  c"),
        ("a \n b", "a b"),
        ("a\u2028b", "a\x85b"),
        ("a\x00b", "a b"),
        ("e\u0301 👍🏽", "é 👍"),
        ("\ud800 x", "\udfff x"),
        ("שלום עולם", "שלום"),
        ("今日は いい天気", "今日は悪い天気"),
        ("a a a a", "a"),
        ("b a b a b", "a b a b a"),
    ],
)
def test_cases(name, hypothesis, reference):
    check(name, [hypothesis], [reference])


def generated(seed, size, words, longest):
    generator = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(words)]
    references, hypotheses = [], []
    for _ in range(size):
        reference = generator.choices(vocabulary, k=generator.randrange(1, longest))
        references.append(" ".join(reference))
        hypothesis = [
            word if word != "changed" else generator.choice(vocabulary)
            for word in strategies.noisy_copy(generator.random(), reference, 0.4)
        ]
        hypotheses.append(" ".join(hypothesis))
    return hypotheses, references


@pytest.mark.parametrize("words", [1, 2, 3, 10, 500])
@pytest.mark.parametrize(("size", "longest"), [(400, 12), (200, 64), (60, 200)])
def test_generated_text(words, size, longest):
    check("WER", *generated(f"{words}/{size}", size, words, longest))


@pytest.mark.parametrize("words", [2, 30])
def test_generated_characters(words):
    check("CER", *generated(words, 60, words, 40))


def rapidfuzz_kinds(reference, hypothesis):
    result = []
    for code in Levenshtein.opcodes(reference, hypothesis):
        size = max(code.src_end - code.src_start, code.dest_end - code.dest_start)
        result += [KINDS[code.tag]] * size
    return result


# From about 2,000 tokens, rapidfuzz splits the table, and so does refscore. From about 4,000, it tries a narrow band.
LARGE = [(500, 480), (513, 511), (2048, 2047), (2100, 3000), (5000, 4000), (64, 40_000), (65, 40_000)]


@pytest.mark.parametrize(("size", "other"), LARGE)
@pytest.mark.parametrize("distinct", [2, 50, 100_000])
def test_large(size, other, distinct):
    reference = strategies.random_tokens(4, size, distinct)
    copies = [
        [-1 if token == "changed" else token for token in strategies.noisy_copy(5, reference, rate)]
        for rate in (0.002, 0.05, 0.6)
    ]
    for hypothesis in (strategies.random_tokens(5, other, distinct), *copies):
        metric = refscore.WER()
        expected = rapidfuzz_kinds(reference, hypothesis)
        assert [edit.kind for edit in metric.alignment(hypothesis, reference)] == expected
        row = metric.stats([hypothesis], [[reference]])[0].tolist()
        assert row == [expected.count(kind) for kind in ("hit", "substitution", "deletion", "insertion")]
        assert sum(row[1:]) == Levenshtein.distance(reference, hypothesis)


@pytest.mark.parametrize("other", [9, 10])
def test_large_beside_few(other):
    """With fewer than 10 hypothesis tokens, a table of any size is never split."""
    reference, hypothesis = strategies.random_tokens(4, 470_000, 50), strategies.random_tokens(5, other, 50)
    expected = rapidfuzz_kinds(reference, hypothesis)
    assert [edit.kind for edit in refscore.WER().alignment(hypothesis, reference)] == expected


def test_everything_inserted_at_the_beginning():
    """The best path goes through the corner of the split table."""
    reference = list(range(1, 200))
    for hypothesis in ([0] * 20_000 + reference[:-1] + [-1], [-1, *reference[1:]] + [0] * 20_000):
        expected = rapidfuzz_kinds(reference, hypothesis)
        assert [edit.kind for edit in refscore.WER().alignment(hypothesis, reference)] == expected
        expected = rapidfuzz_kinds(hypothesis, reference)
        assert [edit.kind for edit in refscore.WER().alignment(reference, hypothesis)] == expected


@pytest.mark.parametrize("rate", [0.3, 0.6])
def test_ties_at_the_beginning_of_a_split(rate):
    """Both copies are in the second half, so a best split leaves the first half without reference tokens."""
    for seed in range(30):
        reference = strategies.random_tokens(seed, 100, 20)
        copies = [strategies.noisy_copy(f"{seed}/{number}", reference, rate) for number in range(2)]
        first, second = ([-1 if token == "changed" else token for token in copy] for copy in copies)
        hypothesis = [-1] * 22_000 + first + [-1] * 50 + second + [-1] * 20_000
        expected = rapidfuzz_kinds(reference, hypothesis)
        row = refscore.WER().stats([hypothesis], [[reference]])[0].tolist()
        assert row == [expected.count(kind) for kind in ("hit", "substitution", "deletion", "insertion")]
        assert [edit.kind for edit in refscore.WER().alignment(hypothesis, reference)] == expected


@given(st.lists(st.integers(0, 3), max_size=150), st.lists(st.integers(0, 3), max_size=150))
@settings(max_examples=300, deadline=None)
def test_the_distance_is_rapidfuzz_s(hypothesis, reference):
    score = refscore.WER().segment(hypothesis, [reference])
    assert score.errors == Levenshtein.distance(reference, hypothesis)
    assert score.ref_len == len(reference)
    assert score.hyp_len == len(hypothesis)


def test_100_000_tokens():
    reference = strategies.random_tokens(6, 100_000, 20_000)
    hypothesis = [-1 if token == "changed" else token for token in strategies.noisy_copy(7, reference, 0.05)]
    score = refscore.WER().segment(hypothesis, [reference])
    assert score.errors == Levenshtein.distance(reference, hypothesis)


def test_case_counts():
    assert refscore.WER().segment("the cat", "The cat").value == jiwer.wer("The cat", "the cat") > 0
    assert refscore.CER().segment("the cat", "The cat").value == jiwer.cer("The cat", "the cat") > 0
