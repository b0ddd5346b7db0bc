"""ROUGE: lines, difficult sizes, settings and special cases. test_originals.py compares it with rouge-score.

test_rouge155.py compares it with recorded results of ROUGE-1.5.5.
"""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import ROUGE
from tests import strategies
from tests.differential import compare
from tests.examples import examples
from tests.originals.rouge import ORIGINALS
from tests.reference import close

ORIGINAL, DEFINITION, DEFINITION_OF_LINES, PORT = ORIGINALS

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
    return [generator.choice([text(), refs[0], f"{text()} {refs[-1]}"]) for refs in references], references


@pytest.mark.parametrize(
    ("size", "longest", "lines"), [(150, 20, 4), (20, 90, 3), (4, 300, 2), (10, 3, 80), (4, 12, 60)]
)
@pytest.mark.generated
def test_summaries(size, longest, lines):
    corpus = summaries(f"{size}/{longest}", examples(size).max_examples, longest, lines)
    for options in ORIGINAL.table:
        compare(ORIGINAL, *corpus, **options)


def test_lines_that_have_words_in_common_in_another_order():
    """No common subsequence has both words, so all lines are tried; equal lines are tried once."""
    lines = ["a b"] * 30 + ["b a", "b c a", "c b", "a", "d"] * 10
    random.Random(3).shuffle(lines)
    compare(ORIGINAL, ["\n".join(lines[:40])], [["\n".join(lines[40:])]], variant="Lsum")


@given(corpus=strategies.corpora(strategies.token_segment(st.sampled_from(["a", "b", "c", "\n"]))))
@examples(100)
def test_a_line_break_among_tokens_ends_a_sentence(corpus):
    compare(DEFINITION_OF_LINES, *corpus, variant="Lsum")


@pytest.mark.parametrize("size", [0, 1, 2, 63, 64, 65, 127, 128, 129, 200])
@pytest.mark.parametrize("distinct", [8, *(pytest.param(count, marks=pytest.mark.slow) for count in (1, 2, 1000))])
def test_sizes_around_words_of_64_bits(size, distinct):
    reference = strategies.random_tokens(1, size, distinct)
    others = [strategies.random_tokens(2, other, distinct) for other in (0, 1, 64, 65, 130)]
    others += [strategies.noisy_copy(3, reference, rate, -1) for rate in (0.1, 0.5)]
    for original in (DEFINITION, DEFINITION_OF_LINES):
        for options in original.table:
            compare(original, others, [[reference] for _ in others], **options)
            compare(original, [reference for _ in others], [[other] for other in others], **options)


@pytest.mark.slow
def test_thousands_of_lines():
    """Every line has one word, so a line is in the union if the hypothesis contains this word."""
    generator = random.Random(5)
    reference, hypothesis = ([f"w{generator.randrange(30_000)}" for _ in range(20_000)] for _ in range(2))
    matches = (Counter(reference) & Counter(hypothesis)).total()
    metric, texts = ROUGE(variant="Lsum"), ("\n".join(hypothesis), "\n".join(reference))
    score = metric.segment(*texts)
    assert close(score.precision, matches / 20_000) and close(score.recall, matches / 20_000)
    assert f"matches = counted words = {matches}" in str(metric.explain(*texts))


@pytest.mark.slow
def test_thousands_of_words():
    generator = random.Random(9)
    reference = " ".join(generator.choices(WORDS, k=1500)) + "\n" + " ".join(generator.choices(WORDS, k=700))
    hypothesis = " ".join(word for word in reference.split(" ") if generator.random() < 0.8)
    for options in ORIGINAL.table:
        compare(ORIGINAL, [hypothesis], [[reference]], **options)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["1", "2", "L", "Lsum"])
def test_much_text(variant):
    """Needs neither recursion nor a table of 10^10 cells. Equal texts are perfect, and half a text is found in it."""
    reference = strategies.random_tokens(4, 100_000, 3000)
    metric = ROUGE(variant=variant)
    assert metric.segment(reference, [reference]).value == 1
    assert metric.segment(reference[:50_000], [reference]).precision == 1
    many = [" ".join(f"{i}x{j}" for j in range(20)) for i in range(5000)]
    assert metric.segment(many[-1], many).value == 1


def test_a_function_as_tokenizer():
    def by_comma(text):
        return text.split(",")

    assert ROUGE(tokenizer=by_comma, stem=True).segment("Running shoes,a", "running shoe,a").value == 1
    assert ROUGE(tokenizer=by_comma).segment("Running shoes,a", "running shoe,a").value == 0.5
    text, other = "a,b\nc,d", "c,d\na,b"
    assert ROUGE(tokenizer=by_comma, variant="Lsum").segment(text, other).value == 1
    assert ROUGE(tokenizer=by_comma).segment(text, other).value < 1
    with pytest.raises(refscore.InputError, match="not strings"):
        ROUGE(tokenizer=lambda text: [len(text)], variant="Lsum").segment("a", "b")


def test_an_order_may_be_a_number():
    assert ROUGE(variant=2) == ROUGE(variant="2") == ROUGE(variant=np.int64(2)) == ROUGE.preset("rouge2")
    assert ROUGE(variant="1000000").segment("a b", "a b").value == 0
    assert (ROUGE(variant="12").order, ROUGE().order) == (12, None)


def test_the_best_f_counts_and_the_first_of_equals():
    metric = ROUGE(variant="1")
    # Both have an F of 2/3: one by precision, the other by recall.
    for references, precision, recall in [(["a b c d", "a"], 1.0, 0.5), (["a", "a b c d"], 0.5, 1.0)]:
        assert metric.segment("a b", references).row.tolist() == [precision, recall, pytest.approx(2 / 3), 1.0]
    assert metric.segment("a b", ["x", "a b"]).value == 1


def test_other_languages_are_zero_only_under_rouge():
    for text, other in [
        ("今日はいい天気", "今日は悪い天気"),
        ("صباح الخير", "صباح النور"),
        ("नमस्ते दुनिया", "नमस्ते भारत"),
    ]:
        assert ROUGE().segment(text, other).value == 0
        assert 0 < ROUGE(tokenizer="unicode").segment(text, other).value < 1


def test_prepared_references_know_whether_lines_count():
    for one, other in [("L", "Lsum"), ("Lsum", "L")]:
        for references, hypotheses in [([[["a", "\n", "b"]]], [["a"]]), (["a\nb"], ["a"])]:
            prepared = ROUGE(variant=one).prepare(references)
            with pytest.raises(refscore.InputError, match="lines"):
                ROUGE(variant=other).stats(hypotheses, prepared)
            with pytest.raises(refscore.InputError, match="lines"):
                ROUGE(variant=other).pairwise(hypotheses, prepared, tokens=hypotheses == [["a"]])
    shared = ROUGE(variant="1").prepare(["the cat", "a dog"])
    assert ROUGE(variant="L").corpus(["the cat", "a dog"], shared).value == 1


class Word(str):
    """A plain subclass of str."""


def test_lines_of_tokens_whatever_the_type_of_strings():
    metric = ROUGE(variant="Lsum")
    hypothesis, reference = list("ba\ndc"), list("dc\nba")
    words, targets = [Word(token) for token in hypothesis], [Word(token) for token in reference]
    assert metric.segment(hypothesis, [reference]).value == 1
    assert metric.segment(words, [targets]).value == 1
    assert metric.segment(hypothesis, metric.prepare([[targets]])).value == 1
    assert metric.pairwise([words], [targets], tokens=True)[0, 0] == 1
    with pytest.raises(refscore.InputError, match="string"):
        metric.segments([hypothesis, [1]], [[reference], [[1]]])
