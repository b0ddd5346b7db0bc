"""The preset `sacrebleu` compared with sacrebleu: numbers, tokens, signatures."""

import itertools
import math
import random

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

import refscore
from tests import strategies
from tests.reference import close
from tests.sacrebleu_options import ter_settings

OPTIONS = [
    dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), flags, strict=True))
    for flags in itertools.product([False, True], repeat=4)
]
NAMES = {
    "tercom": {},
    "tercom-norm": {"normalized": True},
    "tercom-norm-asian": {"normalized": True, "asian_support": True},
    "tercom-nopunct": {"no_punct": True},
    "tercom-nopunct-asian": {"no_punct": True, "asian_support": True},
    "tercom-norm-nopunct": {"normalized": True, "no_punct": True},
    "tercom-norm-nopunct-asian": {"normalized": True, "no_punct": True, "asian_support": True},
}
AWKWARD = [
    "",
    " \t",
    "a.,5",
    "a..,,5.,",
    "It's, it's. it's\tit's\xa0it's\nit's!it's",
    "'s 's's x's",
    "IT'S ΣΟΦΟΣ İstanbul",
    "\n-\n\n--x &amp;quot; &quot;&amp;lt;",
    "1-2 3.5,6 .5 5.",
    "a\x00b\x85c\u2028d\ud800e",
    "你好，世界。「日本語」カタカナ ㈱㌀㋿㐀㼢㼣 豈﹏ﾊﾛｰ･",
    "ひらがな カタカナㇰ",
    "(a) “b” ... ?!",
    "é👍🏽 שלום مرحبا، ؟",
]

every_option = pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: "-".join(k for k, v in options.items() if v)
)


def streams(references):
    """Convert references per segment to sacrebleu's streams; a missing reference is None."""
    width = max(len(refs) for refs in references)
    return [[refs[i] if i < len(refs) else None for refs in references] for i in range(width)]


def check(hypotheses, references, **options):
    """Compare the corpus, every single segment, all at once, and the alignments."""
    original, metric = sacrebleu.TER(**options), refscore.TER.preset("sacrebleu", **ter_settings(**options))
    theirs, ours = original.corpus_score(hypotheses, streams(references)), metric.corpus(hypotheses, references)
    assert close(ours.percent, theirs.score)
    expected = [original.sentence_score(*pair) for pair in zip(hypotheses, references, strict=True)]
    # sacrebleu rounds after each addition of a mean length; refscore rounds the exact sum once.
    assert (ours.edits, ours.ref_len) == (theirs.num_edits, math.fsum(one.ref_length for one in expected))
    assert close(ours.ref_len, theirs.ref_length)
    rows = metric.stats(hypotheses, references).tolist()
    assert rows == [[one.num_edits, one.ref_length] for one in expected]
    values = metric.segments(hypotheses, references)
    assert all(close(100 * value, one.score) for value, one in zip(values, expected, strict=True))
    for hypothesis, refs, row in zip(hypotheses, references, rows, strict=True):
        assert min(metric.alignment(hypothesis, reference).edit_count for reference in refs) == row[0]


def check_words(pairs):
    """Compare word lists with one reference each."""
    metric = refscore.TER()
    rows = metric.stats([words for words, _ in pairs], [[reference] for _, reference in pairs])
    for (words, reference), row in zip(pairs, rows.tolist(), strict=True):
        assert tuple(row) == translation_edit_rate(words, reference), (words, reference)
        assert metric.alignment(words, reference).edit_count == row[0]


def shuffled(generator, words, moves, others):
    """Move some blocks and change some words."""
    words = list(words)
    for _ in range(moves):
        begin = generator.randrange(len(words) + 1)
        block = words[begin : begin + generator.randint(1, 12)]
        del words[begin : begin + len(block)]
        place = generator.randrange(len(words) + 1) if generator.random() < 0.3 else begin + generator.randint(-20, 20)
        words[max(0, place) : max(0, place)] = block
    for _ in range(others):
        place = generator.randrange(len(words) + 1)
        change = generator.choice([[], ["new"], [generator.choice(words or ["new"])]])
        words[place : place + generator.randint(0, 1)] = change
    return words


@every_option
@given(corpus=strategies.text_corpora)
@settings(max_examples=15)
def test_drawn_text(options, corpus):
    check(*corpus, **options)


@every_option
def test_awkward_text(options):
    check(AWKWARD, [[text] for text in AWKWARD], **options)
    check(AWKWARD, [[AWKWARD[i - 1], AWKWARD[i - 2], text] for i, text in enumerate(AWKWARD)], **options)


@every_option
@given(texts=st.lists(strategies.lines(), min_size=1, max_size=8))
@settings(max_examples=60)
def test_tokens(options, texts):
    original, metric = TercomTokenizer(**options), refscore.TER(**ter_settings(**options))
    for text in texts:
        once = original(text.rstrip())
        assert metric.pipeline.words(text) == once.split()
        assert metric.pipeline.words(text, is_reference=True) == original(once).split()


@pytest.mark.parametrize("name", NAMES)
def test_every_character(name):
    """Alone, and between letters and digits."""
    original = TercomTokenizer(**NAMES[name], case_sensitive=True)
    for begin in range(0, 0x11000, 97):
        text = "".join(f"{char} a{char}b 1{char}2 " for char in map(chr, range(begin, begin + 97)))
        assert refscore.tokenize(text, name) == original(text.rstrip()).split()


@pytest.mark.parametrize("name", NAMES)
@given(texts=st.lists(strategies.lines(), min_size=1, max_size=8))
@settings(max_examples=40)
def test_registered_tokenizers(name, texts):
    original = TercomTokenizer(**NAMES[name], case_sensitive=True)
    for text in texts:
        assert refscore.tokenize(text, name) == original(text.rstrip()).split()


@pytest.mark.parametrize("vocabulary", [2, 3, 5, 12, 50])
def test_short_sentences(vocabulary):
    generator = random.Random(vocabulary)
    pairs = []
    for _ in range(250):
        reference = [f"w{generator.randrange(vocabulary)}" for _ in range(generator.randrange(16))]
        pairs.append((shuffled(generator, reference, generator.randrange(4), generator.randrange(4)), reference))
    check_words(pairs)


@pytest.mark.parametrize("vocabulary", [3, 15, 60])
def test_around_the_beam(vocabulary):
    """Lengths at which the beam begins to exclude cells, and at which a row exceeds one machine word."""
    generator = random.Random(vocabulary)
    pairs = []
    for size in (23, 24, 25, 26, 27, 50, 63, 64, 65, 100):
        reference = [f"w{generator.randrange(vocabulary)}" for _ in range(size)]
        pairs.append((shuffled(generator, reference, 2, 2), reference))
        pairs.append((shuffled(generator, reference, 0, 3)[size // 3 :], reference))
        pairs.append((reference, shuffled(generator, reference, 1, 1)[: size // 2]))
        pairs.append((generator.choices(reference, k=generator.randrange(1, 40)), reference))
    check_words(pairs)


@pytest.mark.parametrize("length", [1, 2, 3, 7])
@pytest.mark.parametrize("ratio", [5, 11, 20, 49, 50, 51, 70])
def test_references_that_are_much_longer(length, ratio):
    generator = random.Random(ratio)
    pairs = []
    for more in range(-2, 3):
        reference = [f"w{generator.randrange(40)}" for _ in range(length * ratio + more)]
        pairs.append((generator.choices(reference, k=length), reference))
        pairs.append((["x"] * length, reference))
        pairs.append((reference, generator.choices(reference, k=length)))
    check_words(pairs)


@pytest.mark.parametrize("size", [40, 63, 65, 100])
def test_many_shifts_of_one_word(size):
    """Unrelated texts, where most candidates are excluded without computing their distance."""
    generator = random.Random(size)
    weights = [1 / (rank + 2) for rank in range(2000)]
    words, reference = ([f"w{rank}" for rank in generator.choices(range(2000), weights, k=size)] for _ in range(2))
    check_words([(words, reference), (words[: size - size // 7], reference)])


def test_the_limit_of_candidates():
    """Use so many equal words that the search stops and discards the move it was about to make."""
    generator = random.Random(3)
    pairs = []
    for size in (30, 45, 60):
        reference = [f"w{generator.randrange(4)}" for _ in range(size)]
        pairs.append((shuffled(generator, reference, 3, 3), reference))
        pairs.append((generator.sample(reference, size), reference))
    check_words(pairs)


def test_moves_over_long_distances():
    words = [f"w{i}" for i in range(80)]
    pairs = []
    for distance in (24, 25, 49, 50, 51, 60):
        for block in (1, 9, 10, 11):
            rest = words[block:]
            pairs.append((rest[:distance] + words[:block] + rest[distance:], words))
    check_words(pairs)


def test_real_looking_sentences():
    generator = random.Random(9)
    common = "the of and to in a is that for it was on are as with they be at one have this from".split()  # noqa: SIM905
    hypotheses, references = [], []
    for _ in range(20):
        words = [
            generator.choice(common) if generator.random() < 0.5 else f"word{generator.randrange(300)}"
            for _ in range(25)
        ]
        references.append([" ".join(shuffled(generator, words, generator.randrange(3), 5)) + "." for _ in range(2)])
        hypotheses.append(" ".join(words).capitalize() + ".")
    check(hypotheses, references)
    check(hypotheses, references, normalized=True, no_punct=True)


@pytest.mark.parametrize("short", [False, True], ids=["long", "short"])
@every_option
def test_signatures(options, short):
    original = sacrebleu.TER(**options)
    original.corpus_score(["a b", "c"], [["a", "b"], ["a", None]])
    text = original.get_signature().format(short=short)
    metric = refscore.TER(**ter_settings(**options))
    assert refscore.from_signature(text) == metric
    assert refscore.from_signature(f"TER|{text} = 50.0") == metric
    assert refscore.from_signature(text.replace("tercom", "tercom|bs:1000|l:en-de")) == metric


def test_a_short_signature_with_a_test_set():
    """sacrebleu abbreviates both the test set and the tokenizer by `t`."""
    text = "#:1|t:wmt17|l:en-de|c:lc|t:tercom|nr:yes|pn:yes|as:no|v:2.6.0"
    assert refscore.from_signature(text) == refscore.TER(tokenizer="tercom-norm")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("case:lc", "case:upper", "case must be mixed or lc"),
        ("tok:tercom", "tok:13a", "tok"),
        ("norm:no", "norm:maybe", "norm .*yes or no"),
        ("norm:no|", "", "lacks norm"),
        ("asian:no", "asian:no|surprise:1", "it has surprise"),
        ("norm:no", "norm:no|nr:no", "twice"),
        ("norm:no", "norm:no|norm:no", "twice"),
    ],
)
def test_broken_signatures(old, new, message):
    text = "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0"
    assert old in text
    with pytest.raises(refscore.SignatureError, match=message):
        refscore.from_signature(text.replace(old, new))
