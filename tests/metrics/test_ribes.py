"""RIBES: published and recorded numbers, alignments, special segments, empty references, difficult sizes and shapes.

test_originals.py compares it with NLTK and with its definition.
"""

import itertools
import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import nltk.translate.ribes_score as nltk
import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from tests import strategies
from tests.corpora import IDS, OBJECTS, TEXTS, TOKENS
from tests.differential import compare
from tests.examples import examples
from tests.golden import ribes_pairs
from tests.originals.ribes import ORIGINALS, RULES
from tests.reference import close, ribes as oracle

RIBES = refscore.RIBES
NLTK, DEFINITION = ORIGINALS
PRESETS = tuple(oracle.PRESETS)
every_preset = pytest.mark.parametrize("preset", PRESETS)


def slow(sizes):
    return [pytest.param(size, marks=pytest.mark.slow) for size in sizes]


def ranks(metric, hypothesis, reference):
    return [word.rank for word in metric.alignment(hypothesis, reference) if word.rank is not None]


# Published and recorded numbers

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
RECORD = json.loads((Path(__file__).parent.parent / "golden" / "ribes_nltk391.json").read_text(encoding="utf-8"))


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
    parts = f"NKT = {score.nkt:.3f} P = {score.precision:.3f} BP = {score.brevity_penalty:.3f}"
    assert str(score) == f"RIBES = {100 * value:.2f} ({parts} segments = 2)"


@pytest.mark.parametrize("record", RECORD["corpora"], ids=lambda record: f"seed {record['seed']}")
def test_recorded_values_of_nltk_3_9(record):
    hypotheses, references = ribes_pairs.corpus(record["seed"], record["size"], record["longest"])
    assert ribes_pairs.digest(hypotheses, references) == record["digest"]
    for run in record["runs"]:
        metric = RIBES.preset("nltk-3.9", alpha=run["alpha"], beta=run["beta"])
        here = hypotheses[: len(run["sentences"])], references[: len(run["sentences"])]
        assert all(map(close, metric.segments(*here).tolist(), run["sentences"]))
        assert close(metric.corpus(*here).value, run["corpus"])
    # Both versions of NLTK give the same alignment.
    width = len(record["checksums"]) // record["size"]
    for i, (hypothesis, refs) in enumerate(zip(hypotheses, references, strict=True)):
        for name in ("nltk", "nltk-3.9") if refs[0] else ():
            found = ribes_pairs.checksum(ranks(RIBES.preset(name), hypothesis, refs[0]))
            assert found == record["checksums"][width * i : width * (i + 1)], (hypothesis, refs[0])


@pytest.mark.parametrize(
    ("correlation", "value"), [("tau", 0.382), ("tau-nltk", 0.382), ("tau-runs", 0.382), ("rho", 0.205)]
)
def test_correlations_of_the_paper(correlation, value):
    for preset in PRESETS:
        metric = RIBES.preset(preset, correlation=correlation, first_context="right")
        score = metric.segment(HYPOTHESES[1], REFERENCES[1])
        assert score.nkt == pytest.approx(value, abs=5e-4)
        assert (score.precision, score.brevity_penalty, score.value) == (1.0, 1.0, score.nkt)
    exact = ((1 - 350 / math.comb(12, 3)) + 1) / 2 if correlation == "rho" else 21 / 55
    assert score.nkt == pytest.approx(exact, rel=1e-12)


def test_equal_ranks():
    """[0, 1, 1, 2]: five of six pairs ascend; the two runs of +1 are 0 1 and 1 2; equal ranks share their mean."""
    for correlation, expected in {"tau": 5 / 6, "tau-nltk": 5 / 6, "tau-runs": 2 / 6, "rho": 0.975}.items():
        score = RIBES(correlation=correlation).segment("a x c x b", "a x b")
        assert (score.nkt, score.precision) == (pytest.approx(expected, rel=1e-12), 0.8)
    metric = RIBES(correlation="rho")
    for hypothesis, expected in {"fj": 1, "jf": 0, "ajbf": 0.7}.items():  # positions become ranks
        assert metric.segment(list(hypothesis), [list("abcdefghij")]).nkt == pytest.approx(expected, rel=1e-12)
    assert metric.segment("b c b", "c b c").nkt == pytest.approx((2 - (0.5**2 + 1 + 1.5**2) / 4) / 2, rel=1e-12)


# Alignments


def check_alignment(metric, hypothesis, reference):
    rules = metric.first_context, metric.context_limit
    aligned = metric.alignment(hypothesis, reference)
    expected = oracle.align_any(*rules, tuple(hypothesis), tuple(reference))
    assert (type(aligned), [word.word for word in aligned]) == (tuple, list(hypothesis))
    assert [(word.rank, word.context) for word in aligned] == [word or (None, None) for word in expected]
    assert all(word.rank is None or type(word.rank) is int for word in aligned)
    if rules == ("right", "nltk") and reference and len(hypothesis) <= 40:  # NLTK is slow
        assert ranks(metric, hypothesis, reference) == nltk.word_rank_alignment(reference, hypothesis)


ORDERS = [
    RIBES(first_context=first, context_limit=limit)
    for first, limit in itertools.product(oracle.FIRST_CONTEXTS, oracle.CONTEXT_LIMITS)
]


@given(st.one_of(TOKENS.drawn, IDS.drawn, OBJECTS.drawn), st.sampled_from(ORDERS))
@examples(300)
def test_alignments(corpus, metric):
    for hypothesis, refs in zip(*corpus, strict=True):
        check_alignment(metric, hypothesis, refs[0])


def test_published_alignments():
    """In the paper's last example, both the second `he` and the last one of the reference follow `because`."""
    pair = HYPOTHESES[1], REFERENCES[1][0]
    for preset in PRESETS:
        metric = RIBES.preset(preset)
        assert ranks(metric, "Bob hit John yesterday", "John hit Bob yesterday") == [2, 1, 0, 3]
        assert ranks(metric, "the book was read by the boy", "the boy read the book") == [3, 4, 2, 0, 1]
        for first, he in (("left", 7), ("right", 0)):
            assert ranks(RIBES.preset(preset, first_context=first), *pair) == [7, 8, 9, 10, 6, he, 1, 2, 3, 4, 5]
    aligned = RIBES().alignment("The book WAS read by the boy", "the boy read the book")
    assert [word.word for word in aligned] == ["the", "book", "was", "read", "by", "the", "boy"]
    assert [word.context for word in aligned] == [(0, 2), (1, 2), None, (3, 4), None, (5, 7), (6, 7)]
    assert isinstance(aligned[0], refscore.metrics.AlignedWord)
    assert aligned[0] == ("the", 3, (0, 2))
    for size in (2, 3, 10, 65):  # the whole sentence decides the last of several equal words, except in NLTK
        text = " ".join(["c"] * size)
        assert ranks(RIBES(), text, text) == [0, size - 1]
        assert ranks(RIBES(context_limit="nltk"), text, text) == ([0, 1] if size == 2 else [0])
    for wrong in [("a", ["a"]), (["a"], "a"), (None, "a"), ("a", 5), ([["a"]], ["a"]), (["a"], [["a"]])]:
        with pytest.raises(refscore.InputError):
            RIBES().alignment(*wrong)


def test_every_short_pair_of_two_words():
    sentences = [list(f"{number:0{size}b}") for size in range(1, 5) for number in range(2**size)]
    metric = RIBES.preset("nltk")
    matrix = metric.pairwise(sentences, sentences, tokens=True)
    for (i, hypothesis), (j, reference) in itertools.product(enumerate(sentences), repeat=2):
        assert close(matrix[i, j], nltk.sentence_ribes([reference], hypothesis)), (hypothesis, reference)
        check_alignment(metric, hypothesis, reference)


# Special segments

SHORTER = math.exp(1 - 4 / 3)
NO_MATCH, SKIPPED = [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]
# hypothesis, references, the row of both presets of NLTK, and that of the preset official if it differs
SPECIAL = {
    "empty hypothesis": ("", ["a b", "c"], [0, 0, 0, 0, 1]),
    "no common word": ("a b c", ["w x y z"], [0, 0, 0, SHORTER, 1]),
    "one common word": ("a b c", ["x a"], [0, 0, 1 / 3, 1, 1]),
    "one common word, reference of one": ("a b c", ["a"], [0, 0, 1 / 3, 1, 1], [3**-0.25, 1, 1 / 3, 1, 1]),
    "one word each": ("a", ["a"], [0, 0, 1, 1, 1], [1, 1, 1, 1, 1]),
    "one word twice": ("a a", ["a"], NO_MATCH),
    "one word in a long reference": ("a", ["a b c d"], [0, 0, 1, math.exp(-3), 1]),
    "two words": ("a b", ["b a", "a b", "a b"], [1, 1, 1, 1, 1]),
    "two words of four": ("a b", ["a b c d"], [math.exp(-0.1), 1, 1, math.exp(-1), 1]),
    "four words for two": ("a b x y", ["a b"], [0.5**0.25, 1, 0.5, 1, 1]),
    "the first of equals": ("b a x", ["a b", "x y z w"], [0, 0, 2 / 3, 1, 1]),
    "the other first": ("b a x", ["x y z w", "a b"], [0, 0, 1 / 3, SHORTER, 1]),
}
# hypothesis, references, and the row where an empty reference scores 0 and where it is skipped
EMPTY = {
    "blank reference": ("a b", [" \n\x85"], NO_MATCH, SKIPPED),
    "all references empty": ("a b", ["", ""], NO_MATCH, SKIPPED),
    "both empty": ("", [""], [0, 0, 0, 0, 1], SKIPPED),
    "one reference empty": ("a b", ["", "a b"], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]),
    "the other reference empty": ("a b", ["a b", ""], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]),
    "one empty, the other without common words": ("a b c", ["", "w x y z"], NO_MATCH, [0, 0, 0, SHORTER, 1]),
    "one without common words, the other empty": ("a b c", ["w x y z", ""], *[[0, 0, 0, SHORTER, 1]] * 2),
    "empty hypothesis, one reference empty": ("", ["a", ""], *[[0, 0, 0, 0, 1]] * 2),
}


def check_segment(metric, hypothesis, references, expected):
    """Check one segment as text and as tokens; None: an empty reference is an error."""
    for segment in ((hypothesis, references), (hypothesis.split(), [text.split() for text in references])):
        if expected is None:
            with pytest.raises(refscore.errors.EmptyReferenceError):
                metric.stats(*([part] for part in segment))
        else:
            assert all(map(close, metric.stats(*([part] for part in segment))[0].tolist(), expected))
            assert close(metric.segments(*([part] for part in segment))[0], expected[0])
        if expected in (None, SKIPPED):
            with pytest.raises(refscore.InputError):
                metric.segment(*segment)
            with pytest.raises(refscore.InputError):
                metric.corpus(*([part] * 3 for part in segment))
        else:
            score = metric.segment(*segment)
            shown = score.value, score.nkt, score.precision, score.brevity_penalty, score.segments
            assert all(map(close, shown, expected))


@every_preset
@pytest.mark.parametrize("case", SPECIAL.values(), ids=SPECIAL)
def test_special_cases(preset, case):
    hypothesis, references, *rows = case
    check_segment(RIBES.preset(preset), hypothesis, references, rows[-1 if preset == "official" else 0])


@every_preset
@pytest.mark.parametrize(("hypothesis", "references", "zero", "skip"), EMPTY.values(), ids=EMPTY)
def test_empty_references(preset, hypothesis, references, zero, skip):
    for rule, expected in {"zero": zero, "skip": skip, "error": None}.items():
        check_segment(RIBES.preset(preset, empty_reference=rule), hypothesis, references, expected)


@every_preset
def test_skipped_segments_leave_the_mean(preset):
    metric = RIBES.preset(preset, empty_reference="skip")
    hypotheses, references = ["x y", *HYPOTHESES, "a"], [[""], *REFERENCES, ["", " "]]
    with_them, without = metric.corpus(hypotheses, references), metric.corpus(HYPOTHESES, REFERENCES)
    assert with_them.row.tolist() == pytest.approx(without.row.tolist(), rel=1e-12)
    zero = RIBES.preset(preset, empty_reference="zero").corpus(hypotheses, references)
    assert (zero.segments, zero.value) == (4, pytest.approx(without.value / 2, rel=1e-12))


def test_all_rules_on_one_corpus():
    """Includes ties between references, empty segments on both sides, one common word, and none."""
    segments = (
        "abcab=abcba cabab/aabb=bbaa abab aabb/ba=a b ab/c=c/abcd=dcba abdc badc/=ab/"
        "abab=baba /x=y/aab= /= /abcdeabc=abcabcde"
    )
    hypotheses, references = zip(*(segment.split("=") for segment in segments.split("/")), strict=True)
    hypotheses = [list(text) for text in hypotheses]
    references = [[list(text) for text in texts.split(" ")] for texts in references]
    for rules in itertools.product(*RULES.values(), ("skip", "zero"), [(0.25, 0.1), (0, 0), (0, 1), (2.5, 0)]):
        names = (*RULES, "empty_reference", "alpha", "beta")
        settings = oracle.Settings(**dict(zip(names, (*rules[:-1], *rules[-1]), strict=True)))
        check_rows(settings, hypotheses, references)


def check_rows(settings, hypotheses, references):
    rows = RIBES(**asdict(settings)).stats(hypotheses, references)
    expected = oracle.rows(settings, hypotheses, references, oracle.align_any)
    assert np.allclose(rows, expected, rtol=1e-12, atol=0), settings


# Settings and texts


@every_preset
def test_presets(preset):
    metric, settings = RIBES.preset(preset), oracle.PRESETS[preset]
    assert {name: getattr(metric, name) for name in vars(settings)} == vars(settings)
    assert (metric.tokenizer, metric.lowercase, metric.normalize) == ("none", oracle.LOWERCASE[preset], "none")
    assert set(RIBES.presets) == set(oracle.PRESETS)
    assert RIBES.preset("nltk", alpha=1).signature == (
        "ribes|case:mixed|norm:none|tok:none|alpha:1.0|beta:0.1|first:right|limit:nltk|corr:tau-nltk|single:zero|"
        f"empty:zero|version:{refscore.__version__}"
    )


def test_words_in_other_cases_and_orders():
    """A letter may become two, a symbol may become an ASCII letter, and a sigma depends on its neighbours."""
    references = [[" ".join(reversed(text.split())), text.swapcase(), text.lower()] for text in TEXTS]
    for lowercase in (True, False, "ascii"):
        compare(DEFINITION, TEXTS, references, lowercase=lowercase)
    for upper in ("ΟΔΟΣ A", "İ b", "\u212a C", "ẞ d", "ΑΣ\u0345Β ΑΣ\u0345", "Σ'A A'Σ"):
        assert RIBES().segment(upper, upper.lower()).value == 1.0


# Sizes and shapes


def fibonacci(size):
    shorter, longer = [0], [0, 1]
    while len(longer) < size:
        shorter, longer = longer, longer + shorter
    return longer[:size]


def structured(size):
    """Return repetitive hypotheses and references, where contexts grow long or are never unique."""
    equal, fib, distinct = [0] * size, fibonacci(size), list(range(size))
    morse = [i.bit_count() % 2 for i in range(size)]
    pairs = [
        (equal, equal),
        (equal, [*equal, 0]),
        (equal, equal[1:]),
        ([0] * (size // 2) + [1] + equal[size // 2 :], [*equal, 1, *equal]),
        ([1, *equal], [*equal, 1]),
        ([*equal, 1], [*equal, 1]),
        ([i % 2 for i in range(size)], [(i + 1) % 2 for i in range(size + 1)]),
        ([i % 3 for i in range(size)], [(i + 1) % 3 for i in range(size)]),
        ([i % 7 for i in range(size)], [i % 7 for i in range(size, 0, -1)]),
        ([i % 2 for i in range(size)], [i % 3 for i in range(size + 2)]),
        (fib, fib),
        (fib, fib[::-1]),
        (fib, fib[size // 3 :] + fib[: size // 3]),
        (morse, morse[size // 2 :] + morse[: size // 2]),
        (distinct, distinct),
        (distinct, distinct[::-1]),
        (distinct, [*distinct[size // 2 :], *distinct[: size // 2]]),
    ]
    for different in (2, 4, 30, 10 * size + 1):
        words = strategies.random_tokens(5, size, different)
        pairs.append((words + words, words))
        pairs.append((words, words + words))
        pairs.append((words, words[::-1]))
        pairs.append((words, words[size // 3 :] + words[: size // 3]))
        pairs.append((strategies.noisy_copy(2, words, other=-1), words))
    return [hypothesis for hypothesis, _ in pairs], [[reference or [0]] for _, reference in pairs]


QUICK = [*range(10), 15, 16, 17, 31, 32, 33, 63, 64, 65]
SLOW = sorted({*range(71), 128, 129} - {*QUICK})


@pytest.mark.parametrize("size", [*QUICK, *slow(SLOW)])
def test_every_size(size):
    hypotheses, references = structured(size)
    for metric in ORDERS[:: 1 if size < 30 else 3]:
        for hypothesis, refs in zip(hypotheses, references, strict=True):
            check_alignment(metric, hypothesis, refs[0])
    for rules in ({}, {"correlation": "rho"}, {"context_limit": "nltk", "correlation": "tau-runs"}):
        compare(DEFINITION, hypotheses, references, **rules)
    as_text = [[str(token) for token in text] for text in hypotheses]
    targets = [[[str(token) for token in refs[0]], [], as_text[i - 1]] for i, refs in enumerate(references)]
    check_rows(oracle.PRESETS["nltk"], as_text, targets)
    check_rows(replace(oracle.PRESETS["nltk-3.9"], empty_reference="skip"), as_text, targets)


@pytest.mark.parametrize("size", [0, 1, 2, 5, 12, *slow([24, 33])])
def test_the_oracle_of_long_sentences(size):
    for hypothesis, refs in zip(*structured(size), strict=True):
        for rules in itertools.product(oracle.FIRST_CONTEXTS, oracle.CONTEXT_LIMITS):
            arguments = *rules, tuple(hypothesis), tuple(refs[0])
            assert oracle.align_long(*arguments) == oracle.align(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize("distinct", [5, 60, 800, 10**9])
@pytest.mark.parametrize("size", [127, 128, 129, 191, 192, 193, 255, 256, 257, 2000])
def test_thousands_of_words(size, distinct):
    reference, others = strategies.random_tokens(0, size, distinct), strategies.random_tokens(1, 3000, distinct)
    shuffled = [token for _, token in sorted(zip(strategies.random_tokens(9, size, 10**9), reference, strict=True))]
    hypotheses = [strategies.noisy_copy(3, reference), shuffled, reference[size // 2 :] + reference[: size // 2]]
    for settings in (oracle.Settings(), oracle.PRESETS["nltk"], oracle.Settings(correlation="rho")):
        check_rows(settings, hypotheses, [[reference], [reference], [reference, others]])
    check_alignment(RIBES(), shuffled, reference)


def test_many_references_and_very_different_sizes():
    many = [strategies.random_tokens(i, i % 40, 9) for i in range(1, 200)]
    check_rows(oracle.PRESETS["nltk"], [strategies.random_tokens(500, 30, 9)], [many])
    sizes = [0, 1, 2, 900, 0, 5, 300, 1, 64, 65] * 2
    references = [[strategies.random_tokens(i, size, 30), list("ab")] for i, size in enumerate(sizes)]
    check_rows(oracle.PRESETS["nltk"], [strategies.noisy_copy(i, r[0]) for i, r in enumerate(references)], references)
    # The brevity penalty is close to underflow, or underflows.
    words = strategies.random_tokens(0, 4000, 10**9)
    for alpha, beta in itertools.product((0, 0.25, 1, 2.5), repeat=2):
        check_rows(oracle.Settings(alpha, beta), [words[:size] for size in (2, 3, 5, 6, 40)], [[words]] * 5)


@pytest.mark.slow
def test_limits():
    """A hundred thousand equal words: only the first and the last are aligned, by the whole sentence."""
    size = 100_000
    score = RIBES().segment([7] * size, [[7] * size])
    assert (score.nkt, score.brevity_penalty, score.precision) == (1.0, 1.0, pytest.approx(2 / size))
    assert close(score.value, (2 / size) ** 0.25)
    assert close(RIBES.preset("nltk").segment([7] * size, [[7] * size]).precision, 1 / size)
    assert RIBES().segment("w " * size, "w " * (size + 1)).precision == 0.0
    for distinct in (2, 50, 10**9):
        words = strategies.random_tokens(0, 50_000, distinct)
        score = RIBES().segment(words, [words])
        assert (score.nkt, score.precision) == (1.0, pytest.approx(1.0, abs=1e-3))
    count = 1_000_000
    (row,) = RIBES(correlation="rho").stats([np.arange(count)], [[np.arange(count)[::-1].copy()]])
    assert row[:2].tolist() == [0, 0]
    references = [[f"{i} {j}" for j in range(20)] for i in range(5000)]
    assert RIBES().segment(references[-1], references).value == 1


# The count of ascending pairs

EXTREMES = [-(2**63), -(2**63) + 1, -(2**31), -1, 0, 1, 2**31, 2**32, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1]
RANKS = {
    "ties": st.integers(-4, 4),
    "64 bits": st.sampled_from(EXTREMES) | st.integers(-(2**63), 2**63 - 1),
    "70 bits": st.sampled_from([*EXTREMES, 2**70, -(2**70)]) | st.integers(-(2**70), 2**70),
}


@pytest.mark.parametrize("kind", RANKS)
@given(data=st.data())
@examples(200)
def test_ascending_pairs(kind, data):
    ranks = data.draw(st.lists(RANKS[kind], max_size=90))
    for form in (ranks, tuple(ranks), *([np.array(ranks, "int64")] if kind != "70 bits" else [])):
        assert refscore.metrics.ascending_pairs(form) == oracle.ascending(ranks)


@pytest.mark.parametrize("size", [63, 64, 65, *slow([255, 256, 257, 1000])])
def test_ascending_pairs_of_every_shape(size):
    for ranks in (strategies.random_tokens(size, size, 10**12), *structured(size)[0]):
        found = refscore.metrics.ascending_pairs(ranks)
        assert (type(found), found) == (int, oracle.ascending(ranks))
    for ranks, expected in [(range(300_000), 300_000 * 299_999 // 2), (range(300_000, 0, -1), 0), ([7] * 300_000, 0)]:
        assert refscore.metrics.ascending_pairs(ranks) == expected


def test_ascending_pairs_of_what_is_no_list_of_ints():
    for ranks in ([1.5, 2], ["a", "b"], [None, 1], 5, None):
        with pytest.raises((refscore.InputError, TypeError)):
            refscore.metrics.ascending_pairs(ranks)
