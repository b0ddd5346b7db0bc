"""TER's settings, presets, signatures, scores, and the values for empty input."""

import random

import pytest

import refscore
from refscore.metrics import TERAlignment

TER = refscore.TER


def test_the_default_is_sacrebleus():
    assert TER() == TER.preset("sacrebleu")
    assert TER.preset("sacrebleu", tokenizer="tercom-nopunct") == TER(tokenizer="tercom-nopunct")
    assert refscore.ter(["a b"], ["a c"], preset="sacrebleu", lowercase=False).metric == TER(lowercase=False)
    assert not TER.higher_is_better


def test_references_are_tokenized_twice_or_once():
    assert TER(tokenizer="tercom-norm").segment("a.,5", "a.,5").value == 0.5
    assert TER(tokenizer="tercom-norm", references_twice=False).segment("a.,5", "a.,5").value == 0
    assert TER(references_twice=False).segment("a.,5", "a.,5").value == TER().segment("a.,5", "a.,5").value == 0


def test_what_settings_do_to_text():
    assert TER().segment("The CAT", "the cat").value == 0
    assert TER(lowercase=False).segment("The CAT", "the cat").value == 1
    assert TER().segment("a cat.", "a cat .").value == 2 / 3
    assert TER(tokenizer="tercom-norm").segment("a cat.", "a cat .").value == 0
    assert TER(tokenizer="tercom-nopunct").segment("a (cat).", "a cat").value == 0
    assert TER(tokenizer="tercom-norm").segment("你好", "你们").value == 1
    assert TER(tokenizer="tercom-norm-asian").segment("你好", "你们").value == 0.5
    assert TER(tokenizer="tercom-nopunct-asian").segment("你好。", "你好").value == 0


def test_settings_do_nothing_to_tokens():
    for metric in (TER(), TER(tokenizer="tercom-norm-nopunct")):
        assert metric.segment(["The", "cat."], [["the", "cat"]]).edits == 2


@pytest.mark.parametrize(
    ("hypothesis", "references", "row", "value"),
    [
        ("", "", [0, 0], 0.0),
        (" ", "\t", [0, 0], 0.0),
        ("a", "", [1, 0], 1.0),
        ("a b", "", [2, 0], 1.0),
        ("a b", ["", ""], [2, 0], 1.0),
        ("", "a b", [2, 2], 1.0),
        ("", ["a b", ""], [0, 1], 0.0),
        ("a b", ["", "a b c d"], [2, 2], 1.0),
        ("a b c d e f", "x", [6, 1], 6.0),
        ("a", "a", [0, 1], 0.0),
    ],
)
def test_empty_texts(hypothesis, references, row, value):
    score = TER().segment(hypothesis, references)
    assert score.row.tolist() == row
    assert score.value == value
    assert TER().segments([hypothesis], [references]).tolist() == [value]


def test_no_punctuation_leaves_nothing():
    assert TER(tokenizer="tercom-nopunct").segment("...", "!?").row.tolist() == [0, 0]


def test_a_corpus_is_a_ratio_of_sums():
    score = refscore.ter(["a b", "c"], ["a x y z", ["d", "e f"]])
    assert (score.edits, score.ref_len, score.value) == (4, 5.5, 4 / 5.5)
    assert score.details() == {"edits": 4, "ref_len": 5.5}
    assert str(score) == "TER = 72.73 (edits = 4 reference length = 5.5)"
    assert type(score.edits) is int
    assert score.to_dict()["metric"] == "ter"


def test_prepared_references_are_for_the_same_tokenizing():
    references = ["a.,5 b", "c"]
    prepared = TER(tokenizer="tercom-norm").prepare(references)
    assert TER(tokenizer="tercom-norm").corpus(["a.,5", "c"], prepared).edits == 3
    for other in (TER(), TER(tokenizer="tercom-norm", references_twice=False), refscore.BLEU(tokenizer="tercom-norm")):
        with pytest.raises(refscore.InputError, match="prepared with different text settings"):
            other.corpus(["a.,5", "c"], prepared)
    assert TER().corpus(["a", "c"], TER(references_twice=False).prepare(references)).edits == 2


def test_alignment_of_text_and_tokens():
    metric = TER(tokenizer="tercom-norm")
    alignment = metric.alignment("Today, it rained", "it rained today.")
    assert isinstance(alignment, TERAlignment)
    assert [shift.words for shift in alignment.shifts] == [("it", "rained")]
    assert [edit.operation for edit in alignment.edits] == ["match", "match", "match", "substitute"]
    numbers = metric.alignment([5, 6, 7], [6, 7, 5])
    assert [(shift.words, shift.begin, shift.to) for shift in numbers.shifts] == [((5,), 0, 2)]
    assert metric.alignment("", "") == ((), ())


def test_operations_are_the_alignment_of_numbered_words():
    generator, metric = random.Random(1), TER()
    letters = {"match": "=", "substitute": "s", "insert": "i", "delete": "d"}
    for length in (0, 1, 1, 2, 5, 12, 30):
        hypothesis = [generator.randrange(6) for _ in range(length)]
        for reference in ([generator.randrange(6) for _ in range(length)], hypothesis[::-1], [0], [5]):
            moves, edits = metric.operations(hypothesis, reference, 6)
            alignment = metric.alignment(hypothesis, reference)
            assert moves == [(shift.begin, len(shift.words), shift.to) for shift in alignment.shifts]
            assert edits == "".join(letters[edit.operation] for edit in alignment.edits)


@pytest.mark.parametrize(
    ("hypothesis", "reference"), [([-1], [0]), ([0], [-1]), ([2], [0]), ([0], [2]), ([0, 2], [1]), ([1], [3, -1])]
)
def test_numbers_outside_the_vocabulary(hypothesis, reference):
    with pytest.raises(refscore.InputError, match="vocabulary"):
        TER().operations(hypothesis, reference, 2)
