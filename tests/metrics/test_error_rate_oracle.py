"""WER and CER compared with the slow oracle: every kind of token, every difficult size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import edits as oracle
from tests.reference import tokenizers as oracle_tokenizers


def check(metric, hypotheses, references, expected_tokens=None):
    """Compare rows and alignments. expected_tokens is the oracle's input, if it differs."""
    seen = expected_tokens or (hypotheses, references)
    rows = metric.stats(hypotheses, references)
    assert rows.dtype == np.int64
    assert rows.tolist() == [oracle.row(hypothesis, refs) for hypothesis, refs in zip(*seen, strict=True)]
    assert metric.corpus(hypotheses, references).row.tolist() == rows.sum(axis=0).tolist()
    for hypothesis, refs, seen_hypothesis, seen_refs in zip(hypotheses, references, *seen, strict=True):
        for reference, seen_reference in zip(refs, seen_refs, strict=True):
            check_alignment(metric.alignment(hypothesis, reference), seen_hypothesis, seen_reference)


def check_alignment(edits, hypothesis, reference):
    assert [edit.kind for edit in edits] == oracle.align(reference, hypothesis)
    assert [edit.reference for edit in edits if edit.kind != "insertion"] == list(reference)
    assert [edit.hypothesis for edit in edits if edit.kind != "deletion"] == list(hypothesis)


@given(
    kind=st.sampled_from([refscore.WER, refscore.CER]),
    corpus=strategies.text_corpora,
    tokenizer=st.sampled_from(sorted(oracle_tokenizers.TOKENIZERS)),
    lowercase=st.sampled_from([False, True, "ascii"]),
    normalize=st.sampled_from(["none", "NFC", "NFKC"]),
)
@examples(150)
def test_settings_of_text(kind, corpus, tokenizer, lowercase, normalize):
    chosen = {"tokenizer": tokenizer, "lowercase": lowercase, "normalize": normalize}
    hypotheses, references = ([text[:150] for text in corpus[0]], [[text[:150] for text in refs] for refs in corpus[1]])
    seen = (
        [oracle_tokenizers.prepare(text, **chosen) for text in hypotheses],
        [[oracle_tokenizers.prepare(text, **chosen) for text in refs] for refs in references],
    )
    check(kind(**chosen), hypotheses, references, seen)


@given(corpus=st.one_of(strategies.word_corpora, strategies.id_corpora, strategies.any_corpora))
@examples(240)
def test_tokens(corpus):
    check(refscore.WER(), *corpus)


SIZES = [0, 1, 2, 31, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("distinct", [3, *(pytest.param(count, marks=pytest.mark.slow) for count in (1, 2, 8, 1000))])
def test_sizes_around_words_of_64_bits(size, distinct):
    reference = strategies.random_tokens(1, size, distinct)
    others = [strategies.random_tokens(2, other, distinct) for other in (0, 1, 5, 64, 65, 130)]
    others += [
        [-1 if token == "changed" else token for token in strategies.noisy_copy(3, reference, rate)]
        for rate in (0.1, 0.5)
    ]
    check(refscore.WER(), others, [[reference] for _ in others])
    check(refscore.WER(), [reference for _ in others], [[other] for other in others])


def test_the_lowest_rate_counts_and_the_first_of_equals():
    metric = refscore.WER()
    # 1 error in 2 words is worse than 1 in 4.
    assert metric.segment("a b c d", ["a x", "a b c x"]).row.tolist() == [3, 1, 0, 0]
    # 1/2 and 2/4 are the same rate.
    assert metric.segment("a b", ["a x", "a b c d"]).row.tolist() == [1, 1, 0, 0]
    assert metric.segment("a b", ["a b c d", "a x"]).row.tolist() == [2, 0, 2, 0]
    # A reference without words counts as one word.
    assert metric.segment("a b", ["", "x y"]).row.tolist() == [0, 2, 0, 0]
    assert metric.segment("a", ["x", ""]).row.tolist() == [0, 1, 0, 0]
