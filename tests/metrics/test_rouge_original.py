"""ROUGE compared with rouge-score 0.1.2: every variant, with and without stemming, on generated and difficult text."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from rouge_score import rouge_scorer

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import close

VARIANTS = {"rouge1": "1", "rouge2": "2", "rouge5": "5", "rougeL": "L", "rougeLsum": "Lsum"}
STEMMING = pytest.mark.parametrize("stem", [False, True])
ORIGINALS = {stem: rouge_scorer.RougeScorer(list(VARIANTS), use_stemmer=stem) for stem in (False, True)}
METRICS = {
    (name, stem): refscore.ROUGE(variant=variant, stem=stem)
    for name, variant in VARIANTS.items()
    for stem in (False, True)
}


def check(stem, hypotheses, references):
    """Compare every variant, segment by segment; references are lists."""
    originals = [ORIGINALS[stem].score_multi(refs, text) for text, refs in zip(hypotheses, references, strict=True)]
    for name in VARIANTS:
        metric = METRICS[name, stem]
        expected = np.array([[*scores[name], 1] for scores in originals], dtype=float)
        rows = metric.stats(hypotheses, references)
        assert all(map(close, rows.ravel().tolist(), expected.ravel().tolist())), name
        values = metric.segments(hypotheses, references)
        assert all(map(close, values.tolist(), expected[:, 2].tolist())), name
        score = metric.corpus(hypotheses, references)
        assert close(score.value, expected[:, 2].mean())
        assert close(score.precision, expected[:, 0].mean())
        assert close(score.recall, expected[:, 1].mean())


@STEMMING
@given(corpus=strategies.text_corpora)
@examples(150)
def test_awkward_text(stem, corpus):
    check(stem, *corpus)


@STEMMING
@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("", ""),
        ("", "a"),
        ("a", ""),
        ("...", "!?"),
        ("\n\n", "\n"),
        ("a\n", "\na"),
        ("The Cats are RUNNING quickly", "the cat runs quick"),
        ("generalizations happily dying skies news", "generalization happy die sky new"),
        ("naïve K K İstanbul ΣΟΦΟΣ", "na ve k istanbul"),
        ("a_b-c d'e 3.14", "a b c d e 3 14"),
        ("你好世界", "你好世界"),
        ("مرحبا abc", "مرحبا abc"),
        ("a b c\nd e f", "d e f\na b c"),
        ("a a a\na", "a\na a a\na"),
        ("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5"),
        ("a b\r\nc\u2028d\x85e", "a b c\nd e"),
        ("a\x00b \ud800 c", "a b c"),
        ("the the the the", "the the"),
        ("b a b a b", "a b a b a"),
    ],
)
def test_cases(stem, hypothesis, reference):
    check(stem, [hypothesis], [[reference]])
    check(stem, [hypothesis], [[hypothesis + " x", reference, hypothesis]])


WORDS = (  # noqa: SIM905 - as one text it can still be read
    "the a of to and Generally speaking relational conditional rationally valency hesitancy digitizer conformably "
    "operators feudalism decisiveness hopefulness formality sensitivity triplicate formative electrical hopeful "
    "goodness revival allowance inference airliner adjustable defensible irritant replacement adoption controlled "
    "rolling flies dying agreed plastered motoring sized happy skies 3rd 2020s x9y don't"
).split()


def summaries(seed, size, longest, lines):
    generator = random.Random(seed)

    def text():
        return "\n".join(
            " ".join(generator.choices(WORDS, k=generator.randrange(longest)))
            for _ in range(generator.randint(1, lines))
        )

    references = [[text() for _ in range(generator.randint(1, 3))] for _ in range(size)]
    hypotheses = [generator.choice([text(), refs[0], f"{text()} {refs[-1]}"]) for refs in references]
    return hypotheses, references


@STEMMING
@pytest.mark.parametrize(
    ("size", "longest", "lines"), [(200, 8, 1), (150, 20, 4), (20, 90, 3), (4, 300, 2), (10, 3, 80), (4, 12, 60)]
)
def test_generated_text(stem, size, longest, lines):
    check(stem, *summaries(f"{size}/{longest}", examples(size).max_examples, longest, lines))


def test_lines_that_have_words_in_common_in_another_order():
    """No common subsequence has both words, so all lines are tried; equal lines are tried once."""
    lines = ["a b"] * 30 + ["b a", "b c a", "c b", "a", "d"] * 10
    random.Random(3).shuffle(lines)
    check(False, ["\n".join(lines[:40])], [["\n".join(lines[40:])]])


@pytest.mark.slow
def test_thousands_of_lines():
    """Every line has one word, so a line is in the union if the hypothesis contains this word."""
    generator = random.Random(5)
    reference, hypothesis = ([f"w{generator.randrange(30_000)}" for _ in range(20_000)] for _ in range(2))
    matches = (Counter(reference) & Counter(hypothesis)).total()
    score = METRICS["rougeLsum", False].segment("\n".join(hypothesis), "\n".join(reference))
    assert close(score.precision, matches / 20_000)
    assert close(score.recall, matches / 20_000)
    steps = METRICS["rougeLsum", False].explain("\n".join(hypothesis), "\n".join(reference))
    assert f"matches = counted words = {matches}" in str(steps)


@pytest.mark.slow
def test_thousands_of_words():
    generator = random.Random(9)
    reference = " ".join(generator.choices(WORDS, k=1500)) + "\n" + " ".join(generator.choices(WORDS, k=700))
    words = reference.split(" ")
    hypothesis = " ".join(word for word in words if generator.random() < 0.8)
    check(False, [hypothesis], [[reference]])
