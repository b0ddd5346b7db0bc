"""The native Porter stemmer compared with NLTK's, for every short word of a few letters and many longer ones."""

import itertools
import random

import pytest
from hypothesis import given, strategies as st
from nltk.stem.porter import PorterStemmer

from refscore import _native
from tests.examples import examples
from tests.strategies import FRAGMENTS, SEPARATORS, SURROGATES, characters

STEMMER = PorterStemmer()

# Every suffix in a rule, and suffixes that earlier steps turn into one of them.
SUFFIXES = (  # noqa: SIM905 - as one text it can still be read
    "s ss sses ies ied eed ed ing at bl iz y ational tional enci anci izer bli abli alli entli eli ousli "
    "ization ation ator alism iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti "
    "ical ful ness al ance ence er ic able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize e "
    "ll l ly ally fully ently ously ably ibly ically ity ality ivity bility icity ology ogy ness nesses "
    "izations ationally ingly edly y's 's *d *ded *ding dd zz nn"
).split()
IRREGULAR = (  # noqa: SIM905
    "sky skies dying lying tying news inning innings outing outings canning cannings howe proceed exceed succeed "
    "skys skyes dyings newses proceeds exceeding succeeded howes"
).split()
STARTS = (  # noqa: SIM905
    "b t st str y by ay oy a o ea tr cat hop fil fall fizz agr conflat troubl control relat rad happ enjo theo "
    "geo archaeo vietnam oper adjust depend replac homolog gyroscop probat ceas roll é ñu 中 日本 ß straß ü ﬁ 👍 "
    "a̐ \ud800 \x00 x1 3 - don' *"
).split(" ")


def check(words):
    for word in words:
        assert _native.porter_stem(word) == STEMMER.stem(word), ascii(word)
        assert _native.porter_stem(word, to_lowercase=False) == STEMMER.stem(word, to_lowercase=False), ascii(word)


@pytest.mark.parametrize("fewer", [2, pytest.param(0, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("letters", "longest"), [("aby", 8), ("aesyl", 6), ("iedsngé", 5), ("*da中", 5)])
def test_every_short_word(letters, longest, fewer):
    for length in range(longest + 1 - fewer):
        check(map("".join, itertools.product(letters, repeat=length)))


@pytest.mark.parametrize("ending", ["ed", "ing", "eed", "ied", "ies", "s", "e", "ll", "y", "alli", "logi", "ion"])
@pytest.mark.parametrize("longest", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_short_stems_before_an_ending(ending, longest):
    for length in range(longest + 1):
        check("".join(letters) + ending for letters in itertools.product("abyslé", repeat=length))


def test_starts_with_a_suffix():
    check(start + suffix for start in STARTS for suffix in SUFFIXES)


@pytest.mark.slow
def test_starts_with_two_suffixes():
    check(start + first + second for start in STARTS[::3] for first in SUFFIXES for second in SUFFIXES)


def test_difficult_words():
    check(form(word) for word in IRREGULAR for form in (str, str.upper, str.title))
    check(word[:i] + letter + word[i:] for word in IRREGULAR for i in range(len(word) + 1) for letter in "syé")
    pieces = FRAGMENTS + SEPARATORS + SURROGATES
    check(piece + suffix for piece in pieces for suffix in ["", *SUFFIXES[::5]])
    check(letter * 2 + ending for letter in "éйΣİß中👍\ud800ydls" for ending in ("ed", "ing", "ies", "ied", "y"))
    check(["İs", "İy", "İİ", "İes", "ΑΣ", "ΑΣΑΣ", "s\u212ay", "S\u212aIES", "", "a", "ab", "é", "éé"])
    long = (letter * 1000 for letter in ("a", "y", "b", "é", "ab", "yb"))
    check(word + suffix for word in long for suffix in ("", "ing", "ational", "ed", "yyyy"))


@pytest.mark.generated
def test_words_like_english():
    generator = random.Random(5)
    onsets = ["", "b", "c", "d", "st", "tr", "l", "pl", "y", "w", "x", "qu", "th"]
    vowels = ["a", "e", "i", "o", "u", "y", "ea"]
    codas = ["", "t", "ll", "ss", "zz", "nn", "w", "x", "y", "ck", "m", "bl", "iz"]

    def word():
        syllables = [parts for _ in range(generator.randint(1, 3)) for parts in (onsets, vowels, codas)]
        return "".join([*map(generator.choice, syllables), *generator.choices(SUFFIXES, k=generator.randint(0, 3))])

    words = [word() for _ in range(examples(40_000).max_examples)]
    check(words)
    check(text.capitalize() for text in words[::20])


@given(st.text(st.one_of(st.sampled_from("aeioubylstngd"), characters), max_size=12), st.sampled_from(["", *SUFFIXES]))
def test_any_text(text, suffix):
    check([text + suffix, (text + suffix).upper()])
