"""Cuts have the least cost of all cuts, and are the latest or the earliest of those, as the definition finds them."""

import random

import pytest

import refscore
from refscore.resegmentation import Resegmenter, resegment
from tests.reference.resegment import best_cuts, cut_costs, edit_distance

TIES = ("latest", "earliest")


def drawn(seed, *, references=1):
    """Return a hypothesis and references of few different tokens, so many cuts have the same cost."""
    draw = random.Random(seed)
    vocabulary = "abcde"[: draw.randint(1, 5)]
    entries = [
        [draw.choices(vocabulary, k=draw.randint(0, 6)) for _ in range(draw.randint(1, references))]
        for _ in range(draw.randint(1, 6))
    ]
    return draw.choices([*vocabulary, "unknown"], k=draw.randint(0, 16)), entries


def expected_segments(hypothesis, entries, ties):
    ends = best_cuts(hypothesis, entries, ties=ties)
    return [hypothesis[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize("references", [1, 3])
@pytest.mark.parametrize("ties", TIES)
def test_cuts_are_those_of_the_definition(references, ties):
    for seed in range(60):
        hypothesis, entries = drawn(seed, references=references)
        cut = resegment([hypothesis], entries, ties=ties)
        assert cut.segments == expected_segments(hypothesis, entries, ties)
        assert cut.costs == cut_costs(hypothesis, entries, [end for _, end in cut.boundaries])
        texts = [[" ".join(reference) for reference in entry] for entry in entries]
        of_text = resegment(" ".join(hypothesis), texts, ties=ties)
        assert of_text.segments == [" ".join(segment) for segment in cut.segments]
        assert of_text.cost == cut.cost


def test_one_reference_costs_as_much_as_the_whole_texts():
    for seed in range(60):
        hypothesis, entries = drawn(seed)
        whole = [token for (reference,) in entries for token in reference]
        assert resegment([hypothesis], entries).cost == edit_distance(hypothesis, whole)


def test_cuts_within_words_are_forbidden():
    """Characters are compared, but only whitespace separates segments."""
    for seed in range(40):
        hypothesis, entries = drawn(seed, references=2)
        draw = random.Random(seed)
        text = "".join(token[0] + draw.choice(["", " "]) for token in hypothesis).strip()
        texts = [["".join(reference) for reference in entry] for entry in entries]
        characters = [*text.replace(" ", "")]
        words = text.split()
        allowed = {sum(map(len, words[:k])) for k in range(len(words) + 1)}
        for ties in TIES:
            cut = resegment(text, texts, tokenizer="char", ties=ties)
            ends = best_cuts(characters, [[*map(list, entry)] for entry in texts], allowed, ties)
            expected = ["".join(characters[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
            assert [segment.replace(" ", "") for segment in cut.segments] == expected
            assert " ".join(filter(None, cut.segments)) == text


AWKWARD = [
    "Ein\u00a0Satz .  Noch \t einer\n( mit Klammern ) ?",
    "今天天气很好。我们去公园吧！OK？ Python语言",
    "ภาษาไทยไม่มีช่องว่าง คำ",
    "שלום עולם. مرحبا؟ بالعالم",
    "e\u0301\u0301 👍🏽👨‍👩‍👧 \ufffd",
    "\ud800 nul\0 nul \udfff",
    "▁ a▁b ▁",
    "   ",
    "",
]


@pytest.mark.parametrize("tokenizer", [None, "none", "char", "zh", "13a", str.split])
@pytest.mark.parametrize("text", AWKWARD)
def test_segments_are_parts_of_the_text(text, tokenizer):
    references = ["Ein Satz.", "公园 ( x", "", "ไทย", "\ud800 nul\0", "👍🏽"]
    for settings in ({}, {"ties": "earliest"}, {"punctuation": "ignore"}, {"lowercase": False}):
        cut = resegment(text, references, tokenizer=tokenizer, **settings)
        assert len(cut.segments) == len(references)
        assert cut.cost == sum(cut.costs)
        rest, last = [], 0
        for segment, (begin, end) in zip(cut.segments, cut.boundaries, strict=True):
            assert segment == segment.strip() == cut.text[begin:end]
            rest.append(cut.text[last:begin])
            last = end
        assert "".join(rest).strip() == "" and cut.text[last:].strip() == ""
        assert cut.text == text.strip()


def test_lines_are_ignored():
    references = ["one two three", "four five", "six"]
    whole = resegment("one two three four five six", references)
    assert whole.segments == references
    for lines in (
        ["one two three four", "five six"],
        ["one", "", " two three ", "four five six"],
        iter(["one two three four five six"]),
    ):
        assert resegment(lines, references).segments == references
    # A line break between characters without spaces is not a space.
    assert resegment(["今天天", "气很好。", "谢谢"], ["今天天气很好。", "谢谢"]).segments == [
        "今天天气很好。",
        "谢谢",
    ]


def test_case_and_punctuation():
    assert resegment("A b B c", ["a b", "b c"]).segments == ["A b", "B c"]
    assert resegment("A b B c", ["a b", "b c"]).cost == 0
    assert resegment("A b B c", ["a b", "b c"], lowercase=False).cost == 2
    references = ["I see, he said.", "(Really?)"]
    for text in ("i see he said really", "I see: he said! ( Really )"):
        cut = resegment(text, references, punctuation="ignore")
        assert cut.cost == 0
    assert cut.segments == ["I see: he said!", "( Really )"]


def test_punctuation_at_a_cut():
    """Inserted punctuation costs the same in both segments: a closing mark ends one, an opening mark begins one."""
    for ties in TIES:
        assert resegment("a b . c d", ["a b", "c d"], ties=ties).segments == ["a b .", "c d"]
        assert resegment("a b ( c d", ["a b", "c d"], ties=ties).segments == ["a b", "( c d"]
        assert resegment("a b ? ! « c d", ["a b", "c d"], ties=ties).segments == [
            "a b ? !",
            "« c d",
        ]
        # The references say otherwise.
        assert resegment("a b . c d", ["a b", ". c d"], ties=ties).segments == ["a b", ". c d"]


def test_documents_are_cut_separately():
    references, documents = ["a b", "c", "a b", "d"], ["x", "x", "y", "y"]
    assert resegment(["a b", "c a b d"], references).segments == references
    cut = resegment(["a b", "c a b d"], references, documents=documents)
    assert cut.segments == ["a b", "", "c a b", "d"]
    assert cut.text == "a b c a b d"
    assert [cut.text[begin:end] for begin, end in cut.boundaries] == cut.segments
    lines, labels = ["a b d", "a", "b c"], ["y", "x", "x"]
    assert resegment(lines, references, documents=documents, hypothesis_documents=labels).segments == references
    mixed = resegment(lines, ["a b", "a b", "c", "d"], documents=[1, 2, 1, 2], hypothesis_documents=[2, 1, 1])
    assert mixed.segments == ["a b", "a b", "c", "d"]


def test_missing_references_and_integers():
    assert resegment("a b c", [["x", None, "a"], [None, "b c"]]).segments == ["a", "b c"]
    assert resegment([[1, 2], [3]], [[[1]], [[2, 3], [9]]]).segments == [[1], [2, 3]]


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        (("a", []), {}, "references is empty"),
        (("a", [None]), {}, r"references\[0\] is None"),
        ((3, ["a"]), {}, "hypothesis is 3"),
        (([1, 2], ["a"]), {}, r"hypothesis\[0\] is 1: pass a text"),
        (([["a"]], ["a"]), {}, "text and tokens cannot be compared"),
        (([[[1]]], [[[1]]]), {}, "hypothesis has a token that is not hashable"),
        (("&quot;a", ["a"]), {"tokenizer": "13a"}, "hypothesis is changed by the tokenizer 13a"),
        (("a", ["&quot;a"]), {"tokenizer": "13a"}, r"references\[0\]\[0\] is changed by the tokenizer 13a"),
        (("a b", ["a"]), {"tokenizer": lambda text: ["a"]}, "it omits 'b'"),
        (("a", ["a"]), {"tokenizer": lambda text: [1]}, "tokens that are not strings"),
        (("a", ["a"]), {"documents": []}, "documents has 0 labels for 1"),
        (("a", ["a"]), {"documents": "a"}, "documents is not a list"),
        (("a", ["a"]), {"documents": [None]}, r"documents\[0\] is None"),
        (("a", ["a"]), {"documents": [[]]}, r"documents\[0\] is not hashable"),
        (("a", ["a"]), {"hypothesis_documents": ["a"]}, "hypothesis_documents needs the documents"),
        (("a", ["a", "b"]), {"documents": [1, 2]}, "hypothesis has 1 line for 2 documents"),
        (
            ("a", ["a"]),
            {"documents": [1], "hypothesis_documents": [2]},
            r"hypothesis_documents\[0\] is 2, which is not",
        ),
        (
            ("a", ["a", "b"]),
            {"documents": [1, 2], "hypothesis_documents": [1]},
            r"documents\[1\] is 2, which has no line",
        ),
        (("a", ["a"]), {"ties": "middle"}, "unknown ties 'middle'.*earliest, latest"),
        (("a", ["a"]), {"punctuation": True}, "unknown punctuation True.*ignore, keep"),
        (("a", ["a"]), {"lowercase": "ascii"}, "lowercase must be True or False"),
        (("a", ["a"]), {"tokenizer": "intle"}, "did you mean"),
    ],
)
def test_mistakes(arguments, settings, message):
    with pytest.raises(refscore.RefscoreError, match=message):
        resegment(*arguments, **settings)


def test_degenerate_input():
    assert resegment([], []).segments == []
    assert resegment("", []).segments == []
    assert resegment("", ["a", "", "b"]).costs == [1, 0, 1]
    assert resegment("a b", ["", "", ""]).cost == 2
    assert resegment("b", ["a", "b", "c", "d"]).segments == ["", "b", "", ""]
    many = resegment("one", [str(number) for number in range(2000)] + ["one"])
    assert many.segments == [""] * 2000 + ["one"]


@pytest.mark.slow
@pytest.mark.parametrize("references", [1, 2])
def test_much_longer_hypothesis(references):
    """A system that repeats one word: the table of all cells would have a billion of them."""
    entries = [[f"a b c{number} d e f g h i j" for _ in range(references)] for number in range(50)]
    cut = resegment("spam " * 100_000, entries)
    assert cut.cost == 100_000
    assert sum(len(segment.split()) for segment in cut.segments) == 100_000
    assert resegment("w" * 1_000_000, entries).cost == 500


def test_signature():
    signature = Resegmenter(tokenizer="char", lowercase=False, punctuation="ignore", ties="earliest").signature
    assert signature == f"resegment|tok:char|case:mixed|punct:ignore|ties:earliest|version:{refscore.__version__}"
    assert resegment("a", ["a"]).signature == Resegmenter().signature
