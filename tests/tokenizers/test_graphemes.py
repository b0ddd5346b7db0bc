"""Extended grapheme clusters against the regex package's ``\\X``, whose Unicode version the tables are made from."""

import itertools

import pytest
import regex
from hypothesis import given, strategies as st

import refscore
from refscore import _native
from tests import strategies
from tests.examples import examples
from tests.reference.chrf import clusters

ALL = _native.TextRules("all-graphemes")

BREAKS = "CR LF Control Extend ZWJ Regional_Indicator Prepend SpacingMark L V T LV LVT".split()  # noqa: SIM905
PATTERNS = [rf"\p{{GCB={name}}}" for name in BREAKS]
PATTERNS += [
    r"[\p{GCB=Other}--\p{Extended_Pictographic}--\p{InCB=Consonant}]",
    r"\p{Extended_Pictographic}",
    r"\p{InCB=Consonant}",
    r"\p{InCB=Linker}",
    r"[\p{InCB=Extend}--\p{GCB=ZWJ}]",
    r"[\p{GCB=Extend}&&\p{InCB=None}]",
]
EVERYTHING = [chr(code) for code in range(0x110000)]


def representatives():
    """Return the first and the last character of each class."""
    text, found = "".join(EVERYTHING), {}
    for pattern in PATTERNS:
        members = regex.findall(pattern, text, regex.V1)
        assert members or "InCB=None" in pattern, pattern
        found.update(dict.fromkeys(members[:1] + members[-1:]))
    return list(found)


REPRESENTATIVES = representatives()


# The quick run takes every 59th code point.
every_code_point = pytest.mark.parametrize("step", [59, pytest.param(1, marks=pytest.mark.slow)])


def check(text):
    assert _native.tokenize(text, ALL) == clusters(text)


def test_pairs_of_classes_and_long_runs():
    # A line feed breaks on both sides, so one long text contains all cases.
    check("\n".join(map("".join, itertools.product(REPRESENTATIVES, repeat=2))))
    for text in ("🇩" * 1001, "a" + "\u0301" * 100_000, "\u1100" * 5000 + "\u1161", "👩\u200d" * 3000, "क\u094d" * 3001):
        check(text)
    # Consonants join across the break before a linker that does not extend the preceding character.
    for text in ("क\U00011a3aक", "क\U00011a3a\U00011a3aक", "क\u094d\U00011a3aक", "\U00011a3aक", "क \U00011a3aक"):
        check(text)


@pytest.mark.slow
def test_triples_and_fours_of_classes():
    check("\n".join(map("".join, itertools.product(REPRESENTATIVES, repeat=3))))
    for first in REPRESENTATIVES:
        check("\n".join(first + "".join(rest) for rest in itertools.product(REPRESENTATIVES[::2], repeat=3)))


@every_code_point
def test_all_code_points(step):
    check("\n".join(f"a{char}a" for char in EVERYTHING[::step]))


@every_code_point
def test_all_code_points_of_the_first_planes_next_to_each_class(step):
    """A code point in the wrong class would behave differently next to one of them."""
    chars = EVERYTHING[:0x20000:step] + EVERYTHING[0xE0000:0xE0200:step]
    some = ["\u0600", "\u1100", "\u1161", "\u11a8", "\U0001f1e6", "👍\u200d", "\u0915\u094d"]
    for before in some:
        check("\n".join(before + char for char in chars))
    for after in ("\u1161", "\u11a8", "\u200d👍", "\u094d\u0915", "\U0001f1e6"):
        check("\n".join(char + after for char in chars))


@given(st.lists(st.sampled_from(REPRESENTATIVES), max_size=40).map("".join))
@examples(500)
def test_random_classes(text):
    check(text)


@given(strategies.lines())
@examples(300)
def test_random_text(text):
    check(text)
    assert refscore.tokenize(text, "graphemes") == [item for item in clusters(text) if not item.isspace()]
