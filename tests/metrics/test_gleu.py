"""GLEU compared with NLTK and with the slow oracle, on tokens and on difficult text."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import gleu_score as original
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

import refscore
from refscore import GLEU
from tests import strategies
from tests.examples import examples
from tests.metrics.step_parts import tables
from tests.reference import close
from tests.reference import gleu as oracle

orders = st.tuples(st.integers(1, 6), st.integers(0, 5)).map(lambda pair: (pair[0], sum(pair)))


def check(hypotheses, references, low=1, high=4):
    metric = GLEU.preset("nltk", min_order=low, max_order=high)
    values = metric.segments(hypotheses, references)
    rows = metric.stats(hypotheses, references)
    for i, (hypothesis, refs) in enumerate(zip(hypotheses, references, strict=True)):
        expected = original.sentence_gleu(refs, hypothesis, low, high)
        assert values[i] == expected == metric.segment(hypothesis, refs).value
        assert tuple(rows[i]) == oracle.row(hypothesis, refs, low, high)
    expected = original.corpus_gleu(references, hypotheses, low, high)
    assert metric.corpus(hypotheses, references).value == expected
    assert close(oracle.corpus(hypotheses, references, low, high), expected)


@given(corpus=st.one_of(strategies.word_corpora, strategies.id_corpora, strategies.any_corpora), orders=orders)
@examples(300)
def test_equal_to_nltk(corpus, orders):
    check(*corpus, *orders)


@pytest.mark.parametrize("orders", [(1, 4), (2, 4), (1, 1), (3, 3), (1, 9), (4, 70)], ids=str)
@pytest.mark.parametrize("longest", [10, 70, 150, pytest.param(600, marks=pytest.mark.slow)])
def test_longer_segments(orders, longest):
    generator = random.Random(longest)

    def tokens():
        return generator.choices("abcdefgh", k=generator.randrange(longest))

    hypotheses = [tokens() for _ in range(4)]
    references = [[tokens() for _ in range(generator.randint(1, 4))] for _ in range(4)]
    check(hypotheses, references, *orders)


@pytest.mark.slow
@pytest.mark.parametrize("distinct", [1, 3, 5000])
def test_thousands_of_tokens(distinct):
    reference = strategies.random_tokens(1, 5000, distinct)
    hypothesis = strategies.noisy_copy(2, reference)
    check([hypothesis, reference], [[reference, reference[:100]], [hypothesis]])


def test_thousands_of_references():
    references = [[str(i), str(j), "x", "y"] for i in range(50) for j in range(40)]
    hypothesis = ["7", "7", "x", "y"]
    assert GLEU().segment(hypothesis, references).value == original.sentence_gleu(references, hypothesis) == 1.0


@given(corpus=strategies.text_corpora)
@examples(200)
def test_text_is_split_first(corpus):
    hypotheses, references = corpus
    split = [text.split() for text in hypotheses], [[text.split() for text in refs] for refs in references]
    expected = original.corpus_gleu(split[1], split[0])
    assert GLEU.preset("nltk").corpus(hypotheses, references).value == expected


def test_the_default_splits_as_evaluate_does():
    """evaluate's google_bleu passes text tokenized by sacrebleu's 13a to NLTK."""
    hypotheses, references = ['He said: "3.5% of it, don\'t you?"', "a-b"], ["He said, “3.5% of it”.", "a - b"]
    tokenize = Tokenizer13a()
    split = [tokenize(text).split() for text in hypotheses], [[tokenize(text).split()] for text in references]
    assert refscore.gleu(hypotheses, references).value == original.corpus_gleu(split[1], split[0])
    assert GLEU.preset("evaluate").corpus(hypotheses, references).value == refscore.gleu(hypotheses, references).value
    assert GLEU.preset("evaluate").segment("Well -\n", "Well").value == 1.0


@pytest.mark.parametrize(
    ("hypothesis", "references", "row"),
    [
        ([], [["a"]], (0, 1)),
        (["a"], [[]], (0, 1)),
        ([], [[]], (0, 0)),
        ([], [[], list("abc"), ["a"]], (0, 6)),
        (["a"], [[], ["a"]], (1, 1)),
        (list("abc"), [list("abd"), list("xbc")], (3, 6)),
        (list("ab"), [list("abcd"), list("ba")], (2, 3)),
    ],
)
def test_special_cases(hypothesis, references, row):
    metric = GLEU()
    assert tuple(metric.stats([hypothesis], [references])[0]) == row
    value = row[0] / row[1] if row[1] else 0.0
    assert metric.segment(hypothesis, references).value == value == original.sentence_gleu(references, hypothesis)


def test_orders_beyond_the_segment():
    metric = GLEU(min_order=5, max_order=10**6)
    assert metric.stats([list("abcd"), list("abcde")], [[list("abcd")], [list("abcdef")]]).tolist() == [[0, 0], [1, 3]]


def test_score():
    score = refscore.gleu(["a b c", "x"], ["a b d", "x y"], preset="nltk")
    assert str(score) == "GLEU = 44.44 (matches = 4 total = 9)"
    assert score.to_dict() == {
        "metric": "gleu",
        "value": 4 / 9,
        "percent": pytest.approx(400 / 9),
        "matches": 4,
        "total": 9,
        "signature": score.signature,
    }


SEGMENTS = {
    "one reference": ("the the cat", "the cat sat"),
    "several": ("a b c d", ["a b", "a b c e", "a b c f"]),
    "one of them empty": ("", ["", "a b"]),
    "nothing": ("", ""),
    "short": ("a", "a b c d e f"),
    "tokens": ([1, 2, (3,)], [[1, 2], [(3,), 2, 1]]),
    "markup": ("<b>&amp;</b>", "<b> | [x]"),
}


@pytest.mark.parametrize("metric", [GLEU(), GLEU(min_order=2, max_order=3), GLEU.preset("nltk")], ids=str)
def test_worked_steps(metric):
    for segment in SEGMENTS.values():
        steps, score = metric.explain(*segment), metric.segment(*segment)
        shown = str(steps)
        assert steps.result == f"GLEU = {score.value:.4f} ({score.percent:.2f} %)"
        assert metric.signature in shown
        if score.total:
            assert f"= {score.matches}/{score.total} = {score.value:.4f}" in shown
            found = [table for title, table in tables(steps).items() if "-grams" in title]
            assert sum(int(row.cells[3]) for table in found for row in table.rows) == score.matches
        else:
            assert "the score is 0" in shown


def test_worked_steps_say_which_reference_counts():
    text = str(GLEU().explain("a b c d", ["a b", "a b c e", "a b c f"]))
    assert "Reference 2 is the first with the best score" in text
    assert "ignored" in str(GLEU(min_order=2).explain("a", ["", "a b"]))
