"""Display of text: safe to print, and unambiguous."""

import re
import unicodedata

import pytest
from hypothesis import given, strategies as st

from refscore.text_display import display_width, visible

ANY_TEXT = st.text(st.characters() | st.sampled_from("\\n\n\x00\u200c\u200d\u202e\ud800نक👩❤\ufe0f\u0301 "))


def unescaped(text: str) -> str:
    escapes = r"\\(?:[\\nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})"
    return re.sub(escapes, lambda match: match[0].encode("ascii").decode("unicode_escape"), text)


@pytest.mark.parametrize(
    "char", "\n\r\t\x00\x1b\x85\xa0\u200b\u200d\u2028\u2029\u202e\u2066\ufeff\ud800\U000e0041\\", ids=ascii
)
def test_what_cannot_be_seen_is_escaped(char: str) -> None:
    assert visible(f"a{char}b") == f"a{char.encode('unicode_escape').decode()}b"


@pytest.mark.parametrize(
    "text", ["", " a  b ", "naïve", "नमस्ते", "日本語", "مرحبا", "می\u200cخواهم", "👩\u200d🚀", "❤\ufe0f", "[red]<b>"]
)
def test_writing_is_left_alone(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("text", ["\u200d", "a\u200d", "\u200dن", "ن\u200c", "ن\u200c\u200dن", "\ud800\u200d\ud800"])
def test_a_joiner_that_joins_nothing_is_escaped(text: str) -> None:
    assert visible(text).isprintable()


def test_a_leading_mark_stands_on_a_circle() -> None:
    assert visible("\u0301") == "◌\u0301"
    assert visible("e\u0301") == "e\u0301"


@given(ANY_TEXT)
def test_output_is_one_harmless_line(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert len(shown.splitlines()) <= 1
    hidden = {char for char in shown if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert hidden <= {"\u200c", "\u200d"}


@given(ANY_TEXT)
def test_nothing_is_lost(text: str) -> None:
    circled = text != "" and unicodedata.category(text[0]).startswith("M")
    assert unescaped(visible(text)) == ("◌" + text if circled else text)


WIDTHS = {
    "": 0,
    "abc": 3,
    "日本語": 6,
    "ﾊﾝｶｸ": 4,
    "ＡＢ": 4,
    "한국": 4,
    "\u1112\u1161\u11ab": 2,
    "e\u0301": 1,
    "שָׁלוֹם": 4,
}
WIDTHS |= {"👍": 2, "👍🏽": 2, "🏽": 2, "a 🏽": 4, "👩\u200d🚀": 2, "❤\ufe0f": 2, "✓✗~": 3}


@pytest.mark.parametrize(("text", "width"), WIDTHS.items())
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width
