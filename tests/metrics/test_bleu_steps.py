"""BLEU's worked steps: every number equals the oracle's."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.steps import Formula
from tests import strategies
from tests.examples import examples
from tests.locations import raises_at
from tests.metrics.step_parts import formulas, sentences, tables
from tests.originals.bleu import make
from tests.reference import bleu as oracle, tokenizers as oracle_tokenizers
from tests.test_inputs import Tensor

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

SEGMENTS = {
    "several references": (list("abcdxfgab"), [list("abcdefgh"), list("bcdx"), list("ab")]),
    "one reference": (list("abcd"), [list("abce")]),
    "clipped": (["the"] * 7, [["the", "cat", "is", "on", "the", "mat"]]),
    "equal": (list("abcde"), [list("abcde")]),
    "empty hypothesis": ([], [list("ab")]),
    "empty reference": (list("ab"), [[]]),
    "both empty": ([], [[]]),
    "no match": (list("xyz"), [list("abcdef")]),
    "short": (list("ab"), [list("abc")]),
    "one token": (["a"], [["a"]]),
    "ids": ([1, 2, 3, 3], [[1, 2, 3, 4], [3, 3]]),
    "objects": ([(1, 2), None, "a b", 2.5, b"x"], [[None, "a b", 2.5], [(1, 2)]]),
    "surrogates": (["\ud800", "a", "\udfff"], [["\ud800", "a"]]),
    "long": (list("abcdefghijklmnopqrstuvwxyz") * 2, [list("abcdefghijklmnopqrstuvwxyz")]),
}

SETTINGS = {
    **oracle.PRESETS,
    **{smoothing: oracle.Settings(smoothing=smoothing) for smoothing in oracle.SMOOTHINGS},
    **{f"{name}, padded": oracle.Settings(smoothing=name, short_order="pad") for name in oracle.SMOOTHINGS},
    "weights": oracle.Settings(max_order=3, weights=(0.5, 0.3, 0.2)),
    "weights that do not add up to 1": oracle.Settings(max_order=2, weights=(1, 2), effective_order=True),
    "zero weights": oracle.Settings(smoothing="none", weights=(0.5, 0.5, 0, 0)),
    "effective": oracle.Settings(smoothing="none", effective_order=True, weights=(0.1, 0.2, 0.3, 0.4)),
    "effective, perfect": oracle.Settings(effective_order=True, short_order="perfect"),
    "effective, skipping": oracle.Settings(effective_order=True, smoothing="nltk-4"),
    "average": oracle.Settings(reference_length="average"),
    "shortest": oracle.Settings(reference_length="shortest", smoothing_value=0.03, smoothing="floor"),
    "twelve": oracle.Settings(max_order=12),
}


def check(setting, hypothesis, references, steps):
    score = oracle.segment(setting, hypothesis, references)
    check_counts(setting, hypothesis, references, steps)
    check_lengths(setting, hypothesis, references, steps, score)
    check_mean(steps, score)
    assert steps.result.startswith(f"BLEU = {score.value:.4f} ({100 * score.value:.2f} %)")
    assert str(steps).encode() and steps.to_html().encode()  # without lone surrogates


def check_counts(setting, hypothesis, references, steps):
    row = dict(zip(setting.columns, oracle.row(setting, hypothesis, references), strict=True))
    lengths = [int(row.cells[2]) for row in tables(steps)["Compared tokens"].rows]
    assert lengths == [len(hypothesis), *map(len, references)]
    first = {}
    for part in steps.parts:
        if isinstance(part, Formula):
            first.setdefault(part.name, part)
    for n in range(1, setting.max_order + 1):
        matches, total = row[f"correct_{n}"], row[f"total_{n}"]
        if total == 0:
            assert f"{n}-grams" not in tables(steps)
            assert f"{n}-grams: the hypothesis has only {len(hypothesis)} token" in sentences(steps)
            continue
        cells = [[int(cell) for cell in row.cells[1:]] for row in tables(steps)[f"{n}-grams"].rows]
        assert sum(count for count, _, _ in cells) == total
        assert sum(clipped for _, _, clipped in cells) == matches
        assert all(clipped == min(count, most) for count, most, clipped in cells)
        assert len(cells) == len(oracle.ngrams(hypothesis, n))
        for row_, (count, _, clipped) in zip(tables(steps)[f"{n}-grams"].rows, cells, strict=True):
            assert row_.mark == ("match" if clipped == count else "partial" if clipped else "miss")
        plain = first["p" + str(n).translate(SUBSCRIPTS)]
        assert plain.expression.endswith(f"{matches}/{total}")
        assert plain.value == f"{matches / total:.4f}"


def check_lengths(setting, hypothesis, references, steps, score):
    found = formulas(steps)
    ref_len = oracle.row(setting, hypothesis, references)[1]
    assert found["c"].value == str(len(hypothesis))
    assert float(found["r"].value) == pytest.approx(ref_len, rel=1e-5)
    penalty = found["BP"].value or found["BP"].expression.split(",")[0]
    assert float(penalty) == pytest.approx(score.brevity_penalty, abs=6e-5)


def check_mean(steps, score):
    found = formulas(steps)
    if score.value == 0:
        assert "BLEU" not in found
        assert re.search("scores 0|the score is 0|is 0, and so is the score", sentences(steps))
        return
    shown = {row.cells[0]: row.cells[1:] for row in tables(steps)["Logarithms"].rows}
    for n, precision in enumerate(score.precisions, 1):
        if (cells := shown.get("p" + str(n).translate(SUBSCRIPTS))) is None:
            continue
        value, logarithm, weight, product = map(float, cells)
        assert value == pytest.approx(precision, rel=1e-5)
        assert logarithm == pytest.approx(math.log(precision), abs=6e-5)
        assert product == pytest.approx(weight * math.log(precision), rel=1e-3, abs=6e-5)
    mean = float(found["mean"].value)
    assert mean == pytest.approx(sum(float(cells[3]) for cells in shown.values()), abs=1e-3)
    assert score.brevity_penalty * math.exp(mean) == pytest.approx(score.value, rel=1e-4)
    assert float(found["BLEU"].value) == pytest.approx(score.value, abs=6e-5)


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_numbers(setting):
    for segment in SEGMENTS.values():
        if setting.smoothing == "nltk-6" and oracle.row(setting, *segment)[3] == 0:
            continue  # undefined without a matching bigram
        check(setting, *segment, make(setting).explain(*segment))


@given(corpus=strategies.word_corpora, setting=st.sampled_from(list(oracle.PRESETS.values())))
@examples(30)
def test_generated_segments(corpus, setting):
    for hypothesis, references in zip(*corpus, strict=True):
        check(setting, hypothesis, references, make(setting).explain(hypothesis, references))


@pytest.mark.parametrize("tokenizer", oracle_tokenizers.TOKENIZERS)
@pytest.mark.parametrize("lowercase", [False, True])
def test_text(tokenizer, lowercase):
    hypothesis, references = "The cat, 中文。 it's 3.5", ["the cat. 中文，\ud800 It's 3.5", "A dog\u2028 ran"]
    metric = refscore.BLEU(tokenizer=tokenizer, lowercase=lowercase)

    def split(text):
        return oracle_tokenizers.prepare(text, tokenizer=tokenizer, lowercase=lowercase)

    tokens = split(hypothesis), [split(text) for text in references]
    steps = metric.explain(hypothesis, references)
    check(oracle.Settings(), *tokens, steps)
    assert tables(steps)["Compared tokens"].rows[0].cells[1] == " ".join(tokens[0])
    assert metric.signature in sentences(steps)


SHAPES = {
    "missing": ("a b c", [None, "a b", None]),
    "one text": ("a b c", "a b"),
    "tuples": (("a", "b", "c"), (("a", "b"),)),
    "generator": ("a b c", (text for text in ["a b"])),
    "generators of tokens": (["a", "b", "c"], (tokens for tokens in [["a", "b"]])),
    "array of texts": ("a b c", np.array(["a b"])),
    "matrix": (np.array([1, 2, 3], "uint8"), np.array([[1, 2]])),
    "arrays": (np.array([1, 2, 3]), [np.array([1, 2], "int16")]),
    "tensors": (Tensor(np.array([1, 2, 3])), [Tensor(np.array([1, 2]))]),
    "matrix of a tensor": (Tensor(np.array([1, 2, 3])), Tensor(np.array([[1, 2]]))),
}


@pytest.mark.parametrize(("hypothesis", "references"), SHAPES.values(), ids=SHAPES)
def test_shapes(hypothesis, references):
    steps = make(oracle.Settings()).explain(hypothesis, references)
    check(oracle.Settings(), list("abc"), [list("ab")], steps)
    assert tables(steps)["Compared tokens"].rows[0].cells[1] in ("a b c", "1 2 3")


@pytest.mark.parametrize(
    ("hypothesis", "references", "location"),
    [
        (None, ["a"], {"side": "hypothesis"}),
        ("a", [], {"side": "references"}),
        (["a"], ["a"], {"side": "references"}),
        (["a"], "a", {"side": "references"}),
        (["a", []], [["a"]], {"side": "hypothesis", "token": 1}),
    ],
)
def test_mistakes(hypothesis, references, location):
    with raises_at(refscore.InputError, **location):
        refscore.BLEU().explain(hypothesis, references)
