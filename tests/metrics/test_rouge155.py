"""ROUGE compared with recorded results of ROUGE-1.5.5, and the variants W, S and SU on long and unusual texts."""

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest

import refscore
from refscore import ROUGE
from tests import strategies
from tests.differential import compare
from tests.golden import make_rouge155
from tests.originals.rouge import ORIGINALS
from tests.reference import close, rouge as oracle

_, DEFINITION, DEFINITION_OF_LINES, _ = ORIGINALS
RECORDED = json.loads((Path(__file__).parent.parent / "golden" / "rouge155.json").read_text(encoding="utf-8"))
RUNS = [
    pytest.param(run["mode"], run["alpha"], name, rows, id=f"-f {run['mode']} -p {run['alpha']} ROUGE-{name}")
    for run in RECORDED["runs"]
    for name, rows in run["results"].items()
]


def test_the_recorded_summaries_are_the_same():
    assert make_rouge155.digest() == RECORDED["digest"]


@pytest.mark.parametrize(("mode", "alpha", "name", "rows"), RUNS)
def test_recorded_results(mode, alpha, name, rows):
    """Recorded numbers have five decimals, and F-scores are computed from rounded numbers."""
    metric = ROUGE.preset(
        "rouge-1.5.5",
        variant={"L": "Lsum"}.get(name, name),
        combine={"A": "pool", "B": "recall"}[mode],
        beta=math.sqrt((1 - alpha) / alpha),
    )
    hypotheses, references = make_rouge155.corpus()
    ours = metric.stats(hypotheses, references)[:, [1, 0, 2]]
    assert len(rows) == len(ours)
    assert np.abs(ours - rows)[:, :2].max() < 5.1e-6
    assert np.abs(ours - rows)[:, 2].max() < 3e-5
    recall, precision, f = ours[ours[:, 0] > 0].T
    assert np.allclose(f, precision * recall / ((1 - alpha) * precision + alpha * recall), rtol=1e-12, atol=0)


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 6, 7, 63, 64, 65, 129])
@pytest.mark.parametrize("distinct", [1, 2, 8, 1000])
def test_sizes(size, distinct):
    reference = strategies.random_tokens(1, size, distinct)
    others = [strategies.random_tokens(2, other, distinct) for other in (0, 1, 2, 6, 64, 130)]
    others += [strategies.noisy_copy(3, reference, rate, -1) for rate in (0.1, 0.5)]
    for original, variants in [(DEFINITION, ("S*", "S0", "S4", "S60", "SU4")), (DEFINITION_OF_LINES, ("W-1.2", "W-2"))]:
        for variant in variants:
            compare(original, others, [[reference] for _ in others], variant=variant)
            compare(original, [reference for _ in others], [[other] for other in others], variant=variant)


@pytest.mark.parametrize("combine", ["best", "recall", "pool"])
@pytest.mark.parametrize("variant", ["1", "L", "Lsum", "W-1.2", "S4", "SU4"])
def test_several_references(variant, combine):
    generator = random.Random(f"{variant}{combine}")
    original = DEFINITION_OF_LINES if variant in ("Lsum", "W-1.2") else DEFINITION
    words = ["a", "b", "c", "d", "\n"] if original is DEFINITION_OF_LINES else ["a", "b", "c", "d"]
    references = [[generator.choices(words, k=generator.randrange(20)) for _ in range(4)] for _ in range(40)]
    hypotheses = [generator.choices(words, k=generator.randrange(20)) for _ in references]
    for beta in (0.0, 0.3, 1.0, 2.0):
        compare(original, hypotheses, references, variant=variant, combine=combine, beta=beta)


def test_a_weighted_table_of_several_blocks():
    """Tables of more than 4096 reference tokens are filled in blocks, which give the same subsequence."""
    short = strategies.random_tokens(5, 20, 40)
    reference = [token for number in range(260) for token in (*strategies.random_tokens(number, 19, 40), 100 + number)]
    assert len(reference) > 4096
    hypothesis = short + reference[4080:4110] + reference[2000:2005] + short
    expected = oracle.row("W-1.2", [hypothesis], [[reference]])[:3]
    actual = ROUGE(variant="W-1.2").segment(hypothesis, [reference]).row[:3].tolist()
    assert all(map(close, actual, expected))


def test_variants_with_numbers():
    assert ROUGE(variant="W").variant == "W-1.2" and ROUGE(variant="W-2.0").variant == "W-2"
    assert ROUGE(variant="S").variant == "S*" and ROUGE(variant="SU").variant == "SU*"
    assert (ROUGE(variant="SU4").title, ROUGE(variant="W").title) == ("ROUGE-SU4", "ROUGE-W-1.2")
    for name in ("ROUGE-SU4", "rougeSU4", "rougesu4", "ROUGE-S*", "ROUGE-W-1.2", "rougew1.2", "ROUGE-W", "rouge-s0"):
        label, metric = _parse(name)
        assert _parse(label)[1] == metric and refscore.from_signature(metric.signature) == metric
        assert _parse(metric.title)[1] == metric
    for variant in ("W-0.9", "W-5.1", "W-", "W1e1", "S-1", "S04", "S1000001", "SU ", "su4", "Sum", "w", "W-1.2.3"):
        with pytest.raises(refscore.errors.UnknownNameError):
            ROUGE(variant=variant)


def _parse(name):
    from refscore.metrics import parse_metric

    return parse_metric(name)


def test_a_large_beta_is_recall_and_zero_is_precision():
    for variant in ("1", "L", "W", "SU4"):
        score = ROUGE(variant=variant, beta=0).segment("a b c d e", "a b d")
        assert score.value == pytest.approx(score.precision, rel=1e-15)
        for beta in (1e9, 1e300):
            score = ROUGE(variant=variant, beta=beta).segment("a b c d e", "a b d")
            assert score.value == pytest.approx(score.recall, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["S*", "SU*", "S4", "S5000"])
def test_pairs_of_much_text(variant):
    """Pairs at any distance are a quadratic number, but are not stored."""
    reference = strategies.random_tokens(4, 50_000, 300)
    metric = ROUGE(variant=variant)
    assert metric.segment(reference, [reference]).value == 1
    assert metric.segment(reference[:25_000], [reference]).precision == 1
    assert "too many to list" in str(metric.explain(reference, [reference]))


@pytest.mark.parametrize("variant", ["S4", "SU4", "S*", "W-1.2"])
@pytest.mark.parametrize("combine", ["best", "recall", "pool"])
def test_steps_have_the_numbers_of_the_score(variant, combine):
    metric = ROUGE(variant=variant, combine=combine, beta=2)
    references = ["the cat is on the mat today\nit rains", "a cat sat on a mat\nthe sun"]
    for hypothesis in ("the cat sat on a mat\nit is the sun", "the the the", "x", ""):
        score = metric.segment(hypothesis, references)
        steps = str(metric.explain(hypothesis, references))
        assert steps.rstrip().endswith(f"({score.percent:.2f} %)")
        if score.value:
            assert f"= {score.precision:.4f}\n" in steps and f"= {score.recall:.4f}\n" in steps
