"""Tokenizers equal sacrebleu's, or the oracle where refscore differs deliberately."""

import pytest
from hypothesis import given, strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import tokenizers as oracle

SACREBLEU_NAMES = {"none": "none", "13a": "13a", "intl": "intl", "zh-sacrebleu": "zh", "char": "char"}
ORIGINALS = {ours: _get_tokenizer(theirs)() for ours, theirs in SACREBLEU_NAMES.items()}

EXAMPLES = [
    ("13a", "a.,5", ["a", ".", ",5"]),
    ("13a", "It costs 5.", ["It", "costs", "5", "."]),
    ("13a", "1,000.5 is 1-2, not -3.", ["1,000.5", "is", "1", "-", "2", ",", "not", "-3", "."]),
    ("13a", "don't &quot;quote&quot;", ["don't", '"', "quote", '"']),
    ("13a", "&amp;lt;", ["<"]),
    ("13a", "&amp;quot;", ["&", "quot", ";"]),
    ("13a", "&apos;", ["&", "apos", ";"]),
    ("13a", "a<skipped>b", ["ab"]),
    ("13a", "<skipp<skipped>ed>", ["<", "skipped", ">"]),
    ("13a", "&lt;skipped>", ["<", "skipped", ">"]),
    ("13a", "<skip-\nped>", ["<", "skipped", ">"]),
    ("13a", "a-<skipped>\nb 5<skipped>.5", ["ab", "5.5"]),
    ("13a", "hyphen-\nated", ["hyphenated"]),
    ("13a", "hyphen-\r\nated", ["hyphen-", "ated"]),
    ("13a", "end-\n", ["end-"]),
    ("13a", "5-\n6", ["56"]),
    ("13a", "a.", ["a", "."]),
    ("13a", ".5", [".", "5"]),
    ("13a", "", []),
    ("13a", " \t\u3000\x85", []),
    ("13a", "a\x1cb\u2028c\xa0d\x00e", ["a", "b", "c", "d\x00e"]),
    ("13a", "\ud800.\udfff", ["\ud800", ".", "\udfff"]),
    ("intl", "It costs 5.", ["It", "costs", "5."]),
    ("intl", "It costs 5. ", ["It", "costs", "5."]),
    ("intl", "5€ (3,5)", ["5", "€", "(", "3,5)"]),
    ("intl", "„Na so was“, 3:2.", ["„", "Na", "so", "was", "“", ",", "3:2."]),
    ("intl", "&quot;", ["&", "quot", ";"]),
    ("intl", "a<skipped>b", ["a", "<", "skipped", ">", "b"]),
    ("zh", "It costs 5.", ["It", "costs", "5."]),
    ("zh", "我有5只猫。", ["我", "有", "5", "只", "猫", "。"]),
    ("zh", "a𠀀b", ["a", "𠀀", "b"]),
    ("zh", "a“b—c", ["a“b—c"]),
    ("zh", " .5", [".5"]),
    ("zh", "&quot;<skipped>", ["&", "quot", ";", "<", "skipped", ">"]),
    ("zh-sacrebleu", "a𠀀b", ["a𠀀b"]),
    ("zh-sacrebleu", "a“b—c", ["a", "“", "b", "—", "c"]),
    ("zh-sacrebleu", " .5", [".5"]),
    ("char", " 你 好a\n", ["你", "好", "a"]),
    ("char", "e\u0301👍🏽", ["e", "\u0301", "👍", "🏽"]),
    ("none", " a.b  c\u3000d ", ["a.b", "c", "d"]),
    ("nopunct", "Don't (3.5) naïve … x_y - z.", ["Dont", "35", "naïve", "…", "xy", "z"]),
    ("jiwer", " a  b\tc \td\n\ne\xa0f\n", ["a", "b\tc", "d", "e\xa0f"]),
    ("jiwer", "\u3000\x85 \x1c", []),
    ("char-spaces", "\t a b\n\ud800 \n", ["a", " ", "b", "\n", "\ud800"]),
    ("char-words", "\t a \u3000\n b\ud800 \n", ["a", " ", "b", "\ud800"]),
    ("char-words", "  ", []),
    ("char-all", " a\x00\n", [" ", "a", "\x00", "\n"]),
    ("rouge", "Don't panic: 3.5 naïve, x_y", ["Don", "t", "panic", "3", "5", "na", "ve", "x", "y"]),
    ("unicode", "Don't panic: 3.5 naïve, x_y", ["Don", "t", "panic", "3", "5", "naïve", "x", "y"]),
    ("unicode", "中文2字 カナa ﾊﾟ가나", ["中", "文", "2", "字", "カ", "ナ", "a", "ﾊ", "ﾟ", "가나"]),
    ("unicode", "नमस्ते، مرحبا می\u200cخواهم", ["नमस्ते", "مرحبا", "می\u200cخواهم"]),
    ("unicode", "e\u0301a か\u3099き \u0301x ❤\ufe0f👍🏽", ["e\u0301a", "か\u3099", "き", "x"]),
]


@pytest.mark.parametrize(("tokenizer", "text", "expected"), EXAMPLES)
def test_examples(tokenizer, text, expected):
    assert oracle.tokenize(text, tokenizer) == refscore.tokenize(text, tokenizer) == expected


@pytest.mark.parametrize("tokenizer", ORIGINALS)
@given(texts=st.lists(strategies.lines(), min_size=1, max_size=8))
@examples(150)
def test_equal_to_sacrebleu(tokenizer, texts):
    for text in texts:
        assert refscore.tokenize(text, tokenizer) == ORIGINALS[tokenizer](text.rstrip()).split()


@pytest.mark.parametrize("tokenizer", oracle.TOKENIZERS)
@given(texts=st.lists(strategies.lines(), min_size=1, max_size=8))
@examples(150)
def test_equal_to_the_oracle(tokenizer, texts):
    for text in texts:
        assert refscore.tokenize(text, tokenizer) == oracle.tokenize(text, tokenizer)


# The quick run takes every 59th code point.
every_code_point = pytest.mark.parametrize("step", [59, pytest.param(1, marks=pytest.mark.slow)])


@every_code_point
@pytest.mark.parametrize("tokenizer", ORIGINALS)
def test_every_code_point(tokenizer, step):
    """Each one between letters, between digits, and before a full stop; and a sample of the unassigned planes."""
    codes = [*range(0x3000), *range(0x3000, 0x40000, step), *range(0x40000, 0xE0000, 251 * step)]
    codes += [*range(0xE0000, 0xE1000, step), *range(0xE1000, 0x110000, 251 * step)]
    for i in range(0, len(codes), 2048):
        text = " ".join(f"a{c}b1{c}2 {c}." for c in map(chr, codes[i : i + 2048]))
        assert refscore.tokenize(text, tokenizer) == ORIGINALS[tokenizer](text.rstrip()).split(), hex(codes[i])


@every_code_point
def test_every_code_point_of_our_own_zh(step):
    edges = {code + step for pair in oracle.CJK for code in pair for step in (-1, 0, 1)}
    codes = sorted({*range(0, 0x10000, step), *edges, *range(0x10000, 0x110000, 97 * step)})
    for i in range(0, len(codes), 512):
        text = " ".join(f"a{chr(code)}b1{chr(code)}2" for code in codes[i : i + 512])
        assert refscore.tokenize(text, "zh") == oracle.tokenize(text, "zh"), hex(codes[i])


@pytest.mark.parametrize("tokenizer", oracle.TOKENIZERS)
@pytest.mark.parametrize("piece", ["a", ".", "1.", "a-", "&", "&amp;", "<skipped>", "-\n", "你", "\ud800", " ", "😀,"])
def test_long_repeats(tokenizer, piece):
    for length in (63, 64, 65, 200):
        text = piece * length
        assert refscore.tokenize(text, tokenizer) == oracle.tokenize(text, tokenizer)


@pytest.mark.parametrize("tokenizer", oracle.TOKENIZERS)
def test_scores_use_the_same_tokens(tokenizer):
    texts = [text for _, text, _ in EXAMPLES if text.strip()]
    rows = refscore.BLEU(tokenizer=tokenizer, max_order=1).stats(texts, texts)
    assert [row[0] for row in rows] == [len(oracle.tokenize(text, tokenizer)) for text in texts]
