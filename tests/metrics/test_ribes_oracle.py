"""RIBES compared with the slow oracle: every setting, every kind of token, every difficult size."""

import itertools
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.reference import close
from tests.reference import ribes as oracle
from tests.reference import tokenizers as oracle_tokenizers

WEIGHTS = (0, 0.25, 1, 2.5)
RULES = {
    "first_context": oracle.FIRST_CONTEXTS,
    "context_limit": oracle.CONTEXT_LIMITS,
    "correlation": oracle.CORRELATIONS,
    "single_word": oracle.SINGLE_WORDS,
    "empty_reference": oracle.EMPTY_REFERENCES,
}
# Up to this length every context is counted directly; beyond it, the oracle uses its version for long sentences.
LONG = 24

setting_strategy = st.builds(
    oracle.Settings,
    alpha=st.sampled_from(WEIGHTS),
    beta=st.sampled_from(WEIGHTS),
    **{name: st.sampled_from(values) for name, values in RULES.items()},
)


def make(setting, **others):
    return refscore.RIBES(**asdict(setting), **others)


def aligner(first, limit, hypothesis, reference):
    by_hand = max(len(hypothesis), len(reference)) <= LONG
    return (oracle.align if by_hand else oracle.align_long)(first, limit, hypothesis, reference)


def first_empty(references):
    """Return the location of the first empty reference as in an error, or None."""
    for i, refs in enumerate(references):
        for j, reference in enumerate(refs):
            if len(reference) == 0:
                return rf"references\[{i}\]" + (rf"\[{j}\]" if len(refs) > 1 else "")
    return None


def check(setting, hypotheses, references, expected_tokens=None, **others):
    """Compare rows, values, means and alignments. expected_tokens is the oracle's input, if it differs."""
    metric = make(setting, **others)
    seen = expected_tokens or (hypotheses, references)
    place = first_empty(seen[1])
    if place is not None and setting.empty_reference == "error":
        for method in (metric.stats, metric.segments, metric.corpus):
            with pytest.raises(refscore.InputError, match=place):
                method(hypotheses, references)
    else:
        check_rows(metric, hypotheses, references, oracle.rows(setting, *seen, aligner))
    for hypothesis, refs, seen_hypothesis, seen_refs in zip(hypotheses, references, *seen, strict=True):
        for reference, seen_reference in zip(refs, seen_refs, strict=True):
            if len(seen_reference):
                check_alignment(metric, setting, (hypothesis, reference), (seen_hypothesis, seen_reference))


def check_rows(metric, hypotheses, references, expected):
    rows = metric.stats(hypotheses, references)
    assert tuple(metric.columns) == oracle.COLUMNS
    assert rows.dtype == np.float64
    assert rows.shape == (len(hypotheses), 5)
    assert np.isfinite(rows).all()
    for row, wanted in zip(rows.tolist(), expected, strict=True):
        assert all(map(close, row, wanted)), (row, wanted)
    values = metric.segments(hypotheses, references)
    assert values.dtype == np.float64
    assert all(map(close, values.tolist(), [row[0] for row in expected]))
    if not any(row[4] for row in expected):
        with pytest.raises(refscore.InputError):
            metric.corpus(hypotheses, references)
        return
    score = metric.corpus(hypotheses, references)
    shown = (score.value, score.nkt, score.precision, score.brevity_penalty)
    assert all(map(close, shown, oracle.means(expected)))
    assert score.segments == sum(row[4] for row in expected)


def check_alignment(metric, setting, given, seen):
    hypothesis, reference = map(tuple, seen)
    expected = aligner(setting.first_context, setting.context_limit, hypothesis, reference)
    actual = metric.alignment(*given)
    assert type(actual) is tuple
    assert [word.word for word in actual] == list(hypothesis)
    assert [(word.rank, word.context) for word in actual] == [word or (None, None) for word in expected]
    assert all(word.rank is None or type(word.rank) is int for word in actual)


# Every setting


def repetitive(letters, max_size=20, max_references=3):
    return strategies.corpora(strategies.token_segment(st.sampled_from(letters), max_size, max_references), max_size=3)


@pytest.mark.parametrize("letters", ["a", "ab", "abc", "abcd"])
@given(setting=setting_strategy, data=st.data())
@settings(max_examples=150)
def test_every_combination(letters, setting, data):
    check(setting, *data.draw(repetitive(letters)))


def test_all_combinations_on_one_corpus():
    """Includes ties between references, empty segments on both sides, one common word, and none."""
    segments = (
        "abcab=abcba cabab/aabb=bbaa abab aabb/ba=a b ab/c=c/abcd=dcba abdc badc/=ab/"
        "abab=baba /x=y/aab= /= /abcdeabc=abcabcde"
    )
    hypotheses, references = zip(*(segment.split("=") for segment in segments.split("/")), strict=True)
    hypotheses = [list(text) for text in hypotheses]
    references = [[list(text) for text in texts.split(" ")] for texts in references]
    for rules in itertools.product(*RULES.values()):
        setting = oracle.Settings(**dict(zip(RULES, rules, strict=True)))
        for alpha, beta in itertools.product(WEIGHTS, WEIGHTS):
            check_fast(replace(setting, alpha=alpha, beta=beta), hypotheses, references)
        check(setting, hypotheses, references)


def check_fast(setting, hypotheses, references):
    """Compare only rows, because the caller's variations do not affect alignments."""
    if setting.empty_reference == "error":
        kept = [i for i, refs in enumerate(references) if all(refs)]
        hypotheses, references = [hypotheses[i] for i in kept], [references[i] for i in kept]
    check_rows(make(setting), hypotheses, references, oracle.rows(setting, hypotheses, references, aligner))


@pytest.mark.parametrize("name", oracle.PRESETS)
@given(corpus=repetitive("abc"))
@settings(max_examples=60)
def test_presets_on_tokens(name, corpus):
    metric, setting = refscore.RIBES.preset(name), oracle.PRESETS[name]
    assert {rule: getattr(metric, rule) for rule in RULES} == {rule: getattr(setting, rule) for rule in RULES}
    if setting.empty_reference == "error" and first_empty(corpus[1]) is not None:
        return
    check_rows(metric, *corpus, oracle.rows(setting, *corpus, aligner))


def test_the_long_path_of_the_oracle():
    """It replaces the simple version beyond LONG words, so both must agree below and slightly above."""
    for size in (0, 1, 2, 5, 12, 24, 33):
        for hypothesis, reference in structured(size).values():
            for first, limit in itertools.product(oracle.FIRST_CONTEXTS, oracle.CONTEXT_LIMITS):
                arguments = first, limit, tuple(hypothesis), tuple(reference)
                assert oracle.align_long(*arguments) == oracle.align(*arguments)


# Tokens


@given(setting=setting_strategy, corpus=strategies.any_corpora)
@settings(max_examples=200)
def test_tokens_of_any_kind(setting, corpus):
    check(setting, *corpus)


@given(setting=setting_strategy, corpus=strategies.id_corpora, dtype=st.sampled_from(["int32", "int64", "uint16"]))
@settings(max_examples=80)
def test_arrays_of_ids(setting, corpus, dtype):
    hypotheses, references = corpus
    arrays = [np.array(h, dtype) for h in hypotheses], [[np.array(r, dtype) for r in refs] for refs in references]
    check(setting, *arrays, corpus)


@given(setting=setting_strategy, corpus=repetitive("abc"))
@settings(max_examples=50)
def test_tuples(setting, corpus):
    hypotheses, references = corpus
    check(setting, list(map(tuple, hypotheses)), [tuple(map(tuple, refs)) for refs in references], corpus)


class Word(str):
    """A user's token type, equal to the plain string."""


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ([1, 2, 3, 2], [1.0, 2.0, 3.5, 2]),
        ([True, False, 5], [1, 0, 5]),
        ([1, "1", b"1"], ["1", b"1", 1]),
        ([-1, -2, -1], [-2, -2, -1]),
        ([0, 2**61 - 1, 3], [2**61 - 1, 3, 0]),
        ([2**53 + 1, 2**53, 7], [2.0**53, 7]),
        ([2**64, 2**64 + 1, 10**40], [0, 2**64 + 1, 10**40]),
        ([-1, 2**63, 4], [2**64 - 1, 4, -(2**63)]),
        ([-(2**63), 2**63 - 1, 0], [0, -(2**63), 2**63 - 1]),
        ([(1, 2), ("a",), (1, 2)], [(1.0, 2), ("b",), ("a",)]),
        ([Word("a"), "b"], ["a", Word("b")]),
        ([None, (), frozenset({1})], [(), None, frozenset({1})]),
        ([np.int64(1), np.int32(2), np.uint8(3)], [1, 2, 3.0]),
        ([np.uint64(2**64 - 1), np.uint64(1)], [-1, 1]),
        ([np.str_("a"), "b"], ["a", np.str_("b")]),
        (["", " ", "a b", ""], ["", "a", "b", " "]),
        (["\ud800", "\udfff", "x"], ["\ud800", "\ufffd", "x"]),
        (["é", "x", "A"], ["e\u0301", "A", "x"]),
    ],
)
def test_equal_tokens_are_those_python_calls_equal(hypothesis, reference):
    for setting in oracle.PRESETS.values():
        check(setting, [hypothesis, hypothesis], [[reference], [reference, hypothesis]])


def test_settings_for_text_do_nothing_to_tokens():
    tokens = ["A.b", "&amp;", "e\u0301", "x y", "你好", "", "Σ"]
    changed = [token.upper() + "?" for token in tokens]
    for tokenizer in oracle_tokenizers.TOKENIZERS:
        check(
            oracle.Settings(),
            [tokens],
            [[changed, tokens[::-1]]],
            tokenizer=tokenizer,
            lowercase=True,
            normalize="NFKC",
        )


def test_padded_batches():
    batch = np.array([[1, 2, 3, 4, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [5, 4, 3, 2, 1]])
    others = np.array([[1, 2, 3, 0, 0], [1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    several = np.stack([others, batch], axis=1)

    def drop(rows):
        return [[token for token in row if token != 0] for row in rows]

    def lengths(rows):
        return np.count_nonzero(rows, axis=-1)

    for setting in (oracle.Settings(empty_reference="skip"), oracle.PRESETS["nltk"]):
        for references in (others, several):
            right = [drop(refs) for refs in references.reshape(4, -1, 5).tolist()]
            expected = oracle.rows(setting, drop(batch.tolist()), right)
            for options in ({"pad_id": 0}, {"lengths": None}):
                sides = [
                    refscore.padded(side, **(options if "pad_id" in options else {"lengths": lengths(side)}))
                    for side in (batch, references)
                ]
                check_rows(make(setting), *sides, expected)
        check_rows(make(setting), batch, others, oracle.rows(setting, batch.tolist(), others[:, None].tolist()))


# Text


def check_text(setting, hypotheses, references, **options):
    def prepare(text):
        return oracle_tokenizers.prepare(text, **options)

    tokens = [prepare(text) for text in hypotheses], [[prepare(text) for text in refs] for refs in references]
    check(setting, hypotheses, references, tokens, **options)


@pytest.mark.parametrize("tokenizer", oracle_tokenizers.TOKENIZERS)
@given(
    setting=setting_strategy,
    corpus=strategies.text_corpora,
    lowercase=st.sampled_from([False, True, "ascii"]),
    normalize=st.sampled_from(["none", "NFC", "NFKC"]),
)
@settings(max_examples=80)
def test_text(tokenizer, setting, corpus, lowercase, normalize):
    check_text(setting, *corpus, tokenizer=tokenizer, lowercase=lowercase, normalize=normalize)


TEXTS = [
    "The cat SAT on the Mat the cat",
    "ΣΟΦΟΣ ΟΔΟΣ Σ ΣΣ ΑΣ. Σ ΟΔΟΣ",
    "σοφος ΟΔΟς σ σσ ας. ς",
    "İstanbul I ı i̇stanbul İ i",
    "STRASSE straße STRAẞE Straße",
    "\u212aelvin kelvin Å å Kelvin Å",
    "ǅ Ǆ ǆ ﬁ FI ﬀ",
    "👍🏽 👍 👩\u200d👩\u200d👧 👍🏽 🇩🇪",
    "e\u0301 é É E\u0301 é",
    "你好 世界 你好 我 世界",
    "你好\u3000世界\u3000A\u3000a",
    "שלום עולם \u202eABC\u202c שלום مرحبا",
    "\ud800 a \udfff A \ud83d\udc4d \ud800",
    "a\x00b A\x00B \x00 a",
    "a\x85B\u2028a\u2029b\x1cA\x1fB",
    "𐐀 𐐨 𐐀𐐨 A",
    " \t\n x  Y \r\n ",
    "ASCII only words ASCII",
    "x",
]


@pytest.mark.parametrize("lowercase", [True, False, "ascii"])
@pytest.mark.parametrize("name", oracle.PRESETS)
def test_awkward_texts(name, lowercase):
    """Compare each with itself, reversed, and with its neighbours: ASCII and other text in one corpus."""
    references = [
        [TEXTS[i - 1], " ".join(reversed(text.split())), text.swapcase(), text] for i, text in enumerate(TEXTS)
    ]
    check_text(oracle.PRESETS[name], TEXTS, [refs[:2] for refs in references], tokenizer="none", lowercase=lowercase)
    check_text(oracle.PRESETS[name], TEXTS, [refs[2:3] for refs in references], tokenizer="none", lowercase=lowercase)
    check_text(oracle.PRESETS[name], TEXTS, references, tokenizer="none", lowercase=lowercase)


def test_lowercase_is_that_of_the_whole_text():
    """One letter may become two, a symbol may become an ASCII letter, and a sigma depends on its neighbours."""
    metric = refscore.RIBES()
    for upper in ("ΟΔΟΣ A", "İ b", "\u212a C", "ẞ d", "ΑΣ\u0345Β ΑΣ\u0345", "Σ'A A'Σ"):
        assert metric.segment(upper, upper.lower()).value == 1.0
        words = tuple(word.word for word in metric.alignment(upper, upper.lower()))
        assert words == tuple(upper.lower().split())
    assert metric.segment("İ b", "i b").nkt == 0.0


# Sizes and shapes


def fibonacci(size):
    shorter, longer = [0], [0, 1]
    while len(longer) < size:
        shorter, longer = longer, longer + shorter
    return longer[:size]


def structured(size):
    """Return repetitive hypotheses and references, where contexts grow long or are never unique."""
    equal, fib = [0] * size, fibonacci(size)
    morse = [i.bit_count() % 2 for i in range(size)]
    pairs = {
        "equal": (equal, equal),
        "equal, one more": (equal, [*equal, 0]),
        "equal, one less": (equal, equal[1:] or [0]),
        "equal, a mark inside": ([0] * (size // 2) + [1] + equal[size // 2 :], [*equal, 1, *equal]),
        "equal, a mark moved": ([1, *equal], [*equal, 1]),
        "equal, a mark at the end": ([*equal, 1], [*equal, 1]),
        "period 2": ([i % 2 for i in range(size)], [(i + 1) % 2 for i in range(size + 1)]),
        "period 3": ([i % 3 for i in range(size)], [(i + 1) % 3 for i in range(size)]),
        "period 7": ([i % 7 for i in range(size)], [i % 7 for i in range(size, 0, -1)] or [0]),
        "two periods": ([i % 2 for i in range(size)], [i % 3 for i in range(size + 2)]),
        "Fibonacci": (fib, fib or [0]),
        "Fibonacci reversed": (fib, fib[::-1] or [0]),
        "Fibonacci rotated": (fib, fib[size // 3 :] + fib[: size // 3] or [0]),
        "Thue-Morse": (morse, morse[size // 2 :] + morse[: size // 2] or [0]),
        "distinct": (list(range(size)), list(range(size)) or [0]),
        "distinct reversed": (list(range(size)), list(range(size))[::-1] or [0]),
        "distinct rotated": (list(range(size)), [*range(size // 2, size), *range(size // 2)] or [0]),
    }
    for distinct in (2, 4, 30):
        words = strategies.random_tokens(5, size, distinct)
        pairs[f"doubled, {distinct} words"] = (words + words, words or [0])
        pairs[f"reference doubled, {distinct} words"] = (words, words + words or [0])
        pairs[f"reversed, {distinct} words"] = (words, words[::-1] or [0])
        pairs[f"rotated, {distinct} words"] = (words, words[size // 3 :] + words[: size // 3] or [0])
        pairs[f"noisy, {distinct} words"] = (strategies.noisy_copy(2, words), words or [0])
    return pairs


@pytest.mark.parametrize("size", [*range(8), 15, 16, 17, 31, 32, 33, 62, 63, 64, 65, 66, 70, 128, 129])
def test_structured_sentences(size):
    pairs = structured(size)
    hypotheses, references = [pair[0] for pair in pairs.values()], [[pair[1]] for pair in pairs.values()]
    orders = [("left", "none"), ("right", "nltk"), ("left", "nltk"), ("right", "none")]
    for first, limit in orders[: 4 if size < 100 else 2]:
        check(oracle.Settings(first_context=first, context_limit=limit), hypotheses, references)
    for correlation in oracle.CORRELATIONS[1:]:
        check_fast(oracle.Settings(correlation=correlation), hypotheses, references)
    check_fast(oracle.PRESETS["nltk"], [[str(token) for token in h] for h in hypotheses], as_text(references))


def as_text(references):
    return [[[str(token) for token in reference] for reference in refs] for refs in references]


SIZES = [*range(71), 126, 127, 128, 129, 130, 191, 192, 193, 255, 256, 257, 300, 512, 513]


@pytest.mark.parametrize("size", SIZES)
def test_every_size(size):
    hypotheses, references = [], []
    for distinct in (1, 2, 3, 4, 40, 10 * size + 1):
        if size > 150 and distinct == 1:
            continue
        words, others = (strategies.random_tokens(seed, size, distinct) for seed in (1, 2))
        for other in (others, words[1:], strategies.noisy_copy(1, words)):
            hypotheses += [words, other]
            references += [[other, words[: size // 2]], [words]]
    settings_here = [oracle.Settings(empty_reference="zero"), oracle.PRESETS["nltk"]]
    settings_here.append(replace(oracle.PRESETS["nltk-3.9"], first_context="left", empty_reference="skip"))
    for setting in settings_here:
        check(setting, hypotheses, references)
    for correlation, limit in itertools.product(["rho", "tau-runs"], oracle.CONTEXT_LIMITS):
        setting = replace(settings_here[0], correlation=correlation, context_limit=limit)
        check_fast(setting, hypotheses, references)


@pytest.mark.parametrize("distinct", [5, 60, 800, 10**9])
def test_thousands_of_words(distinct):
    reference = strategies.random_tokens(0, 2000, distinct)
    shuffled = [token for _, token in sorted(zip(strategies.random_tokens(9, 2000, 10**9), reference, strict=True))]
    hypotheses = [strategies.noisy_copy(3, reference), shuffled, reference[1000:] + reference[:1000]]
    others = strategies.random_tokens(1, 3000, distinct)
    for setting in (oracle.Settings(), oracle.PRESETS["nltk"], oracle.Settings(correlation="rho")):
        check_rows(
            make(setting),
            hypotheses,
            [[reference], [reference], [reference, others]],
            oracle.rows(setting, hypotheses, [[reference], [reference], [reference, others]], aligner),
        )
    check_alignment(make(oracle.Settings()), oracle.Settings(), (shuffled, reference), (shuffled, reference))


def test_hundreds_of_repetitions():
    """Use Fibonacci and periodic words of several hundred tokens, where contexts grow to the whole sentence."""
    hypotheses = [fibonacci(377), [i % 5 for i in range(400)], [0] * 300, [0] * 150 + [1] + [0] * 150]
    references = [[fibonacci(610)], [[i % 5 for i in range(3, 397)]], [[0] * 300, [0] * 301], [[0] * 301]]
    for setting in (oracle.Settings(), oracle.PRESETS["nltk"]):
        check(setting, hypotheses, references)


def test_many_references_and_segments_of_very_different_size():
    many = [strategies.random_tokens(i, i % 40, 9) for i in range(1, 200)]
    check_fast(oracle.PRESETS["nltk"], [strategies.random_tokens(500, 30, 9)], [many])
    sizes = [0, 1, 2, 900, 0, 5, 300, 1, 64, 65] * 3
    references = [[strategies.random_tokens(i, size, 30), list("ab")] for i, size in enumerate(sizes)]
    hypotheses = [strategies.noisy_copy(i, refs[0]) for i, refs in enumerate(references)]
    for threads in (1, 3, None):
        rows = make(oracle.PRESETS["nltk"]).stats(hypotheses, references, threads=threads)
        expected = oracle.rows(oracle.PRESETS["nltk"], hypotheses, references, aligner)
        assert all(
            close(a, b) for row, wanted in zip(rows, expected, strict=True) for a, b in zip(row, wanted, strict=True)
        )


def test_references_much_longer_than_the_hypothesis():
    """The brevity penalty is close to underflow, or underflows."""
    words = strategies.random_tokens(0, 4000, 10**9)
    hypotheses = [words[:2], words[:3], words[:5], words[:6], words[:40]]
    for alpha, beta in itertools.product(WEIGHTS, WEIGHTS):
        check_fast(oracle.Settings(alpha=alpha, beta=beta), hypotheses, [[words]] * 5)


# The count of ascending pairs


@given(st.lists(st.integers(-4, 4), max_size=90))
@settings(max_examples=200)
def test_ascending_pairs_with_ties(ranks):
    assert refscore.metrics.ascending_pairs(ranks) == oracle.ascending(ranks)


EXTREMES = [-(2**63), -(2**63) + 1, -(2**31), -1, 0, 1, 2**31, 2**32, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1]


@given(st.lists(st.sampled_from(EXTREMES) | st.integers(-(2**63), 2**63 - 1), max_size=70))
@settings(max_examples=200)
def test_ascending_pairs_of_large_numbers(ranks):
    assert refscore.metrics.ascending_pairs(ranks) == oracle.ascending(ranks)
    assert refscore.metrics.ascending_pairs(tuple(ranks)) == oracle.ascending(ranks)
    assert refscore.metrics.ascending_pairs(np.array(ranks, "int64")) == oracle.ascending(ranks)


@given(st.lists(st.integers(-(2**70), 2**70) | st.sampled_from(EXTREMES), max_size=40))
def test_ascending_pairs_beyond_64_bits(ranks):
    for given_ranks in (ranks, [*ranks, 2**70, -(2**70), 2**80]):
        assert refscore.metrics.ascending_pairs(given_ranks) == oracle.ascending(given_ranks)


@pytest.mark.parametrize("size", [63, 64, 65, 255, 256, 257, 1000])
def test_ascending_pairs_of_every_shape(size):
    for ranks in (
        *(strategies.random_tokens(size, size, distinct) for distinct in (1, 2, 30, size, 10**12)),
        *(list(pair[0]) for pair in structured(size).values() if "changed" not in pair[0]),
    ):
        found = refscore.metrics.ascending_pairs(ranks)
        assert type(found) is int
        assert found == oracle.ascending(ranks)


def test_ascending_pairs_of_many():
    size = 300_000
    assert refscore.metrics.ascending_pairs(range(size)) == size * (size - 1) // 2
    assert refscore.metrics.ascending_pairs(list(range(size))[::-1]) == 0
    assert refscore.metrics.ascending_pairs([7] * size) == 0
    assert refscore.metrics.ascending_pairs([]) == refscore.metrics.ascending_pairs([5]) == 0


@pytest.mark.parametrize("ranks", [[1.5, 2], ["a", "b"], [None, 1], 5, None])
def test_ascending_pairs_of_what_is_no_list_of_ints(ranks):
    with pytest.raises((refscore.InputError, TypeError)):
        refscore.metrics.ascending_pairs(ranks)
