"""chrF compared with the slow oracle: every setting, every kind of unit, every difficult size."""

import itertools
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import chrf as oracle
from tests.reference import close

BETAS = (0, 0.5, 1, 2, 3.25)

setting_strategy = st.builds(
    oracle.Settings,
    char_order=st.integers(1, 8),
    word_order=st.integers(0, 3),
    beta=st.sampled_from(BETAS),
    lowercase=st.sampled_from(oracle.LOWERCASES),
    normalize=st.sampled_from(oracle.NORMALIZATIONS),
    whitespace=st.booleans(),
    smoothing=st.sampled_from(oracle.SMOOTHINGS),
    units=st.sampled_from(oracle.UNITS),
    average=st.sampled_from(oracle.AVERAGES),
)
token_settings = setting_strategy.map(lambda setting: replace(setting, word_order=0))


def make(setting):
    return refscore.CHRF(**asdict(setting))


def check(setting, hypotheses, references, seen=None):
    """Compare rows, values and parts of scores. `seen` is the oracle's input, if it differs."""
    metric = make(setting)
    check_rows(metric, setting, hypotheses, references, oracle.rows(setting, *(seen or (hypotheses, references))))


def check_rows(metric, setting, hypotheses, references, expected):
    rows = metric.stats(hypotheses, references)
    assert metric.columns == setting.columns
    assert rows.shape == (len(expected), len(setting.columns))
    values = metric.segments(hypotheses, references)
    total = [sum(column) for column in zip(*expected, strict=True)]
    score = metric.corpus(hypotheses, references)
    if setting.average == "macro":
        assert rows.dtype == np.float64
        assert all(close(*pair) for pair in zip(rows[:, 0].tolist(), [row[0] for row in expected], strict=True))
        assert rows[:, 1].tolist() == [1] * len(expected)
        assert score.precision is score.recall is None
        assert score.hyp_ngrams == score.ref_ngrams == score.matches == ()
    else:
        assert rows.dtype == np.int64
        assert rows.tolist() == expected
        assert (*score.hyp_ngrams, *score.ref_ngrams, *score.matches) == (*total[0::3], *total[1::3], *total[2::3])
        precision, recall = oracle.mean_precision_and_recall(total)
        assert close(score.precision, precision) and close(score.recall, recall)
    assert all(close(*pair) for pair in zip(values, [oracle.score(setting, row) for row in expected], strict=True))
    assert close(score.value, oracle.score(setting, total))


# Text


@given(setting=setting_strategy, corpus=strategies.text_corpora)
@examples(600)
def test_text(setting, corpus):
    check(setting, *corpus)


@given(
    setting=setting_strategy.map(lambda s: replace(s, char_order=0, word_order=s.word_order + 1)),
    corpus=strategies.text_corpora,
)
@examples(100)
def test_words_alone(setting, corpus):
    check(setting, *corpus)


LETTERS = ["a", "ab", "aA ", "ab ,.", "é\u0301e ", "İiI\u0307", "Σσς α", "\ud83d\udc4d👍", None]


@pytest.mark.parametrize("letters", LETTERS, ids=lambda letters: ascii(letters or "any"))
@given(setting=setting_strategy, data=st.data())
@examples(80)
def test_few_or_many_characters(letters, setting, data):
    text = st.text(st.sampled_from(letters) if letters else strategies.characters, max_size=30)
    check(setting, *data.draw(strategies.corpora(st.tuples(text, st.lists(text, min_size=1, max_size=3)))))


TEXTS = [
    "The cat SAT on the Mat, the cat.",
    "ΣΟΦΟΣ ΟΔΟΣ Σ ΣΣ ΑΣ. Σ ΟΔΟΣ",
    "σοφος ΟΔΟς σ σσ ας. ς",
    "İstanbul I ı i̇stanbul İ i",
    "STRASSE straße STRAẞE Straße",
    "\u212aelvin kelvin Å å Kelvin Å",
    "ǅ Ǆ ǆ ﬁ FI ﬀ",
    "👍🏽 👍 👩\u200d👩\u200d👧 👍🏽 🇩🇪🇫🇷",
    "e\u0301 é É E\u0301 é",
    "你好 世界 你好 我 世界",
    "你好\u3000世界\u3000A\u3000a",
    "שלום עולם \u202eABC\u202c שלום مرحبا",
    "\ud800 a \udfff A \ud83d\udc4d \ud800",
    "a\x00b A\x00B \x00 a",
    "a\x85B\u2028a\u2029b\x1cA\x1fB",
    "𐐀 𐐨 𐐀𐐨 A",
    " \t\n x  Y \r\n ",
    "\r\n \u0308 \u00a0\u0308",
    "क्षि नमस्ते ส้ำ 각각 ᄀᄀ가",
    "\"quoted\" 'word' (a) ,, ... !? -x- _y_ ~ a.b, .",
    "x",
    "",
    " ",
]


def test_awkward_texts_in_pairs():
    """Each with itself, its neighbour and a different one, under all settings for reading."""
    references = [[TEXTS[(i + step) % len(TEXTS)]] for step in (0, 1, 7) for i in range(len(TEXTS))]
    for lowercase, whitespace, units in itertools.product(oracle.LOWERCASES, (False, True), oracle.UNITS):
        setting = oracle.Settings(word_order=2, lowercase=lowercase, whitespace=whitespace, units=units)
        check(setting, TEXTS * 3, references)
    for normalize, units in itertools.product(oracle.NORMALIZATIONS, oracle.UNITS):
        check(oracle.Settings(normalize=normalize, units=units, lowercase=True), TEXTS * 3, references)


def test_all_combinations_on_one_corpus():
    hypotheses = ["The cat sat.", "a", "", "abc", "nothing", "a b a b"]
    references = [
        ["the cat sat on it.", "The Cat"],
        ["b", "a"],
        ["", "x"],
        ["abcabc"],
        ["xyz, w"],
        ["b a", "", "ab ab"],
    ]
    names = ("char_order", "word_order", "beta", "smoothing", "average")
    for choice in itertools.product((1, 6), (0, 2), (0, 2), oracle.SMOOTHINGS, oracle.AVERAGES):
        check(oracle.Settings(**dict(zip(names, choice, strict=True))), hypotheses, references)


@pytest.mark.parametrize("name", oracle.PRESETS)
@given(corpus=strategies.text_corpora)
@examples(60)
def test_presets(name, corpus):
    metric, setting = refscore.CHRF.preset(name), oracle.PRESETS[name]
    assert metric == make(setting)
    check_rows(metric, setting, *corpus, oracle.rows(setting, *corpus))


# Tokens, which count as characters


@given(setting=token_settings, corpus=strategies.any_corpora)
@examples(200)
def test_tokens_of_any_kind(setting, corpus):
    check(setting, *corpus)


@given(setting=token_settings, corpus=strategies.id_corpora, dtype=st.sampled_from(["int32", "int64", "uint16"]))
@examples(80)
def test_arrays_of_ids(setting, corpus, dtype):
    hypotheses, references = corpus
    arrays = [np.array(h, dtype) for h in hypotheses], [[np.array(r, dtype) for r in refs] for refs in references]
    check(setting, *arrays, corpus)


def test_ids_beyond_the_first_plane_of_code_points():
    numbers = [0, 1, 0xFFFF, 0x10000, 0x110000, 2**31, 2**32, 2**32 + 1, 2**63 - 1, -1, -(2**63)]
    shuffled = [numbers[i * 7 % len(numbers)] for i in range(40)]
    check(oracle.Settings(), [numbers, shuffled], [[shuffled, numbers[::-1]], [shuffled[3:] + numbers]])


def test_padded_batches():
    batch = np.array([[1, 2, 3, 4, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [5, 4, 3, 2, 1]])
    others = np.array([[1, 2, 3, 0, 0], [1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [0, 0, 0, 0, 0]])

    def drop(rows):
        return [[token for token in row if token != 0] for row in rows]

    setting = oracle.Settings()
    expected = oracle.rows(setting, drop(batch.tolist()), [[row] for row in drop(others.tolist())])
    sides = (refscore.padded(side, pad_id=0) for side in (batch, others))
    check_rows(make(setting), setting, *sides, expected)


def test_settings_for_text_do_nothing_to_tokens():
    tokens = ["A", " ", "e\u0301", "x y", "你好", "", "Σ", "\n"]
    other = [token.upper() for token in tokens[::-1]]
    for setting in (oracle.Settings(lowercase=True, normalize="NFKC"), oracle.Settings(units="graphemes")):
        check(setting, [tokens], [[other, tokens[3:]]])


# Sizes at which the kernel changes its algorithm: it counts in tables up to 65,535 characters and 2^20 entries


def noisy(seed, length, distinct):
    codes = strategies.random_tokens(seed, length, distinct)
    kept = [code for i, code in enumerate(codes) if i % 11]
    middle = len(kept) // 2
    return codes, [*kept[:middle], distinct, 0, *kept[middle:]]


@pytest.mark.parametrize("first", [0x21, 0x4E00, 0x20000], ids=["ASCII", "first plane", "beyond"])
@pytest.mark.parametrize(
    ("length", "distinct"),
    [
        *[(1000, 1), (1022, 5000), (1023, 5000), (1024, 5000)],
        *(
            pytest.param(*size, marks=pytest.mark.slow)
            for size in [(70_000, 1), (65_535, 15), (65_536, 15), (65_535, 16), (30_000, 20_000)]
        ),
    ],
)
def test_long_texts(first, length, distinct):
    codes, other = noisy(1, length, distinct)
    text, changed = ("".join(chr(first + code) for code in side) for side in (codes, other))
    # A short segment after a long one, whose state must not leak.
    hypotheses, references = [changed, "abc", text, changed], [[text], ["abd"], [changed, text], [""]]
    check(oracle.Settings(), hypotheses, references)


@pytest.mark.slow
@pytest.mark.parametrize(("length", "distinct"), [(66_000, 3), (70_000, 69_000), (1024, 900)])
def test_long_tokens(length, distinct):
    codes, other = noisy(2, length, distinct)
    check(oracle.Settings(char_order=3), [other, [1, 2]], [[codes, other[5:]], [[2, 1]]])


@pytest.mark.slow
def test_long_texts_as_clusters():
    text = "e\u0301a👍🏽 " * 9000 + "\r\n" * 50
    check(oracle.Settings(units="graphemes", char_order=2), [text, text[1:]], [[text[7:]], [text]])


def test_orders_beyond_the_length():
    for eps, average in itertools.product(oracle.SMOOTHINGS, oracle.AVERAGES):
        setting = oracle.Settings(char_order=70, word_order=40, smoothing=eps, average=average)
        check(setting, ["abc de", "a" * 71], [["abc df", "abd"], ["a" * 69]])


# The best reference


@given(setting=setting_strategy, corpus=strategies.text_corpora)
@examples(60)
def test_missing_references_are_left_out(setting, corpus):
    hypotheses, references = corpus
    check(setting, hypotheses, [[None, *refs, None] for refs in references], corpus)


def test_the_first_of_equally_good_references():
    setting = oracle.Settings(char_order=1)
    check(setting, ["ab"], [["ax", "bxx", "bx"]])
    assert refscore.CHRF(char_order=1).stats(["ab"], [["ax", "bxx"]]).tolist() == [[2, 2, 1]]
    assert refscore.CHRF(char_order=1).stats(["ab"], [["xyz", "zz"]]).tolist() == [[2, 3, 0]]  # both score 0
