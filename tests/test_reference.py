"""The oracles: their tokenizers and tables compared with the originals, and rules by hand.

Scores of oracles and of the original tools are both compared with refscore's, in tests/metrics.
"""

import re
import unicodedata

import pytest
import regex
from hypothesis import given, strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer

from tests import strategies
from tests.reference import bleu as oracle, tokenizers as oracle_tokenizers

SACREBLEU_NAMES = {"none": "none", "13a": "13a", "intl": "intl", "zh-sacrebleu": "zh", "char": "char"}


@pytest.mark.parametrize("tokenizer", SACREBLEU_NAMES)
@given(texts=st.lists(strategies.lines(), min_size=1, max_size=8))
def test_tokenizers_are_sacrebleus(tokenizer, texts):
    original = _get_tokenizer(SACREBLEU_NAMES[tokenizer])()
    for text in texts:
        assert oracle_tokenizers.tokenize(text, tokenizer) == original(text.rstrip()).split()


# The quick run takes every 59th code point.
every_code_point = pytest.mark.parametrize("step", [59, pytest.param(1, marks=pytest.mark.slow)])


@every_code_point
def test_the_pinned_categories_are_those_of_the_regex_package(step):
    if regex.__version__ != oracle_tokenizers.CATEGORIES["version"]:
        pytest.skip(f"categories are pinned to regex {oracle_tokenizers.CATEGORIES['version']}")
    every = "".join(map(chr, range(0, 0x110000, step)))
    for letter in "PSN":
        live = regex.findall(rf"\p{{{letter}}}", every)
        assert live == [char for char in every if oracle_tokenizers.category(char) == letter]


@every_code_point
def test_chinese_ranges_of_sacrebleu(step):
    tokenizer = _get_tokenizer("zh")()
    edges = {code + near for bounds in oracle_tokenizers.CJK_SACREBLEU for code in bounds for near in (-1, 0, 1)}
    for code in sorted({*range(0, 0x110000, step), *edges}):
        expected = tokenizer._is_chinese_char.__wrapped__(chr(code))
        assert any(start <= code <= end for start, end in oracle_tokenizers.CJK_SACREBLEU) == expected, hex(code)


@every_code_point
def test_chinese_ranges_hold_every_han_character(step):
    """Compare refscore's ranges with an independent list of Han characters."""
    han = re.compile("CJK (UNIFIED|COMPATIBILITY) IDEOGRAPH")
    for code in range(0, 0x110000, step):
        if han.match(unicodedata.name(chr(code), "")):
            assert any(start <= code <= end for start, end in oracle_tokenizers.CJK), hex(code)


def test_rows_follow_the_columns():
    everything = oracle.Settings(max_order=2, smoothing="floor-segments", short_order="pad", reference_length="average")
    assert everything.columns == (
        *("hyp_len", "ref_len", "correct_1", "correct_2", "total_1", "total_2"),
        *("short_1", "short_2", "unmatched_1", "unmatched_2"),
    )
    assert oracle.row(everything, "a", ["ab", "abc"]) == [1, 2.5, 1, 0, 1, 0, 0, 1, 0, 1]
    assert oracle.Settings(max_order=2, smoothing="nltk-5").counted_orders == 5


@pytest.mark.parametrize(("rule", "expected"), [("closest", 2), ("closest-first", 4), ("shortest", 1), ("average", 3)])
def test_reference_length_rules(rule, expected):
    assert oracle.reference_length(rule, 3, [4, 2, 1, 5]) == expected
