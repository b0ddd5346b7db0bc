"""Published and recorded numbers of RIBES in every convention, and the treatment of special segments."""

import itertools
import math
from dataclasses import replace

import pytest

import refscore
from tests.reference import close
from tests.reference import ribes as oracle

RIBES = refscore.RIBES
PRESETS = ("official", "nltk", "nltk-3.9")

HYPOTHESES = [
    "It is a guide to action which ensures that the military always obeys the commands of the party",
    "he read the book because he was interested in world history",
]
REFERENCES = [
    [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ],
    ["he was interested in world history because he read the book"],
]
WORD_ORDER = [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]


def ranks(metric, hypothesis, reference):
    return [word.rank for word in metric.alignment(hypothesis, reference) if word.rank is not None]


# The corpus of two segments


@pytest.mark.parametrize(
    ("preset", "options", "value", "tolerance"),
    [
        ("official", {}, 0.5995009866, 1e-10),
        ("official", {"lowercase": False}, 0.5966246217, 1e-10),
        ("nltk", {}, 0.633, 5e-5),
        ("nltk-3.9", {}, 0.3597, 5e-5),
    ],
)
def test_corpus_values(preset, options, value, tolerance):
    score = RIBES.preset(preset, **options).corpus(HYPOTHESES, REFERENCES)
    assert score.value == pytest.approx(value, rel=0, abs=tolerance)
    assert refscore.ribes(HYPOTHESES, REFERENCES, preset=preset, **options) == score


def test_corpus_as_it_is_shown():
    score = refscore.ribes(HYPOTHESES, REFERENCES)
    nkt, precision, penalty = score.nkt, score.precision, score.brevity_penalty
    parts = f"NKT = {nkt:.3f} P = {precision:.3f} BP = {penalty:.3f}"
    assert str(score) == f"RIBES = 59.95 ({parts} segments = 2)"


# Alignments


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("Bob hit John yesterday", "John hit Bob yesterday", [2, 1, 0, 3]),
        ("the book was read by the boy", "the boy read the book", [3, 4, 2, 0, 1]),
        ("a x c x b", "a x b", [0, 1, 1, 2]),
    ],
)
def test_alignments(preset, hypothesis, reference, expected):
    metric = RIBES.preset(preset)
    assert ranks(metric, hypothesis, reference) == expected
    assert ranks(metric, hypothesis.split(), reference.split()) == expected


def test_alignment_where_the_order_of_contexts_decides():
    """In the paper's example, both the second `he` and the last one of the reference follow `because`."""
    for preset in ("nltk", "nltk-3.9"):
        assert ranks(RIBES.preset(preset), HYPOTHESES[1], REFERENCES[1][0]) == WORD_ORDER
        left = RIBES.preset(preset, first_context="left")
        assert ranks(left, HYPOTHESES[1], REFERENCES[1][0]) == [7, 8, 9, 10, 6, 7, 1, 2, 3, 4, 5]
    assert ranks(RIBES(), HYPOTHESES[1], REFERENCES[1][0]) == [7, 8, 9, 10, 6, 7, 1, 2, 3, 4, 5]
    assert ranks(RIBES(), "b c b", "c b c") == [1, 2, 1]
    assert [word.context for word in RIBES().alignment("b c b", "c b c")] == [(0, 2), (0, 2), (1, 3)]
    right = RIBES(first_context="right")
    assert ranks(right, "b c b", "c b c") == [1, 0, 1]
    assert [word.context for word in right.alignment("b c b", "c b c")] == [(0, 2), (1, 3), (1, 3)]


def test_alignment_names_words_ranks_and_contexts():
    aligned = RIBES().alignment("The book WAS read by the boy", "the boy read the book")
    assert [word.word for word in aligned] == ["the", "book", "was", "read", "by", "the", "boy"]
    assert [word.rank for word in aligned] == [3, 4, None, 2, None, 0, 1]
    assert [word.context for word in aligned] == [(0, 2), (1, 2), None, (3, 4), None, (5, 7), (6, 7)]
    assert isinstance(aligned[0], refscore.metrics.AlignedWord)
    assert aligned[0] == ("the", 3, (0, 2))
    assert RIBES().alignment("", "a") == RIBES().alignment([], ["a"]) == ()


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [("a", ["a"]), (["a"], "a"), (None, "a"), ("a", 5), ([["a"]], ["a"]), (["a"], [["a"]])],
)
def test_alignments_of_what_cannot_be_aligned(hypothesis, reference):
    with pytest.raises(refscore.InputError):
        RIBES().alignment(hypothesis, reference)


def test_the_limit_of_nltk_cuts_the_widest_left_context_off():
    """The last of several equal words is decided by the whole sentence, a context that NLTK does not try there."""
    for size in (2, 3, 10, 65):
        text = " ".join(["c"] * size)
        assert ranks(RIBES(), text, text) == [0, size - 1]
        assert ranks(RIBES(context_limit="nltk"), text, text) == ([0, 1] if size == 2 else [0])


# Single segments


@pytest.mark.parametrize(
    ("preset", "hypothesis", "reference", "value"),
    [
        ("official", "c c c", "c c c", 0.9036020036),
        ("nltk", "c c c", "c c c", 0.0),
        ("nltk-3.9", "c c c", "c c c", 0.0),
        ("official", "a x y", "a", 0.7598356857),
        ("nltk", "a x y", "a", 0.0),
        ("nltk-3.9", "a x y", "a", 0.0),
    ],
)
def test_segment_values(preset, hypothesis, reference, value):
    assert RIBES.preset(preset).segment(hypothesis, reference).value == pytest.approx(value, rel=0, abs=1e-10)


@pytest.mark.parametrize(
    ("correlation", "value"), [("tau", 0.382), ("tau-nltk", 0.382), ("tau-runs", 0.382), ("rho", 0.205)]
)
def test_correlations_of_the_paper(correlation, value):
    for preset in PRESETS:
        metric = RIBES.preset(preset, correlation=correlation, first_context="right")
        score = metric.segment(HYPOTHESES[1], REFERENCES[1])
        assert score.nkt == pytest.approx(value, abs=5e-4)
        assert (score.precision, score.brevity_penalty) == (1.0, 1.0)
        assert score.value == score.nkt
    exact = {"rho": ((1 - 350 / math.comb(12, 3)) + 1) / 2}.get(correlation, 21 / 55)
    assert score.nkt == pytest.approx(exact, rel=1e-12)
    assert 2 * score.nkt - 1 == pytest.approx(-0.591 if correlation == "rho" else -0.236, abs=5e-4)


def test_ascending_is_strict():
    """[0, 1, 1, 2]: five of six pairs ascend; the two runs of +1 are 0 1 and 1 2."""
    for correlation, expected in [
        ("tau", 5 / 6),
        ("tau-nltk", 5 / 6),
        ("tau-runs", 2 / 6),
        ("rho", (2 - 2 * 0.5**2 / 10) / 2),
    ]:
        score = RIBES(correlation=correlation).segment("a x c x b", "a x b")
        assert score.nkt == pytest.approx(expected, rel=1e-12)
        assert score.precision == 0.8
        assert score.brevity_penalty == 1.0
    assert refscore.metrics.ascending_pairs([0, 1, 1, 2]) == 5


def test_rho_ranks_first_and_so_stays_between_0_and_1():
    """Positions 5 and 9 are ranks 1 and 2; equal positions share the mean of their ranks."""
    metric = RIBES(correlation="rho")
    reference = list("abcdefghij")
    assert metric.segment(list("fj"), [reference]).nkt == 1.0
    assert metric.segment(list("jf"), [reference]).nkt == 0.0
    assert metric.segment(list("ajbf"), [reference]).nkt == pytest.approx((2 - 6 / 10) / 2, rel=1e-12)
    tied = metric.segment("b c b", "c b c")  # ranks 1, 2, 1: 1.5, 3, 1.5
    assert tied.nkt == pytest.approx((2 - (0.5**2 + 1 + 1.5**2) / 4) / 2, rel=1e-12)


def test_the_best_reference_and_the_first_of_equals():
    row = RIBES().stats(["a b c d"], [["d c b a", "a b c d", "a b d c", "a b c d"]])[0]
    assert row.tolist() == [1.0, 1.0, 1.0, 1.0, 1.0]
    first = RIBES().stats(["b a x"], [["a b", "x y z w", "b"]])[0]
    assert first.tolist() == RIBES().stats(["b a x"], [["b"]])[0].tolist()
    equal = RIBES().stats(["b a x"], [["a b", "x y z w"]])[0]
    assert equal.tolist() == RIBES().stats(["b a x"], ["a b"])[0].tolist()
    other = RIBES().stats(["b a x"], [["x y z w", "a b"]])[0]
    assert other.tolist() == RIBES().stats(["b a x"], ["x y z w"])[0].tolist()
    assert equal.tolist() != other.tolist()


# Special cases

SHORTER = math.exp(1 - 4 / 3)
NO_MATCH, SKIPPED = [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]
# hypothesis, references, the row of both presets of NLTK, and that of the preset official if it differs
SPECIAL = {
    "empty hypothesis": ("", ["a b"], [0, 0, 0, 0, 1]),
    "empty hypothesis, several references": ("", ["a b", "c"], [0, 0, 0, 0, 1]),
    "blank hypothesis": (" \t\u3000", ["a b"], [0, 0, 0, 0, 1]),
    "no common word": ("a b c", ["w x y z"], [0, 0, 0, SHORTER, 1]),
    "one common word": ("a b c", ["x a"], [0, 0, 1 / 3, 1, 1]),
    "one common word, reference of one": ("a b c", ["a"], [0, 0, 1 / 3, 1, 1], [3**-0.25, 1, 1 / 3, 1, 1]),
    "one word each": ("a", ["a"], [0, 0, 1, 1, 1], [1, 1, 1, 1, 1]),
    "one word each, another": ("a", ["b"], NO_MATCH),
    "one word twice": ("a a", ["a"], NO_MATCH),
    "one word in a long reference": ("a", ["a b c d"], [0, 0, 1, math.exp(-3), 1]),
    "two words": ("a b", ["a b"], [1, 1, 1, 1, 1]),
    "two words, other way round": ("a b", ["b a"], [0, 0, 1, 1, 1]),
    "two words of four": ("a b", ["a b c d"], [math.exp(-0.1), 1, 1, math.exp(-1), 1]),
    "four words for two": ("a b x y", ["a b"], [0.5**0.25, 1, 0.5, 1, 1]),
}
# hypothesis, references, and the row where an empty reference scores 0 and where it is skipped
EMPTY = {
    "empty reference": ("a b", [""], NO_MATCH, SKIPPED),
    "blank reference": ("a b", [" \n\x85"], NO_MATCH, SKIPPED),
    "all references empty": ("a b", ["", ""], NO_MATCH, SKIPPED),
    "both empty": ("", [""], [0, 0, 0, 0, 1], SKIPPED),
    "one reference empty": ("a b", ["", "a b"], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]),
    "the other reference empty": ("a b", ["a b", ""], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]),
    "one empty, the other without common words": ("a b c", ["", "w x y z"], NO_MATCH, [0, 0, 0, SHORTER, 1]),
    "one without common words, the other empty": ("a b c", ["w x y z", ""], *[[0, 0, 0, SHORTER, 1]] * 2),
    "empty hypothesis, one reference empty": ("", ["a", ""], *[[0, 0, 0, 0, 1]] * 2),
}


def both_forms(hypothesis, references):
    """Return the segment as text and as tokens."""
    return (hypothesis, references), (hypothesis.split(), [text.split() for text in references])


def check(metric, hypothesis, references, expected):
    for segment in both_forms(hypothesis, references):
        rows, values = (method(*([part] for part in segment)) for method in (metric.stats, metric.segments))
        assert all(map(close, rows[0].tolist(), expected)), rows
        assert close(values[0], expected[0])
        if expected is SKIPPED:
            with pytest.raises(refscore.InputError):
                metric.segment(*segment)
            with pytest.raises(refscore.InputError):
                metric.corpus(*([part] * 3 for part in segment))
            continue
        score = metric.segment(*segment)
        shown = score.value, score.nkt, score.precision, score.brevity_penalty, score.segments
        assert all(map(close, shown, expected))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("case", SPECIAL.values(), ids=SPECIAL)
def test_special_cases(preset, case):
    hypothesis, references, *rows = case
    check(RIBES.preset(preset), hypothesis, references, rows[-1 if preset == "official" else 0])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("hypothesis", "references", "zero", "skip"), EMPTY.values(), ids=EMPTY)
def test_empty_references(preset, hypothesis, references, zero, skip):
    check(RIBES.preset(preset, empty_reference="zero"), hypothesis, references, zero)
    check(RIBES.preset(preset, empty_reference="skip"), hypothesis, references, skip)
    metric = RIBES.preset(preset, empty_reference="error")
    for segment in both_forms(hypothesis, references):
        with pytest.raises(refscore.EmptyReferenceError):
            metric.segment(*segment)
        with pytest.raises(refscore.EmptyReferenceError):
            metric.stats(*([part] for part in segment))


@pytest.mark.parametrize("preset", PRESETS)
def test_skipped_segments_leave_the_mean(preset):
    metric = RIBES.preset(preset, empty_reference="skip")
    hypotheses, references = ["x y", *HYPOTHESES, "a"], [[""], *REFERENCES, ["", " "]]
    with_them, without = metric.corpus(hypotheses, references), metric.corpus(HYPOTHESES, REFERENCES)
    assert with_them.row.tolist() == pytest.approx(without.row.tolist(), rel=1e-12)
    zero = RIBES.preset(preset, empty_reference="zero").corpus(hypotheses, references)
    assert zero.segments == 4
    assert zero.value == pytest.approx(without.value / 2, rel=1e-12)


@pytest.mark.parametrize("empty", ["skip", "zero"])
@pytest.mark.parametrize("preset", PRESETS)
def test_all_pairs_of_special_texts(preset, empty):
    texts = ["", " ", "a", "a a", "a b", "b a", "a b c", "c c c", "a b a b", "x"]
    for correlation, (alpha, beta) in itertools.product(oracle.CORRELATIONS, [(0.25, 0.1), (0, 0), (1, 0)]):
        options = {"alpha": alpha, "beta": beta, "correlation": correlation, "empty_reference": empty}
        setting = replace(oracle.PRESETS[preset], **options)
        matrix = RIBES.preset(preset, **options).pairwise(texts, texts)
        for values, hypothesis in zip(matrix.tolist(), texts, strict=True):
            expected = [oracle.row(setting, hypothesis.split(), [text.split()])[0] for text in texts]
            assert all(map(close, values, expected))
