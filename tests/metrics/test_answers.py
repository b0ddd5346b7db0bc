"""Cases of exact match and token F1 that the common comparison (test_originals.py) does not have, and worked steps."""

import itertools
import sys
import unicodedata

import pytest

import refscore
from refscore import ExactMatch, TokenF1
from tests.metrics.step_parts import tables
from tests.reference import answers as oracle, tokenizers

# The columns of the table in docs/reference/metrics/token_f1.md.
CONVENTIONS = [
    (ExactMatch.preset("squad"), TokenF1.preset("squad")),
    (ExactMatch.preset("squad_v2"), TokenF1.preset("squad_v2")),
    (TokenF1.preset("torchmetrics"), ExactMatch.preset("evaluate")),
]


@pytest.mark.parametrize(
    ("hypothesis", "references", "values"),
    [
        ("", [""], (1, 0, 1, 1, 1, 1)),
        ("the", ["a!"], (1, 0, 1, 1, 1, 0)),
        ("", ["cat"], (0, 0, 0, 0, 0, 0)),
        ("cat", [""], (0, 0, 0, 0, 0, 0)),
        ("", ["", "cat"], (1, 0, 0, 0, 1, 1)),
        ("", ["cat", "the"], (1, 0, 0, 0, 1, 0)),
        ("dog", ["cat"], (0, 0, 0, 0, 0, 0)),
    ],
)
def test_conventions(hypothesis, references, values):
    metrics = itertools.chain(*CONVENTIONS)
    assert tuple(metric.segment(hypothesis, references).value for metric in metrics) == values


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The “the” cat's a-b an_the", ["“", "”", "cats", "ab", "anthe"]),
        ("a\u0301 the\u200b an", ["\u0301", "\u200b"]),
        ("éa aé ½a a½ 中a a中 a１", ["éa", "aé", "½a", "a½", "中a", "a中", "a１"]),
        ("A\x00the\x00an", ["\x00", "\x00"]),
        ("x–the–y", ["x–", "–y"]),
        ("İA the\ud800", ["i̇", "\ud800"]),
        ("...", []),
    ],
)
def test_articles(text, tokens):
    assert tokenizers.tokenize_squad(text.lower()) == tokens
    assert TokenF1().pipeline.tokens(text) == tokens


@pytest.mark.parametrize("step", [59, pytest.param(1, marks=pytest.mark.slow)])
def test_every_code_point_beside_an_article(step):
    """Python's Unicode decides which characters belong to a word, not the version of the kernels' tables."""
    for begin in range(0, sys.maxunicode + 1, 512 * step):
        codes = range(begin, min(begin + 512 * step, sys.maxunicode + 1), step)
        text = " ".join(f"a{c} {c}the x{c}an{c}" for c in map(chr, codes))
        assert refscore.tokenize(text, "squad") == tokenizers.tokenize_squad(text), hex(begin)


@pytest.mark.parametrize("step", [59, pytest.param(1, marks=pytest.mark.slow)])
def test_every_code_point_of_mlqa(step):
    for begin in range(0, sys.maxunicode + 1, 512 * step):
        codes = range(begin, min(begin + 512 * step, sys.maxunicode + 1), step)
        text = " ".join(f"x{c}y" for c in map(chr, codes))
        assert refscore.tokenize(text, "mlqa-zh") == tokenizers.tokenize_mlqa_zh(text), hex(begin)


def test_punctuation_of_mlqa_is_that_of_python():
    """Except for characters that this Python's version of Unicode does not have yet."""
    for code in range(0x80, sys.maxunicode + 1):
        category = unicodedata.category(chr(code))
        if category != "Cn":
            assert (category[0] == "P") == (tokenizers.category(chr(code)) == "P"), hex(code)


@pytest.mark.parametrize(
    ("settings", "hypothesis", "reference", "value"),
    [
        ({}, "YELLING", "yelling", 0),
        ({"lowercase": True}, "YELLING", "yelling", 1),
        ({"ignore_punctuation": True}, "cat?", "cat", 1),
        ({"ignore_punctuation": True}, "cat“", "cat", 0),
        ({"ignore_numbers": True}, "agent007", "agent", 1),
        ({"ignore_numbers": True}, "agent٣", "agent", 0),
        ({"ignore_patterns": ["the ", "yell"]}, "the yelling", "ing", 1),
        ({"ignore_patterns": ["YELL"], "lowercase": True}, "YELLing", "ing", 1),
        ({"ignore_patterns": ["yell"], "lowercase": True}, "YELLing", "ing", 0),
        ({"ignore_patterns": "a"}, "cat", "ct", 1),
        ({}, "cat\x00\x00", "cat", 1),
        ({}, "cat ", "cat", 0),
        ({"ignore_punctuation": True}, "cat\x00!", "cat", 1),
        ({"ignore_patterns": ["b", "a$"]}, "a\x00b", "", 1),
    ],
)
def test_options_of_evaluate(settings, hypothesis, reference, value):
    options = {"ignore_punctuation": "punctuation", "ignore_numbers": "numbers", "lowercase": "case"}
    given = {options[name]: setting for name, setting in settings.items() if name in options}
    patterns = settings.get("ignore_patterns")
    assert oracle.evaluate_matches([hypothesis], [reference], patterns and list(patterns), **given)[0] == value
    metric = ExactMatch.preset("evaluate", **settings)
    assert metric.segment(hypothesis, reference).value == value
    assert refscore.from_signature(metric.signature) == metric
    # The same steps in Python, for tokenizers that are functions.
    function = ExactMatch.preset("evaluate", **settings, tokenizer=tokenizers.tokenize_text)
    assert function.segments([hypothesis], [reference]).tolist() == [value]


def test_scores():
    em = refscore.exact_match(["a cat", "dog"], ["Cat!", "dogs"])
    assert str(em) == "EM = 50.00 (matches = 1 segments = 2)"
    assert em.details() == {"matches": 1, "segments": 2}
    f1 = refscore.token_f1(["a cat sat", "dog"], [["cat", "cat sat down"], "dogs"])
    assert str(f1) == "F1 = 40.00 (P = 0.500 R = 0.333 EM = 0.000 segments = 2)"
    assert f1.details() == {"precision": 0.5, "recall": pytest.approx(1 / 3), "exact_match": 0.0, "segments": 2}
    assert (em.metric.title, f1.metric.title) == ("EM", "F1")


def test_the_first_of_equal_references_counts():
    row = TokenF1().stats(["a b c d"], [["b x", "b c d e f g"]])[0].tolist()
    assert row == [*oracle.f1(["b", "c", "d"], ["b", "c", "d", "e", "f", "g"]), 0, 1]
    assert TokenF1(tokenizer="none").stats(["x y"], [["x b", "y c"]]).tolist() == [[0.5, 0.5, 0.5, 0, 1]]
    # An exact match counts even after a different reference with the best F1.
    assert TokenF1().stats(["x y"], [["y x", "x y"]]).tolist() == [[1, 1, 1, 1, 1]]
    assert TokenF1(tokenizer="none").stats(["x y z"], [["x", "x y z y y y y y y"]])[0].tolist()[1:3] == [1 / 3, 1]


def test_thousands_of_references_and_tokens():
    references = [f"{i} {j} x" for i in range(50) for j in range(40)]
    assert TokenF1().segment("7 7 x", references).value == ExactMatch().segment("7 7 x", references).value == 1.0
    words = [f"w{i % 997}" for i in range(100_000)]
    assert TokenF1().segment(words, [words[::-1]]).value == 1.0
    assert ExactMatch().segments([words, words], [[words], [words[::-1]]]).tolist() == [1, 0]


def test_patterns_that_look_like_none():
    for patterns in (("",), ("none",), ("", "")):
        metric = ExactMatch(ignore_patterns=patterns)
        assert refscore.from_signature(metric.signature) == metric != ExactMatch()


def test_wrong_patterns():
    with pytest.raises(refscore.SettingError, match=r"invalid regular expression, '\('"):
        ExactMatch(ignore_patterns=["("])
    with pytest.raises(refscore.errors.UnknownNameError, match="ignore_patterns"):
        ExactMatch(regexes_to_ignore=["a"])
    with pytest.raises(refscore.errors.SignatureError):
        refscore.from_signature(ExactMatch().signature.replace("ignore:none", "ignore:a"))


SEGMENTS = [
    ("the the cat", "a cat sat"),
    ("cat dog", ["dog cat", "cat dog", "Cat, dog"]),
    ("", ["", "cat"]),
    ("", ""),
    ("cat", ["", "the"]),
    ("cat", "dog"),
    ([1, 2, (3,)], [[1, 2], [(3,), 2, 1]]),
    ("<b>&amp;</b>", "<b> | [x]"),
]


@pytest.mark.parametrize("metric", [*map(ExactMatch.preset, ExactMatch.presets), ExactMatch(ignore_patterns=["c"])])
def test_worked_steps_of_exact_match(metric):
    for segment in SEGMENTS:
        steps, score = metric.explain(*segment), metric.segment(*segment)
        assert steps.result == f"EM = {score.value:.4f} ({score.percent:.2f} %)"
        assert metric.signature in str(steps)
        shown = [row.cells[3] for row in tables(steps)["Tokens by position"].rows] if "position" in str(steps) else []
        assert score.value == all(cell == "yes" for cell in shown)


@pytest.mark.parametrize("metric", [*map(TokenF1.preset, TokenF1.presets)])
def test_worked_steps_of_token_f1(metric):
    for segment in SEGMENTS:
        steps, score = metric.explain(*segment), metric.segment(*segment)
        assert steps.result == f"F1 = {score.value:.4f} ({score.percent:.2f} %)"
        if score.precision not in (0, 1):
            assert f" = {score.precision:.4f}" in str(steps)
            assert f"2PR / (P + R) = {score.value:.4f}" in str(steps)


def test_worked_steps_name_ignored_references():
    for kind in (ExactMatch, TokenF1):
        assert "no tokens, ignored" in str(kind.preset("squad_v2").explain("cat", ["the", "cat"]))
        assert "ignored" not in str(kind.preset("squad").explain("cat", ["the", "cat"]))
        assert "ignored" not in str(kind.preset("squad_v2").explain("", ["the", "a"]))
    assert "Neither text has tokens, so the score is 1." in str(TokenF1.preset("squad_v2").explain("", "a"))
    assert "The reference has no tokens, so the score is 0." in str(TokenF1().explain("cat", "a"))
    assert "The hypothesis has no tokens, so the score is 0." in str(TokenF1().explain("", "cat"))
