"""ROUGE: settings, scores, signatures, worked steps and errors."""

import numpy as np
import pytest

import refscore
from refscore import ROUGE


def test_an_order_may_be_a_number():
    assert ROUGE(variant=2) == ROUGE(variant="2") == ROUGE(variant=np.int64(2)) == ROUGE.preset("rouge2")
    assert ROUGE(variant="1000000").segment("a b", "a b").value == 0
    assert (ROUGE(variant="12").order, ROUGE().order) == (12, None)


def test_the_best_f_counts_and_the_first_of_equals():
    metric = ROUGE(variant="1")
    # Both have an F of 2/3: one by precision, the other by recall.
    first = metric.segment("a b", ["a b c d", "a"])
    assert first.row.tolist() == [1.0, 0.5, first.value, 1.0]
    second = metric.segment("a b", ["a", "a b c d"])
    assert second.row.tolist() == [0.5, 1.0, second.value, 1.0]
    assert first.value == second.value == pytest.approx(2 / 3)
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
        prepared = ROUGE(variant=one).prepare([[["a", "\n", "b"]]])
        with pytest.raises(refscore.InputError, match="lines"):
            ROUGE(variant=other).stats([["a"]], prepared)
        with pytest.raises(refscore.InputError, match="lines"):
            ROUGE(variant=other).pairwise([["a"]], prepared, tokens=True)
        of_text = ROUGE(variant=one).prepare(["a\nb"])
        with pytest.raises(refscore.InputError):
            ROUGE(variant=other).stats(["a"], of_text)
    shared = ROUGE(variant="1").prepare(["the cat", "a dog"])
    assert ROUGE(variant="L").corpus(["the cat", "a dog"], shared).value == 1


@pytest.mark.parametrize("variant", ["1", "2", "L", "Lsum"])
def test_many_references_of_different_words(variant):
    references = [" ".join(f"{i}x{j}" for j in range(20)) for i in range(5000)]
    assert ROUGE(variant=variant).segment(references[-1], references).value == 1


def rows_of(steps, title):
    return [row["cells"] for part in steps.to_dict()["parts"] if part.get("title") == title for row in part["rows"]]


def test_the_subsequence_is_drawn():
    steps = ROUGE().explain("the cat sat on a mat", "the cat is on the mat today")
    drawn = rows_of(steps, "Alignment")
    assert [own for own, _ in drawn if own != "–"] == ["the", "cat", "is", "on", "the", "mat", "today"]
    assert [other for _, other in drawn if other != "–"] == ["the", "cat", "sat", "on", "a", "mat"]
    assert [own for own, other in drawn if own == other] == ["the", "cat", "on", "mat"]
    assert steps.result == "ROUGE-L = 0.6154 (61.54 %)"


def test_ngrams_are_counted():
    steps = ROUGE(variant="2").explain("a b a b", ["x", "a b c a b a b"])
    assert rows_of(steps, "Counts") == [
        ["a b", "3", "2", "2"],
        ["b c", "1", "0", "0"],
        ["c a", "1", "0", "0"],
        ["b a", "1", "1", "1"],
    ]
    assert [row[-1] for row in rows_of(steps, "References")] == ["", "counts"]


def test_unions_of_lines_are_shown():
    # The example of Lin's paper, section 3.2: the union of w1 w2 and of w1 w3 w5.
    steps = ROUGE(variant="Lsum").explain("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert rows_of(steps, "Lines") == [["1", "w1 w2 w3 w4 w5", "w1 w2 w3 w5", "w1 w2 w3 w5"]]
    assert "4/5" in str(steps)
    clipped = ROUGE(variant="Lsum").explain(["a", "b"], [["a", "\n", "a", "b"]])
    assert rows_of(clipped, "Lines") == [["1", "a", "a", "a"], ["2", "a b", "a b", "b"]]


@pytest.mark.parametrize("variant", ["1", "3", "L", "Lsum"])
@pytest.mark.parametrize(
    ("hypothesis", "references"),
    [
        ("", ""),
        ("a", ""),
        ("", "a"),
        ("a", "b"),
        ("a b", ["", "b c d"]),
        ([1, 3], [[1, 2]]),
        ("a\n\nb", "b\na"),
        ("你", "你"),
    ],
)
def test_explain_awkward(variant, hypothesis, references):
    metric = ROUGE(variant=variant, stem=True)
    steps = metric.explain(hypothesis, references)
    assert f"{metric.segment(hypothesis, references).value:.4f}" in steps.result
    assert str(steps)


@pytest.mark.parametrize("variant", ["1", "L"])
def test_explain_a_long_segment_in_part(variant):
    text = " ".join(f"w{i}" for i in range(1000))
    assert "more rows" in str(ROUGE(variant=variant).explain(text, text))


class Word(str):
    """A plain subclass of str."""


def test_lines_of_tokens_whatever_the_type_of_strings():
    metric = refscore.ROUGE(variant="Lsum")
    hypothesis, reference = list("ba\ndc"), list("dc\nba")
    expected = metric.segment(hypothesis, [reference]).value
    assert expected == 1
    words, targets = [Word(token) for token in hypothesis], [Word(token) for token in reference]
    assert metric.segment(words, [targets]).value == expected
    assert metric.segment(hypothesis, metric.prepare([[targets]])).value == expected
    assert metric.pairwise([words], [targets], tokens=True)[0, 0] == expected
    with pytest.raises(refscore.InputError, match="string"):
        metric.segments([hypothesis, [1]], [[reference], [[1]]])
