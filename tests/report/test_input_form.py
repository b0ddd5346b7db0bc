"""The form: its answers to texts and to mistakes."""

import csv
import html
import io
import json
import re
from dataclasses import replace

import pytest

import refscore
from refscore.metrics import METRICS
from refscore.report import Reporting
from refscore.report.input_form import Answers, Form, decode_file
from tests.python_metrics import Overlap
from tests.report.example import REFERENCES, SYSTEMS

FORM = Form({"bleu": refscore.BLEU(max_order=2), "ter": refscore.TER()})
OUTPUT = "\n".join(SYSTEMS["birch"])
FIRST, SECOND = ("\n".join(entry[k] for entry in REFERENCES) for k in (0, 1))


def answer(hypothesis, *references, metrics="bleu,chrf", segment=1):
    return FORM.answer(Answers([hypothesis], references, metrics, segment))


def shows(page, score):
    """Return whether a page has a score and its signature."""
    return f'<span class="value">{score.percent:.2f}</span>' in page and f"<code>{score.signature}</code>" in page


def test_scores_and_steps():
    page, is_valid = answer(OUTPUT, FIRST, SECOND, metrics="bleu, chrf++,TER,nist", segment=11)
    assert is_valid
    for metric in (refscore.BLEU(max_order=2), refscore.CHRF.preset("chrf++"), refscore.TER()):
        assert shows(page, metric.corpus(SYSTEMS["birch"], REFERENCES))
        steps = metric.explain(SYSTEMS["birch"][10], REFERENCES[10])
        assert f"<h3>{steps.title}</h3>" in page
        assert html.escape(steps.result) in page
    assert "36 segments, 2 references per segment" in page
    assert "Segment 11, step by step" in page


def test_single_segments_by_the_usual_metric():
    page, _ = Form({}).answer(Answers(["a cat sat"], ["the cat sat"], "bleu"))
    score = refscore.BLEU.preset("sacrebleu-sentence").segment("a cat sat", "the cat sat")
    assert f"{score.percent:.2f}" in page
    assert "Explain segment" not in page


def test_the_form_is_filled_in_again():
    page, _ = answer("\n  a <b>\n", "x\nthe <i>\n", metrics="bleu")
    assert ">\n\n  a &lt;b&gt;\n</textarea>" in page
    assert ">\nx\nthe &lt;i&gt;\n</textarea>" in page
    assert checked(page) == ["bleu"]
    assert checked(FORM.empty()) == ["bleu", "ter"]


def checked(page):
    return re.findall(r'<input type="checkbox" name="metrics" value="([^"]*)" checked>', page)


def test_metrics_are_boxes_and_others_are_typed():
    form = Form({"bleu:nltk": refscore.BLEU.preset("nltk"), "bleu": refscore.BLEU()})
    boxes = re.findall(r'value="([^"]*)"(?: checked)?> ([^<]*)</label>', form.empty())
    assert boxes[:2] == [("bleu:nltk", "BLEU (nltk)"), ("bleu", "BLEU")]
    assert {name for name, _ in boxes} == {"bleu:nltk", *METRICS}
    page, is_valid = form.answer(Answers([OUTPUT], [FIRST], "bleu,rouge1,ter"))
    assert is_valid
    assert checked(page) == ["bleu", "ter"]
    assert 'name="metrics" value="rouge1"' in page


def test_the_tokenizer_is_that_of_all_metrics_of_words():
    answers = Answers(["我喜欢猫\n好"], ["我爱猫\n好"], "bleu,ter,chrf,cer", tokenizer="zh")
    page, is_valid = Form({}).answer(answers)
    assert is_valid
    assert "<option selected>zh</option>" in page
    for metric in (refscore.BLEU(tokenizer="zh"), refscore.TER(tokenizer="zh"), refscore.CHRF(), refscore.CER()):
        assert shows(page, metric.corpus(["我喜欢猫", "好"], ["我爱猫", "好"]))
    single = refscore.BLEU.preset("sacrebleu-sentence", tokenizer="zh").segment("我喜欢猫", "我爱猫")
    assert f'<td class="number">{single.percent:.2f}</td>' in page
    page, is_valid = Form({}).answer(replace(answers, tokenizer="spm:/etc/passwd"))
    assert not is_valid and "unknown tokenizer" in page


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("", "a"), {}, "the output is empty"),
        (("a",), {}, "the reference is empty"),
        (("a\nb", "a\nb", "", "a"), {}, "reference 3 has 1 line, but the output has 2 lines"),
        (("a\nb", "a\n" + "x" * 100_001), {}, "line 2 of reference 1 has 100,001"),
        (("a", "a"), {"metrics": " ,"}, "metrics is empty"),
        (("a", "a"), {"metrics": "<b>"}, "unknown metric &#x27;&lt;b&gt;&#x27;"),
        (("a", "a"), {"metrics": "chrf,CHRF"}, "metrics has chrf twice"),
        (("a", "a"), {"metrics": "tests.python_metrics:Overlap"}, "unknown metric"),  # modules are not imported
        (("a", "a"), {"segment": 2}, "segment is 2"),
        (("a\nb", "", "a\nb", "a\n\n"), {"metrics": "ribes"}, "line 2 of reference 3 has no words"),
        (("a", "b"), {"metrics": "sari"}, "SARI needs the source of each segment: fill in the field Source"),
    ],
)
def test_mistakes(arguments, options, message):
    page, is_valid = answer(*arguments, **options)
    assert not is_valid
    assert message in page


@pytest.mark.parametrize("metric", [Overlap(), refscore.TER()], ids=str)
def test_given_metrics(metric):
    form = Form({"limited": metric})
    page, is_valid = form.answer(Answers([OUTPUT], [FIRST, SECOND], "limited,chrf"))
    assert is_valid
    assert shows(page, metric.corpus(SYSTEMS["birch"], REFERENCES))
    assert html.escape(metric.explain(SYSTEMS["birch"][0], REFERENCES[0]).result) in page
    with refscore.metrics.limits(max_tokens=3):
        page, is_valid = form.answer(Answers(["a\nb c d e"], ["a\nb"], "limited"))
    assert not is_valid
    assert "line 2 of the output has 4 tokens" in page


def test_everything_is_escaped():
    hostile = "<script>broken=1</script>\u202e</textarea><img src=x onerror=broken=1>\x00\x1b"
    page, _ = answer(f"{hostile}\n{hostile}", f"{hostile}\n{hostile}", metrics="bleu,chrf,ter,wer,rouge,meteor")
    for tag in ("<script", "<img", "\x00", "\x1b"):
        assert tag not in page
    assert page.count("</textarea>") == 9


@pytest.mark.parametrize(
    ("text", "segment", "parts", "links"),
    [
        ("a\rb\nc", 1, ["Choose this file again"], 0),  # a form cannot hold it
        ("word " * 5000, 1, ["more than 20,000 characters"], 0),
        ("a cat\n" * 1000, 1000, ["the first 200 of 1,000 segments", "Segment 1,000, step by step"], 200),
    ],
)
def test_long_and_unusual_texts(text, segment, parts, links):
    page, is_valid = answer(text, text, segment=segment)
    assert is_valid
    assert all(part in page for part in parts)
    assert page.count("Explain segment") == links


def test_files():
    assert decode_file(b"\xef\xbb\xbfa\r\n", "f.txt") == "a\r\n"
    with pytest.raises(refscore.InputError) as caught:
        decode_file(b"a\n\xff", "f.txt")
    assert (caught.value.location.file, caught.value.location.line) == ("f.txt", 2)


SEVERAL = Answers([OUTPUT, "\n".join(SYSTEMS["clover"])], [FIRST, SECOND], "bleu,ter", 11, names=["birch", "clover"])


def test_several_systems_are_compared():
    page, is_valid = FORM.answer(SEVERAL)
    assert is_valid
    systems = {name: SYSTEMS[name] for name in ("birch", "clover")}
    comparison = refscore.compare(systems, REFERENCES, [refscore.BLEU(max_order=2), refscore.TER()])
    for label in comparison:
        for outcome in comparison[label].systems:
            shown = [f"{100 * value:.2f}" for value in (outcome.score, outcome.interval.low, outcome.interval.high)]
            assert (
                f'<span class="value">{shown[0]}</span><span class="interval">[{shown[1]}, {shown[2]}]</span>' in page
            )
    assert "clover is worse than birch on BLEU" in page
    assert "Output of birch" in page
    for name in systems:
        steps = refscore.TER().explain(systems[name][10], REFERENCES[10])
        assert f"<summary>TER: {name}</summary>" in page and html.escape(steps.result) in page
    assert "Holm’s method" in Form({}, reporting=Reporting(holm=True)).answer(three_systems())[0]


def three_systems():
    return replace(SEVERAL, hypotheses=[*SEVERAL.hypotheses, "\n".join(SYSTEMS["alder"])])


def test_names_of_systems():
    page, _ = FORM.answer(replace(SEVERAL, names=[" ", ""]))
    assert "BLEU: system 1" in page and "BLEU: system 2" in page
    page, _ = FORM.answer(replace(SEVERAL, names=["<b>"]))
    assert "BLEU: &lt;b&gt;" in page and 'name="name-1" value="&lt;b&gt;"' in page and "<b>" not in page
    for names in (["a", "a"], ["a" * 2000]):
        page, is_valid = FORM.answer(replace(SEVERAL, names=names))
        assert not is_valid and 'role="alert"' in page
    page, is_valid = FORM.answer(replace(SEVERAL, hypotheses=[OUTPUT, "a"]))
    assert not is_valid and "clover has 1 line, but birch has 36 lines" in page
    page, is_valid = FORM.answer(replace(SEVERAL, hypotheses=[OUTPUT, "a"], names=["x", "reference 1"]))
    assert not is_valid and "reference 1 has 1 line, but x has 36 lines" in page


def test_downloads():
    comparison, is_valid = FORM.answer(replace(SEVERAL, download="json"))
    assert is_valid
    assert json.loads(comparison)["baseline"] == "birch"
    one = replace(SEVERAL, hypotheses=[OUTPUT])
    scores = json.loads(FORM.answer(replace(one, download="json"))[0])
    expected = refscore.TER().corpus(SYSTEMS["birch"], REFERENCES)
    assert scores["systems"][0]["scores"]["TER"]["percent"] == expected.percent
    rows = [*csv.DictReader(io.StringIO(FORM.answer(replace(SEVERAL, names=["=1+1"], download="csv"))[0]))]
    assert [row["system"] for row in rows] == ["'=1+1", "system 2"] * 2
    page, _ = FORM.answer(replace(SEVERAL, download="html"))
    assert "<h1>birch and clover</h1>" in page
    page, is_valid = FORM.answer(replace(SEVERAL, metrics="none", download="csv"))
    assert not is_valid and "<form" in page
