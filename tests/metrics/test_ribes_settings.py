"""RIBES' settings, rows and scores as objects: validation with locations, equality, representation."""

import math
import random
from array import array

import numpy as np
import pytest

import refscore
from refscore import EmptyReferenceError
from tests import strategies
from tests.locations import raises_at
from tests.reference import close
from tests.reference import ribes as oracle

RIBES = refscore.RIBES


# Metrics as objects


@pytest.mark.parametrize("name", oracle.PRESETS)
def test_presets(name):
    metric, setting = RIBES.preset(name), oracle.PRESETS[name]
    for option in ("first_context", "context_limit", "correlation", "single_word", "empty_reference", "alpha", "beta"):
        assert getattr(metric, option) == getattr(setting, option)
    assert (metric.tokenizer, metric.lowercase, metric.normalize) == ("none", oracle.LOWERCASE[name], "none")
    assert RIBES.preset(name, alpha=1, lowercase="ascii").alpha == 1.0
    assert RIBES.preset(name, lowercase=True).lowercase is True
    assert RIBES.preset(name, correlation="rho") != metric
    assert set(RIBES.presets) == set(oracle.PRESETS)


def test_equality():
    assert RIBES() == RIBES.preset("official") == RIBES(alpha=0.25, beta=0.1)
    assert RIBES.preset("nltk") != RIBES.preset("nltk-3.9") == RIBES.preset("nltk", correlation="tau-runs")
    assert RIBES(alpha=1) == RIBES(alpha=1.0) == RIBES(alpha=np.float32(1))
    assert hash(RIBES(alpha=1)) == hash(RIBES(alpha=1.0))
    assert RIBES(alpha=1).signature == RIBES(alpha=1.0).signature
    assert RIBES() != RIBES().signature
    assert RIBES() != refscore.BLEU()
    assert len({RIBES(), RIBES(tokenizer="none"), RIBES(beta=0), RIBES(beta=0.0)}) == 2
    assert RIBES.higher_is_better


EXAMPLES = [
    RIBES(),
    *map(RIBES.preset, oracle.PRESETS),
    RIBES(alpha=0, beta=2.5, correlation="rho", single_word="zero", empty_reference="skip"),
    RIBES(tokenizer="13a", lowercase="ascii", normalize="NFC", first_context="right", empty_reference="zero"),
    RIBES(alpha=1 / 3, beta=1e-17, context_limit="nltk"),
]


def test_signatures():
    version = f"version:{refscore.__version__}"
    assert RIBES().signature == (
        "ribes|case:lc|norm:none|tok:none|alpha:0.25|beta:0.1|first:left|limit:none|corr:tau|single:reference|"
        f"empty:error|{version}"
    )
    assert RIBES.preset("nltk", alpha=1).signature == (
        "ribes|case:mixed|norm:none|tok:none|alpha:1.0|beta:0.1|first:right|limit:nltk|corr:tau-nltk|single:zero|"
        f"empty:zero|{version}"
    )


# Rows and scores

HYPOTHESES = ["a b c d", "the cat sat on the mat", "", "x", "b a"]
REFERENCES = [["a c b d", "d c"], ["the mat sat on the cat"], ["a"], ["x"], ["a b c"]]


def test_rows_add_up():
    metric = RIBES()
    assert metric.columns == oracle.COLUMNS
    rows = metric.stats(HYPOTHESES, REFERENCES)
    assert rows.dtype == metric.row_type == np.float64
    assert rows[:, 4].tolist() == [1.0] * 5
    score, whole = metric.score(rows.sum(axis=0)), metric.corpus(HYPOTHESES, REFERENCES)
    assert score.value == pytest.approx(whole.value, rel=1e-12)
    assert score.value == pytest.approx(metric.segments(HYPOTHESES, REFERENCES).mean(), rel=1e-12)
    for i, (hypothesis, refs) in enumerate(zip(HYPOTHESES, REFERENCES, strict=True)):
        single = metric.segment(hypothesis, refs)
        assert single.row.tolist() == rows[i].tolist()
        assert (single.value, single.segments) == (rows[i, 0], 1)
    parts = [rows[:2].sum(axis=0), rows[2:].sum(axis=0)]
    assert metric.score(parts[0] + parts[1]).value == pytest.approx(whole.value, rel=1e-12)


def test_attributes_of_scores():
    score = RIBES().corpus(HYPOTHESES, REFERENCES)
    assert isinstance(score, refscore.RIBESScore)
    for k, value in enumerate((score.value, score.nkt, score.precision, score.brevity_penalty)):
        assert type(value) is float
        assert close(value, score.row[k].item() / 5)
    assert type(score.segments) is int
    assert score.segments == 5
    assert str(score) == (
        f"RIBES = {score.percent:.2f} (NKT = {score.nkt:.3f} P = {score.precision:.3f} "
        f"BP = {score.brevity_penalty:.3f} segments = 5)"
    )


@pytest.mark.parametrize("kind", [list, tuple, np.array, lambda row: np.array(row, ">f8")])
def test_rows_of_other_types(kind):
    assert RIBES().score(kind([1.5, 2.0, 2.5, 3.0, 4])).value == 0.375
    score = RIBES().score(kind([1, 2, 3, 4, 4]))
    assert (score.value, score.nkt, score.precision, score.brevity_penalty, score.segments) == (0.25, 0.5, 0.75, 1.0, 4)


def test_a_row_of_nothing_has_no_value_that_is_nan():
    try:
        value = RIBES().score([0, 0, 0, 0, 0]).value
    except refscore.InputError:
        return
    assert value == 0.0


# Prepared references and pairs


@pytest.mark.parametrize("metric", [*EXAMPLES, RIBES(tokenizer=str.split)], ids=lambda metric: metric.signature)
def test_prepared_references(metric):
    prepared = metric.prepare(REFERENCES)
    for hypotheses in (HYPOTHESES, HYPOTHESES[::-1], HYPOTHESES):
        assert np.array_equal(metric.stats(hypotheses, prepared), metric.stats(hypotheses, REFERENCES))
        assert metric.corpus(hypotheses, prepared) == metric.corpus(hypotheses, REFERENCES)
    one = metric.prepare(REFERENCES[:1])
    assert metric.segment(HYPOTHESES[0], one) == metric.segment(HYPOTHESES[0], REFERENCES[0])
    tokens = [text.split() for text in HYPOTHESES], [[text.split() for text in refs] for refs in REFERENCES]
    assert np.array_equal(metric.stats(tokens[0], metric.prepare(tokens[1])), metric.stats(*tokens))
    numbers = [[[5, 6, 7], [1]], [[2**64, "a"]]]
    given = [[7, 5, 5], ["a", 2**64]]
    assert np.array_equal(metric.stats(given, metric.prepare(numbers)), metric.stats(given, numbers))


@pytest.mark.parametrize("metric", EXAMPLES, ids=lambda metric: metric.signature)
def test_pairwise(metric):
    texts = ["a b c", "c b a", "a", "", "the cat the mat", "the mat the cat"]
    others = [text for text in texts if text] if metric.empty_reference == "error" else texts
    for threads in (1, 3, None):
        matrix = metric.pairwise(texts, others, threads=threads)
        assert matrix.shape == (len(texts), len(others))
        for i, hypothesis in enumerate(texts):
            assert matrix[i].tolist() == metric.segments([hypothesis] * len(others), others).tolist()
    assert np.array_equal(metric.pairwise(texts, metric.prepare(others)), matrix)
    tokens = [[text.split() for text in side] for side in (texts, others)]
    assert np.array_equal(metric.pairwise(*tokens, tokens=True), matrix)
    batches = metric.pairwise([texts[:2], texts[2:]], [others[:3], others[3:]])
    assert np.array_equal(batches[0], matrix[:2, :3])
    assert np.array_equal(batches[1], matrix[2:, 3:])


# The location of an empty reference

TOKENIZERS = {"native": "none", "function": str.split, "numbers": lambda text: [len(word) for word in text.split()]}


def corpus_with_empty(size, empty):
    references = [["a b", "b a c"] for _ in range(size)]
    for i, j in empty:
        references[i][j] = ""
    return ["a b c"] * size, references


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=TOKENIZERS)
@pytest.mark.parametrize("size", [10, 6000])
def test_the_first_empty_reference_is_named(tokenizer, lowercase, size):
    metric = RIBES(tokenizer=tokenizer, lowercase=lowercase)
    last = size - 1
    for empty in ([(3, 1)], [(last, 1), (5, 0), (7, 0)], [(last - 1, 1), (last, 0)]):
        hypotheses, references = corpus_with_empty(size, empty)
        i, j = min(empty)
        for threads in (1, 7, None):
            for method in (metric.stats, metric.corpus, metric.segments)[: 3 if size < 100 else 2]:
                with raises_at(EmptyReferenceError, side="references", segment=i, reference=j):
                    method(hypotheses, references, threads=threads)


def as_arrays(tokens):
    return np.array(tokens, "int32")


@pytest.mark.parametrize(
    "make",
    [list, tuple, as_arrays, lambda tokens: array("q", tokens), lambda tokens: [str(t) for t in tokens]],
    ids=["lists", "tuples", "arrays", "array.array", "strings"],
)
@pytest.mark.parametrize("size", [10, 6000])
def test_the_first_empty_reference_of_tokens(make, size):
    hypotheses, references = [make([1, 2])] * size, [[make([2, 1]), make([1])] for _ in range(size)]
    references[size - 2][1] = references[size - 1][0] = make([])
    for threads in (1, 3, None):
        with raises_at(EmptyReferenceError, side="references", segment=size - 2, reference=1):
            RIBES().corpus(hypotheses, references, threads=threads)
    references[3] = [make([])]
    for threads in (1, 3, None):
        with raises_at(EmptyReferenceError, side="references", segment=3, reference=0):
            RIBES().stats(hypotheses, references, threads=threads)


def test_the_first_empty_reference_of_objects():
    references = [[[None, 1.5]], [[(), "a"], []], [[]]]
    with raises_at(EmptyReferenceError, side="references", segment=1, reference=1):
        RIBES().corpus([["a"]] * 3, references)


def test_the_first_empty_reference_of_batches():
    batch = np.array([[1, 2, 0], [3, 0, 0], [0, 0, 0], [0, 0, 0]])
    for references in (
        refscore.padded(batch, pad_id=0),
        refscore.padded(batch, lengths=[2, 1, 0, 0]),
    ):
        with raises_at(EmptyReferenceError, side="references", segment=2):
            RIBES().corpus(batch, references)
    several = np.stack([batch, np.ones_like(batch)], axis=1)[:, ::-1].copy()
    with raises_at(EmptyReferenceError, side="references", segment=2, reference=1):
        RIBES().corpus(batch, refscore.padded(several, pad_id=0))


def test_an_empty_hypothesis_does_not_hide_an_empty_reference():
    with raises_at(EmptyReferenceError, side="references", segment=1):
        RIBES().corpus(["", ""], ["a", ""])


def test_several_calls_at_once_name_their_own_place():
    hypotheses, references = corpus_with_empty(6000, [(5999, 1)])
    for _ in range(5):
        with raises_at(EmptyReferenceError, side="references", segment=5999, reference=1):
            RIBES(lowercase=False).corpus(hypotheses, references)
    assert RIBES(empty_reference="zero").corpus(hypotheses, references).segments == 6000


# Long segments


def test_a_hundred_thousand_equal_tokens():
    """Only the first and the last word are aligned, by the whole sentence."""
    size = 100_000
    score = RIBES().segment([7] * size, [[7] * size])
    assert (score.nkt, score.brevity_penalty) == (1.0, 1.0)
    assert close(score.precision, 2 / size)
    assert close(score.value, (2 / size) ** 0.25)
    assert close(RIBES.preset("nltk").segment([7] * size, [[7] * size]).precision, 1 / size)
    assert RIBES().segment("w " * size, "w " * (size + 1)).precision == 0.0
    assert RIBES().segment("w " * size, "w " * (size // 2)).precision == 0.0


def test_a_thousand_shuffled_tokens():
    tokens = list(range(1000))
    random.Random(0).shuffle(tokens)
    score = RIBES().segment(tokens, [list(range(1000))])
    assert close(score.value, oracle.ascending(tokens) / math.comb(1000, 2))
    assert RIBES.preset("nltk").segment(tokens, [list(range(1000))]).value == pytest.approx(score.value, rel=1e-12)


@pytest.mark.parametrize("distinct", [2, 50, 10**9])
def test_long_and_repetitive(distinct):
    words = strategies.random_tokens(0, 50_000, distinct)
    score = RIBES().segment(words, [words])
    assert score.nkt == 1.0
    assert score.precision == pytest.approx(1.0, abs=1e-3)
    periodic = [i % 97 for i in range(50_000)]
    assert RIBES().segment(periodic, [periodic[1:]]).brevity_penalty == 1.0
