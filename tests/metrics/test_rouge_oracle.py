"""ROUGE compared with the slow oracle: other tokenizers, every kind of token, every difficult size."""

import nltk.stem.porter
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import close
from tests.reference import rouge as oracle
from tests.reference import tokenizers as oracle_tokenizers

VARIANTS = ("1", "2", "3", "9", "L", "Lsum")
STEMMER = nltk.stem.porter.PorterStemmer()


def check(metric, hypotheses, references, seen=None):
    """Compare rows. `seen` is the oracle's input, if it differs: lines of tokens."""
    if seen is None:
        seen = [[text] for text in hypotheses], [[[text] for text in refs] for refs in references]
    rows = metric.stats(hypotheses, references)
    assert rows.dtype == np.float64
    assert np.isfinite(rows).all()
    for row, hypothesis, refs in zip(rows.tolist(), *seen, strict=True):
        expected = oracle.row(metric.variant, hypothesis, refs)
        assert all(map(close, row, expected)), (row, expected)


def lines_of(metric, text):
    """Return the oracle's view of a text."""
    chosen = {"tokenizer": metric.tokenizer, "lowercase": metric.lowercase, "normalize": metric.normalize}
    # Lowercased as a whole, because the end of a line can affect a sigma.
    whole = oracle_tokenizers.prepare_text(text, lowercase=chosen["lowercase"], normalize=chosen["normalize"])
    lines = whole.split("\n") if metric.variant == "Lsum" else [whole]
    tokens = [oracle_tokenizers.tokenize(line, metric.tokenizer) for line in lines]
    if metric.stem:
        tokens = [
            [STEMMER.stem(token, to_lowercase=False) if len(token) > 3 else token for token in line] for line in tokens
        ]
    return tokens


@given(
    corpus=strategies.text_corpora,
    variant=st.sampled_from(VARIANTS),
    stem=st.booleans(),
    tokenizer=st.sampled_from(sorted(oracle_tokenizers.TOKENIZERS)),
    lowercase=st.sampled_from([False, True, "ascii"]),
    normalize=st.sampled_from(["none", "NFC", "NFKC"]),
)
@examples(200)
def test_settings_of_text(corpus, variant, stem, tokenizer, lowercase, normalize):
    metric = refscore.ROUGE(variant=variant, stem=stem, tokenizer=tokenizer, lowercase=lowercase, normalize=normalize)
    hypotheses, references = ([text[:150] for text in corpus[0]], [[text[:150] for text in refs] for refs in corpus[1]])
    seen = (
        [lines_of(metric, text) for text in hypotheses],
        [[lines_of(metric, text) for text in refs] for refs in references],
    )
    check(metric, hypotheses, references, seen)


@pytest.mark.parametrize("variant", VARIANTS)
@given(data=st.data())
@examples(120)
def test_tokens(variant, data):
    kinds = [strategies.word_corpora, strategies.id_corpora, strategies.any_corpora]
    # Among mixed tokens, a line break could also be a word, so Lsum rejects them.
    corpus = data.draw(st.one_of(kinds[:2] if variant == "Lsum" else kinds))
    check(refscore.ROUGE(variant=variant), *corpus)
    check(refscore.ROUGE(variant=variant, stem=True, lowercase=False), *corpus)  # without effect on tokens


def split(tokens):
    lines = [[]]
    for token in tokens:
        if token == "\n":
            lines.append([])
        else:
            lines[-1].append(token)
    return lines


@given(corpus=strategies.corpora(strategies.token_segment(st.sampled_from(["a", "b", "c", "\n"]))))
@examples(100)
def test_a_line_break_among_tokens_ends_a_sentence(corpus):
    hypotheses, references = corpus
    seen = [split(text) for text in hypotheses], [[split(text) for text in refs] for refs in references]
    metric = refscore.ROUGE(variant="Lsum")
    check(metric, hypotheses, references, seen)
    prepared = metric.prepare(references)
    assert np.array_equal(metric.stats(hypotheses, prepared), metric.stats(hypotheses, references))
    others = [refs[0] for refs in references]
    expected = [[metric.segment(text, [other]).value for other in others] for text in hypotheses]
    assert metric.pairwise(hypotheses, others, tokens=True).tolist() == expected


SIZES = [0, 1, 2, 63, 64, 65, 127, 128, 129, 200]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("distinct", [8, *(pytest.param(count, marks=pytest.mark.slow) for count in (1, 2, 1000))])
def test_sizes_around_words_of_64_bits(size, distinct):
    reference = strategies.random_tokens(1, size, distinct)
    others = [strategies.random_tokens(2, other, distinct) for other in (0, 1, 64, 65, 130)]
    others += [
        [-1 if token == "changed" else token for token in strategies.noisy_copy(3, reference, rate)]
        for rate in (0.1, 0.5)
    ]
    for variant in VARIANTS:
        metric = refscore.ROUGE(variant=variant)
        check(metric, others, [[reference] for _ in others])
        check(metric, [reference for _ in others], [[other] for other in others])


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["1", "2", "L", "Lsum"])
def test_100_000_tokens(variant):
    """Needs neither recursion nor a table of 10^10 cells. Equal texts are perfect, and half a text is found in it."""
    reference = strategies.random_tokens(4, 100_000, 3000)
    metric = refscore.ROUGE(variant=variant)
    assert metric.segment(reference, [reference]).value == 1
    assert metric.segment(reference[:50_000], [reference]).precision == 1


def test_a_function_as_tokenizer():
    def by_comma(text):
        return text.split(",")

    metric = refscore.ROUGE(tokenizer=by_comma, stem=True)
    assert metric.segment("Running shoes,a", "running shoe,a").value == 1
    assert refscore.ROUGE(tokenizer=by_comma).segment("Running shoes,a", "running shoe,a").value == 0.5
    summary = refscore.ROUGE(tokenizer=by_comma, variant="Lsum")
    text, other = "a,b\nc,d", "c,d\na,b"
    assert summary.segment(text, other).value == 1
    assert refscore.ROUGE(tokenizer=by_comma).segment(text, other).value < 1
    with pytest.raises(refscore.InputError, match="not strings"):
        refscore.ROUGE(tokenizer=lambda text: [len(text)], variant="Lsum").segment("a", "b")
