"""McNemar's exact test against exact fractions, and against every possible swap of two systems."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

import refscore
from refscore.significance import mcnemar
from refscore.significance.mcnemar import exact_p

ACCURACY = refscore.Given("accuracy")


def by_fractions(wins, losses):
    count, fewer = wins + losses, min(wins, losses)
    tail = sum(comb(count, k) for k in range(fewer + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**count)))


@pytest.mark.parametrize("count", [*range(24), 100, 101, 999, 1000, 3000])
def test_p_against_fractions(count):
    for wins in {*range(min(count, 60) + 1), count // 3, count // 2, count}:
        assert exact_p(wins, count - wins) == pytest.approx(by_fractions(wins, count - wins), rel=1e-12, abs=1e-300)


def test_p_against_every_swap():
    generator = np.random.default_rng(7)
    for _ in range(30):
        old, new = generator.integers(0, 2, (2, 9))
        observed = abs(int(new.sum() - old.sum()))
        swapped = [
            abs(sum(s * int(b - a) for s, a, b in zip(signs, old, new, strict=True)))
            for signs in product((1, -1), repeat=9)
        ]
        expected = sum(value >= observed for value in swapped) / len(swapped)
        found = mcnemar(ACCURACY, {"old": ACCURACY.stats(old), "new": ACCURACY.stats(new)})["new"]
        assert found.p == pytest.approx(expected, rel=1e-12)
        assert found.difference == pytest.approx((new.sum() - old.sum()) / 9)


def test_many_segments_and_no_differences():
    assert exact_p(1_000_000, 1_000_000) == 1.0
    assert exact_p(0, 100_000) == 0.0
    assert 0 < exact_p(500_000, 503_000) < 0.01
    same = ACCURACY.stats([1, 0, 1])
    assert mcnemar(ACCURACY, {"old": same, "new": same})["new"].p == 1.0


def test_in_comparisons():
    refs = [f"the answer is {n}" for n in range(40)]
    old, new = (
        [ref if n % 2 else "no" for n, ref in enumerate(refs)],
        [ref if n % 5 else "no" for n, ref in enumerate(refs)],
    )
    result = refscore.compare({"old": old, "new": new}, refs, "exact_match", test="mcnemar", resamples=100)
    wins, losses = 16, 4
    assert result["exact_match"]["new"].p == pytest.approx(by_fractions(wins, losses))
    assert "p McNemar" in str(result)
    assert "test:mcnemar|resamples:100|seed:12345|conf:0.95|units:segments|holm:no|" in str(result)
    assert "McNemar's exact test over segments)" in result.to_latex()
    assert result.tests["mcnemar"]["exact_match"].trials is None
    assert result["exact_match"].table().title == "exact_match, McNemar's exact test, baseline old"


def test_skipped_segments():
    accuracy = refscore.Given("accuracy", missing="skip")
    rows = {"old": accuracy.stats([1, None, 0, 0]), "new": accuracy.stats([1, None, 1, 1])}
    assert mcnemar(accuracy, rows)["new"].p == 0.5


def test_mistakes():
    refs = ["a b", "c d"]
    systems = {"old": ["a c", "c d"], "new": refs}
    with pytest.raises(refscore.InputError, match=r"scores of 0 or 1, but WER gives a segment of 'old' another score"):
        refscore.compare(systems, refs, "wer", test="mcnemar")
    with pytest.raises(refscore.InputError, match="single segments, not units"):
        refscore.compare(systems, refs, "exact_match", test="mcnemar", units=["x", "y"])
    with pytest.raises(refscore.InputError, match="systems with one run"):
        refscore.compare({"old": [refs, refs], "new": [refs, refs]}, refs, "exact_match", test="mcnemar")
    with pytest.raises(refscore.SettingError, match="mcnemar needs refscore's formulas"):
        refscore.compare(systems, refs, "exact_match", test="mcnemar", formulas="sacrebleu")
