"""The tokenizers ptb and ptb-coco equal Stanford CoreNLP 3.4.1 and coco-caption, as recorded and, with Java, live."""

import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import given

import refscore
from tests import strategies
from tests.golden import ptb_lines
from tests.tokenizers import ptb_program as ptb

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "ptb.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("tokenizer", "key"), [("ptb", "ptb"), ("ptb-coco", "coco")])
def test_recorded_tokens(tokenizer, key):
    assert len(GOLDEN["lines"]) > 500
    for line in GOLDEN["lines"]:
        assert refscore.tokenize(line["text"], tokenizer) == line[key], line["text"]


def test_live_tokens():
    """Compare with the program on further lines, without letters that Java 17 (Unicode 13) does not know."""
    lines = [ptb.NEWER_LETTERS.sub("", line) for line in ptb_lines.lines(7, 3000)]
    for text, tokens, coco in zip(lines, ptb.tokenize_files(lines), ptb.tokenize_coco(lines), strict=True):
        assert refscore.tokenize(text, "ptb") == tokens, ascii(text)
        assert refscore.tokenize(text, "ptb-coco") == coco, ascii(text)


def test_live_captions():
    """Compare with coco-caption itself, which tokenizes all captions as one file."""
    tokenizer = ptb.load().PTBTokenizer()
    captions = [*ptb_lines.captions(random.Random(3), 2000), "the end"]
    theirs = tokenizer.tokenize({i: [{"caption": caption}] for i, caption in enumerate(captions)})
    for i, caption in enumerate(captions):
        assert refscore.tokenize(caption, "ptb-coco") == theirs[i][0].split(), caption


@pytest.mark.parametrize(
    ("captions", "index", "theirs"),
    [
        (["plan B.", "A dog"], 0, ["plan", "b"]),
        (["plan B.", "dogs"], 0, ["plan", "b."]),
        (["hi :)", "dogs"], 0, ["hi", ":-rrb-"]),
        (["dogs", "hi :)"], 1, ["hi", "-rrb-"]),
    ],
)
def test_context_in_coco_caption(captions, index, theirs):
    """coco-caption's tokens of a caption depend on the next one. refscore's do not."""
    tokenized = ptb.load().PTBTokenizer().tokenize({i: [{"caption": caption}] for i, caption in enumerate(captions)})
    assert tokenized[index][0].split() == theirs
    ours = {"plan B.": ["plan", "b."], "hi :)": ["hi", ":-rrb-"]}
    assert refscore.tokenize(captions[index], "ptb-coco") == ours[captions[index]]


@given(text=strategies.lines())
def test_coco_is_ptb_lowercased_without_punctuation(text):
    tokens = [token for token in refscore.tokenize(text, "ptb") if token.lower() not in ptb.PUNCTUATION]
    if text.isascii():
        assert refscore.tokenize(text, "ptb-coco") == " ".join(tokens).lower().split()


@pytest.mark.parametrize("text", ["\ud800", "a\udc00b", "\ud800.com", "x@\udfff", "a\x00b", "\x00", "", " \n\r"])
def test_odd_characters(text):
    assert isinstance(refscore.tokenize(text, "ptb"), list)
    assert refscore.tokenize(f"dog {text}", "ptb-coco")[0] == "dog"


@pytest.mark.parametrize(
    "piece", ["a,", "1a.", "<!a", "<a b='", "a;", "http", "A. <!x", "x.[^x=", "a&b", "\u00e9.", "-", "'", "etc. <a b='"]
)
def test_linear_time(piece):
    """A quadratic scan of these texts would take minutes."""
    start = time.perf_counter()
    refscore.tokenize(piece * (400_000 // len(piece)), "ptb")
    assert time.perf_counter() - start < 20
