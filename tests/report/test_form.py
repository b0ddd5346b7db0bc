"""The form: what it answers to texts, and to mistakes."""

import html

import pytest

import refscore
from refscore.report.form import Answers, Form, decoded
from tests.report.example import REFERENCES, SYSTEMS

OWN = {
    name: (metric.title, metric, metric)
    for name, metric in (("bleu", refscore.BLEU(max_order=2)), ("ter", refscore.TER()))
}
FORM = Form(OWN)
OUTPUT = "\n".join(SYSTEMS["birch"])
FIRST, SECOND = ("\n".join(entry[k] for entry in REFERENCES) for k in (0, 1))


def answer(hypothesis, *references, metrics="bleu,chrf", segment=1):
    return FORM.answer(Answers(hypothesis, references, metrics, segment), report=False)


def test_scores_and_steps():
    page, well = answer(OUTPUT, FIRST, SECOND, metrics="bleu, chrf++,TER,nist", segment=11)
    assert well
    for metric in (refscore.BLEU(max_order=2), refscore.CHRF.preset("chrf++"), refscore.TER()):
        score = metric.corpus(SYSTEMS["birch"], REFERENCES)
        assert f'<span class="value">{score.percent:.2f}</span></td><td><code>{score.signature}</code>' in page
        steps = metric.explain(SYSTEMS["birch"][10], REFERENCES[10])
        assert f"<h3>{steps.title}</h3>" in page
        assert html.escape(steps.result) in page
    assert "36 segments, 2 references each" in page
    assert "Segment 11, step by step" in page


def test_single_segments_by_the_usual_metric():
    page, _ = Form({}).answer(Answers("a cat sat", ["the cat sat"], "bleu"), report=False)
    score = refscore.BLEU.preset("sacrebleu-sentence").segment("a cat sat", "the cat sat")
    assert f"{score.percent:.2f}" in page
    assert "Explain segment" not in page


def test_the_form_is_filled_in_again():
    page, _ = answer("\n  a <b>\n", "x\nthe <i>\n", metrics="bleu")
    assert ">\n\n  a &lt;b&gt;\n</textarea>" in page
    assert ">\nx\nthe &lt;i&gt;\n</textarea>" in page
    assert 'value="bleu"' in page
    assert 'value="bleu,ter"' in FORM.empty(report=False)


def test_texts_that_a_form_cannot_hold():
    page, well = answer("a\rb\nc", "a b\nc")
    assert well
    assert "Choose this file again" in page
    assert "Explain segment" not in page


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("", "a"), {}, "no output to score"),
        (("a",), {}, "there is no reference"),
        (("a\nb", "a\nb", "", "a"), {}, "the output has 2 lines and reference 3 has 1 line"),
        (("a\nb", "a\n" + "x" * 100_001), {}, "line 2 has 100,001 characters, and 100,000 are the most here"),
        (("a", "a"), {"metrics": " ,"}, "name a metric"),
        (("a", "a"), {"metrics": "<b>"}, "unknown metric &#x27;&lt;b&gt;&#x27;"),
        (("a", "a"), {"metrics": "bleu,bleu"}, "bleu is named twice"),
        (("a", "a"), {"segment": 2}, "there is no segment 2"),
        (("a\nb", "a\n\n"), {"metrics": "ribes"}, "reference 1 of segment 2 is empty, and RIBES needs words"),
    ],
)
def test_mistakes(arguments, options, message):
    page, well = answer(*arguments, **options)
    assert not well
    assert message in page


def test_everything_is_escaped():
    hostile = "<script>broken=1</script>\u202e</textarea><img src=x onerror=broken=1>\x00\x1b"
    page, _ = answer(f"{hostile}\n{hostile}", f"{hostile}\n{hostile}", metrics="bleu,chrf,ter,wer,rouge,meteor")
    for tag in ("<script", "<img", "\x00", "\x1b"):
        assert tag not in page
    assert page.count("</textarea>") == 5


def test_long_segments_are_not_explained():
    text = "word " * 5000
    page, well = answer(text, text)
    assert well
    assert "more than 20,000 characters" in page


def test_many_segments():
    text = "a cat\n" * 1000
    page, _ = answer(text, text, segment=1000)
    assert page.count("Explain segment") == 200
    assert "These are the first 200 of 1,000." in page
    assert "Segment 1,000, step by step" in page


def test_files():
    assert decoded(b"\xef\xbb\xbfa\r\n", "f.txt") == "a\r\n"
    with pytest.raises(refscore.InputError, match=r"f\.txt, line 2 is not UTF-8"):
        decoded(b"a\n\xff", "f.txt")
