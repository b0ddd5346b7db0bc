"""chrF's worked steps: the numbers equal the oracle's, and the output is deterministic."""

import json
import re

import numpy as np
import pytest
import sacrebleu
from hypothesis import given

import refscore
from refscore.tables import Table
from tests import strategies
from tests.examples import examples
from tests.metrics.step_parts import formulas, headings, paragraphs, tables
from tests.originals.chrf import make, settings
from tests.reference import chrf as oracle

CHRF = refscore.CHRF


def cells(table):
    return [row.cells for row in table.rows]


@given(setting=settings, corpus=strategies.text_corpora)
@examples(150)
def test_the_numbers_are_those_of_the_oracle(setting, corpus):
    for hypothesis, references in zip(*corpus, strict=True):
        steps = make(setting).explain(hypothesis, references)
        counts = oracle.segment_counts(setting, hypothesis, references)
        value = oracle.percent(setting, counts) / 100
        shown = float(re.fullmatch(r"chrF\S+ = (\d\.\d{4}) \(.* %\)", steps.result).group(1))
        assert shown == pytest.approx(value, abs=5.1e-5)
        orders = tables(steps).get("Orders")
        rows = [] if orders is None else cells(orders)
        expected = [(str(theirs), str(common)) for ours, theirs, common in oracle.triples(counts) if ours or theirs]
        # Includes orders that only the hypothesis has, which count as if it had none.
        assert [row[2:4] for row in rows if row[2] != "0"] == [pair for pair in expected if pair[0] != "0"]
        assert f"Settings: {make(setting).signature}" in paragraphs(steps)
        json.dumps(steps.to_dict())
        assert str(steps).encode()
        assert steps.to_html().encode()


def test_a_sentence():
    hypothesis, reference = "the cat sat on a mat", "the cat sat on the mat"
    steps = CHRF().explain(hypothesis, reference)
    assert steps.title == "chrF2, step by step"
    assert headings(steps) == ["1. Characters", "2. Common n-grams", "3. Precision and recall", "4. Result"]
    shown = tables(steps)
    assert cells(shown["Characters"]) is not None
    assert cells(shown["Orders"])[1] == ("character 2-grams", "14", "16", "12", "12/14 = 0.8571", "12/16 = 0.7500", "")
    assert "The other orders have too many to list. The next step has their counts." in paragraphs(steps)
    found = formulas(steps)
    assert found["P"].expression.startswith("(0.9333 + 0.8571 + ")
    theirs = sacrebleu.sentence_chrf(hypothesis, [reference]).score
    assert found["chrF2"].value == f"{theirs / 100:.4f}"
    assert steps.result == f"chrF2 = {theirs / 100:.4f} ({theirs:.2f} %)"


def first_tables(steps, title):
    """Return tables by title; of two tables named Characters, the first (the texts)."""
    return [part for part in steps.parts if isinstance(part, Table) and part.title == title]


def test_common_ngrams_are_listed_where_they_are_few():
    steps = CHRF(char_order=3).explain("abab", "bab")
    texts, common = first_tables(steps, "Characters")
    assert cells(texts) == [("hypothesis", "abab", "4"), ("reference", "bab", "3")]
    assert [(row.cells, row.mark) for row in common.rows] == [
        (("a", "2", "1", "1"), "partial"),
        (("b", "2", "2", "2"), "match"),
    ]
    assert cells(tables(steps)["Character 2-grams"]) == [("ab", "2", "1", "1"), ("ba", "1", "1", "1")]
    assert cells(tables(steps)["Character 3-grams"]) == [("bab", "1", "1", "1")]
    assert "There are no common n-grams." in paragraphs(CHRF().explain("abc", "xyz"))
    alphabet = "".join(map(chr, range(0x4E00, 0x4E50)))
    assert "All orders have too many to list. The next step has their counts." in paragraphs(
        CHRF().explain(alphabet, alphabet)
    )


def test_white_space_and_case():
    assert "Characters are code points. Whitespace is ignored." in paragraphs(CHRF().explain("A b", "a\tb"))
    steps = CHRF(whitespace=True, lowercase=True).explain("A b\n", "a b")
    assert "Characters are code points. Whitespace counts; a space is shown as ␣." in paragraphs(steps)
    assert cells(first_tables(steps, "Characters")[0])[0] == ("hypothesis", "a␣b\n", "4")
    assert "a␣b\\n" in str(steps)


def test_grapheme_clusters_stand_apart():
    steps = CHRF(characters="graphemes", char_order=1).explain("e\u0301a 👍🏽", "e\u0301")
    assert cells(first_tables(steps, "Characters")[0])[0] == ("hypothesis", "e\u0301 a 👍🏽", "3")
    assert any("grapheme clusters" in text for text in paragraphs(steps))


def test_words():
    steps = CHRF.preset("chrf++").explain("(the cat) sat.", "the cat sat")
    texts = first_tables(steps, "Words")
    assert cells(texts[0])[0] == ("hypothesis", "( the cat ) sat .", "6")
    assert cells(texts[1]) == [("the", "1", "1", "1"), ("cat", "1", "1", "1"), ("sat", "1", "1", "1")]
    assert cells(tables(steps)["Word 2-grams"]) == [("the cat", "1", "1", "1")]
    assert cells(tables(steps)["Orders"])[-1] == ("word 2-grams", "5", "2", "1", "1/5 = 0.2000", "1/2 = 0.5000", "")
    assert "chrF2++" in formulas(steps)


def test_tokens():
    for tokens in ([3, 1, 3], ("c", "a", "c"), np.array([3, 1, 3])):
        steps = CHRF(char_order=2).explain(tokens, [tokens])
        assert "Each token counts as a character." in paragraphs(steps)
        assert steps.result == "chrF2 = 1.0000 (100.00 %)"
    assert cells(first_tables(CHRF().explain(["a", " "], [["a"]]), "Characters")[0])[0] == ("hypothesis", "a  ", "2")


def test_several_references():
    steps = CHRF().explain("the cat sat", ["a dog", None, "the cat sits", "a cat"])
    assert headings(steps)[1] == "2. The best reference"
    references = tables(steps)["References"]
    scores = [sacrebleu.sentence_chrf("the cat sat", [one]).score / 100 for one in ("a dog", "the cat sits", "a cat")]
    assert [row.cells[1] for row in references.rows] == [f"{score:.4f}" for score in scores]
    assert [row.mark for row in references.rows] == [None, "match", None]
    assert "Reference 2 has the best score. The next steps use it." in paragraphs(steps)
    tied = CHRF().explain("ab", ["ab", "ab"])
    assert "Reference 1 is the first with the best score. The next steps use it." in paragraphs(tied)


def test_orders_that_do_not_count():
    steps = CHRF().explain("abcd", "ab")
    assert "The mean is over the 2 of 6 orders with n-grams on both sides." in paragraphs(steps)
    assert "2 orders have no n-grams on either side." in paragraphs(steps)
    assert cells(tables(steps)["Orders"])[2] == ("character 3-grams", "2", "0", "0", "–", "–", "the reference has none")
    short = CHRF(char_order=2).explain("a", "ab")
    assert cells(tables(short)["Orders"])[1][-1] == "the hypothesis has none"
    assert "No order has n-grams on both sides, so the score is 0." in paragraphs(CHRF().explain("", "a"))
    assert "There are no common n-grams, so the score is 0." in paragraphs(CHRF().explain("a", "b"))
    assert "6 orders have no n-grams on either side." in paragraphs(CHRF().explain("", ""))


def test_epsilon_smoothing():
    steps = CHRF(smoothing="epsilon").explain("the", "The")
    assert any("A precision, recall or F of 0/0 counts as 1e-16." in text for text in paragraphs(steps))
    theirs = sacrebleu.CHRF(eps_smoothing=True).sentence_score("the", ["The"]).score
    assert formulas(steps)["chrF2"].value == f"{theirs / 100:.4f}"
    assert [row[3] for row in cells(tables(steps)["F-scores"])] == ["0.6667", "0.5", "1e-16"]
    longer = CHRF(smoothing="epsilon").explain("ab", "abc")
    assert cells(tables(longer)["F-scores"])[2] == ("character 3-grams", "1e-16", "0.0000", "0")


def test_nltk():
    steps = CHRF.preset("nltk").explain("the", "The")
    assert any("an order without common n-grams has F = 1e-16" in text for text in paragraphs(steps))
    assert "A corpus score is the mean of the segment scores (average='macro')." in paragraphs(steps)
    assert cells(tables(CHRF.preset("nltk").explain("ab", "abc"))["F-scores"])[2][1:] == ("–", "0.0000", "1e-16")


def test_many_orders_and_long_texts():
    for smoothing in ("none", "epsilon"):
        steps = CHRF(char_order=300, smoothing=smoothing).explain("abc" * 100, "abc" * 90)
        assert len(str(steps)) < 60_000
    steps = CHRF().explain("abcdefghij" * 20_000, "abcdefghij" * 20_000)
    assert steps.result == "chrF2 = 1.0000 (100.00 %)"


def test_beta_without_bounds():
    steps = CHRF(beta=1e200).explain("abc", "abd")
    assert formulas(steps)["chrF1e+200"].expression == "R, since β = 1e+200 makes P negligible"
