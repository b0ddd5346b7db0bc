"""WER and CER: settings, scores, signatures and errors."""

import pytest

import refscore
from refscore import CER, WER, CERScore, WERScore

BOTH = pytest.mark.parametrize("kind", [WER, CER])


@BOTH
def test_without_words_in_the_references_the_insertions_are_the_value(kind):
    metric = kind()
    assert metric.segment("", "").value == 0.0
    score = metric.segment("ab", "")
    assert (score.value, score.mer, score.wip, score.wil) == (float(score.insertions), 1.0, 0.0, 1.0)
    assert metric.segments(["ab", ""], ["", ""]).tolist() == [score.value, 0.0]


def test_an_empty_hypothesis():
    score = WER().segment("", "a b c")
    assert (score.value, score.mer, score.wip, score.wil) == (1.0, 1.0, 0.0, 1.0)
    assert score.row.tolist() == [0, 0, 3, 0]


def test_many_references_of_different_words():
    references = [" ".join(f"{i}x{j}" for j in range(20)) for i in range(5000)]
    assert WER().segment(references[-1], references).value == 0


def test_settings_act_on_text_alone():
    assert WER(lowercase=True).segment("A b", "a B").value == 0
    assert WER(lowercase=True).segment(["A", "b"], [["a", "B"]]).value == 1
    assert WER(normalize="NFC").segment("e\u0301", "é").value == 0
    assert WER(tokenizer="none").segment("a\tb", "a b").value == 0
    assert WER().segment("a\tb", "a b").value == 1
    assert CER(tokenizer="char").segment("ab", "a b").value == 0
    assert CER().segment("ab", "a b").value == pytest.approx(1 / 3)
    assert WER(tokenizer=lambda text: text.split(",")).segment("a,b c", "a,b").value == 0.5
    assert WER(tokenizer=lambda text: text.split(",")).counts("a,b c", "a,b") == (1, 1, 0, 0)


def test_functions():
    assert refscore.wer(["a b"], ["a c"]).value == 0.5
    assert refscore.cer(["ab"], ["ac"], preset="jiwer").value == 0.5
    assert refscore.wer(["A b"], ["a c"], lowercase=True, threads=2).value == 0.5
    assert isinstance(refscore.wer(["a"], ["a"]), WERScore)
    assert isinstance(refscore.cer(["a"], ["a"]), CERScore)


def test_a_corpus_is_no_mean_of_segments():
    hypotheses, references = ["a", "x b c d"], ["b", "a b c d"]
    assert refscore.wer(hypotheses, references).value == 2 / 5
    assert WER().segments(hypotheses, references).mean() == (1 + 1 / 4) / 2


@BOTH
def test_details(kind):
    score = kind().segment("a cat", "a dog")
    names = ["mer", "wil", "wip", "hits", "substitutions", "deletions", "insertions", "hyp_len", "ref_len"]
    assert sorted(score.details()) == sorted(names)
    assert str(score).startswith(f"{kind.__name__} = {score.percent:.2f} (hits = ")


@BOTH
def test_explain(kind):
    steps = kind().explain("a cat sat down", ["the cat sat", "a dog sat down"])
    text = str(steps)
    assert steps.title.startswith(kind.__name__)
    for word in ("substitution", "hit", "MER", "WIP", "WIL", "reference 2"):
        assert word in text
    for segment in [("", ""), ("a", ""), ("", "a"), ("a", ["", "b"]), (["x", 1], [["x", 2]])]:
        assert f"{kind().segment(*segment).value:.4f}" in kind().explain(*segment).result


def test_explain_a_long_segment_in_part():
    steps = WER().explain("a " * 1000, "b " * 1000)
    assert "more rows" in str(steps)


@pytest.mark.parametrize("metric", [refscore.WER(), refscore.CER(), refscore.GLEU()], ids=lambda metric: metric.name)
def test_mean_rows_have_the_score_of_summed_ones(metric):
    rows = metric.stats(["a b c", "a x", "q"], ["a b d", "a y z", "q r"])
    assert metric.score(rows.mean(0)).value == pytest.approx(metric.score(rows.sum(0)).value, rel=1e-12)
