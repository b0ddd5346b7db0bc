"""Views of alignments: jiwer's and sclite's lines, widths, HTML and data."""

import json
import re

import jiwer
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import CER, WER
from refscore.alignments import alignment_view
from refscore.text_display import display_width
from tests.corpora import TEXT
from tests.examples import examples

ASCII = st.text(st.sampled_from("abc d"), max_size=20)


@given(
    pairs=st.lists(st.tuples(ASCII.filter(str.strip), ASCII), min_size=1, max_size=4),
    width=st.sampled_from([None, 12, 40]),
)
@examples(60)
def test_jiwer_lines(pairs, width):
    references, hypotheses = map(list, zip(*pairs, strict=True))
    for metric, process in ((WER(), jiwer.process_words), (CER(), jiwer.process_characters)):
        expected = jiwer.visualize_alignment(
            process(references, hypotheses), show_measures=False, skip_correct=False, line_width=width
        )
        view = alignment_view(hypotheses, references, metric)
        assert view.to_text(line_width=width).replace("SEGMENT", "SENTENCE") == expected.rstrip("\n")


def test_sclite_lines():
    """As sclite (Debian 2.4.10-20151007) prints them with -o pralign."""
    view = alignment_view(
        ["i am going to do it", "she sayed hello there", "the cat sat"],
        ["i am {gonna / going to} do it", "he said hello", "the big cat sat"],
        WER(alternatives="nist"),
        labels=["a_1", "a_6", "a_4"],
    )
    assert view.to_text("sclite").split("\n") == [
        "id: (a_1)",
        "Scores: (#C #S #D #I) 6 0 0 0",
        "REF:  i am going to do it ",
        "HYP:  i am going to do it ",
        "Eval:                     ",
        "",
        "id: (a_6)",
        "Scores: (#C #S #D #I) 1 2 0 1",
        "REF:  HE  SAID  hello ***** ",
        "HYP:  SHE SAYED hello THERE ",
        "Eval: S   S           I     ",
        "",
        "id: (a_4)",
        "Scores: (#C #S #D #I) 3 0 1 0",
        "REF:  the BIG cat sat ",
        "HYP:  the *** cat sat ",
        "Eval:     D           ",
    ]


@pytest.mark.parametrize("style", ["jiwer", "sclite"])
@given(corpus=TEXT.drawn)
@examples(40)
def test_lines_are_equally_wide(style, corpus):
    references = [texts[0] for texts in corpus[1]]
    for segment in alignment_view(corpus[0], references).to_text(style).split("\n\n"):
        rows = [line for line in segment.split("\n") if re.match("REF: |HYP: |Eval: ", line)]
        assert len({display_width(row) for row in rows if row.startswith(("REF", "HYP"))}) <= 1


def test_wide_and_combining_characters():
    view = alignment_view(["猫 e\u0301t\u00e9 👩‍🚀 x"], ["猫猫 ete 👩‍🚀 y"])
    above, below = view.to_text().split("\n")[2:4]
    assert display_width(above) == display_width(below)
    assert "猫猫" in above and "  猫" in below


@given(corpus=TEXT.drawn)
@examples(30)
def test_html_escapes_everything(corpus):
    hypotheses = [f"<script>alert({i})</script> & {text}" for i, text in enumerate(corpus[0])]
    page = alignment_view(hypotheses, [texts[0] for texts in corpus[1]], labels=["<b>"] * len(hypotheses)).to_html()
    assert "<script" not in page and "<b>" not in page
    page.encode("utf-8")


def test_data_and_selection():
    view = alignment_view(["a b", "x y", "c"], ["a b", "a b", "d"])
    assert [segment.index for segment in view.worst(2)] == [1, 2]
    assert len(view.with_errors()) == 2 and len(view[1:]) == 2
    assert json.loads(json.dumps(view.to_dict()))[2]["edits"] == [
        {"kind": "substitution", "reference": "d", "hypothesis": "c"}
    ]
    assert view.to_text() == str(view)
    assert alignment_view([], []).to_text() == ""
    assert alignment_view([""], [""]).to_html()
    assert alignment_view([[1, 2]], [[[1, 3]]]).to_text().endswith("REF: 1 3\nHYP: 1 2\n       S")


def test_mistakes():
    with pytest.raises(refscore.SettingError, match="alignments"):
        alignment_view(["a"], ["a"], "bleu")
    with pytest.raises(refscore.errors.UnknownNameError, match="style"):
        alignment_view(["a"], ["a"]).to_text("html")
    with pytest.raises(refscore.InputError, match="labels"):
        alignment_view(["a"], ["a"], labels=[])
    with pytest.raises(refscore.SettingError, match="line_width"):
        alignment_view(["a"], ["a"]).to_text(line_width="a")
